// The units of a sentence (words or characters) as numbers: equal units have the same number.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "counting_memory.hpp"
#include "hash_seed.hpp"
#include "text_units.hpp"

namespace corrigenda {

inline constexpr std::uint64_t kMixing = 0x9E3779B97F4A7C15ULL;

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

// A word. Words of up to 16 bytes are compared by two numbers.
struct Word {
    std::uint64_t head = 0;  // its first 8 bytes; a shorter word is filled up with zeros
    std::uint64_t tail = 0;  // its last 8 bytes; 0 for a shorter word
    const char* begin = nullptr;
    std::size_t size = 0;

    Word() = default;
    explicit Word(std::string_view word) : begin(word.data()), size(word.size()) {
        if (size >= 8) {
            std::memcpy(&head, begin, 8);
            std::memcpy(&tail, begin + size - 8, 8);
        } else {
            // Two loads that may overlap, because a copy of so few bytes would be a call.
            if (size >= 4) {
                std::uint32_t first = 0;
                std::uint32_t last = 0;
                std::memcpy(&first, begin, 4);
                std::memcpy(&last, begin + size - 4, 4);
                head = first | static_cast<std::uint64_t>(last) << 32;
            } else {
                head = static_cast<unsigned char>(begin[0]);
                head |= static_cast<std::uint64_t>(static_cast<unsigned char>(begin[size / 2]))
                        << 8;
                head |= static_cast<std::uint64_t>(static_cast<unsigned char>(begin[size - 1]))
                        << 16;
            }
        }
    }

    friend bool operator==(const Word& a, const Word& b) {
        return a.size == b.size && a.head == b.head && a.tail == b.tail &&
               (a.size <= 16 || std::memcmp(a.begin + 8, b.begin + 8, a.size - 16) == 0);
    }
    std::uint64_t hash() const {
        std::uint64_t mixed = (head ^ (tail + size + hash_seed) * 0xD6E8FEB86659FD93ULL) * kMixing;
        if (size > 16) mixed = (mixed ^ middle()) * kMixing;
        return mixed ^ mixed >> 32;
    }

private:
    // What `head` and `tail` do not hold, eight bytes at a time; the last eight may be in the tail.
    std::uint64_t middle() const {
        std::uint64_t mixed = hash_seed;
        for (std::size_t at = 8; at + 8 < size; at += 8) {
            std::uint64_t letters = 0;
            std::memcpy(&letters, begin + at, 8);
            mixed = (mixed ^ letters) * kMixing;
            mixed ^= mixed >> 32;
        }
        return mixed;
    }
};

// The numbers of the words of a sentence.
class WordNumbers {
public:
    // A unit takes so many bytes of text at least: a word has a blank after it.
    static constexpr std::size_t fewest_bytes = 2;

    void clear(CountingMemory& memory) {
        words_.clear();
        numbering_.clear(sizeof(Word), memory);
        source_.clear();
    }

    // Appends the numbers of the words of a text. The first text is the source.
    void add(std::string_view text, std::vector<Id>& ids) {
        const bool is_source = source_.empty();
        const std::size_t start = ids.size();
        std::size_t next = 0;  // the word of the source that probably comes next
        for_each_word(text, [&](std::string_view letters) {
            const Word word(letters);
            for (std::size_t at = next; at < std::min(next + 2, source_.size()); ++at) {
                if (words_[source_[at]] == word) {
                    ids.push_back(source_[at]);
                    next = at + 1;
                    return;
                }
            }
            const auto same = [&](Id other) { return words_[other] == word; };
            ids.push_back(numbering_.find_or_add(word.hash(), same));
            if (ids.back() == words_.size()) words_.push_back(word);
        });
        if (is_source) {
            source_.assign(ids.begin() + static_cast<std::ptrdiff_t>(start), ids.end());
        }
    }

    std::size_t count() const { return words_.size(); }

private:
    std::vector<Word> words_;  // by number
    Numbering numbering_;
    std::vector<Id> source_;
};

// The same for characters.
class CharacterNumbers {
public:
    static constexpr std::size_t fewest_bytes = 1;

    explicit CharacterNumbers(bool raw) : raw_(raw) {}

    void clear(CountingMemory& memory) {
        characters_.clear();
        ascii_.fill(kNew);
        numbering_.clear(sizeof(Token), memory);
    }

    void add(std::string_view text, std::vector<Id>& ids) {
        const auto append = [&](std::string_view part) {
            for (std::size_t at = 0; at < part.size();) {
                ids.push_back(number_of(next_code_point(part, at)));
            }
        };
        if (raw_) {
            append(text);
            return;
        }
        const std::size_t start = ids.size();
        for_each_word(text, [&](std::string_view word) {
            if (ids.size() > start) ids.push_back(number_of(' '));
            append(word);
        });
    }

    std::size_t count() const { return characters_.size(); }

private:
    static constexpr Id kNew = ~Id{0};

    Id number_of(Token character) {
        if (character < 0 || character >= 128) return looked_up(character);
        Id& known = ascii_[static_cast<std::size_t>(character)];
        if (known == kNew) known = looked_up(character);
        return known;
    }

    Id looked_up(Token character) {
        const std::uint64_t mixed = static_cast<std::uint32_t>(character) * kMixing;
        const Id number = numbering_.find_or_add(
            mixed ^ mixed >> 32, [&](Id other) { return characters_[other] == character; });
        if (number == characters_.size()) characters_.push_back(character);
        return number;
    }

    bool raw_;
    std::array<Id, 128> ascii_{};
    std::vector<Token> characters_;  // by number
    Numbering numbering_;
};

}  // namespace corrigenda
