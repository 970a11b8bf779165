#include "prepared.hpp"

#include <algorithm>
#include <cstring>

#include "alignment_memory.hpp"
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
    if (unit != TextUnit::word) return;
    if (source.size() > ~std::uint32_t{0}) {
        throw AlignmentTooLarge("it has more than 4 GB, so its words cannot be compared");
    }
    source_ = source;
    word_places_.reserve(ends[0]);
    for_each_word(source_, [&](std::string_view word) {
        const auto begin = static_cast<std::uint32_t>(word.data() - source_.data());
        word_places_.push_back({begin, begin + static_cast<std::uint32_t>(word.size())});
    });
}

void PreparedSentence::encode(std::string_view hypothesis, std::vector<Token>& ids) const {
    ids.clear();
    if (unit_ == TextUnit::word) {
        encode_words(hypothesis, ids);
    } else {
        append_characters(hypothesis, unit_ == TextUnit::raw_character, ids);
    }
}

// What the hypothesis shares with the beginning and the end of the source is not split into words
// again.
void PreparedSentence::encode_words(std::string_view hypothesis, std::vector<Token>& ids) const {
    const Token* known = ngrams_.source().data;
    const SharedEnds shared =
        shared_ends(source_, word_places_.data(), word_places_.size(), hypothesis);
    ids.assign(known, known + shared.first);

    std::size_t next = shared.first;
    for_each_word(shared.rest, [&](std::string_view word) {
        for (std::size_t ahead = 0; ahead < 2; ++ahead) {
            if (is_source_word(next + ahead, word)) {
                next += ahead + 1;
                ids.push_back(known[next - 1]);
                return;
            }
        }
        ++next;
        ids.push_back(words_.find(word));
    });
    ids.insert(ids.end(), known + shared.last, known + word_places_.size());
}

bool PreparedSentence::is_source_word(std::size_t number, std::string_view word) const {
    if (number >= word_places_.size()) return false;
    const WordPlace place = word_places_[number];
    return word.size() == place.end - place.begin &&
           std::memcmp(word.data(), source_.data() + place.begin, word.size()) == 0;
}

void PreparedSentence::prefetch() const {
    prefetch_all(source_);
    prefetch_all(word_places_);
    words_.prefetch();
    ngrams_.prefetch();
}

std::size_t PreparedSentence::memory() const {
    return sizeof(*this) + words_.memory() + ngrams_.memory() + source_.capacity() +
           word_places_.capacity() * sizeof(WordPlace) +
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
                if (index + 1 < sentences.size()) sentences[index + 1]->prefetch();
                if (index + 2 < sentences.size()) prefetch_object(*sentences[index + 2]);
                sentences[index]->encode(hypotheses[index], ids);
                result.hypothesis_lengths[index] = static_cast<std::int64_t>(ids.size());
                sentences[index]->ngrams().count({ids.data(), ids.size()}, scratch,
                                                 result.counts.data() + rows[index] * row_size);
            };
    });
    return result;
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "python_texts.hpp"

namespace corrigenda {
namespace {

void make_prepared_sentence(PreparedSentence* self, const nb::str& source,
                            const nb::tuple& references, const char* unit, int order, bool pooled) {
    Utf8 texts;
    std::vector<std::string_view> of_sentence;
    for (const nb::handle reference : references) of_sentence.push_back(texts.view(reference));
    const std::string_view name = unit;
    const TextUnit kind = name == "word"  ? TextUnit::word
                          : name == "raw" ? TextUnit::raw_character
                                          : TextUnit::character;
    new (self) PreparedSentence(texts.view(source), of_sentence, kind, order, pooled);
}

// Takes tuples, because no other thread can remove a string from a tuple while the GIL is released.
nb::tuple count_prepared_sentences(const nb::tuple& prepared, const nb::tuple& hypotheses,
                                   std::size_t threads) {
    Utf8 utf8;
    std::vector<const PreparedSentence*> sentences;
    std::vector<std::string_view> texts;
    sentences.reserve(prepared.size());
    texts.reserve(prepared.size());
    for (const nb::handle sentence : prepared) {
        sentences.push_back(&nb::cast<const PreparedSentence&>(sentence));
        if (sentences.back()->order() != sentences[0]->order()) {
            throw nb::value_error("the sentences are not prepared with the same order");
        }
    }
    for (const nb::handle text : hypotheses) texts.push_back(utf8.view(text));
    PreparedCounts counted;
    {
        const nb::gil_scoped_release unlocked;
        counted = count_prepared(sentences, texts, threads);
    }
    const auto order = sentences.empty() ? 0 : static_cast<std::size_t>(sentences[0]->order());
    const auto rows = order == 0 ? 0 : counted.counts.size() / (order * ngram_count_kinds);
    return nb::make_tuple(to_numpy(std::move(counted.counts), {rows, order, ngram_count_kinds}),
                          to_numpy(std::move(counted.hypothesis_lengths)),
                          to_numpy(std::move(counted.reference_lengths)),
                          to_numpy(std::move(counted.reference_offsets)));
}

}  // namespace

CORRIGENDA_BINDINGS(prepared) {
    nb::class_<PreparedSentence>(module, "PreparedSentence")
        .def("__init__", &make_prepared_sentence, "source"_a, "references"_a, "unit"_a, "order"_a,
             "pooled"_a)
        .def("__sizeof__", &PreparedSentence::memory);
    module.def("count_prepared", &count_prepared_sentences, "prepared"_a, "hypotheses"_a,
               "threads"_a);
}

}  // namespace corrigenda
#endif
