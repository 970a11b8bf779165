// The I-measure's counts of columns: all hypotheses of a sentence against all its references.
#include <algorithm>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "align3.hpp"
#include "align3_search.hpp"
#include "parallel.hpp"
#include "tight_path.hpp"

namespace corrigenda {
namespace {

std::vector<Token> reversed(Sentence words) {
    std::vector<Token> backwards(words.size);
    std::reverse_copy(words.begin(), words.end(), backwards.begin());
    return backwards;
}

Sentence view(const std::vector<Token>& words) { return {words.data(), words.size()}; }

// The distances of a fixed sentence to varying ones: of their beginnings, and of their ends.
class BothDistances {
public:
    BothDistances(Sentence fixed, std::size_t pair_limit)
        : backwards_(reversed(fixed)),
          beginnings(view(backwards_), pair_limit),
          ends(fixed, pair_limit) {}
    // The beginnings point into this object.
    BothDistances(const BothDistances&) = delete;
    BothDistances& operator=(const BothDistances&) = delete;

private:
    std::vector<Token> backwards_;

public:
    SuffixDistances beginnings;
    SuffixDistances ends;
};

// A hypothesis that differs from the source. Its distances to the source serve all references.
struct HypothesisBounds {
    HypothesisBounds(Sentence words, Sentence source_backwards, std::int64_t* its_counts,
                     std::size_t pair_limit)
        : hypothesis(words),
          counts(its_counts),
          to_source(words, pair_limit),
          to_reference(words, pair_limit) {
        to_source.beginnings.vary(source_backwards);
    }

    Sentence hypothesis;
    std::int64_t* counts;
    BothDistances to_source;
    BothDistances to_reference;
};

// The references sorted by their words. Neighbours then share the longest possible beginnings, and
// so the distances of these beginnings.
std::vector<std::size_t> by_first_words(const Ragged& references, std::size_t begin,
                                        std::size_t end) {
    std::vector<std::size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const Sentence one = references[a], other = references[b];
        return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end());
    });
    return order;
}

template <typename Traced>
void count_traced(const Traced& traced, Sentence source, Sentence hypothesis, Sentence reference,
                  std::int64_t* counts) {
    std::fill(counts, counts + column_classes, 0);
    traced.trace([&](std::size_t i, std::size_t j, std::size_t k, Move move) {
        const ColumnClass column = classify(source, i, hypothesis, j, reference, k, move);
        ++counts[static_cast<std::size_t>(column)];
    });
}

// Counts the source as hypothesis, which is the baseline of every sentence. In every optimal
// alignment each source word stands beside itself, so two dimensions are enough. The traceback
// needs distances of beginnings. These are the distances of ends of the reversed sentences.
class UnchangedCounter {
public:
    UnchangedCounter(Sentence source, std::size_t pair_limit)
        : source_(source),
          backwards_(source.size),
          distances_({backwards_.data(), source.size}, pair_limit) {
        std::reverse_copy(source.begin(), source.end(), backwards_.begin());
    }

    void count(Sentence reference, std::int64_t* counts) {
        reference_backwards_.resize(reference.size);
        std::reverse_copy(reference.begin(), reference.end(), reference_backwards_.begin());
        distances_.vary({reference_backwards_.data(), reference.size});
        std::fill(counts, counts + column_classes, 0);
        for (std::size_t i = source_.size, k = reference.size; i + k > 0;) {
            const Move move = move_into(i, k, reference);
            const ColumnClass column = classify(source_, i, source_, i, reference, k, move);
            ++counts[static_cast<std::size_t>(column)];
            i -= takes_source(move);
            k -= takes_reference(move);
        }
    }

private:
    std::int32_t distance(std::size_t i, std::size_t k) const {
        return distances_.row(k)[source_.size - i];
    }

    // Only three moves can be optimal here. Their order is that of the three-way traceback.
    Move move_into(std::size_t i, std::size_t k, Sentence reference) const {
        if (i > 0 && k > 0) {
            const std::int32_t cost = source_[i - 1] == reference[k - 1] ? 0 : mismatch_cost;
            if (distance(i - 1, k - 1) + cost == distance(i, k)) return Move::all_three;
        }
        const bool source_next = i > 0 && distance(i - 1, k) + gap_cost == distance(i, k);
        return source_next ? Move::gap_in_reference : Move::reference_alone;
    }

    Sentence source_;
    std::vector<Token> backwards_;
    std::vector<Token> reference_backwards_;
    SuffixDistances distances_;
};

// Counts all hypotheses of one sentence against all its references.
class SentenceCounter {
public:
    SentenceCounter(const TripleBatch& batch, std::size_t sentence, std::size_t memory_limit)
        : source_(batch.sources[sentence]),
          references_(batch.references),
          first_(static_cast<std::size_t>(batch.reference_offsets[sentence])),
          last_(static_cast<std::size_t>(batch.reference_offsets[sentence + 1])),
          pair_limit_(memory_limit / 8) {
        for (auto h = batch.hypothesis_offsets[sentence];
             h < batch.hypothesis_offsets[sentence + 1]; ++h) {
            hypotheses_.push_back(batch.hypotheses[static_cast<std::size_t>(h)]);
        }
    }

    void count(AlignmentSearch& search, TightPath& path, std::int64_t* counts) const {
        const std::vector<Token> source_backwards = reversed(source_);
        std::deque<HypothesisBounds> changed;
        for (const Sentence hypothesis : hypotheses_) {
            if (hypothesis == source_) {
                count_unchanged(counts);
            } else {
                changed.emplace_back(hypothesis, view(source_backwards), counts, pair_limit_);
            }
            counts += (last_ - first_) * column_classes;
        }
        if (!changed.empty()) count_changed(search, path, changed);
    }

private:
    void count_unchanged(std::int64_t* counts) const {
        UnchangedCounter counter(source_, pair_limit_);
        for (std::size_t reference = first_; reference < last_;
             ++reference, counts += column_classes) {
            counter.count(references_[reference], counts);
        }
    }

    void count_changed(AlignmentSearch& search, TightPath& path,
                       std::deque<HypothesisBounds>& hypotheses) const {
        BothDistances source_reference(source_, pair_limit_);
        for (const std::size_t number : by_first_words(references_, first_, last_)) {
            const Sentence reference = references_[number];
            const std::vector<Token> backwards = reversed(reference);
            source_reference.beginnings.vary(view(backwards));
            for (HypothesisBounds& each : hypotheses) {
                std::int64_t* counts = each.counts + (number - first_) * column_classes;
                each.to_reference.beginnings.vary(view(backwards));
                const auto outcome =
                    path.search({source_, each.hypothesis, reference, &each.to_source.beginnings,
                                 &each.to_reference.beginnings, &source_reference.beginnings});
                if (outcome == TightPath::Outcome::found) {
                    count_traced(path, source_, each.hypothesis, reference, counts);
                } else {
                    fill_table(search, each, reference, source_reference.ends,
                               outcome == TightPath::Outcome::none ? 1 : 0);
                    count_traced(search, source_, each.hypothesis, reference, counts);
                }
            }
        }
    }

    // The cost is at least `above` more than the sum of the pairwise distances.
    void fill_table(AlignmentSearch& search, HypothesisBounds& each, Sentence reference,
                    SuffixDistances& source_reference, std::int32_t above) const {
        each.to_source.ends.vary(source_);
        each.to_reference.ends.vary(reference);
        source_reference.vary(reference);
        search.run({source_, each.hypothesis, reference, &each.to_source.ends,
                    &each.to_reference.ends, &source_reference},
                   above);
    }

    Sentence source_;
    Ragged references_;
    std::size_t first_;
    std::size_t last_;
    std::size_t pair_limit_;
    std::vector<Sentence> hypotheses_;
};

// The first row of counts of each sentence, followed by the number of rows.
std::vector<std::int64_t> row_offsets(const TripleBatch& batch) {
    std::vector<std::int64_t> offsets(batch.sources.count + 1, 0);
    for (std::size_t s = 0; s < batch.sources.count; ++s) {
        const auto references = batch.reference_offsets[s + 1] - batch.reference_offsets[s];
        const auto hypotheses = batch.hypothesis_offsets[s + 1] - batch.hypothesis_offsets[s];
        offsets[s + 1] = offsets[s] + references * hypotheses;
    }
    return offsets;
}

}  // namespace

std::int64_t triple_count(const TripleBatch& batch) { return row_offsets(batch).back(); }

void count_columns(const TripleBatch& batch, std::int64_t* counts, std::size_t threads,
                   std::size_t memory_limit) {
    const std::vector<std::int64_t> offsets = row_offsets(batch);
    parallel_for(batch.sources.count, threads, 1, [&] {
        return [&, search = AlignmentSearch(memory_limit),
                path = TightPath()](std::size_t sentence) mutable {
            try {
                const auto begin = offsets[sentence] * static_cast<std::int64_t>(column_classes);
                SentenceCounter(batch, sentence, memory_limit).count(search, path, counts + begin);
            } catch (const AlignmentTooLarge& problem) {
                throw AlignmentTooLarge("sentence " + std::to_string(sentence) + ": " +
                                        problem.what());
            }
        };
    });
}

}  // namespace corrigenda
