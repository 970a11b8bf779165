// How a kernel makes its functions available to Python. The end of its .cpp file looks like this:
//
//     #ifndef CORRIGENDA_WITHOUT_PYTHON
//     #include "binding.hpp"
//
//     namespace corrigenda {
//     CORRIGENDA_BINDINGS(name_of_the_file) { module.def("name", &function, "argument"_a); }
//     }  // namespace corrigenda
//     #endif
//
// A binding unpacks arrays, releases the GIL, calls the kernel and returns arrays. The wrappers in
// src/corrigenda/kernels check shapes and offsets. C++ tests and fuzz targets define
// CORRIGENDA_WITHOUT_PYTHON, so they compile the same file without Python and nanobind.
#pragma once

#ifdef CORRIGENDA_WITHOUT_PYTHON
#error "Include binding.hpp between #ifndef CORRIGENDA_WITHOUT_PYTHON and #endif."
#endif

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "ragged.hpp"

namespace corrigenda {

namespace nb = nanobind;
using namespace nb::literals;

using Bind = void (*)(nb::module_& module);

// The bindings of all kernels. They are sorted by name, because the order in which the files of a
// program register themselves is not fixed.
inline std::multimap<std::string_view, Bind>& all_bindings() {
    static std::multimap<std::string_view, Bind> bindings;
    return bindings;
}

struct Registration {
    Registration(std::string_view name, Bind bind) { all_bindings().emplace(name, bind); }
};

// Registers the block that follows it. bindings.cpp runs the block when Python loads the module.
#define CORRIGENDA_BINDINGS(NAME)                                          \
    static void bind_##NAME(nanobind::module_& module);                    \
    static const Registration registration_of_##NAME(#NAME, &bind_##NAME); \
    static void bind_##NAME(nanobind::module_& module)

using Ids = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline Ragged ragged(const Ids& ids, const Offsets& offsets) {
    return {ids.data(), offsets.data(), offsets.shape(0) - 1};
}

// Gives a vector to numpy without a copy.
template <typename Value>
nb::object to_numpy(std::vector<Value>&& values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<Value>(std::move(values));
    nb::capsule owner(
        owned, [](void* memory) noexcept { delete static_cast<std::vector<Value>*>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, Value>(owned->data(), shape, owner));
}

// The same, with one dimension.
template <typename Value>
nb::object to_numpy(std::vector<Value>&& values) {
    const std::size_t size = values.size();
    return to_numpy(std::move(values), {size});
}

// The same, as rows of `columns` values.
template <typename Value>
nb::object to_numpy_rows(std::vector<Value>&& values, std::size_t columns) {
    const std::size_t rows = values.size() / columns;
    return to_numpy(std::move(values), {rows, columns});
}

}  // namespace corrigenda
