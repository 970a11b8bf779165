#include "text_ngrams.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "gram_table.hpp"
#include "parallel.hpp"
#include "shared_runs.hpp"
#include "unit_numbers.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kSentencesPerChunk = 64;
// Lists of fewer units grow by themselves; those of more units get their room at once.
constexpr std::size_t kFewUnits = std::size_t{1} << 16;

// Sums over the n-grams of one size, for one row.
struct Minima {
    std::int64_t source_reference = 0;
    std::int64_t source_hypothesis = 0;
    std::int64_t reference_hypothesis = 0;
    std::int64_t all = 0;
    std::int64_t source_only = 0;
    std::int64_t reference_only = 0;
};

// Counts one sentence after another; its memory is reused. The texts of a sentence are the source,
// its references and the hypothesis.
template <typename Numbers>
class Counter {
public:
    Counter(const TextCounting& counting, Numbers numbers)
        : order_(counting.order),
          pooled_(counting.pooled),
          types_(counting.types),
          numbers_(std::move(numbers)) {}

    // Begins a sentence with these texts, which `add` then gets one by one.
    template <typename Text>
    void start(const std::vector<Text>& texts) {
        memory_.clear();
        units_.clear();
        // Counts of types ask whether a margin has an n-gram, too.
        const std::size_t context = types_ ? WordNumbers::all_words : order_ - 1;
        at_margins_ = static_cast<std::int64_t>(numbers_.start(texts, context, memory_));
    }

    // Whether so much memory was needed that it should be given back.
    bool is_large() const { return memory_.is_large(); }

    // Adds a text and returns its length.
    template <typename Text>
    std::int64_t add(Text text) {
        const std::size_t most = units_.ids.size() + size_of(text) / Numbers::fewest_bytes + 1;
        if (most > kFewUnits) {
            memory_.need(CountingMemory::units, static_cast<double>(most) * sizeof(Id));
            units_.ids.reserve(most);
        }
        numbers_.add(text, static_cast<Owner>(units_.texts()), units_.ids);
        units_.ends.push_back(units_.ids.size());
        return at_margins_ + static_cast<std::int64_t>(units_.length(units_.texts() - 1));
    }

    // Fills [row][n][kind].
    void count(std::int64_t* out) {
        texts_ = units_.texts();
        rows_ = pooled_ ? 1 : texts_ - 2;
        if (rows_ == 0) return;
        check_units();
        runs_.find(units_);
        find_places();
        prepare_counts();
        for (std::size_t at = 0; at < place_count_; ++at) {
            const Place& place = places_[at];
            if (place.text == 0) {
                add_source(place);
            } else if (place.text + 1 < texts_) {
                add_reference(place);
            } else {
                add_hypothesis(place);
            }
        }
        for (std::size_t row = 0; row < rows_; ++row) {
            for (std::size_t n = 1; n <= order_; ++n) finish(n, row, out + kinds_at(row, n));
        }
    }

private:
    struct Place {
        Id at;
        std::uint32_t text;
        std::uint32_t rest;     // n-grams up to this size are in a run
        std::uint32_t longest;  // longer n-grams are in this text alone, or do not end in it
    };

    static std::size_t size_of(std::string_view text) { return text.size(); }
    static std::size_t size_of(Sentence text) { return text.size; }

    std::size_t kinds_at(std::size_t row, std::size_t n) const {
        return (row * order_ + n - 1) * ngram_count_kinds;
    }

    // The lists with an item per unit, and the partners of the source in all other texts.
    void check_units() {
        constexpr std::size_t per_unit = sizeof(Id) + sizeof(Place);
        const std::size_t units = units_.ids.size();
        memory_.need(CountingMemory::units,
                     static_cast<double>(units) * per_unit + runs_.bytes_for(units_));
    }

    // The places where n-grams begin that are not in a run, and that another text may have.
    void find_places() {
        // A unit is one place at most.
        if (places_.size() < units_.ids.size()) places_.resize(units_.ids.size());
        Place* next = places_.data();
        std::size_t grams = 0;
        for (std::size_t text = 0; text < texts_; ++text) {
            const std::size_t begin = units_.ends[text];
            const Id* const ids = units_.ids.data() + begin;
            runs_.for_each_place(
                text, units_.length(text), order_,
                [&](std::size_t at) { return numbers_.is_alone(ids[at]); },
                [&](std::size_t at, std::size_t rest, std::size_t longest) {
                    *next++ = {static_cast<Id>(begin + at), static_cast<Owner>(text),
                               static_cast<std::uint32_t>(rest),
                               static_cast<std::uint32_t>(longest)};
                    grams += longest;
                });
        }
        place_count_ = static_cast<std::size_t>(next - places_.data());
        // The counts of an n-gram say how often each text has it outside of runs: the source, the
        // rows, the hypothesis; if references are pooled into one row, then each reference.
        const std::size_t counts = rows_ + 2 + (pooled_ ? texts_ - 2 : 0);
        grams_.clear(grams, numbers_.count(), order_, counts, memory_);
    }

    void prepare_counts() {
        minima_.resize(rows_ * order_);
        pooled_ngrams_.resize(order_);
        for (std::size_t n = 1; n <= order_; ++n) {
            const std::int64_t in_runs = runs_.ngrams(n);
            for (std::size_t row = 0; row < rows_; ++row) {
                minima_[row * order_ + n - 1] = {in_runs, in_runs, in_runs, in_runs, 0, 0};
            }
            // An n-gram that is not looked up is in one text alone. What references share is
            // counted once: `add_reference` takes away the rest.
            pooled_ngrams_[n - 1] = in_runs;
            for (std::size_t text = 1; pooled_ && text + 1 < texts_; ++text) {
                pooled_ngrams_[n - 1] += units_.ngrams(text, n) - in_runs;
            }
        }
        in_run_.clear();
        hidden_.clear();
    }

    // Calls `use(n, counts)` for each n-gram at a place that is not in a run.
    template <typename Use>
    void add_path(const Place& place, Use use) {
        grams_.add(&units_.ids[place.at], place.rest, place.longest, use);
    }

    void add_source(const Place& place) {
        add_path(place, [](std::size_t, std::int32_t* of_gram) { ++of_gram[0]; });
    }

    // A minimum grows by one where an occurrence has a partner in the other text.
    void add_reference(const Place& place) {
        if (!pooled_) {
            const std::size_t row = place.text - 1;
            add_path(place, [&](std::size_t n, std::int32_t* of_gram) {
                const bool has_partner = ++of_gram[1 + row] <= of_gram[0];
                minima_[row * order_ + n - 1].source_reference += has_partner;
            });
            return;
        }
        add_path(place, [&](std::size_t n, std::int32_t* of_gram) {
            if (++of_gram[rows_ + 1 + place.text] <= of_gram[1]) {
                --pooled_ngrams_[n - 1];  // another reference has it, too
                return;
            }
            const bool has_partner = ++of_gram[1] <= of_gram[0];
            minima_[n - 1].source_reference += has_partner;
        });
    }

    // An n-gram that only the hypothesis has is in no minimum.
    void add_hypothesis(const Place& place) {
        const auto use = [&](std::size_t n, std::int32_t* of_gram, std::uint32_t gram) {
            const std::int32_t s = of_gram[0];
            const std::int32_t c = ++of_gram[rows_ + 1];
            for (std::size_t row = 0; row < rows_; ++row) {
                const std::int32_t r = of_gram[1 + row];
                Minima& minima = minima_[row * order_ + n - 1];
                minima.source_hypothesis += c <= s;
                minima.reference_hypothesis += c <= r;
                minima.all += c <= std::min(s, r);
                // Two counts ask whether a text has the n-gram at all, so runs matter.
                if (types_ && ((c <= s && r == 0) || (c <= r && s == 0))) {
                    if (is_hidden(place.at, n, gram)) continue;
                    ++(r == 0 ? minima.source_only : minima.reference_only);
                }
            }
        };
        grams_.find(&units_.ids[place.at], place.rest, place.longest, use);
    }

    // Whether an n-gram is in a run, too: then all texts have it.
    bool is_hidden(std::size_t at, std::size_t n, std::uint32_t gram) {
        if (in_run_.empty()) find_units_in_runs();
        for (std::size_t i = at; i < at + n; ++i) {
            if (in_run_[units_.ids[i]] == 0) return false;
        }
        if (n == 1) return true;
        if (hidden_.empty()) find_hidden();
        return hidden_[gram] != 0;
    }

    void find_units_in_runs() {
        in_run_.assign(numbers_.count(), 0);
        runs_.for_each([&](std::size_t begin, std::size_t size) {
            for (std::size_t at = begin; at < begin + size; ++at) in_run_[units_.ids[at]] = 1;
        });
    }

    void find_hidden() {
        hidden_.assign(grams_.count() + std::size_t{1}, 0);
        runs_.for_each([&](std::size_t begin, std::size_t size) {
            for (std::size_t at = begin; at < begin + size; ++at) {
                grams_.find(
                    &units_.ids[at], 1, std::min(order_, begin + size - at),
                    [&](std::size_t, std::int32_t*, std::uint32_t gram) { hidden_[gram] = 1; });
            }
        });
    }

    // The regions from the minima:
    // max(0, a - max(b, c)) = a - min(a, b) - min(a, c) + min(a, b, c).
    void finish(std::size_t n, std::size_t row, std::int64_t* counts) const {
        const Minima& minima = minima_[row * order_ + n - 1];
        const std::int64_t all = minima.all;
        const std::int64_t references = pooled_ ? pooled_ngrams_[n - 1] : units_.ngrams(1 + row, n);
        counts[true_keep] = all + at_margins_;
        counts[true_delete] =
            units_.ngrams(0, n) - minima.source_reference - minima.source_hypothesis + all;
        counts[true_insert] = minima.reference_hypothesis - all;
        counts[over_delete] = minima.source_reference - all;
        counts[over_insert] = units_.ngrams(texts_ - 1, n) - minima.source_hypothesis -
                              minima.reference_hypothesis + all;
        counts[under_delete] = minima.source_hypothesis - all;
        counts[under_insert] =
            references - minima.source_reference - minima.reference_hypothesis + all;
        counts[source_only] = minima.source_only;
        counts[reference_only] = minima.reference_only;
    }

    std::size_t order_;
    bool pooled_;
    bool types_;
    CountingMemory memory_;
    Numbers numbers_;
    TextUnits units_;
    std::int64_t at_margins_ = 0;  // the units of each text that are not in `units_`
    std::size_t texts_ = 0;
    std::size_t rows_ = 0;
    SharedRuns runs_;
    std::vector<Place> places_;  // the first `place_count_` are in use
    std::size_t place_count_ = 0;
    GramTable grams_;
    std::vector<Minima> minima_;  // [row][n]
    std::vector<std::int64_t> pooled_ngrams_;
    std::vector<char> in_run_;  // by unit; made when it is needed
    std::vector<char> hidden_;  // by n-gram: whether it is also in a run; made when it is needed
};

template <typename Texts, typename Numbers>
void count_units(const Texts& texts, const TextCounting& counting, const Numbers& numbers,
                 std::size_t threads, const TextCounts& out) {
    using Text = std::decay_t<decltype(texts.sources[0])>;
    const std::size_t row_size = counting.order * ngram_count_kinds;
    parallel_for(texts.count, threads, kSentencesPerChunk, [&] {
        return [&, counter = Counter<Numbers>(counting, numbers),
                given = std::vector<Text>()](std::size_t sentence) mutable {
            const auto first = static_cast<std::size_t>(texts.reference_offsets[sentence]);
            const auto last = static_cast<std::size_t>(texts.reference_offsets[sentence + 1]);
            given.assign(1, texts.sources[sentence]);
            for (std::size_t reference = first; reference < last; ++reference) {
                given.push_back(texts.references[reference]);
            }
            given.push_back(texts.hypotheses[sentence]);
            try {
                counter.start(given);
                counter.add(given[0]);
                for (std::size_t reference = first; reference < last; ++reference) {
                    out.reference_lengths[reference] = counter.add(given[1 + reference - first]);
                }
                out.hypothesis_lengths[sentence] = counter.add(given.back());
                counter.count(out.counts + (counting.pooled ? sentence : first) * row_size);
            } catch (const AlignmentTooLarge& problem) {
                throw AlignmentTooLarge("sentence " + std::to_string(sentence) + ": " +
                                        problem.what());
            }
            if (counter.is_large()) counter = Counter<Numbers>(counting, numbers);
        };
    });
}

}  // namespace

void count_text_ngrams(const CorpusTexts& texts, const TextCounting& counting, std::size_t threads,
                       const TextCounts& out) {
    if (counting.unit == TextUnit::word) {
        count_units(texts, counting, WordNumbers(), threads, out);
    } else {
        const bool raw = counting.unit == TextUnit::raw_character;
        count_units(texts, counting, CharacterNumbers(raw), threads, out);
    }
}

void count_numbered_ngrams(const NumberedTexts& texts, const TextCounting& counting,
                           std::size_t threads, const TextCounts& out) {
    count_units(texts, counting, GivenNumbers(), threads, out);
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "python_texts.hpp"

namespace corrigenda {
namespace {

TextUnit unit_of(std::string_view name) {
    return name == "word"  ? TextUnit::word
           : name == "raw" ? TextUnit::raw_character
                           : TextUnit::character;
}

// Counts [rows, n, kinds], hypothesis lengths, reference lengths and reference offsets. The caller
// checks that there are as many hypotheses and references as sources.
nb::tuple count_ngrams_of_texts(nb::handle sources, nb::handle references, nb::handle hypotheses,
                                const char* unit, std::size_t order, bool pooled, bool types,
                                std::size_t threads) {
    Utf8 utf8;
    const auto source_views = utf8.views(sources);
    const auto hypothesis_views = utf8.views(hypotheses);
    const std::size_t sentences = source_views.size();
    ReferenceViews of_references = reference_views(references, sentences, utf8);
    const std::size_t rows = pooled ? sentences : of_references.texts.size();
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> hypothesis_lengths(sentences);
    std::vector<std::int64_t> reference_lengths(of_references.texts.size());
    {
        const nb::gil_scoped_release unlocked;
        counts.resize(rows * order * ngram_count_kinds);
        count_text_ngrams({source_views.data(), of_references.texts.data(),
                           of_references.offsets.data(), hypothesis_views.data(), sentences},
                          {unit_of(unit), order, pooled, types}, threads,
                          {counts.data(), hypothesis_lengths.data(), reference_lengths.data()});
    }
    return nb::make_tuple(to_numpy(std::move(counts), {rows, order, ngram_count_kinds}),
                          to_numpy(std::move(hypothesis_lengths)),
                          to_numpy(std::move(reference_lengths)),
                          to_numpy(std::move(of_references.offsets)));
}

// The same without the offsets, for words that have their numbers already.
nb::tuple count_ngrams_of_numbers(const Ids& source_ids, const Offsets& source_offsets,
                                  const Ids& reference_ids, const Offsets& reference_offsets,
                                  const Offsets& references_of_sentence, const Ids& hypothesis_ids,
                                  const Offsets& hypothesis_offsets, std::size_t order, bool pooled,
                                  bool types, std::size_t threads) {
    const NumberedTexts texts = {
        ragged(source_ids, source_offsets), ragged(reference_ids, reference_offsets),
        references_of_sentence.data(), ragged(hypothesis_ids, hypothesis_offsets),
        source_offsets.shape(0) - 1};
    const std::size_t rows = pooled ? texts.count : texts.references.count;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> hypothesis_lengths(texts.count);
    std::vector<std::int64_t> reference_lengths(texts.references.count);
    {
        const nb::gil_scoped_release unlocked;
        counts.resize(rows * order * ngram_count_kinds);
        count_numbered_ngrams(texts, {TextUnit::word, order, pooled, types}, threads,
                              {counts.data(), hypothesis_lengths.data(), reference_lengths.data()});
    }
    return nb::make_tuple(to_numpy(std::move(counts), {rows, order, ngram_count_kinds}),
                          to_numpy(std::move(hypothesis_lengths)),
                          to_numpy(std::move(reference_lengths)));
}

}  // namespace

CORRIGENDA_BINDINGS(text_ngrams) {
    module.def("count_numbered_ngrams", &count_ngrams_of_numbers, "source_ids"_a.noconvert(),
               "source_offsets"_a.noconvert(), "reference_ids"_a.noconvert(),
               "reference_offsets"_a.noconvert(), "references_of_sentence"_a.noconvert(),
               "hypothesis_ids"_a.noconvert(), "hypothesis_offsets"_a.noconvert(), "order"_a,
               "pooled"_a, "types"_a, "threads"_a);
    module.def("count_text_ngrams", &count_ngrams_of_texts, "sources"_a, "references"_a,
               "hypotheses"_a, "unit"_a, "order"_a, "pooled"_a, "types"_a, "threads"_a);
}

}  // namespace corrigenda
#endif
