// The compiled module corrigenda._kernels. Every kernel binds itself: see binding.hpp.
#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

NB_MODULE(_kernels, module) {
    // A corpus that still exists when Python ends is not a leak, so nanobind must not warn of it.
    nanobind::set_leak_warnings(false);
    for (const auto& [name, bind] : corrigenda::all_bindings()) bind(module);
}
#endif
