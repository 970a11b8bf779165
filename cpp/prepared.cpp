#include "prepared.hpp"

#include "parallel.hpp"
#include "text_units.hpp"

namespace corrigenda {
namespace {

// Starting a thread takes as long as counting some dozens of sentences. So a small batch is faster
// without another thread.
constexpr std::size_t kSentencesPerChunk = 128;

}  // namespace

PreparedSentence::PreparedSentence(std::string_view source,
                                   const std::vector<std::string_view>& references, TextUnit unit,
                                   int order, bool pooled)
    : unit_(unit), order_(order) {
    std::vector<Token> ids;
    std::vector<std::size_t> ends;
    const auto add = [&](std::string_view text) {
        if (unit == TextUnit::word) {
            for_each_word(text, [&](std::string_view word) { ids.push_back(words_.add(word)); });
        } else {
            append_characters(text, unit == TextUnit::raw_character, ids);
        }
        ends.push_back(ids.size());
    };
    add(source);
    for (const std::string_view reference : references) add(reference);

    std::vector<Sentence> texts;
    for (std::size_t i = 1; i < ends.size(); ++i) {
        texts.push_back({ids.data() + ends[i - 1], ends[i] - ends[i - 1]});
        reference_lengths_.push_back(static_cast<std::int32_t>(texts.back().size));
    }
    ngrams_ = NgramTrie({ids.data(), ends[0]}, texts, order, pooled);
}

void PreparedSentence::encode(std::string_view hypothesis, std::vector<Token>& ids) const {
    ids.clear();
    if (unit_ == TextUnit::word) {
        for_each_word(hypothesis, [&](std::string_view word) { ids.push_back(words_.find(word)); });
        return;
    }
    append_characters(hypothesis, unit_ == TextUnit::raw_character, ids);
}

std::size_t PreparedSentence::memory() const {
    return sizeof(*this) + words_.memory() + ngrams_.memory() +
           reference_lengths_.capacity() * sizeof(reference_lengths_[0]);
}

PreparedCounts count_prepared(const std::vector<const PreparedSentence*>& sentences,
                              const std::vector<std::string_view>& hypotheses,
                              std::size_t threads) {
    PreparedCounts result;
    std::vector<std::size_t> rows = {0};
    result.reference_offsets.push_back(0);
    for (const PreparedSentence* sentence : sentences) {
        rows.push_back(rows.back() + sentence->ngrams().references());
        const auto& lengths = sentence->reference_lengths();
        result.reference_lengths.insert(result.reference_lengths.end(), lengths.begin(),
                                        lengths.end());
        result.reference_offsets.push_back(
            static_cast<std::int64_t>(result.reference_lengths.size()));
    }
    const auto order = sentences.empty() ? 0 : static_cast<std::size_t>(sentences[0]->order());
    const std::size_t row_size = order * ngram_count_kinds;
    result.counts.resize(rows.back() * row_size);
    result.hypothesis_lengths.resize(sentences.size());
    parallel_for(sentences.size(), threads, kSentencesPerChunk, [&] {
        return
            [&, ids = std::vector<Token>(), scratch = NgramScratch()](std::size_t index) mutable {
                sentences[index]->encode(hypotheses[index], ids);
                result.hypothesis_lengths[index] = static_cast<std::int64_t>(ids.size());
                sentences[index]->ngrams().count({ids.data(), ids.size()}, scratch,
                                                 result.counts.data() + rows[index] * row_size);
            };
    });
    return result;
}

}  // namespace corrigenda
