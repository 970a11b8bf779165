#include "listed_arcs.hpp"

#include <algorithm>

namespace corrigenda {
namespace {

constexpr double kEditWeight = 0.001;  // of each listing of an edit that is not gold

}  // namespace

bool ListedArcs::list(const Lattice& lattice, Position max_unchanged_words, std::size_t most_arcs,
                      bool all) {
    source_ = lattice.source();
    hypothesis_ = lattice.hypothesis();
    first_row_ = 0;
    last_row_ = lattice.rows() - 1;
    // With more unchanged words, joins of them could change how sums are rounded.
    if (!all && max_unchanged_words <= 2) leave_out_rows(lattice, max_unchanged_words);
    rows_before_ = static_cast<std::size_t>(first_row_);
    rows_after_ = static_cast<std::size_t>(lattice.rows() - 1 - last_row_);
    joins_per_row_ = max_unchanged_words >= 2 ? 1 : 0;
    vertices_.number(lattice, first_row_, last_row_);
    if (3 * vertices_.size() > most_arcs) return false;
    list_base_arcs();
    if (!list_joins(max_unchanged_words, most_arcs)) return false;
    remove_unchanged_joins();
    keep_plain_weights();
    return true;
}

// --- The graph ------------------------------------------------------------------------------------

// A join with a change has no cell that is more than `max_unchanged_words` outside of the core.
// Three more rows come after the core: all paths pass the cell of one of them.
void ListedArcs::leave_out_rows(const Lattice& lattice, Position max_unchanged_words) {
    first_row_ = std::max(first_row_, lattice.core_begin() - max_unchanged_words);
    last_row_ = std::min(last_row_, lattice.core_last_row() + max_unchanged_words + 3);
}

// Base arcs are listed by start, then by end.
void ListedArcs::list_base_arcs() {
    arcs_.clear();
    order_.clear();
    size_of_list_ = 2 * (rows_before_ + rows_after_);  // both tables have their matches
    if (into_.size() < vertices_.size()) into_.resize(vertices_.size());
    for (Vertex vertex = 0; vertex <= vertices_.last(); ++vertex) into_[vertex].clear();
    vertices_.for_each_step([&](Vertex from, Vertex to, Steps step, bool is_in_both_tables) {
        const auto arc = static_cast<ArcId>(arcs_.size());
        const bool is_match = step == kMatch;
        const std::uint8_t listings = is_in_both_tables ? 2 : 1;
        arcs_.push_back({from, to, 1, is_match ? 1 : 0, listings, !is_match, false});
        into_[to].push_back(arc);
        order_.push_back(arc);
        size_of_list_ += listings;
    });
    base_arcs_ = order_.size();
}

// Joins are listed by their middle, then by their start, then by their end. The middle is the cell
// before the last step.
bool ListedArcs::list_joins(Position max_unchanged_words, std::size_t most_arcs) {
    Vertex below = 0;
    for (Vertex middle = 0; middle <= vertices_.last(); ++middle) {
        if (into_[middle].empty()) continue;
        std::size_t lists = 0;
        vertices_.for_each_step_from(middle, below, [&](Vertex end, Steps step) {
            listed_[lists].clear();
            join(middle, end, step == kMatch, max_unchanged_words, listed_[lists]);
            ++lists;
        });
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
    const std::size_t joins_before = rows_before_ * joins_per_row_;
    const std::size_t joins_after = rows_after_ * joins_per_row_;
    size_of_list_ += joins_before / 2;
    bool is_passed_over = joins_before % 2 == 1;  // the next join
    std::size_t kept = base_arcs_;
    for (std::size_t i = base_arcs_; i < order_.size(); ++i) {
        Arc& arc = arcs_[order_[i]];
        if (!is_passed_over && !arc.is_edit) {
            arc.is_removed = true;
            --size_of_list_;
            is_passed_over = true;
        } else {
            order_[kept++] = order_[i];
            is_passed_over = false;
        }
    }
    order_.resize(kept);
    size_of_list_ += (joins_after + is_passed_over) / 2;
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

// Where no arc is listed, all arcs have unchanged words alone. So a gold edit can only be one of
// them if it changes nothing.
bool ListedArcs::is_enough(GoldEdits gold) const {
    if (is_complete()) return true;
    for (std::size_t index = 0; index < gold.size(); ++index) {
        const GoldEdit edit = gold[index];
        if (edit.start >= first_row_ && edit.end <= last_row_) continue;
        const auto begin = static_cast<std::size_t>(edit.start);
        const Sentence replaced = {source_.data + begin,
                                   static_cast<std::size_t>(edit.end) - begin};
        for (std::size_t i = 0; i < edit.corrections.count; ++i) {
            if (replaced.size > 0 && edit.corrections[i] == replaced) return false;
        }
    }
    return true;
}

// Gives the arcs that replace the span of a gold edit by one of its corrections.
void ListedArcs::find_equal_arcs(const GoldEdit& edit, std::vector<ArcId>& found) const {
    found.clear();
    if (edit.start < first_row_ || edit.end > last_row_) return;
    for (std::size_t i = 0; i < edit.corrections.count; ++i) {
        const Sentence correction = edit.corrections[i];
        if (correction.size > hypothesis_.size) continue;
        for (Vertex from = vertices_.first_of(edit.start);
             from < vertices_.first_of(edit.start + 1); ++from) {
            const auto begin = static_cast<std::size_t>(vertices_.column(from));
            if (begin + correction.size > hypothesis_.size) break;
            if (!std::equal(correction.begin(), correction.end(), hypothesis_.begin() + begin)) {
                continue;
            }
            const Vertex to =
                vertices_.at(edit.end, static_cast<Position>(begin + correction.size));
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

void ListedArcs::weigh_insertions(std::size_t begin, std::size_t end) {
    const Position row = insertions_[begin].row;
    places_.clear();
    for (Vertex to = vertices_.first_of(row); to < vertices_.first_of(row + 1); ++to) {
        for (const ArcId arc : into_[to]) {
            if (arcs_[arc].from < vertices_.first_of(row)) continue;
            for (std::uint8_t i = 0; i < arcs_[arc].listings; ++i) {
                places_.push_back({arc, arcs_[arc].from, to});
            }
            set_weight(arc, arcs_[arc].length);
        }
    }
    std::stable_sort(places_.begin(), places_.end(),
                     [](const InsertionArc& a, const InsertionArc& b) { return a.from < b.from; });
    deal_insertions(
        places_, {insertions_.data() + begin, insertions_.data() + end},
        [&](ArcId arc) { weights_[arc] += kEditWeight; },
        [&](ArcId arc) { weights_[arc] = -static_cast<double>(size_of_list_); });
}

// --- The best path --------------------------------------------------------------------------------

void ListedArcs::best_path(GoldEdits gold, std::vector<SystemEdit>& edits) {
    set_gold_weights(gold);
    search_.run(vertices_, order_, arcs_, first_row_, [&](ArcId id) { return weights_[id]; });
    restore_weights();
    search_.read(vertices_, arcs_, edits);
}

}  // namespace corrigenda
