// Partners of equal units in two texts, found in one pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace corrigenda {

// How far ahead two texts are searched for the place where they agree again.
constexpr std::size_t kAlignmentWindow = 6;

// For each unit of `a` its equal partner in `b`, or -1. Partners stand in the same order. Counts of
// n-grams do not depend on which partners are found; good ones leave little to count.
template <typename Unit>
void align_greedily(const Unit* a, std::size_t a_size, const Unit* b, std::size_t b_size,
                    std::int32_t* partners) {
    std::size_t i = 0;
    while (i < a_size && i < b_size && a[i] == b[i]) {
        partners[i] = static_cast<std::int32_t>(i);
        ++i;
    }
    while (a_size > i && b_size > i && a[a_size - 1] == b[b_size - 1]) {
        partners[--a_size] = static_cast<std::int32_t>(--b_size);
    }
    const auto agree = [&](std::size_t x, std::size_t y) {
        if (x >= a_size || y >= b_size || a[x] != b[y]) return false;
        return x + 1 >= a_size || y + 1 >= b_size || a[x + 1] == b[y + 1];
    };
    std::size_t j = i;
    while (i < a_size && j < b_size) {
        if (a[i] == b[j]) {
            partners[i++] = static_cast<std::int32_t>(j++);
            continue;
        }
        std::size_t skip_a = 1;
        std::size_t skip_b = 1;
        for (std::size_t distance = 1; distance <= kAlignmentWindow; ++distance) {
            std::size_t in_a = 0;
            while (in_a <= distance && !agree(i + in_a, j + distance - in_a)) ++in_a;
            if (in_a <= distance) {
                skip_a = in_a;
                skip_b = distance - in_a;
                break;
            }
        }
        for (; skip_a > 0 && i < a_size; --skip_a) partners[i++] = -1;
        j = std::min(j + skip_b, b_size);
    }
    while (i < a_size) partners[i++] = -1;
}

}  // namespace corrigenda
