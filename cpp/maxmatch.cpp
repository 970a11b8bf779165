#include "maxmatch.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace corrigenda {
namespace {

constexpr std::int64_t kUnreachable = std::numeric_limits<std::int64_t>::max() / 2;

// How a best path continues. Of equally good moves, the one considered first is kept.
enum : std::uint8_t { kEnd, kClose, kGold, kSkip, kTakeMatch, kSubstitute, kDelete, kInsert };

// The states of a path: between edits, or inside an edit that holds 0, 1, … unchanged words so far.
constexpr std::size_t kBetween = 0;
constexpr std::size_t kInside = 1;

struct Best {
    std::int64_t cost = kUnreachable;
    std::uint8_t move = kEnd;

    void consider(std::int64_t other_cost, std::uint8_t other_move) {
        if (other_cost < cost) {
            cost = other_cost;
            move = other_move;
        }
    }
};

}  // namespace

void MaxMatch::read(Sentence source, Sentence hypothesis) {
    lattice_.build(source, hypothesis);
    if (lattice_.distance() == 0) return;
    read_arcs(false);
}

void MaxMatch::read_arcs(bool all) {
    is_listed_ = listed_arcs_.list(lattice_, max_unchanged_words_, limits_.most_arcs, all);
    if (!is_listed_) swept_arcs_.read(lattice_, max_unchanged_words_, limits_.most_visits);
}

const std::vector<SystemEdit>& MaxMatch::match(GoldEdits gold) {
    edits_.clear();
    is_by_short_form_ = false;
    check(gold);
    if (lattice_.distance() == 0) return edits_;  // equal sentences: the only path has no edit
    if (is_listed_ && !listed_arcs_.is_enough(gold)) read_arcs(true);
    if (is_listed_) listed_arcs_.best_path(gold, edits_);
    is_by_short_form_ = !is_listed_ && !swept_arcs_.best_path(gold, wants_counts_only_, edits_);
    is_by_short_form_ ? match_by_short_form(gold) : find_gold(gold);
    for (SystemEdit& edit : edits_) {
        if (edit.gold == kNoGold) trim(edit);
    }
    return edits_;
}

void MaxMatch::match_by_short_form(GoldEdits gold) {
    weigh(gold.size());
    collect_arcs(gold);
    lay_layers();
    find_costs();
    read_path();  // it knows which gold edit each arc took
}

// Both lists are walked in order. An edit takes the first equal gold edit that is left; the gold
// edits before that one are passed over.
void MaxMatch::find_gold(GoldEdits gold) {
    std::size_t next = 0;
    for (SystemEdit& edit : edits_) {
        const auto length = static_cast<std::size_t>(edit.finish - edit.begin);
        const Sentence made = {lattice_.hypothesis().begin() + edit.begin, length};
        edit.gold = kNoGold;
        for (std::size_t index = next; index < gold.size() && edit.gold == kNoGold; ++index) {
            const GoldEdit other = gold[index];
            if (other.start != edit.start || other.end != edit.end) continue;
            for (std::size_t i = 0; i < other.corrections.count; ++i) {
                if (!(other.corrections[i] == made)) continue;
                edit.gold = static_cast<std::int32_t>(index);
                next = index + 1;
                break;
            }
        }
    }
}

// Takes unchanged words from both ends of an edit. An edit that changes nothing stays as it is.
void MaxMatch::trim(SystemEdit& edit) const {
    const auto is_equal = [&](Position row, Position column) {
        return lattice_.source()[row] == lattice_.hypothesis()[column];
    };
    SystemEdit short_edit = edit;
    const auto is_empty = [&] {
        return short_edit.start == short_edit.end || short_edit.begin == short_edit.finish;
    };
    while (!is_empty() && is_equal(short_edit.start, short_edit.begin)) {
        ++short_edit.start;
        ++short_edit.begin;
    }
    while (!is_empty() && is_equal(short_edit.end - 1, short_edit.finish - 1)) {
        --short_edit.end;
        --short_edit.finish;
    }
    if (short_edit.start < short_edit.end || short_edit.begin < short_edit.finish) {
        edit = short_edit;
    }
}

void MaxMatch::check(GoldEdits gold) const {
    for (std::size_t index = 0; index < gold.size(); ++index) {
        const GoldEdit edit = gold[index];
        if (edit.start >= 0 && edit.start <= edit.end && edit.end < lattice_.rows()) continue;
        throw std::invalid_argument("gold edit " + std::to_string(index) +
                                    " lies outside of the sentence");
    }
}

// One number orders the paths by four criteria: more gold arcs; less length of the other arcs;
// fewer other edits; more edits among the gold arcs. A path has at most as many steps as there are
// words, and it uses each gold edit once. So a later criterion can never outweigh an earlier one.
void MaxMatch::weigh(std::size_t gold_edits) {
    const double words = lattice_.rows() + lattice_.columns();
    const double gold = static_cast<double>(gold_edits) + 1;
    if (gold * gold * words * words > static_cast<double>(kUnreachable)) {
        throw std::length_error("the sentences, or the list of gold edits, are too long for M²");
    }
    edit_cost_ = static_cast<Cost>(gold);
    length_cost_ = edit_cost_ * static_cast<Cost>(words);
    gold_cost_ = length_cost_ * static_cast<Cost>(words);
}

// --- The gold edits as arcs ----------------------------------------------------------------------

void MaxMatch::collect_arcs(GoldEdits gold) {
    arcs_.clear();
    for (std::size_t index = 0; index < gold.size(); ++index) {
        const GoldEdit edit = gold[index];
        for (std::size_t i = 0; i < edit.corrections.count; ++i) {
            collect_arcs_of(edit, edit.corrections[i], static_cast<std::int32_t>(index));
        }
    }
    // Insertions come first, because on a path they precede the other edits at the same position.
    std::stable_sort(arcs_.begin(), arcs_.end(), [](const GoldArc& a, const GoldArc& b) {
        if (a.row != b.row) return a.row < b.row;
        return a.row == a.end_row && b.row != b.end_row;
    });
}

void MaxMatch::collect_arcs_of(const GoldEdit& edit, Sentence correction, std::int32_t gold) {
    const auto length = static_cast<Position>(correction.size);
    const Position end = std::min(lattice_.end_column(edit.start), lattice_.columns() - length);
    for (Position column = lattice_.first_column(edit.start); column < end; ++column) {
        const Position end_column = column + length;
        if (!lattice_.steps(edit.start, column) || !lattice_.steps(edit.end, end_column)) continue;
        const Token* const words = lattice_.hypothesis().begin() + column;
        if (!std::equal(correction.begin(), correction.end(), words)) continue;
        const ArcKind kind = arc_between(edit.start, column, edit.end, end_column);
        if (kind == ArcKind::kNone) continue;
        arcs_.push_back(
            {edit.start, column, edit.end, end_column, gold, kind == ArcKind::kEdit, 0, 0});
    }
}

// A single match is an arc, but not an edit. A join of several matches is not an arc. Changes that
// give the same words are a longer join than the matches. So they count as an edit only if there
// are more matches than a join may hold.
MaxMatch::ArcKind MaxMatch::arc_between(Position row, Position column, Position end_row,
                                        Position end_column) {
    const Position span = end_row - row;
    if (span == end_column - column && is_run_of_matches(row, column, span)) {
        if (span == 1) return ArcKind::kMatch;
        if (span <= max_unchanged_words_) return ArcKind::kNone;
    }
    return can_join(row, column, end_row, end_column) ? ArcKind::kEdit : ArcKind::kNone;
}

bool MaxMatch::is_run_of_matches(Position row, Position column, Position length) const {
    for (Position i = 0; i < length; ++i) {
        if (!(lattice_.steps(row + i, column + i) & kMatch)) return false;
    }
    return true;
}

// Whether a path between the two cells has no more unchanged words than a join may hold. Row by
// row, it computes the fewest unchanged words on any path to each cell between them.
bool MaxMatch::can_join(Position row, Position column, Position end_row, Position end_column) {
    const Position never = std::numeric_limits<Position>::max();
    const auto width = static_cast<std::size_t>(end_column - column) + 1;
    const auto lower = [](Position& least, Position other) { least = std::min(least, other); };
    unchanged_.assign(width + 1, never);  // one more place, because a step may leave the window
    unchanged_[0] = 0;
    for (Position at = row; at <= end_row; ++at) {
        unchanged_below_.assign(width + 1, never);
        for (std::size_t i = 0; i < width; ++i) {
            const Position fewest = unchanged_[i];
            if (fewest > max_unchanged_words_) continue;
            const Steps steps = lattice_.steps(at, column + static_cast<Position>(i));
            if (steps & kMatch) lower(unchanged_below_[i + 1], fewest + 1);
            if (steps & kSubstitution) lower(unchanged_below_[i + 1], fewest);
            if (steps & kDeletion) lower(unchanged_below_[i], fewest);
            if (steps & kInsertion) lower(unchanged_[i + 1], fewest);
        }
        if (at < end_row) unchanged_.swap(unchanged_below_);
    }
    return unchanged_[width - 1] <= max_unchanged_words_;
}

// --- The layers: all rows, repeated where gold insertions can be used ----------------------------

// A path visits the layers of a row in order. So it uses gold insertions in order, each at most
// once.
void MaxMatch::lay_layers() {
    layers_.clear();
    first_layer_.resize(static_cast<std::size_t>(lattice_.rows()));
    states_ = static_cast<std::size_t>(std::min(max_unchanged_words_, lattice_.most_matches())) + 2;
    std::size_t moves = 0;
    std::size_t arc = 0;
    const auto lay = [&](Position row, bool is_last_of_row, auto belongs) {
        const std::size_t first = arc;
        while (arc < arcs_.size() && belongs(arcs_[arc])) ++arc;
        layers_.push_back({row, is_last_of_row, first, arc, moves});
        moves += static_cast<std::size_t>(lattice_.end_column(row) - lattice_.first_column(row)) *
                 states_;
    };
    for (Position row = 0; row < lattice_.rows(); ++row) {
        first_layer_[row] = layers_.size();
        while (arc < arcs_.size() && arcs_[arc].row == row && arcs_[arc].end_row == row) {
            const std::int32_t gold = arcs_[arc].gold;
            lay(row, false, [&](const GoldArc& other) { return other.gold == gold; });
        }
        lay(row, true, [&](const GoldArc& other) { return other.row == row; });
    }
    moves_.resize(moves);
    aim_arcs();
}

void MaxMatch::aim_arcs() {
    arcs_by_target_.clear();
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        for (std::size_t arc = layers_[layer].first_arc; arc < layers_[layer].end_arc; ++arc) {
            arcs_[arc].target =
                layers_[layer].is_last_of_row ? first_layer_[arcs_[arc].end_row] : layer + 1;
            arcs_by_target_.push_back(arc);
        }
    }
    std::stable_sort(
        arcs_by_target_.begin(), arcs_by_target_.end(),
        [&](std::size_t a, std::size_t b) { return arcs_[a].target > arcs_[b].target; });
}

// --- Costs, from the last cell back to the first -------------------------------------------------

void MaxMatch::find_costs() {
    const auto columns = static_cast<std::size_t>(lattice_.columns());
    here_.resize(columns * states_);
    after_.resize(columns * states_);
    offered_.assign(columns, kUnreachable);
    std::size_t next_arc = 0;
    for (std::size_t layer = layers_.size(); layer-- > 0;) {
        offer_arcs(layers_[layer]);
        fill_layer(layers_[layer]);
        withdraw_arcs(layers_[layer]);
        cost_arcs_into(layer, next_arc);
        here_.swap(after_);
    }
}

void MaxMatch::cost_arcs_into(std::size_t layer, std::size_t& next_arc) {
    for (; next_arc < arcs_by_target_.size(); ++next_arc) {
        GoldArc& arc = arcs_[arcs_by_target_[next_arc]];
        if (arc.target != layer) return;
        arc.cost = here_[static_cast<std::size_t>(arc.end_column) * states_ + kBetween] -
                   gold_cost_ - arc.is_edit;
    }
}

void MaxMatch::offer_arcs(const Layer& layer) {
    for (std::size_t arc = layer.first_arc; arc < layer.end_arc; ++arc) {
        Cost& offer = offered_[arcs_[arc].column];
        offer = std::min(offer, arcs_[arc].cost);
    }
}

void MaxMatch::withdraw_arcs(const Layer& layer) {
    for (std::size_t arc = layer.first_arc; arc < layer.end_arc; ++arc) {
        offered_[arcs_[arc].column] = kUnreachable;
    }
}

void MaxMatch::fill_layer(const Layer& layer) {
    for (Position column = lattice_.end_column(layer.row);
         column-- > lattice_.first_column(layer.row);) {
        const Steps steps = lattice_.steps(layer.row, column);
        if (!steps) continue;
        fill_between(layer, column, steps);
        for (std::size_t state = kInside; state < states_; ++state) {
            fill_inside(layer, column, steps, state);
        }
    }
}

// Between edits, a path takes a gold edit, a match, or the first step of another edit. Insertions
// come first, because they are before the next word and its edit. Gold insertions come before other
// insertions.
void MaxMatch::fill_between(const Layer& layer, Position column, Steps steps) {
    const Cost* const here = here_.data() + static_cast<std::size_t>(column) * states_;
    const Cost* const after = after_.data() + static_cast<std::size_t>(column) * states_;
    const Cost opening = length_cost_ + edit_cost_;
    Best best;
    if (!layer.is_last_of_row) {
        best.consider(offered_[column], kGold);
        best.consider(after[kBetween], kSkip);
    }
    if (steps & kInsertion) best.consider(here[states_ + kInside] + opening, kInsert);
    if (layer.is_last_of_row) {
        best.consider(offered_[column], kGold);
        if (steps == kOnPath) best.consider(0, kEnd);
        if (steps & kMatch) best.consider(after[states_ + kBetween] + length_cost_, kTakeMatch);
        if (steps & kSubstitution) best.consider(after[states_ + kInside] + opening, kSubstitute);
        if (steps & kDeletion) best.consider(after[kInside] + opening, kDelete);
    }
    store(layer, column, kBetween, best.cost, best.move);
}

// Inside an edit, a path ends the edit or takes one more step. Such a step does not cost
// `edit_cost_`.
void MaxMatch::fill_inside(const Layer& layer, Position column, Steps steps, std::size_t state) {
    const Cost* const here = here_.data() + static_cast<std::size_t>(column) * states_;
    const Cost* const after = after_.data() + static_cast<std::size_t>(column) * states_;
    Best best;
    best.consider(here[kBetween], kClose);
    if (!layer.is_last_of_row) {
        best.consider(after[state], kSkip);
    } else {
        const bool may_match = (steps & kMatch) && state + 1 < states_;
        if (may_match) best.consider(after[states_ + state + 1] + length_cost_, kTakeMatch);
        if (steps & kSubstitution) {
            best.consider(after[states_ + state] + length_cost_, kSubstitute);
        }
        if (steps & kDeletion) best.consider(after[state] + length_cost_, kDelete);
    }
    if (steps & kInsertion) best.consider(here[states_ + state] + length_cost_, kInsert);
    store(layer, column, state, best.cost, best.move);
}

void MaxMatch::store(const Layer& layer, Position column, std::size_t state, Cost cost, Move move) {
    here_[static_cast<std::size_t>(column) * states_ + state] = cost;
    moves_[move_index(layer, column, state)] = move;
}

std::size_t MaxMatch::move_index(const Layer& layer, Position column, std::size_t state) const {
    return layer.moves +
           static_cast<std::size_t>(column - lattice_.first_column(layer.row)) * states_ + state;
}

// --- The best path, from the first cell to the last ----------------------------------------------

void MaxMatch::read_path() {
    std::size_t layer = 0;
    Position column = 0;
    std::size_t state = kBetween;
    SystemEdit open = {};
    for (;;) {
        const Layer& at = layers_[layer];
        const Move move = moves_[move_index(at, column, state)];
        if (move == kEnd) return;
        if (move == kClose) {
            edits_.push_back({open.start, at.row, open.begin, column, kNoGold});
            state = kBetween;
            continue;
        }
        if (move == kGold) {
            const GoldArc& arc = best_arc(at, column);
            if (arc.is_edit) {
                edits_.push_back({arc.row, arc.end_row, arc.column, arc.end_column, arc.gold});
            }
            layer = arc.target;
            column = arc.end_column;
            continue;
        }
        if (move == kTakeMatch && state != kBetween) ++state;
        if (move >= kSubstitute && state == kBetween) {
            open = {at.row, 0, column, 0, kNoGold};
            state = kInside;
        }
        if (move == kTakeMatch || move == kSubstitute || move == kInsert) ++column;
        if (move != kInsert) ++layer;
    }
}

const MaxMatch::GoldArc& MaxMatch::best_arc(const Layer& layer, Position column) const {
    std::size_t best = layer.end_arc;
    for (std::size_t arc = layer.first_arc; arc < layer.end_arc; ++arc) {
        if (arcs_[arc].column != column) continue;
        if (best == layer.end_arc || arcs_[arc].cost < arcs_[best].cost) best = arc;
    }
    return arcs_[best];
}

}  // namespace corrigenda
