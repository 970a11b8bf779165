// The edits of annotators and of a system, as M² compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice.hpp"
#include "ragged.hpp"

namespace corrigenda {

// An edit of an annotator: source[start .. end) becomes one of the corrections.
struct GoldEdit {
    Position start;
    Position end;
    Ragged corrections;
};

// The edits of all annotators on all sentences, in flat arrays. An annotation is the work of one
// annotator on one sentence. Each array of offsets has one more entry than the things it groups.
struct GoldBatch {
    const std::int64_t* annotation_offsets;  // sentence i: annotations [offsets[i], offsets[i + 1])
    const std::int64_t* edit_offsets;        // annotation a: edits [offsets[a], offsets[a + 1])
    const std::int32_t* spans;               // edit e replaces source[spans[2e] .. spans[2e + 1])
    const std::int64_t* correction_offsets;  // edit e: corrections [offsets[e], offsets[e + 1])
    Ragged corrections;                      // the words of each correction; a deletion has none
};

// A view of one annotation of a batch; it owns nothing.
struct GoldEdits {
    const GoldBatch* batch = nullptr;
    std::size_t annotation = 0;

    std::size_t size() const {
        return static_cast<std::size_t>(batch->edit_offsets[annotation + 1] -
                                        batch->edit_offsets[annotation]);
    }

    GoldEdit operator[](std::size_t edit) const {
        const auto at = batch->edit_offsets[annotation] + static_cast<std::int64_t>(edit);
        const auto first = batch->correction_offsets[at];
        const auto count = static_cast<std::size_t>(batch->correction_offsets[at + 1] - first);
        return {batch->spans[2 * at],
                batch->spans[2 * at + 1],
                {batch->corrections.ids, batch->corrections.offsets + first, count}};
    }
};

// source[start .. end) became hypothesis[begin .. finish). `gold` is the index, in the annotation,
// of the equal gold edit, or kNoGold.
struct SystemEdit {
    Position start;
    Position end;
    Position begin;
    Position finish;
    std::int32_t gold;
};
constexpr std::int32_t kNoGold = -1;

}  // namespace corrigenda
