// Words and characters of UTF-8 text. Whitespace is the same as for Python's `str.split`. NUL also
// counts as a space, because no sentence contains it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "ragged.hpp"

namespace corrigenda {

// The length in bytes of the whitespace character at `at`, or 0 if there is none.
inline std::size_t whitespace_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t ahead) {
        return at + ahead < text.size() ? static_cast<unsigned char>(text[at + ahead]) : 0U;
    };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return first == ' ' || (first >= 0x09 && first <= 0x0D) ||
               (first >= 0x1C && first <= 0x1F) || first == 0;
    }
    switch (first) {
        case 0xC2:  // U+0085, U+00A0
            return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;
        case 0xE1:  // U+1680
            return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
        case 0xE2:  // U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F
            if (byte(1) == 0x80) {
                const unsigned last = byte(2);
                const bool is_space = last <= 0x8A || last == 0xA8 || last == 0xA9 || last == 0xAF;
                return last >= 0x80 && is_space ? 3 : 0;
            }
            return byte(1) == 0x81 && byte(2) == 0x9F ? 3 : 0;
        case 0xE3:  // U+3000
            return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
        default:
            return 0;
    }
}

// The next place, from `at` on, that is not a letter, digit or mark of ASCII. Eight bytes are looked
// at together.
inline std::size_t after_plain_letters(std::string_view text, std::size_t at) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t bytes;
        std::memcpy(&bytes, text.data() + at, 8);
        // The high bit of each byte that is below 0x21 or above 0x7F. A byte below 0x21 borrows
        // from those behind it, so only the first mark is sure.
        const std::uint64_t marks =
            ((bytes - 0x2121212121212121ULL) | bytes) & 0x8080808080808080ULL;
        if (marks != 0) return at + static_cast<std::size_t>(__builtin_ctzll(marks)) / 8;
    }
#endif
    while (at < text.size() && static_cast<signed char>(text[at]) > ' ') ++at;
    return at;
}

// Calls `use(word)` for every word, in order.
template <typename Use>
void for_each_word(std::string_view text, Use use) {
    std::size_t begin = 0;
    std::size_t at = 0;
    for (;;) {
        at = after_plain_letters(text, at);
        if (at == text.size()) break;
        const std::size_t blank = text[at] == ' ' ? 1 : whitespace_at(text, at);
        if (blank == 0) {
            ++at;
            continue;
        }
        if (at > begin) use(text.substr(begin, at - begin));
        at += blank;
        begin = at;
    }
    if (at > begin) use(text.substr(begin, at - begin));
}

// Returns the code point at `at` and moves `at` behind it. The text is valid UTF-8, except that it
// may have lone surrogates of three bytes each. In other text, no byte behind its end is read.
inline Token next_code_point(std::string_view text, std::size_t& at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    Token code_point = length == 1 ? lead : lead & (0x7F >> length);
    const std::size_t end = std::min(length, text.size() - at);
    for (std::size_t i = 1; i < end; ++i) {
        code_point = code_point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3F);
    }
    at += end;
    return code_point;
}

// Appends the code points of the text as it is if `raw`, otherwise of its words joined by single
// spaces. A line end or NUL becomes a space, because no sentence contains either.
inline void append_characters(std::string_view text, bool raw, std::vector<Token>& out) {
    const auto append = [&out](std::string_view part) {
        for (std::size_t at = 0; at < part.size();) {
            const Token code_point = next_code_point(part, at);
            out.push_back(code_point == '\n' || code_point == 0 ? ' ' : code_point);
        }
    };
    if (raw) {
        append(text);
        return;
    }
    const std::size_t start = out.size();
    for_each_word(text, [&](std::string_view word) {
        if (out.size() > start) out.push_back(' ');
        append(word);
    });
}

}  // namespace corrigenda
