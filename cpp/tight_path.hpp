// The alignment of three sentences whose three pairwise parts are all optimal, if there is one.
// Nearly every triple has one. It costs exactly the sum of the pairwise distances, which no
// alignment can fall below, so it is optimal.
//
// Then every cell on an optimal path costs the sum of the three distances of the beginnings. So the
// traceback can be done without the table: it goes back from the last cell, takes the preferred move
// after which all three distances fit, and turns back where no move fits.
// docs/adr/0015-three-way-alignment.md shows why it takes the same moves as the table's traceback.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "align3.hpp"
#include "suffix_distances.hpp"

namespace corrigenda {

// Searches one triple after another, and reuses its memory.
class TightPath {
public:
    // `unknown` if the search would have to look at too many cells.
    enum class Outcome { found, none, unknown };

    // The distances are those of the beginnings.
    Outcome search(const Triple& triple) {
        triple_ = triple;
        steps_.clear();
        dead_.clear();
        steps_.push_back({triple.source.size, triple.hypothesis.size, triple.reference.size, 0});
        const std::size_t words =
            triple.source.size + triple.hypothesis.size + triple.reference.size;
        for (std::size_t looks = 2 * words + 64; looks > 0; --looks) {
            const Step here = steps_.back();
            if (here.i + here.j + here.k == 0) return Outcome::found;
            if (go_back()) continue;
            dead_.insert(number(here));
            steps_.pop_back();
            if (steps_.empty()) return Outcome::none;
        }
        return Outcome::unknown;
    }

    // Calls visit(i, j, k, move) for every column, from the last to the first. The positions are
    // those after the column.
    template <typename Visit>
    void trace(Visit visit) const {
        for (std::size_t place = 0; place + 1 < steps_.size(); ++place) {
            const Step& step = steps_[place];
            visit(step.i, step.j, step.k, static_cast<Move>(step.tried - 1));
        }
    }

private:
    // A cell, and how many moves into it were tried.
    struct Step {
        std::size_t i;
        std::size_t j;
        std::size_t k;
        int tried;
    };
    static constexpr int moves = 7;

    // Goes to the next cell before the last one; returns false if there is none.
    bool go_back() {
        Step& here = steps_.back();
        while (here.tried < moves) {
            const auto move = static_cast<Move>(here.tried++);
            const std::size_t s = takes_source(move), h = takes_hypothesis(move),
                              r = takes_reference(move);
            if (here.i < s || here.j < h || here.k < r || !fits(here, move)) continue;
            const Step before{here.i - s, here.j - h, here.k - r, 0};
            if (!dead_.empty() && dead_.count(number(before)) > 0) continue;
            steps_.push_back(before);
            return true;
        }
        return false;
    }

    // Whether the move is optimal for all three pairs.
    bool fits(const Step& here, Move move) const {
        const auto [i, j, k, tried] = here;
        const bool s = takes_source(move), h = takes_hypothesis(move), r = takes_reference(move);
        const Token in_s = s ? triple_.source[i - 1] : 0, in_h = h ? triple_.hypothesis[j - 1] : 0,
                    in_r = r ? triple_.reference[k - 1] : 0;
        return hs(j - h, i - s) + cost(h, s, in_h == in_s) == hs(j, i) &&
               hr(j - h, k - r) + cost(h, r, in_h == in_r) == hr(j, k) &&
               sr(i - s, k - r) + cost(s, r, in_s == in_r) == sr(i, k);
    }

    // The distance between the first j words of the hypothesis and the first i of the source, and so
    // on.
    std::int32_t hs(std::size_t j, std::size_t i) const {
        return triple_.hypothesis_source->row(i)[triple_.hypothesis.size - j];
    }
    std::int32_t hr(std::size_t j, std::size_t k) const {
        return triple_.hypothesis_reference->row(k)[triple_.hypothesis.size - j];
    }
    std::int32_t sr(std::size_t i, std::size_t k) const {
        return triple_.source_reference->row(k)[triple_.source.size - i];
    }

    static std::int32_t cost(bool first, bool second, bool equal) {
        if (first != second) return gap_cost;
        return first && !equal ? mismatch_cost : 0;
    }

    std::uint64_t number(const Step& cell) const {
        const std::uint64_t rows = triple_.hypothesis.size + 1, layers = triple_.reference.size + 1;
        return (cell.i * rows + cell.j) * layers + cell.k;
    }

    Triple triple_{};
    std::vector<Step> steps_;
    std::unordered_set<std::uint64_t> dead_;  // cells from which no way leads to the first
};

}  // namespace corrigenda
