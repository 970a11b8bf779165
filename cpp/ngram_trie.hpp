// The n-grams of one source and its references, and how a hypothesis is counted against them.
//
// A trie holds every n-gram (n = 1..N) of the source and the references; every node knows how often
// its n-gram occurs in each of them. A node is found by its full key (parent node, token): nothing
// is hashed to a fingerprint, so no collision can change a count.
//
// A hypothesis is mostly its source. The counts of the source itself as a hypothesis are kept. Only
// n-grams that touch a change are looked at: those that the hypothesis lost and those that it won.
// docs/adr/0113-changes-of-a-prepared-source.md says why the counts are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "prefetch.hpp"
#include "ragged.hpp"

namespace corrigenda {

// What is counted for each (reference, n). s, r and c are the multiplicities of an n-gram in the
// source, the reference and the hypothesis ("corrected") sentence. Each count is a sum over the
// n-grams.
enum NgramCount : std::size_t {
    true_keep,       // min(s, r, c)
    true_delete,     // max(0, s - max(r, c))
    true_insert,     // max(0, min(r, c) - s)
    over_delete,     // max(0, min(s, r) - c)
    over_insert,     // max(0, c - max(s, r))
    under_delete,    // max(0, min(s, c) - r)
    under_insert,    // max(0, r - max(s, c))
    source_only,     // min(s, c) where r = 0: kept although the reference has no such n-gram
    reference_only,  // min(c, r) where s = 0: found although the source has no such n-gram
    ngram_count_kinds
};

// Memory that counting needs. It is reused for the next hypothesis.
struct NgramScratch {
    struct Change {
        std::int32_t node;
        std::uint32_t n;
    };

    std::vector<std::int32_t> partners;  // by place in the source: the place in the hypothesis
    std::vector<std::int32_t> rest;      // by place in the hypothesis, and `source_of` likewise
    std::vector<std::int32_t> source_of;
    std::vector<std::int32_t> gained;  // by node: c - s; all zero between two hypotheses
    std::vector<Change> changes;       // the nodes with c != s, and perhaps others
    std::vector<std::int64_t> shared_with_source;  // by n: the sum of min(s, c)
};

class NgramTrie {
public:
    // With `pooled`, the references become one: the union of their multisets, in which an n-gram
    // has its largest multiplicity. Throws AlignmentTooLarge.
    NgramTrie(Sentence source, const std::vector<Sentence>& references, int order, bool pooled);
    NgramTrie() = default;

    // The number of references to count against.
    std::size_t references() const { return references_; }
    Sentence source() const { return {source_.data(), source_.size()}; }
    // Fills out[reference][n][kind]. A token that is neither in the source nor in a reference may
    // have any other id.
    void count(Sentence hypothesis, NgramScratch& scratch, std::int64_t* out) const;
    // Asks for the memory that `count` reads, so that it is there when it is needed.
    void prefetch() const;
    // Bytes on the heap.
    std::size_t memory() const;

private:
    // The fields of a node stand together, because they are needed at the same time: its key
    // (parent node and token), its count in the source, then its count in each reference.
    enum Field : std::size_t { parent, token, in_source, in_reference };

    // What does not depend on the hypothesis, for each (reference, n).
    struct Totals {
        std::int32_t source = 0;     // the sum of s
        std::int32_t reference = 0;  // of r
        std::int32_t shared = 0;     // of min(s, r)
        std::int32_t unshared = 0;   // of s where r = 0
    };

    std::int32_t find(std::int32_t parent, Token token) const;
    std::int32_t find_or_add(std::int32_t parent, Token token);
    void check_memory(std::size_t slots) const;
    void resize_slots(std::size_t size);
    void pool_references();
    void sum_up();
    void find_changes(Sentence hypothesis, NgramScratch& scratch) const;
    void start(NgramScratch& scratch, std::int64_t* out) const;
    void add_changes(NgramScratch& scratch, std::int64_t* out) const;
    void finish(std::size_t tokens, const NgramScratch& scratch, std::int64_t* out) const;
    std::size_t width() const { return in_reference + references_; }
    const std::int32_t* node(std::int32_t number) const {
        return &nodes_[static_cast<std::size_t>(number) * width()];
    }
    std::int32_t* node(std::int32_t number) {
        return &nodes_[static_cast<std::size_t>(number) * width()];
    }
    bool has_key(std::int32_t number, std::int32_t parent_node, Token next) const {
        const std::int32_t* fields = node(number);
        return fields[parent] == parent_node && fields[token] == next;
    }
    std::size_t size() const { return size_; }
    void add_node(std::int32_t parent, Token token);
    void put_into_slot(std::int32_t number);
    void add_ngrams(const std::vector<Sentence>& texts);

    std::size_t order_ = 0;
    std::size_t references_ = 0;
    std::size_t size_ = 0;             // the number of nodes
    std::vector<std::int32_t> slots_;  // nodes by key: open addressing; the size is a power of two
    std::vector<std::int32_t> nodes_;  // the fields of all nodes: first the root
    std::vector<Totals> totals_;       // by (reference, n)
    std::vector<Token> source_;
    std::vector<std::int32_t> source_nodes_;  // by (place in the source, n)
};

}  // namespace corrigenda
