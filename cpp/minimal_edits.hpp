// The edits of a minimal word alignment between two versions of a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ragged.hpp"

namespace corrigenda {

// source[start .. end) became target[begin .. finish). The indices count words.
struct ChangedSpan {
    std::int32_t start;
    std::int32_t end;
    std::int32_t begin;
    std::int32_t finish;
};

// Aligns one pair after another, and reuses its memory.
//
// A match is a diagonal step between equal words on a cheapest path of the Levenshtein table.
// Everything between two matches is one edit. The path is read from the end. It prefers diagonal
// steps, then deletions.
class MinimalEdits {
public:
    // The edits, from left to right; valid until the next call.
    const std::vector<ChangedSpan>& align(Sentence source, Sentence target);

private:
    // The steps of the table, cell by cell, or bit by bit if the source is short enough.
    void fill(Sentence source, Sentence target);
    void fill_bits(Sentence source, Sentence target);
    std::uint8_t step_in_bits(std::size_t i, std::size_t j) const;
    template <typename Step>
    void read_matches(Sentence source, Sentence target, Step step);

    // The steps into the cells of a column; bit i is the row of source word i. All other cells are
    // reached by an insertion.
    struct Column {
        std::uint64_t diagonal;
        std::uint64_t deletion;
    };

    struct Match {
        std::size_t source;
        std::size_t target;
    };

    std::vector<std::int32_t> costs_;  // of one column of the table
    std::vector<std::uint8_t> steps_;  // the step into each cell, column by column
    std::vector<Column> columns_;      // the same in bits
    std::vector<Match> matches_;       // from the last to the first
    std::vector<ChangedSpan> spans_;
};

// The edits of every reference against its source. The edits of reference r are
// spans[offsets[r] .. offsets[r + 1]).
struct ReferenceEdits {
    std::vector<std::int64_t> offsets;
    std::vector<ChangedSpan> spans;
};

// Sentence i has the references references_of_sentence[i] .. references_of_sentence[i + 1]. The
// result is the same for any number of threads.
ReferenceEdits minimal_edits_batch(const Ragged& sources, const Ragged& references,
                                   const std::int64_t* references_of_sentence, std::size_t threads);

}  // namespace corrigenda
