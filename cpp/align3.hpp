// Exact three-way alignment of source, hypothesis and reference, and the I-measure's counts of its
// columns.
//
// The alignment minimises the sum of pairs (match 0, gap 2, mismatch 3, gap against gap 0). If
// several alignments are cheapest, it is the one that a traceback from the last cell finds. The
// traceback prefers, in this order: no gap; gap in the reference; gap in the hypothesis; gap in the
// source; source alone; hypothesis alone; reference alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "alignment_memory.hpp"
#include "ragged.hpp"
#include "suffix_distances.hpp"

namespace corrigenda {

// Which sentences a column takes a word from, in the traceback's order of preference.
enum class Move : std::uint8_t {
    all_three,
    gap_in_reference,
    gap_in_hypothesis,
    gap_in_source,
    source_alone,
    hypothesis_alone,
    reference_alone,
};

constexpr bool takes_source(Move move) { return (0b0010111 >> static_cast<int>(move)) & 1; }
constexpr bool takes_hypothesis(Move move) { return (0b0101011 >> static_cast<int>(move)) & 1; }
constexpr bool takes_reference(Move move) { return (0b1001101 >> static_cast<int>(move)) & 1; }

// Every column belongs to one of five classes (Table 6 of the paper). The counts of detection and
// of correction follow from them:
//   detection:  TP = corrected + miscorrected, TN = kept, FP = spoiled, FN = missed, FPN = 0
//   correction: TP = corrected, TN = kept, FP = spoiled + miscorrected, FN = missed + miscorrected,
//               FPN = miscorrected
enum class ColumnClass { corrected, kept, spoiled, missed, miscorrected };
constexpr std::size_t column_classes = 5;

struct Alignment {
    std::int64_t cost = 0;
    std::vector<Move> moves;  // from the first column to the last
};

// One alignment may take `memory_limit` bytes. Half of them are for the cells of the table that are
// kept (one byte each), an eighth is for two layers of costs, and an eighth is for the distances of
// each of the three pairs. Counting many alignments also keeps the distances of their beginnings,
// another eighth for each pair.

ColumnClass classify(Sentence source, std::size_t i, Sentence hypothesis, std::size_t j,
                     Sentence reference, std::size_t k, Move move);

// The alignment of one triple, for display. Throws AlignmentTooLarge.
Alignment align3(Sentence source, Sentence hypothesis, Sentence reference,
                 std::size_t memory_limit = default_memory_limit);

// Sentences with their references and their distinct hypotheses. Sentence s has the references
// reference_offsets[s] .. reference_offsets[s + 1]; its hypotheses are found in the same way.
struct TripleBatch {
    Ragged sources;
    Ragged references;
    const std::int64_t* reference_offsets = nullptr;
    Ragged hypotheses;
    const std::int64_t* hypothesis_offsets = nullptr;
};

// The number of rows of counts in a batch: hypotheses times references, summed over the sentences.
std::int64_t triple_count(const TripleBatch& batch);

// Fills `counts` ([triple_count, 5], in the order of ColumnClass). Rows are ordered by sentence,
// then hypothesis, then reference. The result is the same for any number of threads. Throws
// AlignmentTooLarge, which names the sentence.
void count_columns(const TripleBatch& batch, std::int64_t* counts, std::size_t threads,
                   std::size_t memory_limit = default_memory_limit);

}  // namespace corrigenda
