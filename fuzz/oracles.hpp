// The rules of text and n-grams in slow and simple code. The fuzz targets compare the kernels with
// it. Nothing here is shared with the kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ngram_trie.hpp"

namespace corrigenda::oracle {

using Units = std::vector<std::int64_t>;

// The whitespace of Python's `str.split` in UTF-8, and NUL.
inline const std::vector<std::string>& blanks() {
    using namespace std::string_literals;
    static const std::vector<std::string> all = [] {
        std::vector<std::string> made{"\0"s,          " ",
                                      "\xC2\x85",     "\xC2\xA0",
                                      "\xE1\x9A\x80", "\xE2\x80\xA8",
                                      "\xE2\x80\xA9", "\xE2\x80\xAF",
                                      "\xE2\x81\x9F", "\xE3\x80\x80"};
        for (char code = 0x09; code <= 0x0D; ++code) made.emplace_back(1, code);
        for (char code = 0x1C; code <= 0x1F; ++code) made.emplace_back(1, code);
        for (int last = 0x80; last <= 0x8A; ++last) {
            made.push_back(std::string("\xE2\x80") + static_cast<char>(last));
        }
        return made;
    }();
    return all;
}

inline std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> found(1);
    for (std::size_t at = 0; at < text.size();) {
        std::size_t blank = 0;
        for (const std::string& each : blanks()) {
            if (text.substr(at, each.size()) == each) blank = each.size();
        }
        if (blank > 0) {
            if (!found.back().empty()) found.emplace_back();
            at += blank;
        } else {
            found.back() += text[at++];
        }
    }
    if (found.back().empty()) found.pop_back();
    return found;
}

inline std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

inline std::string encoded(std::int64_t code) {
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), tail(0)};
    if (code < 0x10000) return {static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

// The code points of a text, and whether it is UTF-8. Lone surrogates are code points here.
inline bool decode(std::string_view text, Units& codes) {
    for (std::size_t at = 0; at < text.size();) {
        bool found = false;
        for (std::size_t length = 1; length <= 4 && !found && at + length <= text.size();
             ++length) {
            const std::string part(text.substr(at, length));
            std::int64_t code = static_cast<unsigned char>(part[0]);
            if (length > 1) code &= 0x7F >> length;
            for (std::size_t i = 1; i < length; ++i) {
                code = code << 6 | (static_cast<unsigned char>(part[i]) & 0x3F);
            }
            found = code <= 0x10FFFF && encoded(code) == part;
            if (found) codes.push_back(code);
            if (found) at += length;
        }
        if (!found) return false;
    }
    return true;
}

inline bool is_utf8(std::string_view text) {
    Units codes;
    const auto is_surrogate = [](std::int64_t code) { return code >= 0xD800 && code < 0xE000; };
    return decode(text, codes) && std::none_of(codes.begin(), codes.end(), is_surrogate);
}

// [row][n][kind] of one sentence; `pooled` makes one reference of all. All counts come from the
// multiplicities of every n-gram, as ngram_trie.hpp defines them.
inline std::vector<std::int64_t> ngram_counts(const Units& source,
                                              const std::vector<Units>& references,
                                              const Units& hypothesis, std::size_t order,
                                              bool pooled) {
    std::vector<const Units*> texts{&source, &hypothesis};
    for (const Units& reference : references) texts.push_back(&reference);
    const std::size_t rows = pooled ? 1 : references.size();
    std::vector<std::int64_t> counts(rows * order * ngram_count_kinds);
    for (std::size_t n = 1; n <= order; ++n) {
        std::map<Units, std::vector<std::int64_t>> grams;  // how often each text has them
        for (std::size_t text = 0; text < texts.size(); ++text) {
            const Units& units = *texts[text];
            for (std::size_t at = 0; at + n <= units.size(); ++at) {
                const auto begin = units.begin() + static_cast<std::ptrdiff_t>(at);
                auto& of_gram = grams[Units(begin, begin + static_cast<std::ptrdiff_t>(n))];
                of_gram.resize(texts.size());
                ++of_gram[text];
            }
        }
        for (const auto& [gram, times] : grams) {
            for (std::size_t row = 0; row < rows; ++row) {
                const std::int64_t s = times[0], c = times[1], none = 0;
                std::int64_t r = pooled ? 0 : times[2 + row];
                for (std::size_t text = 2; pooled && text < times.size(); ++text) {
                    r = std::max(r, times[text]);
                }
                std::int64_t* const sums = &counts[(row * order + n - 1) * ngram_count_kinds];
                sums[true_keep] += std::min({s, r, c});
                sums[true_delete] += std::max(none, s - std::max(r, c));
                sums[true_insert] += std::max(none, std::min(r, c) - s);
                sums[over_delete] += std::max(none, std::min(s, r) - c);
                sums[over_insert] += std::max(none, c - std::max(s, r));
                sums[under_delete] += std::max(none, std::min(s, c) - r);
                sums[under_insert] += std::max(none, r - std::max(s, c));
                sums[source_only] += r == 0 ? std::min(s, c) : 0;
                sums[reference_only] += s == 0 ? std::min(r, c) : 0;
            }
        }
    }
    return counts;
}

}  // namespace corrigenda::oracle
