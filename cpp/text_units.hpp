// Words and characters of UTF-8 text. Whitespace is the same as for Python's `str.split`. NUL also
// counts as a space, because no sentence contains it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "byte_marks.hpp"
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

// The bits of the blanks among the 64 bytes from `block` on. Bytes behind the end are blanks.
// `carried` are the bytes of a blank that began in the block before.
inline std::uint64_t blank_bits(std::string_view text, std::size_t block, std::uint64_t& carried) {
    const char* const bytes = text.data() + block;
    const BlankMarks marks = block + kMarkedBytes <= text.size()
                                 ? blank_marks(bytes)
                                 : blank_marks(PaddedBytes(bytes, text.size() - block).data());
    std::uint64_t blanks = marks.spaces | carried;
    carried = 0;
    for (std::uint64_t others = marks.others; others != 0; others &= others - 1) {
        const std::size_t place = lowest_bit(others);
        const std::size_t length = whitespace_at(text, block + place);
        const std::uint64_t of_blank = (std::uint64_t{1} << length) - 1;
        blanks |= of_blank << place;
        if (place + length > kMarkedBytes) carried = of_blank >> (kMarkedBytes - place);
    }
    return blanks;
}

// The edges of the words of a text, 64 bytes at a time. A word is between the i-th of all begins and
// the i-th of all ends.
class WordEdges {
public:
    explicit WordEdges(std::string_view text) : text_(text) {}

    // Goes to the next 64 bytes. False behind the text.
    bool next() {
        if (next_ > text_.size()) return false;
        block = next_;
        const std::uint64_t blanks = blank_bits(text_, block, carried_);
        const std::uint64_t edges = blanks ^ (blanks << 1 | before_);
        begins = edges & ~blanks;
        ends = edges & blanks;
        before_ = blanks >> (kMarkedBytes - 1);
        next_ += kMarkedBytes;
        return true;
    }

    std::size_t block = 0;     // where the bytes begin
    std::uint64_t begins = 0;  // the bits of the first bytes of words
    std::uint64_t ends = 0;    // the bits of the bytes behind words

private:
    std::string_view text_;
    std::size_t next_ = 0;
    std::uint64_t carried_ = 0;
    std::uint64_t before_ = 1;  // whether the byte before the block is a blank
};

// Calls `use(word)` for every word, in order.
template <typename Use>
void for_each_word(std::string_view text, Use use) {
    std::size_t begin = 0;
    bool is_open = false;  // a word began in bytes before
    for (WordEdges edges(text); edges.next();) {
        const auto next_begin = [&] {
            is_open = edges.begins != 0;
            if (!is_open) return;
            begin = edges.block + lowest_bit(edges.begins);
            edges.begins &= edges.begins - 1;
        };
        if (!is_open) next_begin();
        for (; edges.ends != 0; edges.ends &= edges.ends - 1) {
            const std::size_t end = edges.block + lowest_bit(edges.ends);
            use(std::string_view(text.data() + begin, end - begin));
            next_begin();
        }
    }
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
