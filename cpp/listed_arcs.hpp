// The arcs of M²'s lattice as the original program lists them, and its search for the best path.
//
// An arc is an edit of the source, or an unchanged stretch of it. A base arc is one step of the
// lattice; it is listed once for each of the two Levenshtein tables that has it. A join replaces
// consecutive steps by one arc. The best path depends on how often an arc is listed, and full ties
// depend on the order of the list. So both are kept here. The document
// docs/adr/0010-m2-without-its-arcs.md explains the rule.
//
// Far from the core of the lattice, arcs have no edits, and all paths use the same. They are
// counted and not listed: docs/adr/0114-ends-that-every-path-matches.md has the proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gold_insertions.hpp"
#include "lattice.hpp"
#include "m2_gold.hpp"
#include "path_search.hpp"
#include "vertices.hpp"

namespace corrigenda {

class ListedArcs {
public:
    // Lists the arcs of a lattice: those near its core, or all of them. Returns false if these
    // are more than `most_arcs`.
    bool list(const Lattice& lattice, Position max_unchanged_words, std::size_t most_arcs,
              bool all = false);

    // Whether the arcs that are not listed are of no use for an annotator. Otherwise all of them
    // must be listed.
    bool is_enough(GoldEdits gold) const;

    // The edits on the best path against one annotator, from left to right. `gold` is kNoGold.
    void best_path(GoldEdits gold, std::vector<SystemEdit>& edits);

private:
    using ArcId = std::int32_t;

    struct Arc {
        Vertex from, to;
        Position length;     // steps on the stored route
        Position unchanged;  // unchanged words on the stored route
        std::uint8_t listings;
        bool is_edit;  // false: unchanged words alone
        bool is_removed;
    };

    void leave_out_rows(const Lattice& lattice, Position max_unchanged_words);
    bool is_complete() const { return rows_before_ + rows_after_ == 0; }
    void list_base_arcs();
    bool list_joins(Position max_unchanged_words, std::size_t most_arcs);
    void join(Vertex middle, Vertex end, bool is_match, Position max_unchanged_words,
              std::vector<ArcId>& listed);
    void list_in_order(const std::vector<ArcId>* listed, std::size_t lists);
    void remove_unchanged_joins();
    void keep_plain_weights();

    void set_gold_weights(GoldEdits gold);
    void set_weight(ArcId arc, double weight);
    void find_equal_arcs(const GoldEdit& edit, std::vector<ArcId>& found) const;
    void weigh_insertions(std::size_t begin, std::size_t end);
    void restore_weights();

    ArcId arc_between(Vertex from, Vertex to) const;  // or kNowhere
    double listed_weight(const Arc& arc) const;

    Sentence source_, hypothesis_;
    // Arcs are listed from the first of these rows to the last one.
    Position first_row_ = 0, last_row_ = 0;
    std::size_t rows_before_ = 0, rows_after_ = 0;  // those that are left out
    std::size_t joins_per_row_ = 0;                 // of unchanged words, where rows are left out
    Vertices vertices_;
    std::vector<Arc> arcs_;
    std::vector<std::vector<ArcId>> into_;  // the arcs into each vertex, by where they start
    std::vector<ArcId> order_;              // arcs as they are listed; base arcs once
    std::size_t base_arcs_ = 0;             // the first ones of the list
    std::size_t size_of_list_ = 0;          // with base arcs as often as they are listed
    std::vector<ArcId> listed_[3], merged_;
    std::vector<double> plain_weights_, weights_;
    std::vector<ArcId> reweighed_, equal_arcs_;
    std::vector<InsertionArc> places_;
    std::vector<GoldInsertion> insertions_;
    PathSearch search_;
};

}  // namespace corrigenda
