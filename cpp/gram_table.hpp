// The n-grams of a sentence, each with a number and its counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting_memory.hpp"
#include "hash_seed.hpp"
#include "unit_numbers.hpp"

namespace corrigenda {

// Numbers and counts for n-grams, found by exact keys. If the units of a longest n-gram fit into 64
// bits, the key of an n-gram is its units. Otherwise n-grams are a trie, and a key is the number of
// the shorter n-gram and the next unit. `clear` takes constant time.
class GramTable {
public:
    // At most `grams` n-grams will be added, of this many different units and up to `order` of them.
    // Each has this many counts, which begin with 0.
    void clear(std::size_t grams, std::size_t units, std::size_t order, std::size_t counts,
               CountingMemory& memory) {
        // Few counts stand beside their key. More of them are a row of a list that grows by
        // doubling.
        width_ = counts <= kCountsInSlot ? 0 : counts;
        const std::size_t bytes_per_gram = width_ * sizeof(std::int32_t) * 3 / 2;
        bits_ = 1;
        while (units >> bits_ != 0) ++bits_;
        if (bits_ * order > 64) bits_ = 0;
        std::size_t size = kFewSlots;
        // Long texts repeat most of their n-grams, so the table grows with what they hold.
        while (size < 2 * grams && size < kMostAtFirst) size *= 2;
        // At most half of the slots are full. While the table grows, there is a copy of these.
        bytes_per_slot_ = sizeof(Slot) + sizeof(Slot) / 4 + (bytes_per_gram + 1) / 2;
        memory_ = &memory;
        use(size);
        // n-grams of earlier sentences have smaller numbers: their slots are free.
        if (before_ >
            (~std::uint32_t{0} >> 1) - count_ - std::min<std::size_t>(grams, kMostGrams)) {
            std::fill(slots_.begin(), slots_.end(), Slot{});
            before_ = count_ = 0;
        }
        before_ += count_;
        count_ = 0;
    }

    // Calls `use(n, counts)` for the n-grams at `units` that are longer than `rest`, up to
    // `longest`. Numbers begin with 1; a new n-gram gets the next number.
    template <typename Use>
    void add(const Id* units, std::size_t rest, std::size_t longest, Use use) {
        std::uint64_t key = 0;
        if (bits_ > 0) {
            for (std::size_t n = 1; n <= longest; ++n) {
                key = key << bits_ | (units[n - 1] + 1);
                if (n > rest) use(n, counts_of(find_or_add(key)));
            }
            return;
        }
        for (std::size_t n = 1; n <= longest; ++n) {
            Slot& slot = find_or_add(key | units[n - 1]);
            if (n > rest) use(n, counts_of(slot));
            key = static_cast<std::uint64_t>(slot.number - before_) << 32;
        }
    }

    // Calls `use(n, counts, number)` in the same way, only for n-grams that are known.
    template <typename Use>
    void find(const Id* units, std::size_t rest, std::size_t longest, Use use) {
        std::uint64_t key = 0;
        if (bits_ > 0) {
            for (std::size_t n = 1; n <= longest; ++n) {
                key = key << bits_ | (units[n - 1] + 1);
                if (n <= rest) continue;
                Slot& slot = slots_[slot_of(key)];
                if (is_used(slot)) use(n, counts_of(slot), slot.number - before_);
            }
            return;
        }
        for (std::size_t n = 1; n <= longest; ++n) {
            Slot& slot = slots_[slot_of(key | units[n - 1])];
            if (!is_used(slot)) return;
            if (n > rest) use(n, counts_of(slot), slot.number - before_);
            key = static_cast<std::uint64_t>(slot.number - before_) << 32;
        }
    }

    std::uint32_t count() const { return count_; }

private:
    static constexpr std::size_t kFewSlots = 256;
#ifdef CORRIGENDA_SMALL_TABLES  // for fuzzing: tables of short texts grow, too
    static constexpr std::size_t kMostAtFirst = 1;
#else
    static constexpr std::size_t kMostAtFirst = std::size_t{1} << 16;
#endif
    static constexpr std::size_t kMostGrams = std::size_t{1} << 30;

    static constexpr std::size_t kCountsInSlot = 5;

    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t number = 0;
        std::array<std::int32_t, kCountsInSlot> counts{};
    };

    bool is_used(const Slot& slot) const { return slot.number > before_; }

    std::int32_t* counts_of(Slot& slot) {
        return width_ == 0 ? slot.counts.data() : &rows_[(slot.number - before_ - 1) * width_];
    }

    void use(std::size_t size) {
        if (size > 2 * kMostGrams) throw AlignmentTooLarge("it has too many n-grams to be counted");
        memory_->need(CountingMemory::grams,
                      static_cast<double>(size) * static_cast<double>(bytes_per_slot_));
        if (size > slots_.size()) slots_.assign(size, {});
        mask_ = size - 1;
        shift_ = 64;
        for (std::size_t rest = mask_; rest > 0; rest /= 2) --shift_;
    }

    void grow() {
        std::vector<Slot> kept;
        kept.reserve(count_);
        for (std::size_t at = 0; at <= mask_; ++at) {
            if (is_used(slots_[at])) kept.push_back(slots_[at]);
        }
        use(2 * (mask_ + 1));
        std::fill_n(slots_.begin(), mask_ + 1, Slot{});
        for (const Slot& slot : kept) slots_[slot_of(slot.key)] = slot;
    }

    Slot& find_or_add(std::uint64_t key) {
        std::size_t at = slot_of(key);
        if (!is_used(slots_[at])) {
            if (2 * (count_ + std::size_t{1}) > mask_ + 1) {
                grow();
                at = slot_of(key);
            }
            slots_[at] = {key, before_ + ++count_, {}};
            if (width_ > 0) add_row();
        }
        return slots_[at];
    }

    void add_row() {
        const std::size_t end = count_ * width_;
        if (end > rows_.size()) rows_.resize(2 * end);
        std::fill(rows_.begin() + static_cast<std::ptrdiff_t>(end - width_),
                  rows_.begin() + static_cast<std::ptrdiff_t>(end), 0);
    }

    std::size_t slot_of(std::uint64_t key) const {
        for (std::size_t at = key * (hash_seed | 1) >> shift_;; at = (at + 1) & mask_) {
            if (!is_used(slots_[at]) || slots_[at].key == key) return at;
        }
    }

    std::vector<Slot> slots_;  // the first `mask_ + 1` are in use
    std::size_t width_ = 0;    // of `rows_`; 0 if counts stand in slots
    std::vector<std::int32_t> rows_;
    std::size_t mask_ = 0;
    std::size_t bytes_per_slot_ = sizeof(Slot);
    CountingMemory* memory_ = nullptr;
    unsigned shift_ = 0;  // the highest bits of a mixed key are its slot
    unsigned bits_ = 0;   // of a unit in a key; 0 if n-grams are a trie
    std::uint32_t before_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace corrigenda
