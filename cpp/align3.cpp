#include "align3.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "align3_search.hpp"

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

std::int32_t AlignmentSearch::run(const Triple& triple, std::int32_t above) {
    triple_ = triple;
    hypothesis_.assign(1, 0);
    hypothesis_.insert(hypothesis_.end(), triple.hypothesis.begin(), triple.hypothesis.end());
    // Usually the three pairwise optima fit together. Then the cost is equal to the lower bound.
    budget_ = triple.lower_bound() + above;
    for (std::int32_t more = above + 1; !fill(); more *= 2) budget_ = triple.lower_bound() + more;
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
