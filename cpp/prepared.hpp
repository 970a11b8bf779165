// A source with its references, ready for any number of hypotheses that come in batches, as for
// rewards. It needs no corpus and no common vocabulary, and nothing is built twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ngram_trie.hpp"
#include "shared_bytes.hpp"
#include "word_table.hpp"

namespace corrigenda {

enum class TextUnit { word, character, raw_character };

class PreparedSentence {
public:
    PreparedSentence(std::string_view source, const std::vector<std::string_view>& references,
                     TextUnit unit, int order, bool pooled);

    const NgramTrie& ngrams() const { return ngrams_; }
    int order() const { return order_; }
    // The number of units of each reference, also if the references are pooled.
    const std::vector<std::int32_t>& reference_lengths() const { return reference_lengths_; }
    // Replaces `ids` by the ids of a hypothesis. Words that are neither in the source nor in a
    // reference are unknown.
    void encode(std::string_view hypothesis, std::vector<Token>& ids) const;
    // Asks for the memory that a hypothesis needs, while another one is counted.
    void prefetch() const;
    std::size_t memory() const;

private:
    // Where a word of the source stands in its text.

    void encode_words(std::string_view hypothesis, std::vector<Token>& ids) const;
    bool is_source_word(std::size_t number, std::string_view word) const;

    TextUnit unit_;
    int order_;
    WordTable words_;
    NgramTrie ngrams_;
    std::vector<std::int32_t> reference_lengths_;
    std::string source_;                  // the text, if units are words
    std::vector<WordPlace> word_places_;  // by word of the source
};

struct PreparedCounts {
    std::vector<std::int64_t> counts;              // [row][n][kind], one row per counted reference
    std::vector<std::int64_t> hypothesis_lengths;  // [sentence]
    std::vector<std::int64_t> reference_lengths;   // [reference]
    std::vector<std::int64_t> reference_offsets;   // [sentence + 1]: the first of each sentence
};

// Hypothesis i against sentences[i]; all sentences have the same order.
PreparedCounts count_prepared(const std::vector<const PreparedSentence*>& sentences,
                              const std::vector<std::string_view>& hypotheses, std::size_t threads);

}  // namespace corrigenda
