// A fuzz target for the kernels. The first byte chooses the kernel; the other bytes are its input.
// With clang, libFuzzer calls it; without, the loop in own_loop.cpp does.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "align3.hpp"
#include "alignment_memory.hpp"
#include "errant_align.hpp"
#include "input.hpp"
#include "maxmatch.hpp"
#include "minimal_edits.hpp"
#include "ngram.hpp"

using namespace corrigenda;

namespace {

// Sentences over a small alphabet, so that repetitions and ties are frequent.
struct Sentences {
    std::vector<Token> ids;
    std::vector<std::int64_t> offsets{0};

    void copy(const Sentences& once) {
        const auto start = offsets.back();
        ids.insert(ids.end(), once.ids.begin(), once.ids.end());
        for (std::size_t i = 1; i < once.offsets.size(); ++i) {
            offsets.push_back(start + once.offsets[i]);
        }
    }
    void add(Input& input, std::size_t longest) {
        const std::size_t alphabet = 1 + input.below(5);
        for (std::size_t left = input.below(longest + 1); left > 0; --left) {
            ids.push_back(static_cast<Token>(input.below(alphabet)) - 1);
        }
        offsets.push_back(static_cast<std::int64_t>(ids.size()));
    }
    Ragged view() const { return {ids.data(), offsets.data(), offsets.size() - 1}; }
};

struct Batch {
    Sentences sources, references, hypotheses;
    std::vector<std::int64_t> reference_offsets{0};
    std::vector<std::int64_t> one_each{0};
    std::size_t different = 0;  // the sentences after them are copies

    Batch(Input& input, std::size_t longest, std::size_t copies) {
        for (std::size_t left = 1 + input.below(3); left > 0; --left) {
            sources.add(input, longest);
            hypotheses.add(input, longest);
            for (std::size_t more = input.below(3); more > 0; --more)
                references.add(input, longest);
            reference_offsets.push_back(static_cast<std::int64_t>(references.offsets.size()) - 1);
            one_each.push_back(static_cast<std::int64_t>(hypotheses.offsets.size()) - 1);
        }
        different = one_each.size() - 1;
        const Batch once = *this;
        for (std::size_t copy = 1; copy < copies; ++copy) {
            for (std::size_t i = 1; i < once.one_each.size(); ++i) {
                reference_offsets.push_back(once.reference_offsets[i] +
                                            static_cast<std::int64_t>(references.offsets.size()) -
                                            1);
                one_each.push_back(once.one_each[i] +
                                   static_cast<std::int64_t>(hypotheses.offsets.size()) - 1);
            }
            sources.copy(once.sources);
            references.copy(once.references);
            hypotheses.copy(once.hypotheses);
        }
    }
};

// The numbers of sentences do not depend on other sentences.
void require_copies(const std::vector<std::int64_t>& numbers, const Batch& batch) {
    const std::size_t once = numbers.size() * batch.different / (batch.one_each.size() - 1);
    for (std::size_t at = once; at < numbers.size(); ++at) {
        require(numbers[at] == numbers[at - once], "copies have the same numbers");
    }
}

void count_ngrams(Input& input) {
    const int order = 1 + static_cast<int>(input.below(5));
    const bool pooled = input.below(2) != 0;
    const Batch batch(input, 20, copies(input));
    std::vector<std::int64_t> by_threads[2];
    for (std::size_t threads = 1; threads <= 2; ++threads) {
        const NgramIndex index(batch.sources.view(), batch.references.view(),
                               batch.reference_offsets.data(), order, pooled, threads);
        auto& counts = by_threads[threads - 1];
        counts.resize(index.rows() * static_cast<std::size_t>(order) * ngram_count_kinds);
        index.count(batch.hypotheses.view(), threads, counts.data());
    }
    require(by_threads[0] == by_threads[1], "n-grams do not depend on the threads");
    for (const std::int64_t count : by_threads[0]) require(count >= 0, "counts are not negative");
    require_copies(by_threads[0], batch);
}

void find_minimal_edits(Input& input) {
    const Batch batch(input, 30, copies(input));
    const ReferenceEdits edits = minimal_edits_batch(batch.sources.view(), batch.references.view(),
                                                     batch.reference_offsets.data(), 2);
    for (std::size_t i = 0; i + 1 < batch.reference_offsets.size(); ++i) {
        for (auto r = batch.reference_offsets[i]; r < batch.reference_offsets[i + 1]; ++r) {
            const auto reference = static_cast<std::size_t>(r);
            const Sentence source = batch.sources.view()[i];
            const Sentence target = batch.references.view()[reference];
            std::vector<Token> made;
            std::size_t position = 0;
            for (auto e = edits.offsets[reference]; e < edits.offsets[reference + 1]; ++e) {
                const ChangedSpan& span = edits.spans[static_cast<std::size_t>(e)];
                const auto start = static_cast<std::size_t>(span.start);
                require(position <= start && span.end <= static_cast<std::int64_t>(source.size),
                        "edits are in order and inside of the source");
                made.insert(made.end(), source.begin() + position, source.begin() + start);
                made.insert(made.end(), target.begin() + span.begin, target.begin() + span.finish);
                position = static_cast<std::size_t>(span.end);
            }
            made.insert(made.end(), source.begin() + position, source.end());
            require(std::equal(made.begin(), made.end(), target.begin(), target.end()),
                    "the edits turn the source into the reference");
        }
    }
}

void align_three(Input& input) {
    alignment_memory = std::size_t{1} << (8 + input.below(16));
    const Batch batch(input, 14, copies(input) > 1 ? 4 : 1);
    const TripleBatch triples = {batch.sources.view(), batch.references.view(),
                                 batch.reference_offsets.data(), batch.hypotheses.view(),
                                 batch.one_each.data()};
    std::vector<std::int64_t> counts(static_cast<std::size_t>(triple_count(triples)) *
                                     column_classes);
    try {
        count_columns(triples, counts.data(), 2, alignment_memory.load());
        for (const std::int64_t count : counts) require(count >= 0, "columns are not negative");
        require_copies(counts, batch);
    } catch (const AlignmentTooLarge&) {
    }
}

// The edits of annotators, as GoldBatch has them.
struct Gold {
    std::vector<std::int64_t> annotations{0}, edits{0}, corrections{0};
    std::vector<std::int32_t> spans;
    Sentences words;

    // The annotations of a sentence with this many words.
    void add(Input& input, std::int32_t length) {
        for (std::size_t left = input.below(3); left > 0; --left) {
            std::int32_t position = 0;
            for (std::size_t more = input.below(4); more > 0 && position <= length; --more) {
                const auto start = position + chosen(input, length - position);
                const auto end = start + chosen(input, length - start);
                spans.insert(spans.end(), {start, end});
                for (std::size_t option = 1 + input.below(2); option > 0; --option) {
                    words.add(input, 3);
                }
                corrections.push_back(static_cast<std::int64_t>(words.offsets.size()) - 1);
                position = end;
            }
            edits.push_back(static_cast<std::int64_t>(spans.size() / 2));
        }
        annotations.push_back(static_cast<std::int64_t>(edits.size()) - 1);
    }

    void copy(const Gold& once) {
        words.copy(once.words);
        spans.insert(spans.end(), once.spans.begin(), once.spans.end());
        append(corrections, once.corrections);
        append(edits, once.edits);
        append(annotations, once.annotations);
    }

    GoldBatch view() const {
        return {annotations.data(), edits.data(), spans.data(), corrections.data(), words.view()};
    }

private:
    static std::int32_t chosen(Input& input, std::int32_t most) {
        return static_cast<std::int32_t>(input.below(static_cast<std::size_t>(most) + 1));
    }
    static void append(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& once) {
        const std::int64_t start = to.back();
        for (std::size_t i = 1; i < once.size(); ++i) to.push_back(start + once[i]);
    }
};

void match_edits(Input& input) {
    const Position unchanged = input.number();
    const MatchLimits listed = {1000000, 0}, swept = {input.byte(), 1000000};
    const Batch batch(input, 16, copies(input) > 1 ? 30 : 1);
    Gold gold;
    for (std::size_t i = 0; i < batch.different; ++i) {
        gold.add(input, static_cast<std::int32_t>(batch.sources.view()[i].size));
    }
    const Gold once = gold;
    while (gold.annotations.size() < batch.one_each.size()) gold.copy(once);
    std::vector<std::int64_t> counts(3 * (gold.edits.size() - 1));
    SystemEdits found;
    const auto match = [&](MatchLimits limits) {
        return max_match_batch(batch.sources.view(), batch.hypotheses.view(), gold.view(),
                               unchanged, limits, 2, counts.data(), &found);
    };
    match({0, 0});
    require_copies(counts, batch);
    match(listed);
    require_copies(counts, batch);
    const std::vector<std::int64_t> by_list = counts;
    const bool is_exact = match(swept) == 0;
    require(!is_exact || counts == by_list, "the list of arcs gives what sweeps give");
    for (std::size_t row = 0; row + 1 < gold.edits.size(); ++row) {
        const std::int64_t* const of = counts.data() + 3 * row;
        require(0 <= of[0] && of[0] <= of[1] && of[0] <= of[2],
                "correct edits are proposed and gold");
    }
}

void align_words(Input& input) {
    std::vector<ParsedSentence> sentences;
    std::vector<std::uint64_t> open_classes{1, 2};
    for (int which = 0; which < 2; ++which) {
        std::vector<ParsedWord> words;
        std::vector<std::uint32_t> letters;
        for (std::size_t left = input.below(12); left > 0; --left) {
            const std::uint64_t word = input.below(6);
            words.push_back({word, word / 2, word / 3, input.below(4)});
            if (words.size() > 1) letters.push_back(' ');
            for (std::size_t more = 1 + word; more > 0; --more) {
                letters.push_back(static_cast<std::uint32_t>('a' + input.below(3)));
            }
        }
        sentences.emplace_back(words.data(), words.size(), letters.data(), letters.size());
    }
    const auto costs = static_cast<AlignCosts>(input.below(3));
    ErrantAligner aligner(open_classes, costs);
    std::int32_t row = 0, column = 0;
    for (const AlignedSpan& span : aligner.align(sentences[0], sentences[1])) {
        require(span.start == row && span.begin == column, "the path has no gaps");
        row = span.end;
        column = span.finish;
    }
    require(row == static_cast<std::int32_t>(sentences[0].size()), "the path reaches the end");
}

void bound_bands(Input& input) {
    Sentences pair;
    const std::size_t cells = static_cast<std::size_t>(input.byte()) * input.byte();
    pair.add(input, 30);
    pair.add(input, 30);
    const Sentence source = pair.view()[0], target = pair.view()[1];
    const bool fits = band_fits(source, target, cells);
    if ((source.size + 1) * (target.size + 1) <= cells) require(fits, "a small table fits");
    if (source == target && cells > source.size) require(fits, "equal sentences need one diagonal");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    alignment_memory = default_memory_limit;
    // The numbers of older kernels stay, so that kept inputs call what they called.
    const std::size_t chosen = input.byte();
    switch (chosen < 192 ? chosen % 12 : 12) {
        case 0:
            count_ngrams(input);
            break;
        case 1:
            find_minimal_edits(input);
            break;
        case 2:
            align_three(input);
            break;
        case 3:
            match_edits(input);
            break;
        case 4:
            align_words(input);
            break;
        case 5:
            count_text(input);
            break;
        case 6:
            scan_text(input);
            break;
        case 7:
            describe_text(input);
            break;
        case 8:
            number_words(input);
            break;
        case 9:
            bound_bands(input);
            break;
        case 10:
            measure_pages(input);
            break;
        case 12:
            share_parts(input);
            break;
        default:
            walk_footers(input);
    }
    return 0;
}
