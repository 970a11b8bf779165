// Costs of the arcs that SweptArcs makes, and of the best paths.
#include <algorithm>
#include <cmath>
#include <limits>

#include "swept_arcs.hpp"

namespace corrigenda {
namespace {

constexpr std::int64_t kStepCost = 1000;
constexpr double kListingWeight = 0.001;
constexpr Position kMostStatesInside = 5;  // see bound_costs_to_end

}  // namespace

// --- The gold edits -------------------------------------------------------------------------------

bool SweptArcs::reweigh(GoldEdits gold) {
    reweighed_.clear();
    insertions_.clear();
    insertion_spans_.clear();
    for (std::size_t index = 0; index < gold.size(); ++index) {
        const GoldEdit edit = gold[index];
        if (edit.start == edit.end) {
            find_insertions(edit, static_cast<std::int32_t>(index));
        } else if (!find_gold_arcs(edit)) {
            return false;
        }
    }
    std::sort(insertions_.begin(), insertions_.end());
    for (std::size_t begin = 0; begin < insertions_.size();) {
        std::size_t end = begin;
        while (end < insertions_.size() && insertions_[end].row == insertions_[begin].row) ++end;
        deal_row(begin, end);
        if (reweighed_.size() > kMostKept) return false;
        begin = end;
    }
    std::sort(reweighed_.begin(), reweighed_.end());
    return true;
}

// The arcs that replace the span of a gold edit by one of its corrections.
bool SweptArcs::find_gold_arcs(const GoldEdit& edit) {
    for (Vertex from = vertices_.first_of(edit.start); from < vertices_.first_of(edit.start + 1);
         ++from) {
        const auto begin = static_cast<std::size_t>(vertices_.column(from));
        bool is_swept = false;
        for (std::size_t i = 0; i < edit.corrections.count; ++i) {
            const Sentence correction = edit.corrections[i];
            if (begin + correction.size > hypothesis_.size) continue;
            const Token* const words = hypothesis_.begin() + begin;
            if (!std::equal(correction.begin(), correction.end(), words)) continue;
            const Vertex to =
                vertices_.at(edit.end, static_cast<Position>(begin + correction.size));
            if (to == kNowhere) continue;
            if (!is_swept) sweep(from, edit.end);
            is_swept = true;
            if (is_exhausted()) return false;
            if (stored_[to].sweep != sweep_) continue;
            if (is_unchanged_join(stored_[to])) {
                if (!survey()) return false;
                is_swept = false;  // the survey has swept from other cells
                if (!is_in_list(from, to)) continue;
            }
            reweighed_.push_back({from, to, true, 0});
        }
    }
    return true;
}

void SweptArcs::find_insertions(const GoldEdit& edit, std::int32_t gold) {
    for (Vertex from = vertices_.first_of(edit.start); from < vertices_.first_of(edit.start + 1);
         ++from) {
        const auto begin = static_cast<std::size_t>(vertices_.column(from));
        for (std::size_t i = 0; i < edit.corrections.count; ++i) {
            const Sentence correction = edit.corrections[i];
            if (correction.size == 0 || begin + correction.size > hypothesis_.size) continue;
            const Token* const words = hypothesis_.begin() + begin;
            if (!std::equal(correction.begin(), correction.end(), words)) continue;
            const Vertex to =
                vertices_.at(edit.start, static_cast<Position>(begin + correction.size));
            if (to == kNowhere || !are_inserted(from, to)) continue;
            insertions_.push_back(
                {edit.start, static_cast<std::int32_t>(insertion_spans_.size()), gold});
            insertion_spans_.emplace_back(from, to);
        }
    }
}

bool SweptArcs::are_inserted(Vertex from, Vertex to) const {
    for (Vertex vertex = from; vertex < to; ++vertex) {
        if (before_[vertex + 1].left != vertex) return false;
    }
    return true;
}

// All arcs of a row are numbered by start and end, as places in `reweighed_`.
void SweptArcs::deal_row(std::size_t begin, std::size_t end) {
    const Position row = insertions_[begin].row;
    const std::size_t first = reweighed_.size();
    places_.clear();
    for (Vertex from = vertices_.first_of(row); from < vertices_.first_of(row + 1); ++from) {
        for (Vertex to = from + 1; to < vertices_.first_of(row + 1); ++to) {
            if (before_[to].left != to - 1) break;
            const auto arc = static_cast<std::int32_t>(reweighed_.size());
            const int listings = to == from + 1 ? before_[to].listings_of_left : 1;
            for (int i = 0; i < listings; ++i) places_.push_back({arc, from, to});
            reweighed_.push_back({from, to, false, 0});
        }
        if (reweighed_.size() > kMostKept) return;
    }
    const auto arcs_begin = reweighed_.begin() + static_cast<std::ptrdiff_t>(first);
    for (std::size_t i = begin; i < end; ++i) {
        const auto span = insertion_spans_[static_cast<std::size_t>(insertions_[i].arc)];
        const auto found = std::lower_bound(arcs_begin, reweighed_.end(),
                                            Reweighed{span.first, span.second, false, 0});
        insertions_[i].arc = static_cast<std::int32_t>(found - reweighed_.begin());
    }
    const auto of_row = insertions_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(of_row, of_row + static_cast<std::ptrdiff_t>(end - begin));
    deal_insertions(
        places_, {insertions_.data() + begin, insertions_.data() + end},
        [&](std::int32_t arc) { ++reweighed_[static_cast<std::size_t>(arc)].listings; },
        [&](std::int32_t arc) {
            reweighed_[static_cast<std::size_t>(arc)].is_gold = true;
            reweighed_[static_cast<std::size_t>(arc)].listings = 0;
        });
}

const SweptArcs::Reweighed* SweptArcs::reweighed(Vertex from, Vertex to) const {
    const auto found =
        std::lower_bound(reweighed_.begin(), reweighed_.end(), Reweighed{from, to, false, 0});
    return found != reweighed_.end() && found->from == from && found->to == to ? &*found : nullptr;
}

// --- Costs ----------------------------------------------------------------------------------------

// A gold arc weighs minus the size of the list. If the list is surely longer than any path, any
// such number gives the same order of paths, and the list need not be counted.
bool SweptArcs::settle_gold_cost() {
    const auto words = static_cast<std::int64_t>(rows_) + static_cast<Position>(hypothesis_.size);
    const std::int64_t enough = 4 * (words + 2);
    if (base_listings_ <= enough && !survey()) return false;
    gold_cost_ = kStepCost * (is_surveyed_ ? size_of_list_ : enough);
    return true;
}

// For each cell a cost that no path from there to the end undercuts. It is the cost by the short
// form of the rule: an edit is listed once, and any route may be joined whose unchanged words are
// few enough. States: between edits, or inside an edit with 0, 1, … unchanged words. From the last
// state on they are no longer counted if there are many.
void SweptArcs::bound_costs_to_end() {
    const Position most = std::min(max_unchanged_words_, most_matches_);
    const bool counts_all = most < kMostStatesInside;
    const std::size_t inside = static_cast<std::size_t>(counts_all ? most + 1 : kMostStatesInside);
    states_ = inside + 1;
    to_end_.assign(vertices_.size() * states_, kImpossible);
    const auto lower = [](Cost& least, Cost other) { least = std::min(least, other); };
    const auto offer = [&](Vertex from, Vertex to, bool is_match) {
        Cost* const here = to_end_.data() + static_cast<std::size_t>(from) * states_;
        const Cost* const there = to_end_.data() + static_cast<std::size_t>(to) * states_;
        if (!is_match) {
            for (std::size_t k = 1; k <= inside; ++k) lower(here[k], there[k] + kStepCost);
            return;
        }
        lower(here[0], there[0] + kStepCost);
        for (std::size_t k = 1; k < inside; ++k) lower(here[k], there[k + 1] + kStepCost);
        if (!counts_all) lower(here[inside], there[inside] + kStepCost);
    };
    to_end_[static_cast<std::size_t>(vertices_.last()) * states_] = 0;
    for (std::size_t k = 1; k <= inside; ++k) {
        to_end_[static_cast<std::size_t>(vertices_.last()) * states_ + k] = 0;
    }
    // All steps into a cell are offered once the cell is complete. A cell is complete when all
    // cells after it are.
    auto gold = reweighed_.end();
    for (Vertex vertex = vertices_.last(); vertex >= 0; --vertex) {
        Cost* const here = to_end_.data() + static_cast<std::size_t>(vertex) * states_;
        // An edit opens by a change. After the change the path is inside with no unchanged word.
        lower(here[0], here[1] + 1);
        while (gold != reweighed_.begin() && (gold - 1)->from == vertex) {
            --gold;
            if (!gold->is_gold) continue;
            lower(here[0], to_end_[static_cast<std::size_t>(gold->to) * states_] - gold_cost_);
        }
        for (std::size_t k = 1; k <= inside; ++k) lower(here[k], here[0]);
        const Before& before = before_[vertex];
        if (before.diagonal != kNowhere) offer(before.diagonal, vertex, before.is_match);
        if (before.above != kNowhere) offer(before.above, vertex, false);
        if (before.left != kNowhere) offer(before.left, vertex, false);
    }
}

SweptArcs::Cost SweptArcs::cost(Vertex from, Vertex to, const Stored& arc) const {
    if (const Reweighed* other = reweighed(from, to)) {
        return (other->is_gold ? -gold_cost_ : kStepCost * arc.length) + other->listings;
    }
    if (is_unchanged_join(arc) && !is_in_list(from, to)) return kImpossible;
    return kStepCost * arc.length + (arc.is_edit ? arc.listings : 0);
}

double SweptArcs::weight(Vertex from, Vertex to, const Stored& arc) const {
    double weight = arc.length;
    int listings = arc.is_edit ? arc.listings : 0;
    if (const Reweighed* other = reweighed(from, to)) {
        if (other->is_gold) weight = -static_cast<double>(size_of_list_);
        listings = other->listings;
    }
    for (int i = 0; i < listings; ++i) weight += kListingWeight;
    return weight;
}

// The costs of the best paths from the first cell. Cells from which no path can end within `most`
// are not left.
bool SweptArcs::find_costs(Cost most) {
    costs_.assign(vertices_.size(), kImpossible);
    costs_[0] = 0;
    for (Vertex from = 0; from < vertices_.last(); ++from) {
        const Cost here = costs_[from];
        if (here == kImpossible) continue;
        if (here + to_end_[static_cast<std::size_t>(from) * states_] > most) continue;
        sweep(from, rows_ - 1);
        if (is_exhausted()) return false;
        for (const Vertex to : reached_) {
            costs_[to] = std::min(costs_[to], here + cost(from, to, stored_[to]));
        }
    }
    return true;
}

bool SweptArcs::find_best_costs() {
    const Cost least = to_end_[0];
    for (Cost more = 0;; more = more == 0 ? 3 : 4 * more) {
        if (!find_costs(least + more)) return false;
        if (costs_[vertices_.last()] <= least + more) return true;
    }
}

// The weights are thousandths as doubles. The sum of a path must be wrong by less than half of what
// a listing weighs, or else the original may not find the best path. A path has no more arcs than
// there are words, and each sum is wrong by half of a last digit at most. Of two cells, at most one
// can be reached from the other, and a join is listed three times at most.
bool SweptArcs::has_safe_rounding() {
    const Cost best = costs_[vertices_.last()];
    if (best >= 0) return true;
    const double gold_arcs =
        std::ceil(static_cast<double>(-best) / static_cast<double>(gold_cost_));
    const double arcs = static_cast<double>(rows_) + static_cast<double>(hypothesis_.size);
    const auto is_safe = [&](double size_of_list) {
        const double half_a_digit = std::numeric_limits<double>::epsilon() / 2;
        return (gold_arcs + 1) * size_of_list * half_a_digit * arcs < kListingWeight / 2;
    };
    const double cells = static_cast<double>(vertices_.size());
    if (is_safe(is_surveyed_ ? static_cast<double>(size_of_list_) : 1.5 * cells * cells))
        return true;
    return survey() && is_safe(static_cast<double>(size_of_list_));
}

}  // namespace corrigenda
