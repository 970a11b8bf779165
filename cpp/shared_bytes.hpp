// The bytes with which two texts begin, or end, alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace corrigenda {

inline std::uint64_t eight_bytes(const char* at) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, 8);
    return bytes;
}

// The number of bytes with which both texts begin.
inline std::size_t common_beginning(std::string_view a, std::string_view b) {
    const std::size_t limit = std::min(a.size(), b.size());
    std::size_t same = 0;
    while (same + 8 <= limit && eight_bytes(a.data() + same) == eight_bytes(b.data() + same)) {
        same += 8;
    }
    while (same < limit && a[same] == b[same]) ++same;
    return same;
}

// The number of bytes with which both texts end.
inline std::size_t common_end(std::string_view a, std::string_view b) {
    const std::size_t limit = std::min(a.size(), b.size());
    const char* a_end = a.data() + a.size();
    const char* b_end = b.data() + b.size();
    std::size_t same = 0;
    while (same + 8 <= limit && eight_bytes(a_end - same - 8) == eight_bytes(b_end - same - 8)) {
        same += 8;
    }
    while (same < limit && a_end[-1 - static_cast<std::ptrdiff_t>(same)] ==
                               b_end[-1 - static_cast<std::ptrdiff_t>(same)]) {
        ++same;
    }
    return same;
}

// Where a word begins and ends in its text.
struct WordPlace {
    std::uint32_t begin;
    std::uint32_t end;
};

// What another text shares with a source: the first words up to `first`, and the words from `last`
// on. `rest` is what lies between them in the other text. A shared stretch ends, or begins, with all
// blanks between two words.
struct SharedEnds {
    std::size_t first = 0;
    std::size_t last = 0;
    std::string_view rest;
};

// `words` are the places of the `count` words of the source.
inline SharedEnds shared_ends(std::string_view source, const WordPlace* words, std::size_t count,
                              std::string_view other) {
    SharedEnds shared;
    const WordPlace* const all_end = words + count;
    const std::size_t same = common_beginning(source, other);
    const WordPlace* const after = std::upper_bound(
        words, all_end, same,
        [](std::size_t place, const WordPlace& word) { return place < word.begin; });
    shared.first = after == words ? 0 : static_cast<std::size_t>(after - words) - 1;
    const std::size_t begin = shared.first == 0 ? 0 : words[shared.first].begin;
    shared.rest = other.substr(begin);
    const std::size_t same_end = source.size() - common_end(source.substr(begin), shared.rest);
    const WordPlace* const last =
        std::lower_bound(words + shared.first, all_end, same_end,
                         [](const WordPlace& word, std::size_t place) { return word.end < place; });
    shared.last = count;
    if (last != all_end) {
        shared.rest.remove_suffix(source.size() - last->end);
        shared.last = static_cast<std::size_t>(last - words) + 1;
    }
    return shared;
}

}  // namespace corrigenda
