#include "lattice.hpp"

#include <algorithm>
#include <cstdlib>

namespace corrigenda {
namespace {

constexpr std::int32_t kFar = 1 << 29;

// A byte of `cheapest_` has four bits per table. Three bits are the cheapest steps into the cell.
// The fourth says that cheapest steps lead from the cell to the end.
constexpr unsigned kDiagonalInto = 1;
constexpr unsigned kDeletionInto = 2;
constexpr unsigned kInsertionInto = 4;
constexpr unsigned kReachesEnd = 8;
constexpr unsigned kBitsOfTable = 4;

unsigned bits_of_table(unsigned cell, unsigned table) { return cell >> (kBitsOfTable * table); }

}  // namespace

void Lattice::build(Sentence source, Sentence hypothesis) {
    source_ = source;
    hypothesis_ = hypothesis;
    distance_ = insertions_and_deletions();
    lay_band();
    fill_tables();
    trace_back();
}

// Myers' greedy algorithm. For 0, 1, 2, … changes it finds the furthest row that can be reached on
// each diagonal (column - row). The time is nearly linear if the sentences are nearly equal.
Position Lattice::insertions_and_deletions() {
    const Position height = rows() - 1;
    const Position width = columns() - 1;
    furthest_.assign(static_cast<std::size_t>(height + width) + 3, -1);
    // furthest[diagonal], with one more place at each end
    Position* const furthest = furthest_.data() + height + 1;
    for (Position changes = 0;; ++changes) {
        const Position lowest =
            std::max(-changes, changes % 2 == height % 2 ? -height : -height + 1);
        for (Position diagonal = lowest; diagonal <= std::min(changes, width); diagonal += 2) {
            Position row = std::max(furthest[diagonal - 1], furthest[diagonal + 1] + 1);
            if (changes == 0) row = 0;
            while (row < height && row + diagonal < width &&
                   source_[row] == hypothesis_[row + diagonal]) {
                ++row;
            }
            furthest[diagonal] = row;
            if (diagonal == width - height && row >= height) return changes;
        }
    }
}

void Lattice::lay_band() {
    const Position corner = columns() - rows();  // the diagonal of the last cell; the first is on 0
    const Position slack = (distance_ - std::abs(corner)) / 2;
    lowest_diagonal_ = std::min(0, corner) - slack;
    highest_diagonal_ = std::max(0, corner) + slack;
    row_offsets_.resize(static_cast<std::size_t>(rows()) + 1);
    row_offsets_[0] = 0;
    for (Position row = 0; row < rows(); ++row) {
        row_offsets_[row + 1] = row_offsets_[row] + (end_column(row) - first_column(row));
    }
    cheapest_.assign(row_offsets_[rows()], 0);
    steps_.assign(row_offsets_[rows()], 0);
}

Position Lattice::first_column(Position row) const { return std::max(0, row + lowest_diagonal_); }

Position Lattice::end_column(Position row) const {
    return std::min(columns(), row + highest_diagonal_ + 1);
}

std::size_t Lattice::index(Position row, Position column) const {
    return row_offsets_[row] + static_cast<std::size_t>(column - first_column(row));
}

Steps Lattice::steps(Position row, Position column) const {
    if (column < first_column(row) || column >= end_column(row)) return 0;
    return steps_[index(row, column)];
}

void Lattice::fill_tables() {
    const Costs far = {{kFar, kFar}};
    above_.assign(columns(), far);
    current_.assign(columns(), far);
    for (Position row = 0; row < rows(); ++row) {
        Costs left = far;
        for (Position column = first_column(row); column < end_column(row); ++column) {
            left = fill_cell(row, column, left);
            current_[column] = left;
        }
        // The next row ends one column later. The band has no cell above that column.
        if (end_column(row) < columns()) current_[end_column(row)] = far;
        above_.swap(current_);
    }
}

Lattice::Costs Lattice::fill_cell(Position row, Position column, Costs left) {
    if (row == 0 && column == 0) return {{0, 0}};
    const bool has_diagonal = row > 0 && column > 0;
    const bool match = has_diagonal && source_[row - 1] == hypothesis_[column - 1];
    Costs best;
    unsigned cell = 0;
    for (unsigned table = 0; table < 2; ++table) {
        const auto substitution = static_cast<std::int32_t>(table + 1);
        const auto diagonal =
            has_diagonal ? above_[column - 1].of[table] + (match ? 0 : substitution) : kFar;
        const auto deletion = row > 0 ? above_[column].of[table] + 1 : kFar;
        const auto insertion = left.of[table] + 1;
        const auto least = std::min({diagonal, deletion, insertion});
        best.of[table] = least;
        const unsigned into = (diagonal == least ? kDiagonalInto : 0u) |
                              (deletion == least ? kDeletionInto : 0u) |
                              (insertion == least ? kInsertionInto : 0u);
        cell |= into << (kBitsOfTable * table);
    }
    cheapest_[index(row, column)] = static_cast<std::uint8_t>(cell);
    return best;
}

void Lattice::trace_back() {
    const Position last_row = rows() - 1;
    const Position last_column = columns() - 1;
    cheapest_[index(last_row, last_column)] |= kReachesEnd | (kReachesEnd << kBitsOfTable);
    for (Position row = last_row; row >= 0; --row) {
        for (Position column = end_column(row) - 1; column >= first_column(row); --column) {
            trace_cell(row, column);
        }
    }
}

// If this cell is on a cheapest path, marks the cells before it on such paths, and their steps.
void Lattice::trace_cell(Position row, Position column) {
    const unsigned cell = cheapest_[index(row, column)];
    // For each step into this cell: the tables in which a cheapest path takes it.
    unsigned diagonal = 0, deletion = 0, insertion = 0;
    for (unsigned table = 0; table < 2; ++table) {
        const unsigned bits = bits_of_table(cell, table);
        if (!(bits & kReachesEnd)) continue;
        const unsigned reaches = kReachesEnd << (kBitsOfTable * table);
        steps_[index(row, column)] |= kOnPath;
        if (bits & kDiagonalInto) diagonal |= reaches;
        if (bits & kDeletionInto) deletion |= reaches;
        if (bits & kInsertionInto) insertion |= reaches;
    }
    if (diagonal) {
        const bool match = source_[row - 1] == hypothesis_[column - 1];
        leave(row - 1, column - 1, match ? kMatch : kSubstitution, kDiagonalInBoth, diagonal);
    }
    if (deletion) leave(row - 1, column, kDeletion, kDeletionInBoth, deletion);
    if (insertion) leave(row, column - 1, kInsertion, kInsertionInBoth, insertion);
}

void Lattice::leave(Position row, Position column, Steps step, Steps in_both, unsigned tables) {
    constexpr unsigned both = kReachesEnd | (kReachesEnd << kBitsOfTable);
    cheapest_[index(row, column)] |= static_cast<std::uint8_t>(tables);
    steps_[index(row, column)] |= tables == both ? step | in_both : step;
}

}  // namespace corrigenda
