// Words and their ids. The table of a few sentences is small enough to stay in the processor's cache
// while a hypothesis is looked up. It owns the letters of its words.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "hash_seed.hpp"
#include "prefetch.hpp"
#include "ragged.hpp"

namespace corrigenda {

class WordTable {
public:
    static constexpr Token unknown = -1;

    // The id of a word; a new word gets the next id.
    Token add(std::string_view word) {
        if (2 * (ends_.size() + 1) > slots_.size()) grow();
        const std::uint32_t hash = hash_of(word);
        const std::size_t slot = slot_of(word, hash);
        if (slots_[slot].id == unknown) {
            slots_[slot] = {hash, static_cast<Token>(ends_.size())};
            letters_.append(word);
            ends_.push_back(letters_.size());
        }
        return slots_[slot].id;
    }

    Token find(std::string_view word) const {
        return slots_.empty() ? unknown : slots_[slot_of(word, hash_of(word))].id;
    }

    std::size_t size() const { return ends_.size(); }

    void prefetch() const {
        prefetch_all(slots_);
        prefetch_all(letters_);
        prefetch_all(ends_);
    }

    std::size_t memory() const {
        return slots_.capacity() * sizeof(Slot) + letters_.capacity() +
               ends_.capacity() * sizeof(ends_[0]);
    }

private:
    struct Slot {
        std::uint32_t hash = 0;
        Token id = unknown;
    };

    // Eight letters at a time. The words themselves decide equality; the hash only avoids most
    // comparisons.
    static std::uint32_t hash_of(std::string_view word) {
        std::uint64_t hash = word.size() + hash_seed;
        for (; word.size() > 8; word.remove_prefix(8)) {
            std::uint64_t letters = 0;
            std::memcpy(&letters, word.data(), 8);
            hash = mixed(hash ^ letters);
        }
        std::uint64_t letters = 0;
        std::memcpy(&letters, word.data(), word.size());
        return static_cast<std::uint32_t>(mixed(hash ^ letters));
    }

    static std::uint64_t mixed(std::uint64_t value) {
        value *= 0x9E3779B97F4A7C15ULL;
        return value ^ value >> 32;
    }

    std::string_view word_of(Token id) const {
        const auto at = static_cast<std::size_t>(id);
        const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
        return std::string_view(letters_).substr(begin, ends_[at] - begin);
    }

    // The slot that holds the word, or the free slot for it.
    std::size_t slot_of(std::string_view word, std::uint32_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = hash & mask;
        while (slots_[slot].id != unknown &&
               (slots_[slot].hash != hash || word_of(slots_[slot].id) != word)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    void grow() {
        const std::vector<Slot> old = std::move(slots_);
        slots_.assign(old.empty() ? 64 : 2 * old.size(), {});
        const std::size_t mask = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.id == unknown) continue;
            std::size_t at = slot.hash & mask;
            while (slots_[at].id != unknown) at = (at + 1) & mask;
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_;  // open addressing; the size is a power of two
    std::string letters_;      // all words, one after another
    std::vector<std::size_t> ends_;
};

}  // namespace corrigenda
