// n-gram statistics of hypotheses against the sources and references of a corpus. There is one trie
// per sentence (see ngram_trie.hpp). Tests and fuzzing use it to compare the tries of rewards with
// the counts straight from text (text_ngrams.hpp). Scores do not.
#pragma once

#include <cstdint>
#include <vector>

#include "ngram_trie.hpp"
#include "ragged.hpp"

namespace corrigenda {

class NgramIndex {
public:
    // `references` lists the references of all sentences in order. Sentence i has the references
    // reference_offsets[i] .. reference_offsets[i + 1]. `pooled` means the same as in NgramTrie.
    NgramIndex(Ragged sources, Ragged references, const std::int64_t* reference_offsets, int order,
               bool pooled, std::size_t threads);

    std::size_t sentences() const { return tries_.size(); }
    std::size_t rows() const { return static_cast<std::size_t>(row_offsets_.back()); }
    int order() const { return order_; }

    // Fills out[row][n][kind] for every (sentence, reference) row.
    void count(Ragged hypotheses, std::size_t threads, std::int64_t* out) const;

private:
    int order_;
    std::vector<NgramTrie> tries_;
    std::vector<std::int64_t> row_offsets_;
};

}  // namespace corrigenda
