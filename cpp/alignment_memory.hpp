// The memory that the alignment of one pair or triple of sentences may take. Alignments need a
// table whose size grows with the product of the lengths, so a long line could fill the memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <stdexcept>

#include "ragged.hpp"

namespace corrigenda {

// Thrown for sentences whose alignment needs more memory than the limit allows.
struct AlignmentTooLarge : std::length_error {
    using std::length_error::length_error;
};

// In bytes, per thread. Three sentences of 500 words with nothing in common stay below the default.
// So do nearly equal sentences of many thousands of words.
constexpr std::size_t default_memory_limit = std::size_t{1} << 28;

inline std::atomic<std::size_t> alignment_memory{default_memory_limit};

// Throws AlignmentTooLarge if a table of `rows` times `columns` cells exceeds the limit.
void check_table(std::size_t rows, std::size_t columns, std::size_t bytes_per_cell);

// Whether the band of M²'s lattice has at most `most_cells` cells. The band is as wide as the
// sentences are different, so the time is at most that of filling this many cells.
bool band_fits(Sentence source, Sentence hypothesis, std::size_t most_cells);

}  // namespace corrigenda
