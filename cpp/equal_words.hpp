// Which of up to 64 words equal a given word, as the bits of one number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "byte_marks.hpp"
#include "ragged.hpp"

namespace corrigenda {

inline constexpr std::size_t kWordsInBits = 64;

// Bit i says whether words[i] == word, for i < size <= 64.
inline std::uint64_t equal_words(const Token* words, std::size_t size, Token word) {
    std::uint64_t bits = 0;
    std::size_t i = 0;
#if defined(CORRIGENDA_SSE2)
    const __m128i wanted = _mm_set1_epi32(word);
    for (; i + 4 <= size; i += 4) {
        const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words + i));
        const int found = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four, wanted)));
        bits |= static_cast<std::uint64_t>(found) << i;
    }
#endif
    for (; i < size; ++i) bits |= static_cast<std::uint64_t>(words[i] == word) << i;
    return bits;
}

}  // namespace corrigenda
