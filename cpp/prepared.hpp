// A source with its references, ready for any number of hypotheses that come one batch after another, as
// rewards do: no corpus, no common vocabulary, nothing to build again.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ngram_trie.hpp"
#include "word_table.hpp"

namespace corrigenda {

enum class TextUnit { word, character, raw_character };

class PreparedSentence {
public:
    PreparedSentence(std::string_view source, const std::vector<std::string_view>& references, TextUnit unit,
                     int order, bool pooled);

    const NgramTrie& ngrams() const { return ngrams_; }
    int order() const { return order_; }
    // In units; of the references as they were given, pooled or not.
    const std::vector<std::int32_t>& reference_lengths() const { return reference_lengths_; }
    // The ids of a hypothesis, in place of what `ids` held; words that neither source nor references have are unknown.
    void encode(std::string_view hypothesis, std::vector<Token>& ids) const;
    std::size_t memory() const;

private:
    TextUnit unit_;
    int order_;
    WordTable words_;
    NgramTrie ngrams_;
    std::vector<std::int32_t> reference_lengths_;
};

struct PreparedCounts {
    std::vector<std::int64_t> counts;              // [row][n][kind], a row for each reference counted against
    std::vector<std::int64_t> hypothesis_lengths;  // [sentence]
    std::vector<std::int64_t> reference_lengths;   // [reference]
    std::vector<std::int64_t> reference_offsets;   // where those of each sentence begin; one more at the end
};

// Hypothesis i against sentences[i]; all sentences have the same order.
PreparedCounts count_prepared(const std::vector<const PreparedSentence*>& sentences,
                              const std::vector<std::string_view>& hypotheses, std::size_t threads);

}  // namespace corrigenda
