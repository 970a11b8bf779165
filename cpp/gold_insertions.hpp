// Gold insertions in one place of the source, and the arcs that they are dealt to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "m2_gold.hpp"
#include "vertices.hpp"

namespace corrigenda {

// An arc inside one row: words are inserted, and none of the source is consumed. An arc that is
// listed twice has two such entries.
struct InsertionArc {
    std::int32_t arc;  // the caller's number of the arc
    Vertex from, to;
};

// An arc that equals a gold insertion of its row.
struct GoldInsertion {
    Position row;
    std::int32_t arc;
    std::int32_t gold;

    friend bool operator<(const GoldInsertion& a, const GoldInsertion& b) {
        if (a.row != b.row) return a.row < b.row;
        return a.arc != b.arc ? a.arc < b.arc : a.gold < b.gold;
    }
};

// The gold insertions of one row that equal an arc, sorted.
class InsertionsOfRow {
public:
    InsertionsOfRow(const GoldInsertion* begin, const GoldInsertion* end)
        : begin_(begin), end_(end) {}

    // The first or the last gold insertion from `first_gold` to `last_gold` that equals the arc, or
    // kNoGold.
    std::int32_t find(std::int32_t arc, std::int32_t first_gold, std::int32_t last_gold,
                      bool wants_first) const {
        const Position row = begin_->row;
        if (wants_first) {
            const auto* found = std::lower_bound(begin_, end_, GoldInsertion{row, arc, first_gold});
            const bool fits = found != end_ && found->arc == arc && found->gold <= last_gold;
            return fits ? found->gold : kNoGold;
        }
        const auto* found = std::upper_bound(begin_, end_, GoldInsertion{row, arc, last_gold});
        if (found == begin_) return kNoGold;
        --found;
        return found->arc == arc && found->gold >= first_gold ? found->gold : kNoGold;
    }

private:
    const GoldInsertion* begin_;
    const GoldInsertion* end_;
};

// Several insertions may stand in one place, and a gold insertion may be used once. The original
// deals gold insertions to the arcs of the place, by where they start and end, from both ends in
// turn. After an arc gets one, only arcs that touch it can get the next. Calls `make_gold(arc)` for
// an arc that gets one, and `add_listing(arc)` for each entry that gets none.
template <typename AddListing, typename MakeGold>
void deal_insertions(const std::vector<InsertionArc>& arcs, const InsertionsOfRow& insertions,
                     AddListing add_listing, MakeGold make_gold) {
    const auto count = static_cast<std::ptrdiff_t>(arcs.size());
    std::ptrdiff_t left = 0, right = count - 1, here = 0;
    std::int32_t first_gold = 0, last_gold = std::numeric_limits<std::int32_t>::max();
    while (left <= right) {
        const bool is_left = here == left;
        const InsertionArc& at = arcs[here];
        const std::int32_t gold = insertions.find(at.arc, first_gold, last_gold, is_left);
        if (gold == kNoGold) {
            add_listing(at.arc);
            if (is_left) {
                ++left;
                here = right;
            } else {
                --right;
                here = left;
            }
            continue;
        }
        make_gold(at.arc);
        if (is_left) {
            first_gold = gold + 1;
            for (++left; left < count && arcs[left].from != at.to; ++left) {
                add_listing(arcs[left].arc);
            }
            here = left;
        } else {
            last_gold = gold - 1;
            for (--right; right >= 0 && arcs[right].to != at.from; --right) {
                add_listing(arcs[right].arc);
            }
            here = right;
        }
    }
}

}  // namespace corrigenda
