// The memory that counting the n-grams of one sentence takes. Tables grow with what the texts hold,
// and each says so here before it grows. The limit is the one of alignments.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "alignment_memory.hpp"

namespace corrigenda {

class CountingMemory {
public:
    enum Part : std::size_t { units, unit_numbers, grams, parts };

    void clear() { bytes_ = {}; }

    // A part needs this many bytes. What it needed before is forgotten. Throws AlignmentTooLarge.
    // Numbers are doubles, because products of absurd numbers do not overflow.
    void need(Part part, double bytes) {
        bytes_[part] = bytes;
        const std::size_t limit = alignment_memory.load(std::memory_order_relaxed);
        if (total() <= static_cast<double>(limit)) return;
        throw AlignmentTooLarge("its words and n-grams need more than " +
                                std::to_string(limit >> 20) + " MB to be compared");
    }

    // Whether so much was needed that it should not be kept for the next sentence.
    bool is_large() const { return total() > kMostKept; }

private:
    static constexpr double kMostKept = 1 << 24;

    double total() const { return bytes_[units] + bytes_[unit_numbers] + bytes_[grams]; }

    std::array<double, parts> bytes_{};
};

}  // namespace corrigenda
