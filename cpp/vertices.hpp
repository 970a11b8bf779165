// The cells of M²'s lattice, numbered row by row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice.hpp"

namespace corrigenda {

using Vertex = std::int32_t;  // the number of a cell that is on a path
constexpr Vertex kNowhere = -1;

class Vertices {
public:
    // Reuses its memory: one object serves any number of lattices.
    void number(const Lattice& lattice) { number(lattice, 0, lattice.rows() - 1); }

    // Only the cells of these rows. The first and the last row have one cell on a path each. No
    // step leaves the last cell.
    void number(const Lattice& lattice, Position first_row, Position last_row);

    std::size_t size() const { return rows_.size(); }
    Vertex last() const { return static_cast<Vertex>(rows_.size()) - 1; }
    Position row(Vertex vertex) const { return rows_[vertex]; }
    Position column(Vertex vertex) const { return columns_[vertex]; }
    Steps steps(Vertex vertex) const { return steps_[vertex]; }

    // Row r has the vertices first_of(r) up to, and without, first_of(r + 1).
    Vertex first_of(Position row) const { return first_[row - first_row_]; }

    // The first vertex of a row that is not left of a column, or the first of the next row.
    Vertex from_column(Position row, Position column) const;

    // The vertex of a cell, or kNowhere.
    Vertex at(Position row, Position column) const;

    // Calls `add(from, to, step, is_in_both)` for each step between two cells: by where it starts,
    // then by where it ends.
    template <typename Add>
    void for_each_step(Add add) const {
        Vertex below = 0;
        for (Vertex from = 0; from <= last(); ++from) {
            for_each_step_from(from, below, [&](Vertex to, Steps step) {
                add(from, to, step, is_in_both(steps_[from], step));
            });
        }
    }

    // The steps out of one cell. `below` starts as 0 and is kept between calls with rising cells.
    template <typename Add>
    void for_each_step_from(Vertex from, Vertex& below, Add add) const {
        const Steps steps = steps_[from];
        const Steps diagonal_step = steps & (kMatch | kSubstitution);
        below = std::max(below, first_of(rows_[from] + 1));
        if (steps & kInsertion) add(from + 1, kInsertion);
        if (!(steps & kDeletion) && !diagonal_step) return;
        while (columns_[below] < columns_[from]) ++below;
        if (steps & kDeletion) add(below, kDeletion);
        if (diagonal_step) {
            add(columns_[below] == columns_[from] ? below + 1 : below, diagonal_step);
        }
    }

private:
    Position first_row_ = 0;
    std::vector<Vertex> first_;  // of each row, and one more
    std::vector<Position> rows_, columns_;
    std::vector<Steps> steps_;
};

}  // namespace corrigenda
