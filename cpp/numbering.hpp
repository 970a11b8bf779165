// Numbers for keys, in the order in which they come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting_memory.hpp"

namespace corrigenda {

using Id = std::uint32_t;

// Numbers for keys: 0, 1, 2, … in the order in which they come. `clear` takes constant time. The
// caller keeps the keys: `same(number)` says whether the key with a number is the wanted one, and
// hashes only avoid most of these questions.
class Numbering {
public:
    // A key takes `bytes_per_key` elsewhere; `memory` counts both.
    void clear(std::size_t bytes_per_key, CountingMemory& memory) {
        // At most half of the slots have a key. While the table grows, there is a copy of these.
        bytes_per_slot_ = sizeof(Slot) + sizeof(Slot) / 2 + bytes_per_key / 2;
        memory_ = &memory;
        if (slots_.empty()) slots_.resize(kFewSlots);
        mask_ = kFewSlots - 1;
        count_ = 0;
        if (++stamp_ == 0) {  // after 2^32 calls
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
    }

    // The number of a key. If it is `count()` before the call, the key is new.
    template <typename Same>
    Id find_or_add(std::uint64_t hash, Same same) {
        if (2 * (count_ + std::size_t{1}) > mask_) grow();
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            Slot& slot = slots_[at];
            if (slot.stamp != stamp_) {
                slot = {hash, stamp_, count_};
                return count_++;
            }
            if (slot.hash == hash && same(slot.number)) return slot.number;
        }
    }

    Id count() const { return count_; }

private:
    static constexpr std::size_t kFewSlots = 256;

    struct Slot {
        std::uint64_t hash = 0;
        std::uint32_t stamp = 0;
        Id number = 0;
    };

    void grow() {
        memory_->need(CountingMemory::unit_numbers,
                      2 * static_cast<double>(mask_ + 1) * static_cast<double>(bytes_per_slot_));
        std::vector<Slot> kept;
        kept.reserve(count_);
        for (std::size_t at = 0; at <= mask_; ++at) {
            if (slots_[at].stamp == stamp_) kept.push_back(slots_[at]);
        }
        mask_ = 2 * mask_ + 1;
        if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
        std::fill_n(slots_.begin(), mask_ + 1, Slot{});
        for (const Slot& slot : kept) {
            std::size_t at = slot.hash & mask_;
            while (slots_[at].stamp == stamp_) at = (at + 1) & mask_;
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_;  // the first `mask_ + 1` are in use
    std::size_t mask_ = 0;
    std::size_t bytes_per_slot_ = sizeof(Slot);
    CountingMemory* memory_ = nullptr;
    std::uint32_t stamp_ = 0;
    Id count_ = 0;
};

}  // namespace corrigenda
