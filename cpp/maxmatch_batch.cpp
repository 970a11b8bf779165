// M² over a batch of sentences, on several threads.
#include <atomic>

#include "maxmatch.hpp"
#include "parallel.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kSentencesAtOnce = 8;

void count(const std::vector<SystemEdit>& edits, std::size_t gold, std::int64_t* counts) {
    counts[0] = 0;
    for (const SystemEdit& edit : edits) counts[0] += edit.gold != kNoGold;
    counts[1] = static_cast<std::int64_t>(edits.size());
    counts[2] = static_cast<std::int64_t>(gold);
}

SystemEdits flatten(const std::vector<std::vector<SystemEdit>>& edits_of) {
    SystemEdits flat;
    flat.offsets.push_back(0);
    for (const auto& edits : edits_of) {
        flat.edits.insert(flat.edits.end(), edits.begin(), edits.end());
        flat.offsets.push_back(static_cast<std::int64_t>(flat.edits.size()));
    }
    return flat;
}

}  // namespace

std::int64_t max_match_batch(const Ragged& sources, const Ragged& hypotheses, const GoldBatch& gold,
                             Position max_unchanged_words, MatchLimits limits, std::size_t threads,
                             std::int64_t* counts, SystemEdits* edits) {
    const auto annotations = static_cast<std::size_t>(gold.annotation_offsets[sources.count]);
    std::vector<std::vector<SystemEdit>> edits_of(edits ? annotations : 0);
    std::atomic<std::int64_t> by_short_form{0};
    parallel_for(sources.count, threads, kSentencesAtOnce, [&] {
        const auto matcher_of_thread = MaxMatch(max_unchanged_words, limits, !edits);
        return [&, matcher = matcher_of_thread](std::size_t sentence) mutable {
            matcher.read(sources[sentence], hypotheses[sentence]);
            const auto end = static_cast<std::size_t>(gold.annotation_offsets[sentence + 1]);
            bool is_by_short_form = false;
            for (auto annotation = static_cast<std::size_t>(gold.annotation_offsets[sentence]);
                 annotation < end; ++annotation) {
                const GoldEdits of_annotator = {&gold, annotation};
                const auto& found = matcher.match(of_annotator);
                count(found, of_annotator.size(), counts + 3 * annotation);
                is_by_short_form |= matcher.is_by_short_form();
                if (edits) edits_of[annotation] = found;
            }
            by_short_form += is_by_short_form;
        };
    });
    if (edits) *edits = flatten(edits_of);
    return by_short_form;
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

// The edits as rows of start, end (in the source), begin, finish (in the hypothesis) and gold (the
// index of the gold edit, or -1).
std::vector<std::int32_t> as_rows(const std::vector<SystemEdit>& edits) {
    std::vector<std::int32_t> rows;
    rows.reserve(5 * edits.size());
    for (const SystemEdit& edit : edits) {
        rows.insert(rows.end(), {edit.start, edit.end, edit.begin, edit.finish, edit.gold});
    }
    return rows;
}

// Counts, edits, their offsets, and how many sentences took the short form of the rule. Edits and
// offsets are empty unless `with_edits`.
nb::tuple max_match(const Ids& source_ids, const Offsets& source_offsets, const Ids& hypothesis_ids,
                    const Offsets& hypothesis_offsets, const Offsets& annotation_offsets,
                    const Offsets& edit_offsets, const Ids& spans,
                    const Offsets& correction_offsets, const Ids& correction_ids,
                    const Offsets& correction_id_offsets, int max_unchanged_words,
                    std::size_t most_arcs, std::uint64_t most_visits, std::size_t threads,
                    bool with_edits) {
    const GoldBatch gold = {annotation_offsets.data(), edit_offsets.data(), spans.data(),
                            correction_offsets.data(),
                            ragged(correction_ids, correction_id_offsets)};
    const auto annotations = edit_offsets.shape(0) - 1;
    std::vector<std::int64_t> counts(3 * annotations);
    SystemEdits edits;
    std::int64_t by_short_form = 0;
    {
        const nb::gil_scoped_release unlocked;
        by_short_form = max_match_batch(ragged(source_ids, source_offsets),
                                        ragged(hypothesis_ids, hypothesis_offsets), gold,
                                        max_unchanged_words, {most_arcs, most_visits}, threads,
                                        counts.data(), with_edits ? &edits : nullptr);
    }
    return nb::make_tuple(to_numpy_rows(std::move(counts), 3),
                          to_numpy_rows(as_rows(edits.edits), 5),
                          to_numpy(std::move(edits.offsets)), by_short_form);
}

}  // namespace

CORRIGENDA_BINDINGS(maxmatch_batch) {
    module.def("max_match", &max_match, "source_ids"_a.noconvert(), "source_offsets"_a.noconvert(),
               "hypothesis_ids"_a.noconvert(), "hypothesis_offsets"_a.noconvert(),
               "annotation_offsets"_a.noconvert(), "edit_offsets"_a.noconvert(),
               "spans"_a.noconvert(), "correction_offsets"_a.noconvert(),
               "correction_ids"_a.noconvert(), "correction_id_offsets"_a.noconvert(),
               "max_unchanged_words"_a, "most_arcs"_a, "most_visits"_a, "threads"_a,
               "with_edits"_a);
}

}  // namespace corrigenda
#endif
