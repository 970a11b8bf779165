// The n-grams of a sentence, each with a number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting_memory.hpp"
#include "unit_numbers.hpp"

namespace corrigenda {

// The n-grams of a sentence as a trie: a node is found by its exact key, the node of the shorter
// n-gram and the next unit. `clear` takes constant time.
class GramTable {
public:
    static constexpr std::uint32_t root = 0;

    // At most `nodes` nodes of so many different units will be added. A node takes `bytes_per_node`
    // elsewhere; `memory` counts both.
    void clear(std::size_t nodes, std::size_t units, std::size_t bytes_per_node,
               CountingMemory& memory) {
        singles_.assign(units, root);
        std::size_t size = 256;
        // Long texts repeat most of their n-grams, so the table grows with what they hold.
        while (size < 2 * nodes && size < kMostAtFirst) size *= 2;
        // At most half of the slots have a node. While the table grows, there is a copy of these.
        bytes_per_slot_ = sizeof(Slot) + sizeof(Slot) / 4 + (bytes_per_node + 1) / 2;
        memory_ = &memory;
        use(size);
        // Nodes of earlier sentences have smaller numbers: their slots are free.
        if (before_ >
            (~std::uint32_t{0} >> 1) - count_ - std::min<std::size_t>(nodes, kMostNodes)) {
            std::fill(slots_.begin(), slots_.end(), Slot{});
            before_ = count_ = 0;
        }
        before_ += count_;
        count_ = 0;
    }

    // The number of the longer n-gram, from 1 on; a new one gets the next number.
    std::uint32_t find_or_add(std::uint32_t node, Id unit) {
        if (node == root) {
            if (singles_[unit] == root) singles_[unit] = ++count_;
            return singles_[unit];
        }
        const std::uint64_t key = key_of(node, unit);
        std::size_t at = slot_of(key);
        if (slots_[at].node <= before_) {
            if (2 * (count_ + std::size_t{1}) > mask_ + 1) {
                grow();
                at = slot_of(key);
            }
            slots_[at] = {key, before_ + ++count_};
        }
        return slots_[at].node - before_;
    }

    // The same, or `root` if it is not known.
    std::uint32_t find(std::uint32_t node, Id unit) const {
        if (node == root) return singles_[unit];
        const Slot& slot = slots_[slot_of(key_of(node, unit))];
        return slot.node <= before_ ? root : slot.node - before_;
    }

    std::uint32_t count() const { return count_; }

private:
    static constexpr std::size_t kMostAtFirst = std::size_t{1} << 16;
    static constexpr std::size_t kMostNodes = std::size_t{1} << 30;

    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t node = 0;
    };

    void use(std::size_t size) {
        if (size > 2 * kMostNodes) throw AlignmentTooLarge("it has too many n-grams to be counted");
        memory_->need(CountingMemory::grams,
                      static_cast<double>(size) * static_cast<double>(bytes_per_slot_));
        if (size > slots_.size()) slots_.assign(size, {});
        mask_ = size - 1;
    }

    void grow() {
        std::vector<Slot> kept;
        kept.reserve(count_);
        for (std::size_t at = 0; at <= mask_; ++at) {
            if (slots_[at].node > before_) kept.push_back(slots_[at]);
        }
        use(2 * (mask_ + 1));
        std::fill_n(slots_.begin(), mask_ + 1, Slot{});
        for (const Slot& slot : kept) slots_[slot_of(slot.key)] = slot;
    }

    static std::uint64_t key_of(std::uint32_t node, Id unit) {
        return static_cast<std::uint64_t>(node) << 32 | unit;
    }

    std::size_t slot_of(std::uint64_t key) const {
        const std::uint64_t mixed = key * kMixing;
        for (std::size_t at = (mixed >> 32) & mask_;; at = (at + 1) & mask_) {
            if (slots_[at].node <= before_ || slots_[at].key == key) return at;
        }
    }

    std::vector<std::uint32_t> singles_;  // by unit: its node, which hangs from the root
    std::vector<Slot> slots_;             // of longer n-grams; the first `mask_ + 1` are in use
    std::size_t mask_ = 0;
    std::size_t bytes_per_slot_ = sizeof(Slot);
    CountingMemory* memory_ = nullptr;
    std::uint32_t before_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace corrigenda
