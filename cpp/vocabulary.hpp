// Turns words into token ids. A vocabulary is filled with the words of a corpus (sources,
// references, gold corrections). After that it is only read, so any number of threads may encode
// with it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ragged.hpp"
#include "word_table.hpp"

namespace corrigenda {

// The id of all words that are not in the corpus. Two unknown words are never compared with each
// other: metrics only look for the words of a hypothesis in the source and in the references.
constexpr Token kUnknownWord = -1;

struct EncodedText {
    std::vector<Token> ids;
    std::vector<std::int64_t> offsets;  // one more than the number of sentences
};

// Sentences with the ids of their words. Other sentences, one for each of them, are mostly the same:
// their words are compared with the next words of these before they are looked up.
struct SimilarText {
    const std::vector<std::string_view>* sentences = nullptr;  // or none
    Ragged words;
};

class Vocabulary {
public:
    // Sentences are UTF-8. Their words are separated by whitespace as for Python's `str.split`. New
    // words get the next ids.
    EncodedText add(const std::vector<std::string_view>& sentences,
                    const SimilarText& similar = {});
    // New words become `kUnknownWord`.
    EncodedText encode(const std::vector<std::string_view>& sentences,
                       const SimilarText& similar = {}) const;
    std::size_t size() const { return words_.size(); }

private:
    WordTable words_;
};

}  // namespace corrigenda
