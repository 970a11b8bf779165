// The only file that knows Python: takes arrays apart, releases the GIL, calls a kernel, hands arrays back.
// Shapes and offsets are checked by the wrappers in corrigenda/kernels.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "ngram.hpp"
#include "ragged.hpp"
#include "vocabulary.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corrigenda {
namespace {

using Ids = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Ragged ragged(const Ids& ids, const Offsets& offsets) {
    return {ids.data(), offsets.data(), offsets.shape(0) - 1};
}

// Hands a vector over to numpy without copying it.
template <typename Value>
nb::object to_numpy(std::vector<Value>&& values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<Value>(std::move(values));
    nb::capsule owner(owned, [](void* memory) noexcept { delete static_cast<std::vector<Value>*>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, Value>(owned->data(), shape, owner));
}

nb::tuple to_python(EncodedText&& encoded) {
    const auto ids = encoded.ids.size();
    const auto offsets = encoded.offsets.size();
    return nb::make_tuple(to_numpy(std::move(encoded.ids), {ids}), to_numpy(std::move(encoded.offsets), {offsets}));
}

std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

nb::tuple vocabulary_add(Vocabulary& vocabulary, const nb::bytes& text) {
    return to_python(vocabulary.add(view(text)));
}

nb::tuple vocabulary_encode(const Vocabulary& vocabulary, const nb::bytes& text) {
    EncodedText encoded;
    {
        const nb::gil_scoped_release unlocked;
        encoded = vocabulary.encode(view(text));
    }
    return to_python(std::move(encoded));
}

void make_ngram_index(NgramIndex* self, const Ids& source_ids, const Offsets& source_offsets, const Ids& reference_ids,
                      const Offsets& reference_offsets, const Offsets& references_of_sentence, int order, bool pooled,
                      std::size_t threads) {
    const nb::gil_scoped_release unlocked;
    new (self) NgramIndex(ragged(source_ids, source_offsets), ragged(reference_ids, reference_offsets),
                          references_of_sentence.data(), order, pooled, threads);
}

nb::object ngram_count(const NgramIndex& index, const Ids& ids, const Offsets& offsets, std::size_t threads) {
    const auto order = static_cast<std::size_t>(index.order());
    std::vector<std::int64_t> counts(index.rows() * order * ngram_count_kinds);
    {
        const nb::gil_scoped_release unlocked;
        index.count(ragged(ids, offsets), threads, counts.data());
    }
    return to_numpy(std::move(counts), {index.rows(), order, ngram_count_kinds});
}

}  // namespace
}  // namespace corrigenda

NB_MODULE(_kernels, module) {
    using namespace corrigenda;
    nb::class_<Vocabulary>(module, "Vocabulary")
        .def(nb::init<>())
        .def("add", &vocabulary_add, "text"_a)
        .def("encode", &vocabulary_encode, "text"_a)
        .def("__len__", &Vocabulary::size);

    nb::class_<NgramIndex>(module, "NgramIndex")
        .def("__init__", &make_ngram_index, "source_ids"_a.noconvert(), "source_offsets"_a.noconvert(),
             "reference_ids"_a.noconvert(), "reference_offsets"_a.noconvert(), "references_of_sentence"_a.noconvert(),
             "order"_a, "pooled"_a, "threads"_a)
        .def("count", &ngram_count, "ids"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a);
}
