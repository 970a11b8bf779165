#include "vertices.hpp"

#include <algorithm>

namespace corrigenda {

void Vertices::number(const Lattice& lattice, Position first_row, Position last_row) {
    first_row_ = first_row;
    first_.clear();
    rows_.clear();
    columns_.clear();
    steps_.clear();
    for (Position row = first_row; row <= last_row; ++row) {
        first_.push_back(static_cast<Vertex>(rows_.size()));
        for (Position column = lattice.first_column(row); column < lattice.end_column(row);
             ++column) {
            const Steps steps = lattice.steps(row, column);
            if (!steps) continue;
            rows_.push_back(row);
            columns_.push_back(column);
            steps_.push_back(steps);
        }
    }
    first_.push_back(static_cast<Vertex>(rows_.size()));
    steps_.back() = kOnPath;
}

Vertex Vertices::from_column(Position row, Position column) const {
    const auto begin = columns_.begin() + first_of(row);
    const auto end = columns_.begin() + first_of(row + 1);
    return static_cast<Vertex>(std::lower_bound(begin, end, column) - columns_.begin());
}

Vertex Vertices::at(Position row, Position column) const {
    const Vertex found = from_column(row, column);
    return found < first_of(row + 1) && columns_[found] == column ? found : kNowhere;
}

}  // namespace corrigenda
