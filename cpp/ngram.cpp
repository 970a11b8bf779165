#include "ngram.hpp"

#include "parallel.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kSentencesPerChunk = 64;

}  // namespace

NgramIndex::NgramIndex(Ragged sources, Ragged references, const std::int64_t* reference_offsets,
                       int order, bool pooled, std::size_t threads)
    : order_(order), tries_(sources.count), row_offsets_(sources.count + 1, 0) {
    auto build = [&](std::size_t index) {
        std::vector<Sentence> of_sentence;
        for (auto at = reference_offsets[index]; at < reference_offsets[index + 1]; ++at) {
            of_sentence.push_back(references[static_cast<std::size_t>(at)]);
        }
        tries_[index] = NgramTrie(sources[index], of_sentence, order, pooled);
    };
    parallel_for(sources.count, threads, kSentencesPerChunk, [&] { return build; });
    for (std::size_t index = 0; index < tries_.size(); ++index) {
        row_offsets_[index + 1] =
            row_offsets_[index] + static_cast<std::int64_t>(tries_[index].references());
    }
}

void NgramIndex::count(Ragged hypotheses, std::size_t threads, std::int64_t* out) const {
    const auto row_size = static_cast<std::size_t>(order_) * ngram_count_kinds;
    parallel_for(tries_.size(), threads, kSentencesPerChunk, [&] {
        return [&, scratch = NgramScratch()](std::size_t sentence) mutable {
            const auto row = static_cast<std::size_t>(row_offsets_[sentence]);
            tries_[sentence].count(hypotheses[sentence], scratch, out + row * row_size);
        };
    });
}

}  // namespace corrigenda
