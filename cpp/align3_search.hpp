// The search behind align3: the three-dimensional table, of which only the cells are filled that an optimal
// alignment can touch. A cell is alive where its cost from the start and the lower bound for the rest (the sum
// of the three pairwise distances of the ends: Carrillo and Lipman's bound) do not exceed a budget.
//
// Why that is exact, the preference included: docs/adr (see ADR-draft.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "align3.hpp"
#include "suffix_distances.hpp"

namespace corrigenda {

// The positions from the first to the last alive one; none where last < first.
struct Span {
    std::size_t first = 1;
    std::size_t last = 0;

    bool empty() const { return last < first; }
    void cover(Span other) {
        if (other.empty()) return;
        *this = empty() ? other : Span{std::min(first, other.first), std::max(last, other.last)};
    }
    // What one column can lead to: the positions themselves and the one after them.
    Span reach() const { return empty() ? *this : Span{first, last + 1}; }
};

// A cost and the move that led to it as one number, cost · 8 + move: the smallest of them is the lowest cost
// and, among equals, the preferred move.
using Packed = std::int32_t;
constexpr Packed dead = std::numeric_limits<Packed>::max() / 2;

// The costs for one number of reference words: a row for each source position i, and in it the hypothesis positions
// j with |j - i| ≤ band. There is a dead row before the first and a dead place at both ends of each row, so that
// nobody has to ask whether there is a neighbour. Only what was written is cleaned again.
class CostLayer {
public:
    // Only when it is clear.
    void resize(std::size_t rows, std::size_t band) {
        band_ = static_cast<std::ptrdiff_t>(band);
        costs_.resize(std::max(costs_.size(), (rows + 1) * width(band)), dead);
        spans_.resize(std::max(spans_.size(), rows + 1));
    }

    static std::size_t width(std::size_t band) { return 2 * band + 3; }

    // Its place j is that of hypothesis position j.
    Packed* row(std::ptrdiff_t i) { return costs_.data() + (i + 1) * (2 * band_ + 3) + band_ + 1 - i; }
    Span span(std::ptrdiff_t i) const { return spans_[static_cast<std::size_t>(i + 1)]; }
    Span rows() const { return rows_; }

    void set_span(std::ptrdiff_t i, Span span) {
        spans_[static_cast<std::size_t>(i + 1)] = span;
        if (!span.empty()) rows_.cover({static_cast<std::size_t>(i), static_cast<std::size_t>(i)});
    }

    void clear() {
        for (std::size_t i = rows_.first; i <= rows_.last; ++i) {
            const Span written = spans_[i + 1];
            Packed* costs = row(static_cast<std::ptrdiff_t>(i));
            if (!written.empty()) std::fill(costs + written.first, costs + written.last + 1, dead);
            spans_[i + 1] = Span{};
        }
        rows_ = Span{};
    }

private:
    std::vector<Packed> costs_;
    std::vector<Span> spans_;
    Span rows_;
    std::ptrdiff_t band_ = 0;
};

// The moves into the alive cells, a byte each, found again by reference, source and hypothesis position.
class MoveTable {
public:
    explicit MoveTable(std::size_t byte_limit) : byte_limit_(byte_limit) {}

    void clear() {
        moves_.clear();
        rows_.clear();
        layers_.clear();
    }

    void begin_layer(std::size_t first_row) { layers_.push_back({first_row, rows_.size()}); }
    void begin_row() { begin_ = moves_.size(); }
    void push(Packed cell) { moves_.push_back(static_cast<Move>(cell & 7)); }

    void end_row(Span span) {
        moves_.resize(begin_ + (span.empty() ? 0 : span.last - span.first + 1));
        rows_.push_back({span.first, begin_});
        if (moves_.size() + rows_.size() * sizeof(Row) > byte_limit_) {
            throw AlignmentTooLarge("an optimal alignment could touch more than " + std::to_string(byte_limit_) +
                                    " cells, too many to be kept in bounded memory");
        }
    }

    Move at(std::size_t k, std::size_t i, std::size_t j) const {
        const Row& row = rows_[layers_[k].begin + i - layers_[k].first_row];
        return moves_[row.begin + j - row.first];
    }

private:
    struct Row {
        std::size_t first;
        std::size_t begin;
    };
    struct Layer {
        std::size_t first_row;
        std::size_t begin;
    };

    std::vector<Move> moves_;
    std::vector<Row> rows_;
    std::vector<Layer> layers_;
    std::size_t begin_ = 0;
    std::size_t byte_limit_;
};

// Three sentences and the bounds on their ends.
struct Triple {
    Sentence source;
    Sentence hypothesis;
    Sentence reference;
    const SuffixDistances* hypothesis_source;     // hypothesis fixed, source varying
    const SuffixDistances* hypothesis_reference;  // hypothesis fixed, reference varying
    const SuffixDistances* source_reference;      // source fixed, reference varying

    std::int32_t lower_bound() const {
        return hypothesis_source->whole_distance() + hypothesis_reference->whole_distance() +
               source_reference->whole_distance();
    }
};

// Aligns triples one after the other; it keeps its memory between them.
class AlignmentSearch {
public:
    explicit AlignmentSearch(std::size_t memory_limit) : moves_(memory_limit / 2), byte_limit_(memory_limit / 8) {}

    // Returns the cost; the alignment is then there to be traced.
    std::int32_t run(const Triple& triple);

    // Calls visit(i, j, k, move) for every column from the last to the first, with the positions after it.
    template <typename Visit>
    void trace(Visit visit) const {
        std::size_t i = triple_.source.size, j = triple_.hypothesis.size, k = triple_.reference.size;
        while (i + j + k > 0) {
            const Move move = moves_.at(k, i, j);
            visit(i, j, k, move);
            i -= takes_source(move);
            j -= takes_hypothesis(move);
            k -= takes_reference(move);
        }
    }

private:
    void resize_layers();
    bool fill();
    void fill_layer(std::size_t k);
    Span fill_row(std::size_t k, std::size_t i, Span candidates);
    Packed last_cell() { return layer_.row(static_cast<std::ptrdiff_t>(triple_.source.size))[triple_.hypothesis.size]; }

    Triple triple_{};
    std::int32_t budget_ = 0;
    std::size_t band_ = 0;
    std::vector<Token> hypothesis_;  // with a place before the first word
    CostLayer layer_;
    CostLayer layer_before_;
    MoveTable moves_;
    std::size_t byte_limit_;  // of the two layers
};

}  // namespace corrigenda
