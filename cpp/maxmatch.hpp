// M² (MaxMatch; Dahlmeier & Ng 2012). A hypothesis can be read as edits of its source in many ways.
// M² takes the one that agrees best with the edits of an annotator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "lattice.hpp"
#include "listed_arcs.hpp"
#include "m2_gold.hpp"
#include "ragged.hpp"
#include "swept_arcs.hpp"

namespace corrigenda {

// How much work one sentence may take before an easier way is taken.
struct MatchLimits {
    std::size_t most_arcs;      // that are listed
    std::uint64_t most_visits;  // of cells, to find the arcs of a best path without a list
};

// Finds the edits of one sentence after another, and reuses its memory. If a sentence has few
// enough arcs, they are listed and searched as in the original program. If it has more, only the
// arcs of best paths are searched, which gives the same edits. If that takes too long, too, a search
// over cells finds the best path by the short form of the rule. The document
// docs/adr/0010-m2-without-its-arcs.md explains all three.
class MaxMatch {
public:
    // A joined edit may hold at most `max_unchanged_words`. The largest Position means
    // "unreachable", so the limit stays below it; no sentence has that many words.
    // If only counts are wanted, the edits may be others with the same counts.
    MaxMatch(Position max_unchanged_words, MatchLimits limits, bool wants_counts_only)
        : max_unchanged_words_(
              std::min(max_unchanged_words, std::numeric_limits<Position>::max() - 1)),
          limits_(limits),
          wants_counts_only_(wants_counts_only) {}

    // The lattice is the same for all annotators, so it is built once per sentence.
    void read(Sentence source, Sentence hypothesis);

    // The edits, from left to right; valid until the next call. Throws std::invalid_argument if a
    // gold edit lies outside of the source, and std::length_error if the sentences are too long for
    // exact costs.
    const std::vector<SystemEdit>& match(GoldEdits gold);

    // Whether the last edits were found by the short form of the rule.
    bool is_by_short_form() const { return is_by_short_form_; }

private:
    // Everything that a path minimises, in one number: see `weigh`.
    using Cost = std::int64_t;
    using Move = std::uint8_t;

    enum class ArcKind { kNone, kMatch, kEdit };

    // A gold edit as a path through the lattice.
    struct GoldArc {
        Position row, column;
        Position end_row, end_column;
        std::int32_t gold;
        bool is_edit;        // false: a matched word, equal to a gold edit that changes nothing
        std::size_t target;  // the layer in which it ends
        Cost cost;           // of the arc plus the best path from its end
    };

    // A row of the lattice. The row is repeated once for each gold insertion that can be used in
    // it. Each repeated layer has the arcs of one such insertion; the last layer of a row has the
    // arcs of all other gold edits.
    struct Layer {
        Position row;
        bool is_last_of_row;
        std::size_t first_arc, end_arc;
        std::size_t moves;  // where its moves start
    };

    void read_arcs(bool all);
    void check(GoldEdits gold) const;
    void match_by_short_form(GoldEdits gold);
    void find_gold(GoldEdits gold);
    void trim(SystemEdit& edit) const;
    void weigh(std::size_t gold_edits);
    void collect_arcs(GoldEdits gold);
    void collect_arcs_of(const GoldEdit& edit, Sentence correction, std::int32_t gold);
    ArcKind arc_between(Position row, Position column, Position end_row, Position end_column);
    bool is_run_of_matches(Position row, Position column, Position length) const;
    bool can_join(Position row, Position column, Position end_row, Position end_column);
    void lay_layers();
    void aim_arcs();

    void find_costs();
    void cost_arcs_into(std::size_t layer, std::size_t& next_arc);
    void offer_arcs(const Layer& layer);
    void withdraw_arcs(const Layer& layer);
    void fill_layer(const Layer& layer);
    void fill_between(const Layer& layer, Position column, Steps steps);
    void fill_inside(const Layer& layer, Position column, Steps steps, std::size_t state);
    void store(const Layer& layer, Position column, std::size_t state, Cost cost, Move move);

    void read_path();
    const GoldArc& best_arc(const Layer& layer, Position column) const;
    std::size_t move_index(const Layer& layer, Position column, std::size_t state) const;

    Position max_unchanged_words_;
    MatchLimits limits_;
    bool wants_counts_only_;
    Lattice lattice_;
    ListedArcs listed_arcs_;
    SweptArcs swept_arcs_;
    bool is_listed_ = false;
    bool is_by_short_form_ = false;
    // The number of states of a path in a cell: between edits, or in an edit with 0, 1, … unchanged
    // words.
    std::size_t states_ = 0;
    Cost gold_cost_ = 0, length_cost_ = 0, edit_cost_ = 0;
    std::vector<GoldArc> arcs_;
    std::vector<std::size_t> arcs_by_target_;
    std::vector<Layer> layers_;
    std::vector<std::size_t> first_layer_;  // of each row
    std::vector<Move> moves_;               // of each layer, column and state
    std::vector<Cost> here_, after_;        // by column and state, in this layer and in the next
    std::vector<Cost> offered_;             // by column: the cost of the best gold arc from there
    std::vector<Position> unchanged_, unchanged_below_;
    std::vector<SystemEdit> edits_;
};

// The edits of a batch. Annotation a has edits[offsets[a] .. offsets[a + 1]).
struct SystemEdits {
    std::vector<std::int64_t> offsets;
    std::vector<SystemEdit> edits;
};

// Fills `counts` with three numbers per annotation: correct, proposed, gold. `edits` may be null.
// Returns the number of sentences with an annotation whose edits were found by the short form of
// the rule. The result is the same for any number of threads.
std::int64_t max_match_batch(const Ragged& sources, const Ragged& hypotheses, const GoldBatch& gold,
                             Position max_unchanged_words, MatchLimits limits, std::size_t threads,
                             std::int64_t* counts, SystemEdits* edits);

}  // namespace corrigenda
