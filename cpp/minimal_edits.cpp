#include "minimal_edits.hpp"

#include <algorithm>
#include <string>

#include "alignment_memory.hpp"
#include "equal_words.hpp"
#include "parallel.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kSentencesAtOnce = 32;

enum Step : std::uint8_t { kDiagonal, kDeletion, kInsertion };

Sentence without_ends(Sentence sentence, std::size_t prefix, std::size_t suffix) {
    return {sentence.data + prefix, sentence.size - prefix - suffix};
}

std::size_t common_prefix(Sentence source, Sentence target) {
    const auto shorter = std::min(source.size, target.size);
    std::size_t length = 0;
    while (length < shorter && source[length] == target[length]) ++length;
    return length;
}

std::size_t common_suffix(Sentence source, Sentence target, std::size_t prefix) {
    const auto shorter = std::min(source.size, target.size) - prefix;
    std::size_t length = 0;
    while (length < shorter &&
           source[source.size - 1 - length] == target[target.size - 1 - length]) {
        ++length;
    }
    return length;
}

}  // namespace

const std::vector<ChangedSpan>& MinimalEdits::align(Sentence source, Sentence target) {
    const auto prefix = common_prefix(source, target);
    const auto suffix = common_suffix(source, target, prefix);
    const auto source_middle = without_ends(source, prefix, suffix);
    const auto target_middle = without_ends(target, prefix, suffix);
    if (source_middle.size <= kWordsInBits) {
        fill_bits(source_middle, target_middle);
        read_matches(source_middle, target_middle,
                     [&](std::size_t i, std::size_t j) { return step_in_bits(i, j); });
    } else {
        fill(source_middle, target_middle);
        read_matches(source_middle, target_middle, [&](std::size_t i, std::size_t j) {
            return steps_[j * source_middle.size + i];
        });
    }

    spans_.clear();
    Match previous{0, 0};
    const auto add_between = [&](Match next) {
        if (next.source != previous.source || next.target != previous.target) {
            spans_.push_back({static_cast<std::int32_t>(prefix + previous.source),
                              static_cast<std::int32_t>(prefix + next.source),
                              static_cast<std::int32_t>(prefix + previous.target),
                              static_cast<std::int32_t>(prefix + next.target)});
        }
        previous = {next.source + 1, next.target + 1};
    };
    std::for_each(matches_.rbegin(), matches_.rend(), add_between);
    add_between({source_middle.size, target_middle.size});
    return spans_;
}

void MinimalEdits::fill(Sentence source, Sentence target) {
    const auto rows = source.size;
    costs_.resize(rows + 1);
    for (std::size_t i = 0; i <= rows; ++i) costs_[i] = static_cast<std::int32_t>(i);
    check_table(rows + 1, target.size + 1, sizeof(steps_[0]));
    steps_.resize(rows * target.size);
    for (std::size_t j = 1; j <= target.size; ++j) {
        std::int32_t diagonal = costs_[0];
        costs_[0] = static_cast<std::int32_t>(j);
        std::uint8_t* steps = steps_.data() + (j - 1) * rows;
        for (std::size_t i = 1; i <= rows; ++i) {
            const std::int32_t left = costs_[i];
            const bool equal = source[i - 1] == target[j - 1];
            const std::int32_t cost =
                std::min(diagonal + (equal ? 0 : 1), std::min(left, costs_[i - 1]) + 1);
            // Without a match, a diagonal step costs 1. So a cell that costs the same as its
            // diagonal neighbour is not reached from there.
            const bool by_diagonal = equal || cost != diagonal;
            steps[i - 1] = by_diagonal                 ? kDiagonal
                           : cost == costs_[i - 1] + 1 ? kDeletion
                                                       : kInsertion;
            diagonal = left;
            costs_[i] = cost;
        }
    }
}

// Hyyrö's form of Myers' algorithm: all cells of a column at once, as bits. What counts are
// differences of neighbours, and those are -1, 0 or 1.
void MinimalEdits::fill_bits(Sentence source, Sentence target) {
    check_table(target.size, 1, sizeof(columns_[0]));
    columns_.resize(target.size);
    std::uint64_t down = ~std::uint64_t{0};  // a cell costs one more than the cell above it
    std::uint64_t up = 0;                    // one less
    for (std::size_t j = 0; j < target.size; ++j) {
        const std::uint64_t equal = equal_words(source.data, source.size, target[j]);
        const std::uint64_t same = (((equal & down) + down) ^ down) | equal | up;
        const std::uint64_t right = (up | ~(same | down)) << 1 | 1;
        const std::uint64_t left = (same & down) << 1;
        down = left | ~(same | right);
        up = right & same;
        // Without a match, a diagonal step costs 1. So a cell that costs the same as its diagonal
        // neighbour is not reached from there.
        columns_[j] = {equal | ~same, down};
    }
}

std::uint8_t MinimalEdits::step_in_bits(std::size_t i, std::size_t j) const {
    if (columns_[j].diagonal >> i & 1) return kDiagonal;
    return columns_[j].deletion >> i & 1 ? kDeletion : kInsertion;
}

// `step(i, j)` is the step into the cell behind words i and j.
template <typename Step>
void MinimalEdits::read_matches(Sentence source, Sentence target, Step step) {
    matches_.clear();
    std::size_t i = source.size, j = target.size;
    while (i > 0 && j > 0) {
        switch (step(i - 1, j - 1)) {
            case kDiagonal:
                --i, --j;
                if (source[i] == target[j]) matches_.push_back({i, j});
                break;
            case kDeletion:
                --i;
                break;
            default:
                --j;
        }
    }
}

ReferenceEdits minimal_edits_batch(const Ragged& sources, const Ragged& references,
                                   const std::int64_t* references_of_sentence,
                                   std::size_t threads) {
    // The spans of some sentences stand together: few lists, and each is written by one thread.
    struct Chunk {
        std::vector<ChangedSpan> spans;
        std::vector<std::int64_t> sizes;  // of each reference
    };
    std::vector<Chunk> chunks((sources.count + kSentencesAtOnce - 1) / kSentencesAtOnce);
    parallel_for(sources.count, threads, kSentencesAtOnce, [&] {
        return [&, aligner = MinimalEdits()](std::size_t sentence) mutable {
            Chunk& chunk = chunks[sentence / kSentencesAtOnce];
            const auto end = static_cast<std::size_t>(references_of_sentence[sentence + 1]);
            for (auto reference = static_cast<std::size_t>(references_of_sentence[sentence]);
                 reference < end; ++reference) {
                try {
                    const auto& found = aligner.align(sources[sentence], references[reference]);
                    chunk.spans.insert(chunk.spans.end(), found.begin(), found.end());
                    chunk.sizes.push_back(static_cast<std::int64_t>(found.size()));
                } catch (const AlignmentTooLarge& problem) {
                    throw AlignmentTooLarge("sentence " + std::to_string(sentence) + ": " +
                                            problem.what());
                }
            }
        };
    });
    ReferenceEdits flat;
    flat.offsets.reserve(references.count + 1);
    flat.offsets.push_back(0);
    for (const Chunk& chunk : chunks) {
        flat.spans.insert(flat.spans.end(), chunk.spans.begin(), chunk.spans.end());
        for (const std::int64_t size : chunk.sizes) {
            flat.offsets.push_back(flat.offsets.back() + size);
        }
    }
    return flat;
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

// The edits of each reference as rows of start, end (in the source), begin, finish (in the
// reference).
nb::tuple minimal_edits(const Ids& source_ids, const Offsets& source_offsets,
                        const Ids& reference_ids, const Offsets& reference_offsets,
                        const Offsets& references_of_sentence, std::size_t threads) {
    ReferenceEdits edits;
    {
        const nb::gil_scoped_release unlocked;
        edits = minimal_edits_batch(ragged(source_ids, source_offsets),
                                    ragged(reference_ids, reference_offsets),
                                    references_of_sentence.data(), threads);
    }
    std::vector<std::int32_t> rows;
    rows.reserve(4 * edits.spans.size());
    for (const ChangedSpan& span : edits.spans) {
        rows.insert(rows.end(), {span.start, span.end, span.begin, span.finish});
    }
    return nb::make_tuple(to_numpy_rows(std::move(rows), 4), to_numpy(std::move(edits.offsets)));
}

}  // namespace

CORRIGENDA_BINDINGS(minimal_edits) {
    module.def("minimal_edits", &minimal_edits, "source_ids"_a.noconvert(),
               "source_offsets"_a.noconvert(), "reference_ids"_a.noconvert(),
               "reference_offsets"_a.noconvert(), "references_of_sentence"_a.noconvert(),
               "threads"_a);
}

}  // namespace corrigenda
#endif
