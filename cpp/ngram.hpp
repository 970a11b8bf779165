// n-gram statistics of a hypothesis against a source and its references.
//
// Each sentence has a trie of the n-grams (n = 1..N) of its source and references; every node knows how
// often its n-gram occurs in each of them. The tries are built once per corpus. A hypothesis is walked
// through the trie of its sentence: what it finds there is counted node by node, and what it does not
// find occurs in neither source nor reference, so it needs no identity at all. Nothing is hashed to a
// fingerprint: a node is found by its full key (parent node, token), so no collision can change a count.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ragged.hpp"

namespace corrigenda {

// What is counted for each (sentence, reference, n), from the multiplicities s, r, c of an n-gram in the
// source, the reference and the hypothesis ("corrected") sentence, summed over the n-grams.
enum NgramCount : std::size_t {
    true_keep,      // min(s, r, c)
    true_delete,    // max(0, s - max(r, c))
    true_insert,    // max(0, min(r, c) - s)
    over_delete,    // max(0, min(s, r) - c)
    over_insert,    // max(0, c - max(s, r))
    under_delete,   // max(0, min(s, c) - r)
    under_insert,   // max(0, r - max(s, c))
    source_only,    // min(s, c) where r = 0: kept although the reference has no such n-gram
    reference_only, // min(c, r) where s = 0: found although the source has no such n-gram
    ngram_count_kinds
};

using NgramCounts = std::array<std::int64_t, ngram_count_kinds>;

class NgramIndex {
public:
    // `references` lists the references of all sentences in order; those of sentence i are
    // reference_offsets[i] .. reference_offsets[i + 1]. With `pooled`, the references of a sentence become
    // one: the union of their multisets, in which an n-gram has its largest multiplicity.
    NgramIndex(Ragged sources, Ragged references, const std::int64_t* reference_offsets, int order,
               bool pooled, std::size_t threads);

    std::size_t sentences() const { return tries_.size(); }
    std::size_t rows() const { return static_cast<std::size_t>(row_offsets_.back()); }
    int order() const { return order_; }

    // Fills out[row][n][kind] for every (sentence, reference) row.
    void count(Ragged hypotheses, std::size_t threads, std::int64_t* out) const;

private:
    struct Slot {
        std::int32_t parent = -1;
        Token token = 0;
        std::int32_t node = -1;
    };

    // The trie of one sentence. Node 0 is the root, the empty n-gram.
    struct Trie {
        std::vector<Slot> slots;                  // open addressing; the size is a power of two
        std::vector<std::int32_t> depth;          // of each node: the n of its n-gram
        std::vector<std::int32_t> multiplicity;   // of each node: in the source, then in each reference
        std::vector<NgramCounts> empty_counts;    // per (reference, n): the counts of an empty hypothesis
        std::int32_t references = 0;

        std::int32_t find(std::int32_t parent, Token token) const;
        std::int32_t find_or_add(std::int32_t parent, Token token);
        void add_sentence(Sentence sentence, int order, std::int32_t column);
        void pool_references();
        void count_empty_hypothesis(int order);
        std::size_t width() const { return static_cast<std::size_t>(references) + 1; }
    };

    class Walker;

    int order_;
    std::vector<Trie> tries_;
    std::vector<std::int64_t> row_offsets_;
};

}  // namespace corrigenda
