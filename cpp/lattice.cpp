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
    if (distance_ == 0) return;
    find_core();
    lay_band();
    fill_tables();
    trace_back();
}

// Myers' greedy algorithm. For 0, 1, 2, … changes it finds the furthest row that can be reached on
// each diagonal (column - row). The time is nearly linear if the sentences are nearly equal.
Position Lattice::insertions_and_deletions() {
    const Position height = rows() - 1;
    const Position width = columns() - 1;
    const std::size_t diagonals = static_cast<std::size_t>(height + width) + 3;
    if (furthest_.size() < diagonals) furthest_.resize(diagonals);
    // furthest[diagonal], with one more place at each end
    Position* const furthest = furthest_.data() + height + 1;
    for (Position changes = 0;; ++changes) {
        // The diagonals that are new beside those of the changes before.
        furthest[std::max(-changes, -height) - 1] = -1;
        furthest[std::min(changes, width) + 1] = -1;
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

void Lattice::find_core() {
    const Position corner = columns() - rows();  // the diagonal of the last cell; the first is on 0
    const Position slack = (distance_ - std::abs(corner)) / 2;
    lowest_diagonal_ = std::min(0, corner) - slack;
    highest_diagonal_ = std::max(0, corner) + slack;
    const Position shorter = std::min(rows(), columns()) - 1;
    first_ = 0;
    while (first_ < shorter && is_forced_at_begin(first_)) ++first_;
    last_row_ = rows() - 1;
    last_column_ = columns() - 1;
    while (last_row_ > first_ && last_column_ > first_ &&
           is_forced_at_end(last_row_ - 1, last_column_ - 1)) {
        --last_row_;
        --last_column_;
    }
}

// Whether all cheapest paths through the cell (place, place) match its words: they are equal, and
// inside the band neither word comes again.
bool Lattice::is_forced_at_begin(Position place) const {
    const Token word = source_[place];
    if (word != hypothesis_[place]) return false;
    const Position end_row = std::min(rows() - 1, place - lowest_diagonal_ + 1);
    const Position end_column = std::min(columns() - 1, place + highest_diagonal_ + 1);
    return std::find(source_.data + place + 1, source_.data + end_row, word) ==
               source_.data + end_row &&
           std::find(hypothesis_.data + place + 1, hypothesis_.data + end_column, word) ==
               hypothesis_.data + end_column;
}

// The same for the last words of the core.
bool Lattice::is_forced_at_end(Position row, Position column) const {
    const Token word = source_[row];
    if (word != hypothesis_[column]) return false;
    const Position begin_row = std::max(first_, column - highest_diagonal_);
    const Position begin_column = std::max(first_, row + lowest_diagonal_);
    return std::find(source_.data + begin_row, source_.data + row, word) == source_.data + row &&
           std::find(hypothesis_.data + begin_column, hypothesis_.data + column, word) ==
               hypothesis_.data + column;
}

void Lattice::lay_band() {
    band_.resize(static_cast<std::size_t>(rows()));
    std::size_t cells = 0;
    const auto lay = [&](Position row, Position first, Position end) {
        band_[row] = {first, end, cells};
        cells += static_cast<std::size_t>(end - first);
    };
    for (Position row = 0; row < first_; ++row) lay(row, row, row + 1);
    for (Position row = first_; row <= last_row_; ++row) {
        lay(row, std::max(first_, row + lowest_diagonal_),
            std::min(last_column_, row + highest_diagonal_) + 1);
    }
    const Position corner = columns() - rows();
    for (Position row = last_row_ + 1; row < rows(); ++row) {
        lay(row, row + corner, row + corner + 1);
    }
    cheapest_.assign(cells, 0);
    steps_.assign(cells, 0);
    constexpr Steps match = kOnPath | kMatch | kDiagonalInBoth;
    std::fill_n(steps_.begin(), first_, match);
    std::fill(steps_.end() - (rows() - 1 - last_row_), steps_.end(), match);
    steps_.back() = kOnPath;
    if (last_row_ < rows() - 1) steps_[index(last_row_, last_column_)] = match;
}

void Lattice::fill_tables() {
    const Costs far = {{kFar, kFar}};
    // One more column, because the band of the next row may end one column later.
    const std::size_t columns = static_cast<std::size_t>(last_column_) + 2;
    if (above_.size() < columns) above_.resize(columns);
    if (current_.size() < columns) current_.resize(columns);
    for (Position row = first_; row <= last_row_; ++row) {
        Costs left = far;
        for (Position column = first_column(row); column < end_column(row); ++column) {
            left = fill_cell(row, column, left);
            current_[column] = left;
        }
        // The band has no cell above the next column.
        current_[end_column(row)] = far;
        above_.swap(current_);
    }
}

Lattice::Costs Lattice::fill_cell(Position row, Position column, Costs left) {
    if (row == first_ && column == first_) return {{0, 0}};
    const bool has_diagonal = row > first_ && column > first_;
    const bool match = has_diagonal && source_[row - 1] == hypothesis_[column - 1];
    Costs best;
    unsigned cell = 0;
    for (unsigned table = 0; table < 2; ++table) {
        const auto substitution = static_cast<std::int32_t>(table + 1);
        const auto diagonal =
            has_diagonal ? above_[column - 1].of[table] + (match ? 0 : substitution) : kFar;
        const auto deletion = row > first_ ? above_[column].of[table] + 1 : kFar;
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
    cheapest_[index(last_row_, last_column_)] |= kReachesEnd | (kReachesEnd << kBitsOfTable);
    for (Position row = last_row_; row >= first_; --row) {
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
