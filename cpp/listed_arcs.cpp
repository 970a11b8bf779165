#include "listed_arcs.hpp"

#include <algorithm>
#include <limits>

namespace corrigenda {
namespace {

constexpr std::int32_t kNowhere = -1;
constexpr double kEditWeight = 0.001;  // of each listing of an edit that is not gold

}  // namespace

bool ListedArcs::list(const Lattice& lattice, Position max_unchanged_words, std::size_t most_arcs) {
    hypothesis_ = lattice.hypothesis();
    rows_ = lattice.rows();
    number_vertices(lattice);
    if (3 * row_.size() > most_arcs) return false;
    list_base_arcs();
    if (!list_joins(max_unchanged_words, most_arcs)) return false;
    remove_unchanged_joins();
    keep_plain_weights();
    return true;
}

// --- The graph ------------------------------------------------------------------------------------

void ListedArcs::number_vertices(const Lattice& lattice) {
    first_vertex_.clear();
    row_.clear();
    column_.clear();
    steps_.clear();
    for (Position row = 0; row < rows_; ++row) {
        first_vertex_.push_back(static_cast<Vertex>(row_.size()));
        for (Position column = lattice.first_column(row); column < lattice.end_column(row);
             ++column) {
            const Steps steps = lattice.steps(row, column);
            if (!steps) continue;
            row_.push_back(row);
            column_.push_back(column);
            steps_.push_back(steps);
        }
    }
    first_vertex_.push_back(static_cast<Vertex>(row_.size()));
}

ListedArcs::Vertex ListedArcs::vertex(Position row, Position column) const {
    const auto begin = column_.begin() + first_vertex_[row];
    const auto end = column_.begin() + first_vertex_[row + 1];
    const auto found = std::lower_bound(begin, end, column);
    return found != end && *found == column ? static_cast<Vertex>(found - column_.begin())
                                            : kNowhere;
}

// Base arcs are listed by start, then by end.
void ListedArcs::list_base_arcs() {
    const auto vertices = static_cast<Vertex>(row_.size());
    arcs_.clear();
    order_.clear();
    size_of_list_ = 0;
    if (into_.size() < row_.size()) into_.resize(row_.size());
    for (Vertex vertex = 0; vertex < vertices; ++vertex) into_[vertex].clear();
    const auto add = [&](Vertex from, Vertex to, bool is_match, bool is_in_both_tables) {
        const auto arc = static_cast<ArcId>(arcs_.size());
        const std::uint8_t listings = is_in_both_tables ? 2 : 1;
        arcs_.push_back({from, to, 1, is_match ? 1 : 0, listings, !is_match, false});
        into_[to].push_back(arc);
        order_.push_back(arc);
        size_of_list_ += listings;
    };
    Vertex below = 0;
    for (Vertex from = 0; from < vertices; ++from) {
        const Steps steps = steps_[from];
        below = std::max(below, first_vertex_[row_[from] + 1]);
        if (steps & kInsertion) add(from, from + 1, false, is_in_both(steps, kInsertion));
        if (!(steps & (kDeletion | kMatch | kSubstitution))) continue;
        while (column_[below] < column_[from]) ++below;
        if (steps & kDeletion) add(from, below, false, is_in_both(steps, kDeletion));
        if (steps & (kMatch | kSubstitution)) {
            const Vertex diagonal = column_[below] == column_[from] ? below + 1 : below;
            add(from, diagonal, steps & kMatch, is_in_both(steps, kMatch | kSubstitution));
        }
    }
}

// Joins are listed by their middle, then by their start, then by their end. The middle is the cell
// before the last step.
bool ListedArcs::list_joins(Position max_unchanged_words, std::size_t most_arcs) {
    const auto vertices = static_cast<Vertex>(row_.size());
    Vertex below = 0;
    for (Vertex middle = 0; middle < vertices; ++middle) {
        const Steps steps = steps_[middle];
        below = std::max(below, first_vertex_[row_[middle] + 1]);
        if (into_[middle].empty()) continue;
        std::size_t lists = 0;
        const auto extend = [&](Vertex end, bool is_match) {
            listed_[lists].clear();
            join(middle, end, is_match, max_unchanged_words, listed_[lists]);
            ++lists;
        };
        if (steps & kInsertion) extend(middle + 1, false);
        if (steps & (kDeletion | kMatch | kSubstitution)) {
            while (column_[below] < column_[middle]) ++below;
            if (steps & kDeletion) extend(below, false);
            if (steps & (kMatch | kSubstitution)) {
                extend(column_[below] == column_[middle] ? below + 1 : below, steps & kMatch);
            }
        }
        list_in_order(listed_, lists);
        if (arcs_.size() > most_arcs) return false;
    }
    return true;
}

// Extends every arc into `middle` by the step to `end`. A join is stored, and listed once more, if
// it is shorter than what is stored, and if its own route has few enough unchanged words.
void ListedArcs::join(Vertex middle, Vertex end, bool is_match, Position max_unchanged_words,
                      std::vector<ArcId>& listed) {
    std::vector<ArcId>& into_end = into_[end];
    std::size_t next = 0;
    merged_.clear();
    for (const ArcId before : into_[middle]) {
        const Vertex start = arcs_[before].from;
        while (next < into_end.size() && arcs_[into_end[next]].from < start) {
            merged_.push_back(into_end[next++]);
        }
        const bool is_stored = next < into_end.size() && arcs_[into_end[next]].from == start;
        const Position length = arcs_[before].length + 1;
        const Position unchanged = arcs_[before].unchanged + (is_match ? 1 : 0);
        const bool is_edit = arcs_[before].is_edit || !is_match;
        if (is_stored) merged_.push_back(into_end[next]);
        if (unchanged > max_unchanged_words) {
            next += is_stored;
            continue;
        }
        if (!is_stored) {
            const auto arc = static_cast<ArcId>(arcs_.size());
            arcs_.push_back({start, end, length, unchanged, 1, is_edit, false});
            merged_.push_back(arc);
            listed.push_back(arc);
            continue;
        }
        Arc& stored = arcs_[into_end[next]];
        if (length < stored.length) {
            stored.length = length;
            stored.unchanged = unchanged;
            stored.is_edit = is_edit;
            ++stored.listings;
            listed.push_back(into_end[next]);
        }
        ++next;
    }
    merged_.insert(merged_.end(), into_end.begin() + static_cast<std::ptrdiff_t>(next),
                   into_end.end());
    into_end.swap(merged_);
}

void ListedArcs::list_in_order(const std::vector<ArcId>* listed, std::size_t lists) {
    std::size_t next[3] = {0, 0, 0};
    for (;;) {
        std::size_t first = lists;
        for (std::size_t i = 0; i < lists; ++i) {
            if (next[i] == listed[i].size()) continue;
            if (first == lists ||
                arcs_[listed[i][next[i]]].from < arcs_[listed[first][next[first]]].from) {
                first = i;
            }
        }
        if (first == lists) return;
        order_.push_back(listed[first][next[first]++]);
        ++size_of_list_;
    }
}

// Joins of unchanged words alone are removed. The original walks through its list while it removes
// from it, so it passes over the entry after each removed one.
void ListedArcs::remove_unchanged_joins() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        Arc& arc = arcs_[order_[i]];
        if (arc.length > 1 && !arc.is_edit) {
            arc.is_removed = true;
            --size_of_list_;
            if (++i == order_.size()) break;
        }
        order_[kept++] = order_[i];
    }
    order_.resize(kept);
}

double ListedArcs::listed_weight(const Arc& arc) const {
    double weight = arc.length;
    for (std::uint8_t i = 0; arc.is_edit && i < arc.listings; ++i) weight += kEditWeight;
    return weight;
}

void ListedArcs::keep_plain_weights() {
    plain_weights_.resize(arcs_.size());
    for (std::size_t i = 0; i < arcs_.size(); ++i) plain_weights_[i] = listed_weight(arcs_[i]);
    weights_ = plain_weights_;
    reweighed_.clear();
}

// --- The gold edits -------------------------------------------------------------------------------

void ListedArcs::set_weight(ArcId arc, double weight) {
    weights_[arc] = weight;
    reweighed_.push_back(arc);
}

void ListedArcs::restore_weights() {
    for (const ArcId arc : reweighed_) weights_[arc] = plain_weights_[arc];
    reweighed_.clear();
}

ListedArcs::ArcId ListedArcs::arc_between(Vertex from, Vertex to) const {
    const auto& into = into_[to];
    const auto found =
        std::lower_bound(into.begin(), into.end(), from,
                         [&](ArcId arc, Vertex start) { return arcs_[arc].from < start; });
    if (found == into.end() || arcs_[*found].from != from || arcs_[*found].is_removed) {
        return kNowhere;
    }
    return *found;
}

// Gives the arcs that replace the span of a gold edit by one of its corrections.
void ListedArcs::find_equal_arcs(const GoldEdit& edit, std::vector<ArcId>& found) const {
    found.clear();
    for (std::size_t i = 0; i < edit.corrections.count; ++i) {
        const Sentence correction = edit.corrections[i];
        if (correction.size > hypothesis_.size) continue;
        for (Vertex from = first_vertex_[edit.start]; from < first_vertex_[edit.start + 1];
             ++from) {
            const auto begin = static_cast<std::size_t>(column_[from]);
            if (begin + correction.size > hypothesis_.size) break;
            if (!std::equal(correction.begin(), correction.end(), hypothesis_.begin() + begin)) {
                continue;
            }
            const Vertex to = vertex(edit.end, static_cast<Position>(begin + correction.size));
            if (to == kNowhere) continue;
            const ArcId arc = arc_between(from, to);
            if (arc != kNowhere) found.push_back(arc);
        }
    }
}

void ListedArcs::set_gold_weights(GoldEdits gold) {
    insertions_.clear();
    for (std::size_t index = 0; index < gold.size(); ++index) {
        const GoldEdit edit = gold[index];
        find_equal_arcs(edit, equal_arcs_);
        for (const ArcId arc : equal_arcs_) {
            if (edit.start < edit.end) {
                set_weight(arc, -static_cast<double>(size_of_list_));
            } else {
                insertions_.push_back({edit.start, arc, static_cast<std::int32_t>(index)});
            }
        }
    }
    std::sort(insertions_.begin(), insertions_.end());
    for (std::size_t begin = 0; begin < insertions_.size();) {
        std::size_t end = begin;
        while (end < insertions_.size() && insertions_[end].row == insertions_[begin].row) ++end;
        weigh_insertions(begin, end);
        begin = end;
    }
}

// Several insertions may stand in one place, and a gold insertion may be used once. The original
// deals gold insertions to arcs from both ends of the place in turn. After an arc gets one, only
// arcs that touch it can get the next.
void ListedArcs::weigh_insertions(std::size_t begin, std::size_t end) {
    const Position row = insertions_[begin].row;
    places_.clear();
    for (Vertex to = first_vertex_[row]; to < first_vertex_[row + 1]; ++to) {
        for (const ArcId arc : into_[to]) {
            if (arcs_[arc].from < first_vertex_[row]) continue;
            for (std::uint8_t i = 0; i < arcs_[arc].listings; ++i) places_.push_back(arc);
            set_weight(arc, arcs_[arc].length);
        }
    }
    std::stable_sort(places_.begin(), places_.end(),
                     [&](ArcId a, ArcId b) { return arcs_[a].from < arcs_[b].from; });
    const auto count = static_cast<std::ptrdiff_t>(places_.size());
    std::ptrdiff_t left = 0, right = count - 1, here = 0;
    std::int32_t first_gold = 0, last_gold = std::numeric_limits<std::int32_t>::max();
    while (left <= right) {
        const bool is_left = here == left;
        const ArcId arc = places_[here];
        const std::int32_t gold = insertion_of(arc, begin, end, first_gold, last_gold, is_left);
        if (gold == kNoGold) {
            weights_[arc] += kEditWeight;
            if (is_left) {
                ++left;
                here = right;
            } else {
                --right;
                here = left;
            }
            continue;
        }
        weights_[arc] = -static_cast<double>(size_of_list_);
        if (is_left) {
            first_gold = gold + 1;
            for (++left; left < count && arcs_[places_[left]].from != arcs_[arc].to; ++left) {
                weights_[places_[left]] += kEditWeight;
            }
            here = left;
        } else {
            last_gold = gold - 1;
            for (--right; right >= 0 && arcs_[places_[right]].to != arcs_[arc].from; --right) {
                weights_[places_[right]] += kEditWeight;
            }
            here = right;
        }
    }
}

// The first or the last gold insertion, of those that are left, that equals the arc.
std::int32_t ListedArcs::insertion_of(ArcId arc, std::size_t begin, std::size_t end,
                                      std::int32_t first_gold, std::int32_t last_gold,
                                      bool wants_first) const {
    const auto compare = [](const GoldInsertion& a, const GoldInsertion& b) { return a < b; };
    const auto first = insertions_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = insertions_.begin() + static_cast<std::ptrdiff_t>(end);
    const Position row = insertions_[begin].row;
    if (wants_first) {
        const auto found =
            std::lower_bound(first, last, GoldInsertion{row, arc, first_gold}, compare);
        const bool fits = found != last && found->arc == arc && found->gold <= last_gold;
        return fits ? found->gold : kNoGold;
    }
    auto found = std::upper_bound(first, last, GoldInsertion{row, arc, last_gold}, compare);
    if (found == first) return kNoGold;
    --found;
    return found->arc == arc && found->gold >= first_gold ? found->gold : kNoGold;
}

// --- The best path --------------------------------------------------------------------------------

// Bellman and Ford's search: it follows the list, again and again, and takes an arc if it makes the
// way to its end strictly shorter.
void ListedArcs::search() {
    distances_.assign(row_.size(), std::numeric_limits<double>::infinity());
    last_arc_.assign(row_.size(), kNowhere);
    distances_[0] = 0;
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (const ArcId id : order_) {
            const Arc& arc = arcs_[id];
            const double distance = distances_[arc.from] + weights_[id];
            if (distance < distances_[arc.to]) {
                distances_[arc.to] = distance;
                last_arc_[arc.to] = id;
                has_changed = true;
            }
        }
    }
}

void ListedArcs::best_path(GoldEdits gold, std::vector<SystemEdit>& edits) {
    set_gold_weights(gold);
    search();
    restore_weights();
    edits.clear();
    for (auto at = static_cast<Vertex>(row_.size()) - 1; last_arc_[at] != kNowhere;) {
        const Arc& arc = arcs_[last_arc_[at]];
        if (arc.is_edit) {
            edits.push_back(
                {row_[arc.from], row_[arc.to], column_[arc.from], column_[arc.to], kNoGold});
        }
        at = arc.from;
    }
    std::reverse(edits.begin(), edits.end());
}

}  // namespace corrigenda
