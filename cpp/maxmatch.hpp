// M² (MaxMatch; Dahlmeier & Ng 2012): of all ways to read a hypothesis as edits of its source, the one
// that agrees best with an annotator's edits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice.hpp"
#include "ragged.hpp"

namespace corrigenda {

// What an annotator changes: source[start .. end) becomes one of the corrections.
struct GoldEdit {
    Position start;
    Position end;
    Ragged corrections;
};

// The edits of all annotators on all sentences, flat. An annotation is what one annotator did to one
// sentence. Each array of offsets holds one more entry than what it divides.
struct GoldBatch {
    const std::int64_t* annotation_offsets;  // sentence i has annotations [offsets[i], offsets[i + 1])
    const std::int64_t* edit_offsets;        // annotation a has edits [offsets[a], offsets[a + 1])
    const std::int32_t* spans;               // edit e replaces source[spans[2e] .. spans[2e + 1])
    const std::int64_t* correction_offsets;  // edit e accepts corrections [offsets[e], offsets[e + 1])
    Ragged corrections;                      // the words of each correction; none is a deletion
};

// One annotation of a batch: a view, it owns nothing.
struct GoldEdits {
    const GoldBatch* batch = nullptr;
    std::size_t annotation = 0;

    std::size_t size() const;
    GoldEdit operator[](std::size_t edit) const;
};

// source[start .. end) became hypothesis[begin .. finish). `gold` is the place, in the annotation, of the
// gold edit that it equals, or kNoGold.
struct SystemEdit {
    Position start;
    Position end;
    Position begin;
    Position finish;
    std::int32_t gold;
};
constexpr std::int32_t kNoGold = -1;

// Finds the edits of one sentence after another; it keeps its memory between them. See the ADR for why
// the path that it finds is the best one, and which one of equally good paths it is.
class MaxMatch {
public:
    // A joined edit may hold at most so many words that did not change.
    explicit MaxMatch(Position max_unchanged_words) : max_unchanged_words_(max_unchanged_words) {}

    // The lattice is the same for all annotators: it is built once for a sentence.
    void read(Sentence source, Sentence hypothesis) { lattice_.build(source, hypothesis); }

    // The edits, from left to right; valid until the next call. Throws std::invalid_argument where a gold
    // edit lies outside of the source, std::length_error where sentences are too long for exact costs.
    const std::vector<SystemEdit>& match(GoldEdits gold);

private:
    // All that a path minimises, in one number: see `weigh`.
    using Cost = std::int64_t;
    using Move = std::uint8_t;

    enum class ArcKind { kNone, kMatch, kEdit };

    // An edit of the gold as a way through the lattice.
    struct GoldArc {
        Position row, column;
        Position end_row, end_column;
        std::int32_t gold;
        bool is_edit;         // false: a matched word that equals a gold edit which changes nothing
        std::size_t target;   // the layer in which it ends
        Cost cost;            // of the arc and the best path from its end
    };

    // A row of the lattice, or the same row again for each gold insertion that can be used in it. A layer
    // has the arcs of one such insertion; the last of a row has the arcs of its other gold edits.
    struct Layer {
        Position row;
        bool is_last_of_row;
        std::size_t first_arc, end_arc;
        std::size_t moves;    // where its moves start
    };

    void check(GoldEdits gold) const;
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
    Lattice lattice_;
    std::size_t states_ = 0;  // of a path in a cell: between edits, or in an edit with 0, 1, … unchanged words
    Cost gold_cost_ = 0, length_cost_ = 0, edit_cost_ = 0;
    std::vector<GoldArc> arcs_;
    std::vector<std::size_t> arcs_by_target_;
    std::vector<Layer> layers_;
    std::vector<std::size_t> first_layer_;  // of each row
    std::vector<Move> moves_;               // of each layer, column and state
    std::vector<Cost> here_, after_;        // costs from each column and state, in this layer and the next
    std::vector<Cost> offered_;             // per column, the best gold arc that starts there
    std::vector<Position> unchanged_, unchanged_below_;
    std::vector<SystemEdit> edits_;
};

// The edits of a batch: those of annotation a are edits[offsets[a] .. offsets[a + 1]).
struct SystemEdits {
    std::vector<std::int64_t> offsets;
    std::vector<SystemEdit> edits;
};

// Counts of every annotation: `counts` has room for three numbers each, correct, proposed, gold. `edits`
// may be null. The same result for any number of threads.
void max_match_batch(const Ragged& sources, const Ragged& hypotheses, const GoldBatch& gold,
                     Position max_unchanged_words, std::size_t threads, std::int64_t* counts,
                     SystemEdits* edits);

}  // namespace corrigenda
