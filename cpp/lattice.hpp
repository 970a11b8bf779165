// The alignments of a hypothesis with its source: the union of all cheapest paths of two
// Levenshtein tables over words. Insertion and deletion cost 1; substitution costs 1 in one table
// and 2 in the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ragged.hpp"

namespace corrigenda {

// The position of a word. It is also a row (source words consumed) or a column (hypothesis words
// consumed).
using Position = std::int32_t;

// The steps that leave a cell, as bits. A cell of the lattice has kOnPath and the steps of its
// paths.
using Steps = std::uint8_t;
constexpr Steps kMatch = 1;
constexpr Steps kSubstitution = 2;
constexpr Steps kDeletion = 4;
constexpr Steps kInsertion = 8;
constexpr Steps kOnPath = 16;
// Three more bits say which of these steps both tables have on a cheapest path.
constexpr Steps kDiagonalInBoth = 32;
constexpr Steps kDeletionInBoth = 64;
constexpr Steps kInsertionInBoth = 128;

// Whether both tables have this step, one of the four above, of a cell.
constexpr bool is_in_both(Steps steps, Steps step) {
    if (step & kDeletion) return steps & kDeletionInBoth;
    return steps & (step & kInsertion ? kInsertionInBoth : kDiagonalInBoth);
}

// Only a part of the tables is computed. All cheapest paths match the first words that both sentences
// share, up to the first one that comes again nearby; likewise the last words. Between these ends is
// the core. docs/adr/0114-ends-that-every-path-matches.md has the proof.
//
// Of the core, only a band is computed. A path of cost c stays within c cells of the two diagonals
// through the corners. In both tables the cheapest path costs no more than a path of insertions and
// deletions alone. So the band is narrow if the sentences differ little, and no cell outside of it
// is on a cheapest path.
class Lattice {
public:
    // Reuses its memory: one object serves any number of sentences. Equal sentences have a distance
    // and a size, and no cells.
    void build(Sentence source, Sentence hypothesis);

    Sentence source() const { return source_; }
    Sentence hypothesis() const { return hypothesis_; }
    Position rows() const { return static_cast<Position>(source_.size) + 1; }
    Position columns() const { return static_cast<Position>(hypothesis_.size) + 1; }

    // The band: the columns of a row that may hold cells of the lattice.
    Position first_column(Position row) const { return band_[row].first; }
    Position end_column(Position row) const { return band_[row].end; }

    // 0 for a cell that is not on a path, inside or outside of the band.
    Steps steps(Position row, Position column) const {
        const bool is_inside = column >= band_[row].first && column < band_[row].end;
        return is_inside ? steps_[index(row, column)] : 0;
    }

    // All paths match the words before the core, and those after it: they go straight from the
    // first cell to (core_begin, core_begin), and straight on from the last cell of core_last_row.
    Position core_begin() const { return first_; }
    Position core_last_row() const { return last_row_; }

    // The fewest insertions and deletions that turn the source into the hypothesis; 0 if they are
    // equal.
    Position distance() const { return distance_; }

    // No path matches more words than this.
    Position most_matches() const { return (rows() + columns() - 2 - distance_) / 2; }

private:
    struct Costs {
        std::int32_t of[2];  // in the table with substitution cost 1, and in the one with cost 2
    };

    // The columns of a row in the band, and where the cell of the first one is stored.
    struct Row {
        Position first;
        Position end;
        std::size_t offset;
    };

    Position insertions_and_deletions();
    void find_core();
    bool is_forced_at_begin(Position place) const;
    bool is_forced_at_end(Position row, Position column) const;
    void lay_band();
    void fill_tables();
    Costs fill_cell(Position row, Position column, Costs left);
    void trace_back();
    void trace_cell(Position row, Position column);
    void leave(Position row, Position column, Steps step, Steps in_both, unsigned tables);
    std::size_t index(Position row, Position column) const {
        return band_[row].offset + static_cast<std::size_t>(column - band_[row].first);
    }

    Sentence source_;
    Sentence hypothesis_;
    Position distance_ = 0;
    Position lowest_diagonal_ = 0;  // of the band, as column - row
    Position highest_diagonal_ = 0;
    // The core reaches from the cell (first, first) to (last_row, last_column).
    Position first_ = 0, last_row_ = 0, last_column_ = 0;
    std::vector<Row> band_;
    std::vector<std::uint8_t> cheapest_;  // per cell: the cheapest steps into it, for each table
    std::vector<Steps> steps_;
    std::vector<Costs> above_;
    std::vector<Costs> current_;
    std::vector<Position> furthest_;
};

}  // namespace corrigenda
