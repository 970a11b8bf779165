// M² over a batch of sentences, on several threads.
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

void max_match_batch(const Ragged& sources, const Ragged& hypotheses, const GoldBatch& gold,
                     Position max_unchanged_words, std::size_t threads, std::int64_t* counts,
                     SystemEdits* edits) {
    const auto annotations = static_cast<std::size_t>(gold.annotation_offsets[sources.count]);
    std::vector<std::vector<SystemEdit>> edits_of(edits ? annotations : 0);
    parallel_for(sources.count, threads, kSentencesAtOnce, [&] {
        return [&, matcher = MaxMatch(max_unchanged_words)](std::size_t sentence) mutable {
            matcher.read(sources[sentence], hypotheses[sentence]);
            const auto end = static_cast<std::size_t>(gold.annotation_offsets[sentence + 1]);
            for (auto annotation = static_cast<std::size_t>(gold.annotation_offsets[sentence]);
                 annotation < end; ++annotation) {
                const GoldEdits of_annotator = {&gold, annotation};
                const auto& found = matcher.match(of_annotator);
                count(found, of_annotator.size(), counts + 3 * annotation);
                if (edits) edits_of[annotation] = found;
            }
        };
    });
    if (edits) *edits = flatten(edits_of);
}

}  // namespace corrigenda
