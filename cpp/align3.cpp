#include "align3.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "align3_search.hpp"
#include "parallel.hpp"

namespace corrigenda {
namespace {

constexpr Packed step(std::int32_t cost, Move move) { return 8 * cost + static_cast<Packed>(move); }
// A column with one or two gaps always has two pairs of a word and a gap.
constexpr std::int32_t two_gaps = 2 * gap_cost;
constexpr Packed pair_cost(bool equal) { return equal ? 0 : 8 * mismatch_cost; }

// At position 0 no column takes a word, so any word will do.
Token word_before(Sentence sentence, std::size_t position) {
    return position > 0 ? sentence[position - 1] : 0;
}

}  // namespace

std::int32_t AlignmentSearch::run(const Triple& triple) {
    triple_ = triple;
    hypothesis_.assign(1, 0);
    hypothesis_.insert(hypothesis_.end(), triple.hypothesis.begin(), triple.hypothesis.end());
    // Usually the three pairwise optima fit together. Then the cost is equal to the lower bound.
    budget_ = triple.lower_bound();
    for (std::int32_t more = 1; !fill(); more *= 2) budget_ = triple.lower_bound() + more;
    return last_cell() / 8;
}

// The other two pairs cost at least their optima. So the pair of source and hypothesis can cost at
// most the rest of the budget. A path needs one gap to move to the next diagonal, so this rest
// limits the band.
void AlignmentSearch::resize_layers() {
    const std::size_t rows = triple_.source.size + 1;
    const std::int32_t spent =
        triple_.hypothesis_source->whole_distance() + budget_ - triple_.lower_bound();
    band_ = std::min(static_cast<std::size_t>(spent / gap_cost),
                     std::max(rows, triple_.hypothesis.size));
    if (rows * CostLayer::width(band_) > byte_limit_ / (2 * sizeof(Packed))) {
        throw AlignmentTooLarge("a source of " + std::to_string(rows - 1) +
                                " words and a hypothesis of " +
                                std::to_string(triple_.hypothesis.size) +
                                " differ too much to be aligned in bounded memory");
    }
    for (CostLayer* layer : {&layer_, &layer_before_}) {
        layer->clear();
        layer->resize(rows, band_);
    }
}

// Returns whether the budget was enough to reach the last cell.
bool AlignmentSearch::fill() {
    resize_layers();
    moves_.clear();
    for (std::size_t k = 0; k <= triple_.reference.size; ++k) {
        std::swap(layer_, layer_before_);
        layer_.clear();
        fill_layer(k);
        if (layer_.rows().empty()) return false;
    }
    return last_cell() < dead;
}

void AlignmentSearch::fill_layer(std::size_t k) {
    const Span sources = k == 0 ? Span{0, 0} : layer_before_.rows().reach();
    moves_.begin_layer(sources.first);
    for (std::size_t row = sources.first; row <= triple_.source.size; ++row) {
        const auto i = static_cast<std::ptrdiff_t>(row);
        Span candidates = k == 0 && i == 0 ? Span{0, 0} : Span{};
        candidates.cover(layer_before_.span(i - 1).reach());
        candidates.cover(layer_before_.span(i).reach());
        candidates.cover(layer_.span(i - 1).reach());
        if (candidates.empty() && row > sources.last) return;
        layer_.set_span(i, fill_row(k, row, candidates));
    }
}

// Fills the candidates, then continues to the right while the cell on the left is alive. Returns
// the span that is alive.
Span AlignmentSearch::fill_row(std::size_t k, std::size_t i, Span candidates) {
    const auto row = static_cast<std::ptrdiff_t>(i);
    const Packed* corner = layer_before_.row(row - 1);
    const Packed* behind = layer_before_.row(row);
    const Packed* above = layer_.row(row - 1);
    Packed* here = layer_.row(row);

    const std::size_t ends_r = triple_.reference.size - k, ends_s = triple_.source.size - i;
    const DistanceRow rest_hr = triple_.hypothesis_reference->row(ends_r);
    const DistanceRow rest_hs = triple_.hypothesis_source->row(ends_s);
    const std::int32_t left_over = budget_ - triple_.source_reference->row(ends_r)[i];

    const Token s = word_before(triple_.source, i), r = word_before(triple_.reference, k);
    const Packed sr = pair_cost(s == r);
    const std::size_t first = std::max(candidates.first, i - std::min(i, band_));
    const std::size_t last = std::min(triple_.hypothesis.size, i + band_);

    moves_.begin_row();
    Span alive;
    for (std::size_t j = first; j <= last; ++j) {
        // One column lies before the first; an unsigned 0 - 1 would not be an offset to it.
        const std::ptrdiff_t left = static_cast<std::ptrdiff_t>(j) - 1;
        if (j > candidates.last && here[left] >= dead) break;
        const Token h = hypothesis_[j];
        const Packed sh = pair_cost(s == h), hr = pair_cost(h == r);
        Packed best = corner[left] + sh + sr + hr + step(0, Move::all_three);
        best = std::min(best, above[left] + sh + step(two_gaps, Move::gap_in_reference));
        best = std::min(best, corner[j] + sr + step(two_gaps, Move::gap_in_hypothesis));
        best = std::min(best, behind[left] + hr + step(two_gaps, Move::gap_in_source));
        best = std::min(best, above[j] + step(two_gaps, Move::source_alone));
        best = std::min(best, here[left] + step(two_gaps, Move::hypothesis_alone));
        best = std::min(best, behind[j] + step(two_gaps, Move::reference_alone));
        if (i + j + k == 0) best = 0;

        if (best / 8 + rest_hr[j] + rest_hs[j] > left_over) {
            if (!alive.empty()) moves_.push(0);
            continue;
        }
        here[j] = best & ~7;
        moves_.push(best);
        alive.cover({j, j});
    }
    moves_.end_row(alive);
    return alive;
}

ColumnClass classify(Sentence source, std::size_t i, Sentence hypothesis, std::size_t j,
                     Sentence reference, std::size_t k, Move move) {
    // No word has this id, not even the unknown word.
    constexpr Token gap = std::numeric_limits<Token>::min();
    const Token s = takes_source(move) ? source[i - 1] : gap;
    const Token h = takes_hypothesis(move) ? hypothesis[j - 1] : gap;
    const Token r = takes_reference(move) ? reference[k - 1] : gap;
    if (s == h) return s == r ? ColumnClass::kept : ColumnClass::missed;
    if (s == r) return ColumnClass::spoiled;
    return h == r ? ColumnClass::corrected : ColumnClass::miscorrected;
}

Alignment align3(Sentence source, Sentence hypothesis, Sentence reference,
                 std::size_t memory_limit) {
    const std::size_t pair_limit = memory_limit / 8;
    SuffixDistances hypothesis_source(hypothesis, pair_limit);
    SuffixDistances hypothesis_reference(hypothesis, pair_limit);
    SuffixDistances source_reference(source, pair_limit);
    hypothesis_source.vary(source);
    hypothesis_reference.vary(reference);
    source_reference.vary(reference);

    AlignmentSearch search(memory_limit);
    Alignment alignment;
    alignment.cost = search.run({source, hypothesis, reference, &hypothesis_source,
                                 &hypothesis_reference, &source_reference});
    search.trace(
        [&](std::size_t, std::size_t, std::size_t, Move move) { alignment.moves.push_back(move); });
    std::reverse(alignment.moves.begin(), alignment.moves.end());
    return alignment;
}

namespace {

// A hypothesis that differs from the source. Its distances to the source serve all references.
struct HypothesisBounds {
    HypothesisBounds(Sentence words, Sentence source, std::int64_t* its_counts,
                     std::size_t pair_limit)
        : hypothesis(words),
          counts(its_counts),
          to_source(words, pair_limit),
          to_reference(words, pair_limit) {
        to_source.vary(source);
    }

    Sentence hypothesis;
    std::int64_t* counts;
    SuffixDistances to_source;
    SuffixDistances to_reference;
};

// The references sorted by their reversed words. Neighbours then share the longest possible ends,
// and so the distances of these ends.
std::vector<std::size_t> by_last_words(const Ragged& references, std::size_t begin,
                                       std::size_t end) {
    std::vector<std::size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    const auto reversed = [](Sentence words) {
        return std::make_pair(std::make_reverse_iterator(words.end()),
                              std::make_reverse_iterator(words.begin()));
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto [first_a, last_a] = reversed(references[a]);
        const auto [first_b, last_b] = reversed(references[b]);
        return std::lexicographical_compare(first_a, last_a, first_b, last_b);
    });
    return order;
}

void count_triple(AlignmentSearch& search, const Triple& triple, std::int64_t* counts) {
    search.run(triple);
    std::fill(counts, counts + column_classes, 0);
    search.trace([&](std::size_t i, std::size_t j, std::size_t k, Move move) {
        const ColumnClass column =
            classify(triple.source, i, triple.hypothesis, j, triple.reference, k, move);
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

    void count(AlignmentSearch& search, std::int64_t* counts) const {
        std::vector<HypothesisBounds> changed;
        for (const Sentence hypothesis : hypotheses_) {
            if (hypothesis == source_) {
                count_unchanged(counts);
            } else {
                changed.emplace_back(hypothesis, source_, counts, pair_limit_);
            }
            counts += (last_ - first_) * column_classes;
        }
        if (!changed.empty()) count_changed(search, changed);
    }

private:
    void count_unchanged(std::int64_t* counts) const {
        UnchangedCounter counter(source_, pair_limit_);
        for (std::size_t reference = first_; reference < last_;
             ++reference, counts += column_classes) {
            counter.count(references_[reference], counts);
        }
    }

    void count_changed(AlignmentSearch& search, std::vector<HypothesisBounds>& hypotheses) const {
        SuffixDistances source_reference(source_, pair_limit_);
        for (const std::size_t number : by_last_words(references_, first_, last_)) {
            const Sentence reference = references_[number];
            source_reference.vary(reference);
            for (HypothesisBounds& each : hypotheses) {
                each.to_reference.vary(reference);
                count_triple(search,
                             {source_, each.hypothesis, reference, &each.to_source,
                              &each.to_reference, &source_reference},
                             each.counts + (number - first_) * column_classes);
            }
        }
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
        return [&, search = AlignmentSearch(memory_limit)](std::size_t sentence) mutable {
            try {
                const auto begin = offsets[sentence] * static_cast<std::int64_t>(column_classes);
                SentenceCounter(batch, sentence, memory_limit).count(search, counts + begin);
            } catch (const AlignmentTooLarge& problem) {
                throw AlignmentTooLarge("sentence " + std::to_string(sentence) + ": " +
                                        problem.what());
            }
        };
    });
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

nb::object count_alignment_columns(const Ids& source_ids, const Offsets& source_offsets,
                                   const Ids& reference_ids, const Offsets& reference_word_offsets,
                                   const Offsets& reference_offsets, const Ids& hypothesis_ids,
                                   const Offsets& hypothesis_word_offsets,
                                   const Offsets& hypothesis_offsets, std::size_t threads) {
    const TripleBatch batch = {
        ragged(source_ids, source_offsets), ragged(reference_ids, reference_word_offsets),
        reference_offsets.data(), ragged(hypothesis_ids, hypothesis_word_offsets),
        hypothesis_offsets.data()};
    const auto rows = static_cast<std::size_t>(triple_count(batch));
    std::vector<std::int64_t> counts(rows * column_classes);
    {
        const nb::gil_scoped_release unlocked;
        count_columns(batch, counts.data(), threads, alignment_memory.load());
    }
    return to_numpy(std::move(counts), {rows, column_classes});
}

nb::tuple align_three(const Ids& source, const Ids& hypothesis, const Ids& reference) {
    const auto sentence = [](const Ids& ids) { return Sentence{ids.data(), ids.shape(0)}; };
    const Alignment alignment = align3(sentence(source), sentence(hypothesis), sentence(reference),
                                       alignment_memory.load());
    nb::list moves;
    for (const Move move : alignment.moves) {
        moves.append(
            nb::make_tuple(takes_source(move), takes_hypothesis(move), takes_reference(move)));
    }
    return nb::make_tuple(alignment.cost, moves);
}

}  // namespace

CORRIGENDA_BINDINGS(align3) {
    module.def("align_three", &align_three, "source"_a.noconvert(), "hypothesis"_a.noconvert(),
               "reference"_a.noconvert());
    module.def("count_alignment_columns", &count_alignment_columns, "source_ids"_a.noconvert(),
               "source_offsets"_a.noconvert(), "reference_ids"_a.noconvert(),
               "reference_word_offsets"_a.noconvert(), "reference_offsets"_a.noconvert(),
               "hypothesis_ids"_a.noconvert(), "hypothesis_word_offsets"_a.noconvert(),
               "hypothesis_offsets"_a.noconvert(), "threads"_a);
}

}  // namespace corrigenda
#endif
