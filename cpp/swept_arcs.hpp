// M²'s best path, as the original finds it, without a list of all arcs.
//
// How far it is to a cell does not depend on the order of the list; only the choice between equally
// good arcs into the cell does. So arcs are made from one start at a time, and only those on a best
// path are kept. If there are several best paths, these arcs alone are searched in the order of the
// list. The document docs/adr/0010-m2-without-its-arcs.md shows why this gives the same path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "gold_insertions.hpp"
#include "lattice.hpp"
#include "m2_gold.hpp"
#include "path_search.hpp"
#include "vertices.hpp"

namespace corrigenda {

class SweptArcs {
public:
    // `most_visits` is the number of cells that all sweeps of this sentence may visit.
    void read(const Lattice& lattice, Position max_unchanged_words, std::uint64_t most_visits);

    // The edits on the best path against one annotator, from left to right; `gold` is kNoGold. If
    // only their counts are wanted, another path with the same counts will do. Returns false if
    // they cannot be found with this many visits.
    bool best_path(GoldEdits gold, bool wants_counts_only, std::vector<SystemEdit>& edits);

private:
    // A thousandth of the length of a step. It is the cost of one listing of an edit.
    using Cost = std::int64_t;
    static constexpr Cost kImpossible = std::numeric_limits<Cost>::max() / 4;
    static constexpr std::size_t kMostKept = 1000000;  // arcs on best paths, reweighed arcs, …

    // The steps into a cell come from these cells, or from kNowhere.
    struct Before {
        Vertex diagonal = kNowhere, above = kNowhere, left = kNowhere;
        bool is_match = false;
        std::uint8_t listings_of_diagonal = 0, listings_of_above = 0, listings_of_left = 0;
    };

    // The arc from the start of the current sweep.
    struct Stored {
        std::uint32_t sweep = 0;  // valid in this sweep only
        Position length = 0;
        Position unchanged = 0;
        std::uint8_t listings = 0;
        std::uint8_t middles = 0;  // of a join: bits for diagonal, above and left, as it was listed
        bool is_edit = false;
    };

    // An arc whose weight depends on the annotator.
    struct Reweighed {
        Vertex from, to;
        bool is_gold;
        std::int32_t listings;  // that it weighs, beside its length or the weight of gold

        friend bool operator<(const Reweighed& a, const Reweighed& b) {
            return a.from != b.from ? a.from < b.from : a.to < b.to;
        }
    };

    // An arc on a best path.
    struct BestArc {
        Vertex from, to;
        std::uint8_t middles;
        bool is_edit;
        bool is_gold;
        double weight;
    };

    // A place of the list: base arcs have no middle, and come first.
    struct Listing {
        Vertex middle;
        std::size_t arc;  // in best_arcs_
    };

    // A join of unchanged words alone. `place` counts the joins that have the same middle.
    struct UnchangedJoin {
        Vertex middle;
        std::int64_t place;
        Vertex from;
    };

    void find_steps_before();
    void sweep(Vertex from, Position last_row);
    void visit(Vertex from, Vertex vertex);
    void extend(Stored& stored, Vertex middle, std::uint8_t bit, bool is_match) const;
    bool is_unchanged_join(const Stored& arc) const { return arc.length > 1 && !arc.is_edit; }
    bool is_exhausted() const { return visits_ > most_visits_; }

    bool survey();
    void remove_unchanged_joins(std::vector<UnchangedJoin>& unchanged, std::int64_t joins);
    bool is_in_list(Vertex from, Vertex to) const;

    bool reweigh(GoldEdits gold);
    bool find_gold_arcs(const GoldEdit& edit);
    void find_insertions(const GoldEdit& edit, std::int32_t gold);
    void deal_row(std::size_t begin, std::size_t end);
    bool are_inserted(Vertex from, Vertex to) const;
    const Reweighed* reweighed(Vertex from, Vertex to) const;

    bool settle_gold_cost();
    void bound_costs_to_end();
    bool find_costs(Cost most);
    bool find_best_costs();
    bool has_safe_rounding();
    Cost cost(Vertex from, Vertex to, const Stored& arc) const;  // kImpossible: not in the list
    double weight(Vertex from, Vertex to, const Stored& arc) const;

    bool collect_best_arcs();
    bool has_one_path() const;
    bool depends_on_the_list() const;
    bool has_one_count(GoldEdits gold) const;
    void search_best_arcs();

    Sentence hypothesis_;
    Position rows_ = 0;
    Position max_unchanged_words_ = 0;
    Position most_matches_ = 0;
    std::uint64_t most_visits_ = 0, visits_ = 0;
    Vertices vertices_;
    std::vector<Before> before_;
    std::int64_t base_listings_ = 0;

    std::uint32_t sweep_ = 0;
    std::vector<Stored> stored_;
    std::vector<Vertex> reached_;  // by the current sweep, in order

    bool is_surveyed_ = false;
    std::int64_t size_of_list_ = 0;                     // known after a survey
    std::vector<std::pair<Vertex, Vertex>> unchanged_;  // joins of unchanged words that are left

    std::vector<Reweighed> reweighed_;  // sorted
    std::vector<GoldInsertion> insertions_;
    std::vector<std::pair<Vertex, Vertex>> insertion_spans_;  // the arcs that insertions_ numbers
    std::vector<InsertionArc> places_;

    Cost gold_cost_ = 0;
    std::vector<Cost> to_end_;  // by vertex and state: no path costs less
    std::size_t states_ = 0;
    std::vector<Cost> costs_;
    std::vector<BestArc> best_arcs_;
    std::vector<std::uint8_t> is_on_best_path_;
    PathSearch search_;
};

}  // namespace corrigenda
