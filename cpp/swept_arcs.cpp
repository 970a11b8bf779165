#include "swept_arcs.hpp"

#include <algorithm>

namespace corrigenda {
namespace {

constexpr std::size_t kMostVertices = 400000;  // about 100 bytes each

enum : std::uint8_t { kFromDiagonal = 1, kFromAbove = 2, kFromLeft = 4 };

}  // namespace

void SweptArcs::read(const Lattice& lattice, Position max_unchanged_words,
                     std::uint64_t most_visits) {
    hypothesis_ = lattice.hypothesis();
    rows_ = lattice.rows();
    max_unchanged_words_ = max_unchanged_words;
    most_matches_ = lattice.most_matches();
    most_visits_ = most_visits;
    visits_ = 0;
    is_surveyed_ = false;
    size_of_list_ = 0;
    vertices_.number(lattice);
    if (vertices_.size() > kMostVertices) return;
    find_steps_before();
    stored_.assign(vertices_.size(), {});
    sweep_ = 0;
}

bool SweptArcs::best_path(GoldEdits gold, bool wants_counts_only, std::vector<SystemEdit>& edits) {
    if (vertices_.size() > kMostVertices || most_visits_ == 0) return false;
    if (!reweigh(gold) || !settle_gold_cost()) return false;
    bound_costs_to_end();
    if (!find_best_costs() || !has_safe_rounding() || !collect_best_arcs()) return false;
    const bool may_be_any = has_one_path() || (wants_counts_only && has_one_count(gold));
    if (!may_be_any && depends_on_the_list()) {
        if (!survey() || !collect_best_arcs()) return false;
    }
    search_best_arcs();
    search_.read(vertices_, best_arcs_, edits);
    return true;
}

// --- Arcs from one start --------------------------------------------------------------------------

void SweptArcs::find_steps_before() {
    before_.assign(vertices_.size(), {});
    base_listings_ = 0;
    vertices_.for_each_step([&](Vertex from, Vertex to, Steps step, bool is_in_both_tables) {
        Before& before = before_[to];
        const std::uint8_t listings = is_in_both_tables ? 2 : 1;
        base_listings_ += listings;
        if (step == kInsertion) {
            before.left = from;
            before.listings_of_left = listings;
        } else if (step == kDeletion) {
            before.above = from;
            before.listings_of_above = listings;
        } else {
            before.diagonal = from;
            before.listings_of_diagonal = listings;
            before.is_match = step == kMatch;
        }
    });
}

// Fills `stored_` and `reached_` with the arcs that start in a cell, up to the cells of `last_row`.
// The cells between which there can be no arc are left out: those left of the start, and those
// right of the last cell that the row above reaches.
void SweptArcs::sweep(Vertex from, Position last_row) {
    ++sweep_;
    reached_.clear();
    Position first_column = vertices_.column(from);
    Position end_column = first_column + 1;  // right of the cells that are reached in the row above
    for (Position row = vertices_.row(from); row <= last_row; ++row) {
        const bool is_first_row = row == vertices_.row(from);
        const Vertex begin = is_first_row ? from + 1 : vertices_.from_column(row, first_column);
        const Vertex end = vertices_.first_of(row + 1);
        const std::size_t reached_before = reached_.size();
        Vertex vertex = begin;
        for (; vertex < end; ++vertex) {
            visit(from, vertex);
            const bool is_reached = stored_[vertex].sweep == sweep_;
            if (is_reached) {
                reached_.push_back(vertex);
            } else if (vertices_.column(vertex) > end_column) {
                break;
            }
        }
        visits_ += static_cast<std::uint64_t>(vertex - begin) + 1;
        if (reached_.size() > reached_before) {
            if (!is_first_row) first_column = vertices_.column(reached_[reached_before]);
            end_column = vertices_.column(reached_.back()) + 1;
        } else if (!is_first_row) {
            return;
        }
    }
}

// Stores the shortest route to a cell whose unchanged words are few enough, as it is met.
void SweptArcs::visit(Vertex from, Vertex vertex) {
    const Before& before = before_[vertex];
    Stored stored;
    if (before.diagonal == from) {
        stored = {sweep_, 1, before.is_match, before.listings_of_diagonal, 0, !before.is_match};
    } else if (before.above == from) {
        stored = {sweep_, 1, 0, before.listings_of_above, 0, true};
    } else if (before.left == from) {
        stored = {sweep_, 1, 0, before.listings_of_left, 0, true};
    } else {
        extend(stored, before.diagonal, kFromDiagonal, before.is_match);
        extend(stored, before.above, kFromAbove, false);
        extend(stored, before.left, kFromLeft, false);
    }
    if (stored.length > 0) stored_[vertex] = stored;
}

void SweptArcs::extend(Stored& stored, Vertex middle, std::uint8_t bit, bool is_match) const {
    if (middle == kNowhere || stored_[middle].sweep != sweep_) return;
    const Stored& route = stored_[middle];
    if (stored.length > 0 && stored.length <= route.length + 1) return;
    const Position unchanged = route.unchanged + (is_match ? 1 : 0);
    if (unchanged > max_unchanged_words_) return;
    stored.sweep = sweep_;
    stored.length = route.length + 1;
    stored.unchanged = unchanged;
    stored.is_edit = route.is_edit || !is_match;
    stored.middles |= bit;
    ++stored.listings;
}

// --- What only the whole list tells ---------------------------------------------------------------

// Counts the list, and finds the joins of unchanged words alone that stay in it. Sweeps meet the
// joins of one middle in the order of the list: by start, then by end.
bool SweptArcs::survey() {
    if (is_surveyed_) return true;
    std::vector<std::int64_t> joins_of_middle(vertices_.size(), 0);
    std::vector<UnchangedJoin> unchanged;
    std::int64_t joins = 0;
    const auto list = [&](Vertex from, Vertex middle, bool is_unchanged) {
        if (is_unchanged) unchanged.push_back({middle, joins_of_middle[middle], from});
        ++joins_of_middle[middle];
        ++joins;
    };
    for (Vertex from = 0; from < vertices_.last(); ++from) {
        sweep(from, rows_ - 1);
        if (is_exhausted() || unchanged.size() > kMostKept) return false;
        for (const Vertex to : reached_) {
            const Stored& arc = stored_[to];
            const bool is_unchanged = is_unchanged_join(arc);
            if (arc.middles & kFromDiagonal) list(from, before_[to].diagonal, is_unchanged);
            if (arc.middles & kFromAbove) list(from, before_[to].above, is_unchanged);
            if (arc.middles & kFromLeft) list(from, before_[to].left, is_unchanged);
        }
    }
    std::int64_t place = 0;
    for (std::int64_t& count : joins_of_middle) {
        const std::int64_t first = place;
        place += count;
        count = first;
    }
    for (UnchangedJoin& join : unchanged) join.place += joins_of_middle[join.middle];
    remove_unchanged_joins(unchanged, joins);
    is_surveyed_ = true;
    return true;
}

// The original walks through its list while it removes from it, so it passes over the entry after
// each removed one.
void SweptArcs::remove_unchanged_joins(std::vector<UnchangedJoin>& unchanged, std::int64_t joins) {
    std::sort(unchanged.begin(), unchanged.end(),
              [](const UnchangedJoin& a, const UnchangedJoin& b) { return a.place < b.place; });
    unchanged_.clear();
    size_of_list_ = base_listings_ + joins;
    std::int64_t passed_over = -1;
    for (const UnchangedJoin& join : unchanged) {
        if (join.place == passed_over) {
            unchanged_.emplace_back(join.from, join.middle);
        } else {
            --size_of_list_;
            passed_over = join.place + 1;
        }
    }
    std::sort(unchanged_.begin(), unchanged_.end());
}

// Whether a join of unchanged words alone is left. Without a survey, none is: it changes no cost.
bool SweptArcs::is_in_list(Vertex from, Vertex to) const {
    return is_surveyed_ && std::binary_search(unchanged_.begin(), unchanged_.end(),
                                              std::make_pair(from, before_[to].diagonal));
}

// --- The best path --------------------------------------------------------------------------------

// All arcs on paths of the least cost.
bool SweptArcs::collect_best_arcs() {
    const Cost best = costs_[vertices_.last()];
    best_arcs_.clear();
    is_on_best_path_.assign(vertices_.size(), 0);
    is_on_best_path_[vertices_.last()] = 1;
    for (Vertex from = vertices_.last() - 1; from >= 0; --from) {
        const Cost here = costs_[from];
        if (here == kImpossible) continue;
        if (here + to_end_[static_cast<std::size_t>(from) * states_] > best) continue;
        sweep(from, rows_ - 1);
        if (is_exhausted() || best_arcs_.size() > kMostKept) return false;
        for (const Vertex to : reached_) {
            if (!is_on_best_path_[to]) continue;
            const Stored& arc = stored_[to];
            if (here + cost(from, to, arc) != costs_[to]) continue;
            const Reweighed* const other = reweighed(from, to);
            best_arcs_.push_back({from, to, arc.middles, arc.is_edit, other && other->is_gold,
                                  weight(from, to, arc)});
            is_on_best_path_[from] = 1;
        }
    }
    return true;
}

bool SweptArcs::has_one_path() const {
    std::vector<std::uint8_t> has_arc(vertices_.size(), 0);
    for (const BestArc& arc : best_arcs_) {
        if (has_arc[arc.to]) return false;
        has_arc[arc.to] = 1;
    }
    return true;
}

// Whether the search needs more of the list than its order: its size, which is the weight of gold
// arcs, or the joins of unchanged words that are left in it. Such a join is on a best path only if
// its single words are, one after the other.
bool SweptArcs::depends_on_the_list() const {
    std::vector<std::uint8_t> ends_unchanged(vertices_.size(), 0);
    const auto is_unchanged = [](const BestArc& arc) { return arc.middles == 0 && !arc.is_edit; };
    for (const BestArc& arc : best_arcs_) {
        if (arc.is_gold) return true;
        if (is_unchanged(arc)) ends_unchanged[arc.to] = 1;
    }
    if (max_unchanged_words_ < 2) return false;
    return std::any_of(best_arcs_.begin(), best_arcs_.end(), [&](const BestArc& arc) {
        return is_unchanged(arc) && ends_unchanged[arc.from];
    });
}

// Whether all best paths are sure to have the same counts: the same number of edits, and of gold
// arcs among them. Gold edits must follow one another, without insertions that could be dealt, so
// that each gold arc is a correct edit.
bool SweptArcs::has_one_count(GoldEdits gold) const {
    if (!insertions_.empty()) return false;
    for (std::size_t index = 1; index < gold.size(); ++index) {
        if (gold[index].start < gold[index - 1].end) return false;
    }
    struct Counts {
        Position edits = -1, correct = -1;
    };
    std::vector<Counts> counts(vertices_.size());
    counts[0] = {0, 0};
    // Arcs were collected from the last start to the first.
    for (auto arc = best_arcs_.rbegin(); arc != best_arcs_.rend(); ++arc) {
        Counts next = counts[arc->from];
        next.edits += arc->is_edit;
        next.correct += arc->is_edit && arc->is_gold;
        Counts& there = counts[arc->to];
        if (there.edits < 0) there = next;
        if (there.edits != next.edits || there.correct != next.correct) return false;
    }
    return true;
}

// The search over the arcs of best paths, in the order of the whole list. Other arcs cannot change
// its result.
void SweptArcs::search_best_arcs() {
    std::vector<Listing> list;
    for (std::size_t i = 0; i < best_arcs_.size(); ++i) {
        const BestArc& arc = best_arcs_[i];
        const Before& before = before_[arc.to];
        if (arc.middles == 0) list.push_back({kNowhere, i});
        if (arc.middles & kFromDiagonal) list.push_back({before.diagonal, i});
        if (arc.middles & kFromAbove) list.push_back({before.above, i});
        if (arc.middles & kFromLeft) list.push_back({before.left, i});
    }
    std::sort(list.begin(), list.end(), [&](const Listing& a, const Listing& b) {
        if (a.middle != b.middle) return a.middle < b.middle;
        const BestArc &x = best_arcs_[a.arc], &y = best_arcs_[b.arc];
        return x.from != y.from ? x.from < y.from : x.to < y.to;
    });
    std::vector<std::int32_t> order;
    order.reserve(list.size());
    for (const Listing& listing : list) order.push_back(static_cast<std::int32_t>(listing.arc));
    search_.run(vertices_, order, best_arcs_, 0,
                [&](std::int32_t arc) { return best_arcs_[static_cast<std::size_t>(arc)].weight; });
}

}  // namespace corrigenda
