// Asks the processor for memory before it is needed.
#pragma once

#include <cstddef>

namespace corrigenda {

inline void prefetch_bytes(const void* begin, std::size_t size) {
#if defined(__GNUC__)
    constexpr std::size_t line = 64;
    const auto* bytes = static_cast<const char*>(begin);
    for (std::size_t at = 0; at < size; at += line) __builtin_prefetch(bytes + at);
#else
    (void)begin;
    (void)size;
#endif
}

template <typename Object>
void prefetch_object(const Object& object) {
    prefetch_bytes(&object, sizeof(Object));
}

// The memory of a vector or string. Only the first 8 KB: more would drive out what is in use.
template <typename Values>
void prefetch_all(const Values& values) {
    const std::size_t size = values.size() * sizeof(values[0]);
    prefetch_bytes(values.data(), size < 8192 ? size : 8192);
}

}  // namespace corrigenda
