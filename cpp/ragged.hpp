// A batch of sentences as one array of token ids and the offsets at which each sentence starts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corrigenda {

using Token = std::int32_t;

// A view of one sentence; it owns nothing.
struct Sentence {
    const Token* data = nullptr;
    std::size_t size = 0;

    const Token& operator[](std::size_t position) const { return data[position]; }
    const Token* begin() const { return data; }
    const Token* end() const { return data + size; }

    friend bool operator==(const Sentence& a, const Sentence& b) {
        if (a.size != b.size) return false;
        for (std::size_t i = 0; i < a.size; ++i) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }
};

// `offsets` holds `count + 1` positions in `ids`; sentence i is ids[offsets[i] .. offsets[i + 1]).
struct Ragged {
    const Token* ids = nullptr;
    const std::int64_t* offsets = nullptr;
    std::size_t count = 0;

    Sentence operator[](std::size_t sentence) const {
        const auto begin = offsets[sentence];
        return {ids + begin, static_cast<std::size_t>(offsets[sentence + 1] - begin)};
    }
};

}  // namespace corrigenda
