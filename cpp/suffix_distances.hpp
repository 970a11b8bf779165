// Lower bounds on the cost of aligning the ends of two sentences. A path from a cell to the end
// costs at least this much.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "alignment_memory.hpp"
#include "ragged.hpp"

namespace corrigenda {

constexpr std::int32_t gap_cost = 2;
constexpr std::int32_t mismatch_cost = 3;

// The distances between one end of the varying sentence and all ends fixed[i..]. Outside of the
// band it gives the bound `far`.
struct DistanceRow {
    const std::int32_t* cells;
    std::ptrdiff_t first;  // the i of cells[0]
    std::size_t width;
    std::int32_t far;

    std::int32_t operator[](std::size_t i) const {
        const auto column = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) - first);
        return column < width ? cells[column] : far;
    }
};

// The distance between fixed[i..] and the last t words of a varying sentence, for all i and t. It
// is exact up to 2·band + 1; for larger distances it is the lower bound 2·band + 2. A band of
// diagonals is enough for that, because an alignment that leaves the band has more than `band`
// gaps. So nearly equal sentences take linear time.
//
// A row needs only the rows of shorter ends. So the next varying sentence keeps the rows of the
// last words that it shares with the one before. In this way the references of a sentence share the
// work.
class SuffixDistances {
public:
    SuffixDistances(Sentence fixed, std::size_t byte_limit)
        : fixed_(fixed), byte_limit_(byte_limit) {}

    // Computes the distances to `varying`, in a band so wide that the whole distance is exact.
    void vary(Sentence varying) {
        std::size_t known = rows_ == 0 ? 0 : common_suffix(varying) + 1;
        varying_.assign(varying.begin(), varying.end());
        for (;;) {
            fill_rows(known);
            if (whole_distance() < far(varying_.size())) return;
            band_ = std::min(2 * band_, std::max(fixed_.size, varying_.size()));
            known = 0;
        }
    }

    std::int32_t whole_distance() const { return row(varying_.size())[0]; }

    DistanceRow row(std::size_t t) const {
        return {cells_.data() + t * width(), first_column(t), width(), far(t)};
    }

private:
    std::size_t width() const { return 2 * band_ + 1; }

    std::ptrdiff_t first_column(std::size_t t) const {
        return static_cast<std::ptrdiff_t>(fixed_.size) - static_cast<std::ptrdiff_t>(t + band_);
    }

    // If the band holds every diagonal up to this row, all distances are exact. Then the bound is a
    // number that no distance reaches.
    std::int32_t far(std::size_t t) const {
        if (band_ >= std::max(fixed_.size, t)) return std::numeric_limits<std::int32_t>::max() / 8;
        return 2 * static_cast<std::int32_t>(band_) + 2;
    }

    std::size_t common_suffix(Sentence next) const {
        const std::size_t most = std::min(next.size, varying_.size());
        std::size_t same = 0;
        while (same < most && next[next.size - 1 - same] == varying_[varying_.size() - 1 - same]) {
            ++same;
        }
        return same;
    }

    void fill_rows(std::size_t known) {
        rows_ = varying_.size() + 1;
        if (rows_ * width() > byte_limit_ / sizeof(std::int32_t)) {
            throw AlignmentTooLarge(
                "two sentences of " + std::to_string(fixed_.size) + " and " +
                std::to_string(varying_.size()) +
                " words have too little in common to be aligned in bounded memory");
        }
        if (cells_.size() < rows_ * width()) cells_.resize(rows_ * width());
        for (std::size_t t = known; t < rows_; ++t) fill_row(t);
    }

    void fill_row(std::size_t t) {
        std::int32_t* cells = cells_.data() + t * width();
        const auto first = first_column(t);
        const auto size = static_cast<std::ptrdiff_t>(fixed_.size);
        const auto low = std::max<std::ptrdiff_t>(first, 0);
        const auto high =
            std::min<std::ptrdiff_t>(first + static_cast<std::ptrdiff_t>(width()) - 1, size);
        if (t == 0) {
            for (auto i = low; i <= high; ++i) {
                cells[i - first] = gap_cost * static_cast<std::int32_t>(size - i);
            }
            return;
        }
        const DistanceRow shorter = row(t - 1);
        const Token word = varying_[varying_.size() - t];
        const std::int32_t most = far(t);
        std::int32_t next = most;  // the cell of i + 1
        for (auto i = high; i >= low; --i) {
            const auto place = static_cast<std::size_t>(i);
            std::int32_t best = std::min(shorter[place] + gap_cost, next + gap_cost);
            if (i < size) {
                best = std::min(best,
                                shorter[place + 1] + (fixed_[place] == word ? 0 : mismatch_cost));
            }
            next = std::min(best, most);
            cells[i - first] = next;
        }
    }

    Sentence fixed_;
    std::size_t byte_limit_;
    std::vector<Token> varying_;
    std::vector<std::int32_t> cells_;
    std::size_t rows_ = 0;
    std::size_t band_ = 8;
};

// Three sentences and the distances of their ends. For the distances of their beginnings, the
// distances are those of the reversed sentences.
struct Triple {
    Sentence source;
    Sentence hypothesis;
    Sentence reference;
    const SuffixDistances* hypothesis_source;     // hypothesis fixed, source varying
    const SuffixDistances* hypothesis_reference;  // hypothesis fixed, reference varying
    const SuffixDistances* source_reference;      // source fixed, reference varying

    std::int32_t lower_bound() const {
        return hypothesis_source->whole_distance() + hypothesis_reference->whole_distance() +
               source_reference->whole_distance();
    }
};

}  // namespace corrigenda
