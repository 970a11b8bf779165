// The edits of a minimal word alignment between two versions of a sentence: what changed, and into what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ragged.hpp"

namespace corrigenda {

// source[start .. end) became target[begin .. finish); both are indices of words.
struct ChangedSpan {
    std::int32_t start;
    std::int32_t end;
    std::int32_t begin;
    std::int32_t finish;
};

// Aligns one pair after another; it keeps its memory between them.
//
// A word that both have at the same place of a cheapest path of the Levenshtein table is a match; all between two
// matches is one edit. The path is read from the end, and prefers diagonal steps, then deletions.
class MinimalEdits {
public:
    // From left to right; valid until the next call.
    const std::vector<ChangedSpan>& align(Sentence source, Sentence target);

private:
    void fill(Sentence source, Sentence target);
    void read_matches(Sentence source, Sentence target);

    struct Match {
        std::size_t source;
        std::size_t target;
    };

    std::vector<std::int32_t> costs_;  // of one column of the table
    std::vector<std::uint8_t> steps_;  // how each cell is reached; column after column
    std::vector<Match> matches_;       // from the last to the first
    std::vector<ChangedSpan> spans_;
};

// The edits of every reference against its source; those of reference r are spans[offsets[r] .. offsets[r + 1]).
struct ReferenceEdits {
    std::vector<std::int64_t> offsets;
    std::vector<ChangedSpan> spans;
};

// The references of sentence i are references_of_sentence[i] up to [i + 1]. The same result for any number of threads.
ReferenceEdits minimal_edits_batch(const Ragged& sources, const Ragged& references,
                                   const std::int64_t* references_of_sentence, std::size_t threads);

}  // namespace corrigenda
