#include "text_ngrams.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "gram_table.hpp"
#include "greedy_alignment.hpp"
#include "parallel.hpp"
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
        : order_(counting.order), pooled_(counting.pooled), numbers_(std::move(numbers)) {}

    void start() {
        memory_.clear();
        numbers_.clear(memory_);
        ids_.clear();
        ends_.assign(1, 0);
    }

    // Whether so much memory was needed that it should be given back.
    bool is_large() const { return memory_.is_large(); }

    // Adds a text and returns its length.
    std::int64_t add(std::string_view text) {
        const std::size_t most = ids_.size() + text.size() / Numbers::fewest_bytes + 1;
        if (most > kFewUnits) {
            memory_.need(CountingMemory::units, static_cast<double>(most) * sizeof(Id));
            ids_.reserve(most);
        }
        numbers_.add(text, ids_);
        ends_.push_back(ids_.size());
        return static_cast<std::int64_t>(length(ends_.size() - 2));
    }

    // Fills [row][n][kind].
    void count(std::int64_t* out) {
        texts_ = ends_.size() - 1;
        rows_ = pooled_ ? 1 : texts_ - 2;
        if (rows_ == 0) return;
        check_units();
        find_runs();
        find_owners();
        find_places();
        prepare_counts();
        for (const Place& place : places_) {
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
    static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
    static constexpr std::uint32_t kSeveral = kNobody - 1;
    static constexpr std::uint32_t kInRun = kNobody - 2;

    struct Place {
        Id at;
        std::uint32_t text;
        std::uint32_t rest;     // n-grams up to this size are in a run
        std::uint32_t longest;  // longer n-grams are in this text alone, or do not end in it
    };

    std::size_t length(std::size_t text) const { return ends_[text + 1] - ends_[text]; }
    std::int64_t ngrams(std::size_t text, std::size_t n) const {
        return length(text) < n ? 0 : static_cast<std::int64_t>(length(text) - n + 1);
    }
    std::size_t kinds_at(std::size_t row, std::size_t n) const {
        return (row * order_ + n - 1) * ngram_count_kinds;
    }

    // The lists with an item per unit, and the partners of the source in all other texts.
    void check_units() {
        constexpr std::size_t per_unit = 2 * sizeof(Id) + sizeof(Place);
        const auto partners = static_cast<double>(length(0)) * static_cast<double>(texts_ - 1);
        memory_.need(CountingMemory::units,
                     static_cast<double>(ids_.size()) * per_unit + partners * sizeof(partners_[0]));
        if (ids_.size() > kFewUnits) places_.reserve(ids_.size());
    }

    // A run is a stretch of units that all texts have. `rest_` says for each unit how many units
    // its run has from there on; it is 0 outside of runs.
    void find_runs() {
        rest_.assign(ids_.size(), 0);
        run_lengths_.clear();
        if (texts_ == 2) return;  // without a reference, no n-gram is in all three
        const std::size_t size = length(0);
        partners_.resize((texts_ - 1) * size);
        for (std::size_t text = 1; text < texts_; ++text) {
            align_greedily(ids_.data(), size, ids_.data() + ends_[text], length(text),
                           partners_.data() + (text - 1) * size);
        }
        for (std::size_t at = 0; at < size;) {
            std::size_t run = 0;
            while (at + run < size && continues(at, run, size)) ++run;
            if (run == 0) {
                ++at;
                continue;
            }
            run_lengths_.push_back(run);
            mark(at, run);
            for (std::size_t text = 0; text + 1 < texts_; ++text) {
                mark(ends_[text + 1] + static_cast<std::size_t>(partners_[text * size + at]), run);
            }
            at += run;
        }
    }

    bool continues(std::size_t at, std::size_t ahead, std::size_t size) const {
        for (std::size_t text = 0; text + 1 < texts_; ++text) {
            const std::int32_t* partner = &partners_[text * size + at];
            if (partner[0] < 0 || partner[ahead] != partner[0] + static_cast<std::int32_t>(ahead)) {
                return false;
            }
        }
        return true;
    }

    void mark(std::size_t at, std::size_t run) {
        for (std::size_t i = 0; i < run; ++i) rest_[at + i] = static_cast<std::uint32_t>(run - i);
    }

    // Which units are in one text alone, and which are in a run.
    void find_owners() {
        owners_.assign(numbers_.count(), kNobody);
        for (std::size_t text = 0; text < texts_; ++text) {
            const auto owner = static_cast<std::uint32_t>(text);
            for (std::size_t at = ends_[text]; at < ends_[text + 1]; ++at) {
                std::uint32_t& known = owners_[ids_[at]];
                if (rest_[at] > 0) {
                    known = kInRun;
                } else if (known == kNobody) {
                    known = owner;
                } else if (known != owner && known != kInRun) {
                    known = kSeveral;
                }
            }
        }
    }

    bool is_alone(Id id) const { return owners_[id] < kInRun; }

    // The places where n-grams begin that are not in a run, and that another text may have.
    void find_places() {
        places_.clear();
        std::size_t nodes = 0;
        for (std::size_t text = 0; text < texts_; ++text) {
            std::size_t limit = ends_[text + 1];  // no n-gram goes further
            for (std::size_t at = ends_[text + 1]; at-- > ends_[text];) {
                if (is_alone(ids_[at])) limit = at;
                const std::size_t longest = std::min(order_, limit - at);
                if (longest <= rest_[at]) continue;
                places_.push_back({static_cast<Id>(at), static_cast<std::uint32_t>(text), rest_[at],
                                   static_cast<std::uint32_t>(longest)});
                nodes += longest;
            }
        }
        width_ = rows_ + 2 + (pooled_ ? texts_ - 2 : 0);
        // `occurrences_` grow by doubling.
        grams_.clear(nodes, numbers_.count(), width_ * sizeof(std::int32_t) * 3 / 2, memory_);
        known_ = 0;
    }

    void prepare_counts() {
        minima_.resize(rows_ * order_);
        pooled_ngrams_.resize(order_);
        for (std::size_t n = 1; n <= order_; ++n) {
            std::int64_t in_runs = 0;
            for (const std::size_t run : run_lengths_) {
                if (run >= n) in_runs += static_cast<std::int64_t>(run - n + 1);
            }
            for (std::size_t row = 0; row < rows_; ++row) {
                minima_[row * order_ + n - 1] = {in_runs, in_runs, in_runs, in_runs, 0, 0};
            }
            // An n-gram that is not looked up is in one text alone. What references share is
            // counted once: `add_reference` takes away the rest.
            pooled_ngrams_[n - 1] = in_runs;
            for (std::size_t text = 1; pooled_ && text + 1 < texts_; ++text) {
                pooled_ngrams_[n - 1] += ngrams(text, n) - in_runs;
            }
        }
        hidden_.clear();
    }

    // Calls `use(n, occurrences)` for each n-gram at a place that is not in a run.
    template <typename Use>
    void add_path(const Place& place, Use use) {
        std::uint32_t node = GramTable::root;
        for (std::size_t n = 1; n <= place.longest; ++n) {
            node = grams_.find_or_add(node, ids_[place.at + n - 1]);
            if (node > known_) add_node(node);
            if (n > place.rest) use(n, &occurrences_[node * width_]);
        }
    }

    void add_node(std::uint32_t node) {
        known_ = node;
        const std::size_t end = (node + std::size_t{1}) * width_;
        if (end > occurrences_.size()) occurrences_.resize(2 * end);
        for (std::size_t at = end - width_; at < end; ++at) occurrences_[at] = 0;
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

    void add_hypothesis(const Place& place) {
        std::uint32_t node = GramTable::root;
        for (std::size_t n = 1; n <= place.longest; ++n) {
            node = grams_.find(node, ids_[place.at + n - 1]);
            if (node == GramTable::root) return;  // only the hypothesis has it
            if (n <= place.rest) continue;
            std::int32_t* of_gram = &occurrences_[node * width_];
            const std::int32_t s = of_gram[0];
            const std::int32_t c = ++of_gram[rows_ + 1];
            for (std::size_t row = 0; row < rows_; ++row) {
                const std::int32_t r = of_gram[1 + row];
                Minima& minima = minima_[row * order_ + n - 1];
                minima.source_hypothesis += c <= s;
                minima.reference_hypothesis += c <= r;
                minima.all += c <= std::min(s, r);
                // Two counts ask whether a text has the n-gram at all, so runs matter.
                if ((c <= s && r == 0) || (c <= r && s == 0)) {
                    if (is_hidden(place.at, n, node)) continue;
                    ++(r == 0 ? minima.source_only : minima.reference_only);
                }
            }
        }
    }

    // Whether an n-gram is in a run, too: then all texts have it.
    bool is_hidden(std::size_t at, std::size_t n, std::uint32_t node) {
        for (std::size_t i = at; i < at + n; ++i) {
            if (owners_[ids_[i]] != kInRun) return false;
        }
        if (hidden_.empty()) find_hidden();
        return hidden_[node] != 0;
    }

    void find_hidden() {
        hidden_.assign(grams_.count() + std::size_t{1}, 0);
        for (std::size_t begin = 0; begin < length(0); ++begin) {
            std::uint32_t node = GramTable::root;
            const std::size_t longest = std::min<std::size_t>(order_, rest_[begin]);
            for (std::size_t n = 1; n <= longest; ++n) {
                node = grams_.find(node, ids_[begin + n - 1]);
                if (node == GramTable::root) break;
                hidden_[node] = 1;
            }
        }
    }

    // The regions from the minima:
    // max(0, a - max(b, c)) = a - min(a, b) - min(a, c) + min(a, b, c).
    void finish(std::size_t n, std::size_t row, std::int64_t* counts) const {
        const Minima& minima = minima_[row * order_ + n - 1];
        const std::int64_t all = minima.all;
        const std::int64_t references = pooled_ ? pooled_ngrams_[n - 1] : ngrams(1 + row, n);
        counts[true_keep] = all;
        counts[true_delete] =
            ngrams(0, n) - minima.source_reference - minima.source_hypothesis + all;
        counts[true_insert] = minima.reference_hypothesis - all;
        counts[over_delete] = minima.source_reference - all;
        counts[over_insert] =
            ngrams(texts_ - 1, n) - minima.source_hypothesis - minima.reference_hypothesis + all;
        counts[under_delete] = minima.source_hypothesis - all;
        counts[under_insert] =
            references - minima.source_reference - minima.reference_hypothesis + all;
        counts[source_only] = minima.source_only;
        counts[reference_only] = minima.reference_only;
    }

    std::size_t order_;
    bool pooled_;
    CountingMemory memory_;
    Numbers numbers_;
    std::vector<Id> ids_;            // of all texts
    std::vector<std::size_t> ends_;  // of the texts in `ids_`, after a zero
    std::size_t texts_ = 0;
    std::size_t rows_ = 0;
    std::vector<std::int32_t> partners_;  // [text - 1][unit of the source]
    std::vector<std::uint32_t> rest_;     // by unit
    std::vector<std::size_t> run_lengths_;
    std::vector<std::uint32_t> owners_;  // by id: a text, or kSeveral, or kInRun
    std::vector<Place> places_;
    GramTable grams_;
    // How often each text has an n-gram outside of runs: [node][column]. The columns are the source,
    // the rows, the hypothesis; if references are pooled into one row, then each reference.
    std::vector<std::int32_t> occurrences_;
    std::size_t width_ = 0;
    std::uint32_t known_ = 0;     // the largest node with a row in `occurrences_`
    std::vector<Minima> minima_;  // [row][n]
    std::vector<std::int64_t> pooled_ngrams_;
    std::vector<char> hidden_;  // by node: whether it is also in a run; made when it is needed
};

template <typename Numbers>
void count_units(const CorpusTexts& texts, const TextCounting& counting, const Numbers& numbers,
                 std::size_t threads, const TextCounts& out) {
    const std::size_t row_size = counting.order * ngram_count_kinds;
    parallel_for(texts.count, threads, kSentencesPerChunk, [&] {
        return [&, counter = Counter<Numbers>(counting, numbers)](std::size_t sentence) mutable {
            const auto first = static_cast<std::size_t>(texts.reference_offsets[sentence]);
            const auto last = static_cast<std::size_t>(texts.reference_offsets[sentence + 1]);
            try {
                counter.start();
                counter.add(texts.sources[sentence]);
                for (std::size_t reference = first; reference < last; ++reference) {
                    out.reference_lengths[reference] = counter.add(texts.references[reference]);
                }
                out.hypothesis_lengths[sentence] = counter.add(texts.hypotheses[sentence]);
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

// The references of all sentences in order, and where those of each sentence begin.
struct ReferenceViews {
    std::vector<std::string_view> texts;
    std::vector<std::int64_t> offsets = {0};
};

// References are a list of texts, one per reference, or a tuple with a tuple per sentence.
ReferenceViews reference_views(nb::handle references, std::size_t sentences, Utf8& utf8) {
    ReferenceViews found;
    found.offsets.reserve(sentences + 1);
    if (!nb::isinstance<nb::list>(references)) {
        for (const nb::handle of_sentence : nb::cast<nb::tuple>(references)) {
            utf8.append(of_sentence, found.texts);
            found.offsets.push_back(static_cast<std::int64_t>(found.texts.size()));
        }
        return found;
    }
    std::vector<std::vector<std::string_view>> columns;
    for (const nb::handle text : nb::cast<nb::list>(references)) {
        columns.push_back(utf8.views(text));
    }
    found.texts.reserve(sentences * columns.size());
    for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
        for (const auto& column : columns) found.texts.push_back(column[sentence]);
        found.offsets.push_back(static_cast<std::int64_t>(found.texts.size()));
    }
    return found;
}

// Counts [rows, n, kinds], hypothesis lengths, reference lengths and reference offsets. The caller
// checks that there are as many hypotheses and references as sources.
nb::tuple count_ngrams_of_texts(nb::handle sources, nb::handle references, nb::handle hypotheses,
                                const char* unit, std::size_t order, bool pooled,
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
                          {unit_of(unit), order, pooled}, threads,
                          {counts.data(), hypothesis_lengths.data(), reference_lengths.data()});
    }
    return nb::make_tuple(to_numpy(std::move(counts), {rows, order, ngram_count_kinds}),
                          to_numpy(std::move(hypothesis_lengths)),
                          to_numpy(std::move(reference_lengths)),
                          to_numpy(std::move(of_references.offsets)));
}

}  // namespace

CORRIGENDA_BINDINGS(text_ngrams) {
    module.def("count_text_ngrams", &count_ngrams_of_texts, "sources"_a, "references"_a,
               "hypotheses"_a, "unit"_a, "order"_a, "pooled"_a, "threads"_a);
}

}  // namespace corrigenda
#endif
