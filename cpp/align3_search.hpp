// The search behind align3. It fills only those cells of the three-dimensional table that an
// optimal alignment can touch. A cell is alive if its cost from the start plus a lower bound for
// the rest does not exceed a budget. The bound is the sum of the three pairwise distances of the
// sentences' ends (Carrillo and Lipman's bound).
//
// docs/adr/0015-three-way-alignment.md shows why this is exact, and why it keeps the preference.
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

// The positions from the first alive one to the last; there are none if last < first.
struct Span {
    std::size_t first = 1;
    std::size_t last = 0;

    bool empty() const { return last < first; }
    void cover(Span other) {
        if (other.empty()) return;
        *this = empty() ? other : Span{std::min(first, other.first), std::max(last, other.last)};
    }
    // Where one more column can lead: to the same positions, and to the one after them.
    Span reach() const { return empty() ? *this : Span{first, last + 1}; }
};

// A cost and the move that led to it as one number: cost · 8 + move. The smallest number has the
// lowest cost and, among equal costs, the preferred move.
using Packed = std::int32_t;
constexpr Packed dead = std::numeric_limits<Packed>::max() / 2;

// The costs for one number of reference words. There is one row per source position i. It holds the
// hypothesis positions j with |j - i| ≤ band. There is a dead row before the first row and a dead
// place at both ends of each row, so every cell has all its neighbours. `clear` resets only what
// was written.
class CostLayer {
public:
    // The layer must be clear.
    void resize(std::size_t rows, std::size_t band) {
        band_ = static_cast<std::ptrdiff_t>(band);
        costs_.resize(std::max(costs_.size(), (rows + 1) * width(band)), dead);
        spans_.resize(std::max(spans_.size(), rows + 1));
    }

    static std::size_t width(std::size_t band) { return 2 * band + 3; }

    // Index j of the row is hypothesis position j.
    Packed* row(std::ptrdiff_t i) {
        return costs_.data() + (i + 1) * (2 * band_ + 3) + band_ + 1 - i;
    }
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

// The moves into the alive cells, one byte each, by reference, source and hypothesis position.
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
            throw AlignmentTooLarge("an optimal alignment could touch more than " +
                                    std::to_string(byte_limit_) +
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

// Aligns one triple after another, and reuses its memory.
class AlignmentSearch {
public:
    explicit AlignmentSearch(std::size_t memory_limit)
        : moves_(memory_limit / 2), byte_limit_(memory_limit / 8) {}

    // Returns the cost. After that, `trace` reads the alignment. The cost is known to be at least
    // `above` more than the lower bound.
    std::int32_t run(const Triple& triple, std::int32_t above = 0);

    // Calls visit(i, j, k, move) for every column, from the last to the first. The positions are
    // those after the column.
    template <typename Visit>
    void trace(Visit visit) const {
        std::size_t i = triple_.source.size;
        std::size_t j = triple_.hypothesis.size;
        std::size_t k = triple_.reference.size;
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
    Packed last_cell() {
        const auto last_row = static_cast<std::ptrdiff_t>(triple_.source.size);
        return layer_.row(last_row)[triple_.hypothesis.size];
    }

    Triple triple_{};
    std::int32_t budget_ = 0;
    std::size_t band_ = 0;
    std::vector<Token> hypothesis_;  // with one unused place before the first word
    CostLayer layer_;
    CostLayer layer_before_;
    MoveTable moves_;
    std::size_t byte_limit_;  // for the two layers
};

}  // namespace corrigenda
