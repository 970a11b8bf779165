// The units of a sentence (words or characters) as numbers: equal units have the same number.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "counting_memory.hpp"
#include "hash_seed.hpp"
#include "numbering.hpp"
#include "ragged.hpp"
#include "shared_bytes.hpp"
#include "text_units.hpp"

namespace corrigenda {

inline constexpr std::uint64_t kMixing = 0x9E3779B97F4A7C15ULL;

// Which texts have a unit: the number of its only text, or `kSeveralTexts`.
using Owner = std::uint32_t;
inline constexpr Owner kSeveralTexts = ~Owner{0};

// A word. Words of up to 16 bytes are compared by two numbers.
struct Word {
    std::uint64_t head = 0;  // its first 8 bytes; a shorter word is filled up with zeros
    std::uint64_t tail = 0;  // its next 8 bytes, filled up in the same way
    const char* begin = nullptr;
    std::size_t size = 0;

    Word() = default;
    // Bytes behind the word may be read up to `end`.
    Word(std::string_view word, const char* end) : begin(word.data()), size(word.size()) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (end - begin >= 16) {
            // Two loads and two masks, because a copy of so few bytes would be a call.
            std::memcpy(&head, begin, 8);
            std::memcpy(&tail, begin + 8, 8);
            const std::size_t bytes = std::min<std::size_t>(size, 16);
            head &= kFirstBytes[bytes];
            tail &= kNextBytes[bytes];
            return;
        }
#endif
        char letters[16] = {};
        std::memcpy(letters, begin, std::min<std::size_t>(size, 16));
        std::memcpy(&head, letters, 8);
        std::memcpy(&tail, letters + 8, 8);
        (void)end;
    }

    friend bool operator==(const Word& a, const Word& b) {
        return ((a.size ^ b.size) | (a.head ^ b.head) | (a.tail ^ b.tail)) == 0 &&
               (a.size <= 16 || std::memcmp(a.begin + 16, b.begin + 16, a.size - 16) == 0);
    }
    std::uint64_t hash() const {
        std::uint64_t mixed = (head ^ (tail + size + hash_seed) * 0xD6E8FEB86659FD93ULL) * kMixing;
        if (size > 16) mixed = (mixed ^ rest()) * kMixing;
        return mixed ^ mixed >> 32;
    }

private:
    // What `head` and `tail` do not hold, eight bytes at a time.
    std::uint64_t rest() const {
        std::uint64_t mixed = hash_seed;
        for (std::size_t at = 16; at < size; at += 8) {
            std::uint64_t letters = 0;
            std::memcpy(&letters, begin + at, std::min<std::size_t>(8, size - at));
            mixed = (mixed ^ letters) * kMixing;
            mixed ^= mixed >> 32;
        }
        return mixed;
    }

    using Masks = std::array<std::uint64_t, 17>;
    // Masks of the bytes of a word that are in the 8 bytes from `begin` on, by the size of the word.
    static constexpr Masks masks_from(std::size_t begin) {
        Masks masks{};
        for (std::size_t size = begin + 1; size < masks.size(); ++size) {
            const std::size_t bytes = size - begin;
            masks[size] = bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
        }
        return masks;
    }
    static const Masks kFirstBytes;
    static const Masks kNextBytes;
};

inline constexpr Word::Masks Word::kFirstBytes = Word::masks_from(0);
inline constexpr Word::Masks Word::kNextBytes = Word::masks_from(8);

// The numbers of the words of a sentence. Words that all its texts share at their margins may stay
// without one.
class WordNumbers {
public:
    // A unit takes this many bytes of text at least: a word has a blank after it.
    static constexpr std::size_t fewest_bytes = 2;
    // A context that leaves no word without a number.
    static constexpr std::size_t all_words = ~std::size_t{0};

    // Begins a sentence. Its texts are the source and others. If there are two others or more, the
    // words with which all texts begin or end get no number, but for `context` of them at each
    // side. Returns how many words of each text get none.
    std::size_t start(const std::vector<std::string_view>& texts, std::size_t context,
                      CountingMemory& memory) {
        numbering_.clear(sizeof(Word) + sizeof(Owner), memory);
        source_.clear();
        shared_.clear();
        begin_ = 0;
        is_long_ = texts[0].size() > kLongestShared;
        if (is_long_) return 0;
        const std::size_t size = end_ = find_places(texts[0]);
        std::size_t first = size;
        std::size_t last = 0;
        for (std::size_t i = 1; i < texts.size(); ++i) {
            shared_.push_back(shared_ends(texts[0], places_.data(), size, texts[i]));
            first = std::min(first, shared_.back().first);
            last = std::max(last, shared_.back().last);
        }
        if (texts.size() < 3) return 0;
        if (first > context) begin_ = first - context;
        if (size - last > context) end_ = last + context;
        return begin_ + size - end_;
    }

    // Appends the numbers of the words of the next text.
    void add(std::string_view text, Owner owner, std::vector<Id>& ids) {
        next_ = 0;
        if (is_long_) {
            const std::size_t start = ids.size();
            add_words(text, text.data() + text.size(), owner, ids);
            if (owner == 0) {
                source_.assign(ids.begin() + static_cast<std::ptrdiff_t>(start), ids.end());
            }
        } else if (owner == 0) {
            add_source(text, ids);
        } else {
            // What the text shares with the margins of the source is not split into words.
            const SharedEnds& shared = shared_[owner - 1];
            add_known(begin_, shared.first, ids);
            next_ = shared.first - begin_;
            add_words(shared.rest, text.data() + text.size(), owner, ids);
            add_known(shared.last, end_, ids);
        }
    }

    std::size_t count() const { return numbering_.count(); }
    // Whether one text alone has the word.
    bool is_alone(Id number) const { return owners_[number] != kSeveralTexts; }

private:
    static constexpr std::size_t kWordsAtOnce = 128;
    // The places of the words of a longer source, in bytes, would take memory.
    static constexpr std::size_t kLongestShared = std::size_t{1} << 16;

    // Returns the number of words.
    std::size_t find_places(std::string_view source) {
        std::size_t begins = 0;
        std::size_t ends = 0;
        // A word takes two bytes with the blank after it, and the last one needs no blank.
        if (source.size() / 2 + 1 > places_.size()) places_.resize(source.size() + 1);
        for (WordEdges edges(source); edges.next();) {
            add_edges(edges, places_.data(), begins, ends);
        }
        return ends;
    }

    static void add_edges(const WordEdges& edges, WordPlace* places, std::size_t& begins,
                          std::size_t& ends) {
        const auto block = static_cast<std::uint32_t>(edges.block);
        for (std::uint64_t bits = edges.begins; bits != 0; bits &= bits - 1) {
            places[begins++].begin = block + static_cast<std::uint32_t>(lowest_bit(bits));
        }
        for (std::uint64_t bits = edges.ends; bits != 0; bits &= bits - 1) {
            places[ends++].end = block + static_cast<std::uint32_t>(lowest_bit(bits));
        }
    }

    void add_source(std::string_view text, std::vector<Id>& ids) {
        const std::size_t start = ids.size();
        for (std::size_t at = begin_; at < end_; at += kWordsAtOnce) {
            number(text.data(), text.data() + text.size(),
                   {&places_[at], std::min(end_ - at, kWordsAtOnce)}, 0, ids);
        }
        source_.assign(ids.begin() + static_cast<std::ptrdiff_t>(start), ids.end());
    }

    // Appends the words of the source from `first` up to `last`.
    void add_known(std::size_t first, std::size_t last, std::vector<Id>& ids) {
        const Id* const words = source_.data() + (first - begin_);
        const std::size_t size = last - first;
        ids.insert(ids.end(), words, words + size);
        for (std::size_t i = 0; i < size; ++i) owners_[words[i]] = kSeveralTexts;
    }

    // Edges of words are found in one loop, and words are numbered in others: all are short enough
    // for the registers of a processor. Bytes behind the text may be read up to `end`.
    void add_words(std::string_view text, const char* end, Owner owner, std::vector<Id>& ids) {
        if (text.size() > ~std::uint32_t{0}) {
            throw AlignmentTooLarge("it has more than 4 GB, so its words cannot be compared");
        }
        std::size_t begins = 0;
        std::size_t ends = 0;
        for (WordEdges edges(text); edges.next();) {
            add_edges(edges, found_places_.data(), begins, ends);
            if (ends <= kWordsAtOnce - kMarkedBytes / 2) continue;
            number(text.data(), end, {found_places_.data(), ends}, owner, ids);
            found_places_[0] = found_places_[ends];  // a word that goes on
            begins -= ends;
            ends = 0;
        }
        number(text.data(), end, {found_places_.data(), ends}, owner, ids);
    }

    struct Places {
        const WordPlace* first;
        std::size_t size;
    };

    // A text mostly goes on like the source. So a word is first compared with the next two words of
    // the source, and looked up only if neither is equal.
    void number(const char* text, const char* end, Places places, Owner owner,
                std::vector<Id>& ids) {
        const std::size_t size = places.size;
        for (std::size_t i = 0; i < size; ++i) {
            const WordPlace place = places.first[i];
            found_[i] = Word({text + place.begin, place.end - place.begin}, end);
        }
        if (count() + size > words_.size()) {
            words_.resize(2 * (count() + size));
            owners_.resize(words_.size());
        }
        const std::size_t start = ids.size();
        ids.resize(start + size);
        Id* const numbers = ids.data() + start;
        if (owner == 0) {
            for (std::size_t i = 0; i < size; ++i) numbers[i] = looked_up(found_[i], owner);
            return;
        }
        const Id* const source = source_.data();
        const std::size_t source_size = source_.size();
        std::size_t next = next_;
        for (std::size_t i = 0; i < size; ++i) {
            const Word& word = found_[i];
            if (next < source_size && words_[source[next]] == word) {
                numbers[i] = source[next];
                ++next;
            } else if (next + 1 < source_size && words_[source[next + 1]] == word) {
                numbers[i] = source[next + 1];
                next += 2;
            } else {
                numbers[i] = looked_up(word, owner);
                continue;
            }
            owners_[numbers[i]] = kSeveralTexts;
        }
        next_ = next;
    }

    Id looked_up(const Word& word, Owner owner) {
        const std::size_t known = count();
        const auto same = [&](Id other) { return words_[other] == word; };
        const Id number = numbering_.find_or_add(word.hash(), same);
        if (number == known) {
            words_[number] = word;
            owners_[number] = owner;
        } else if (owners_[number] != owner) {
            owners_[number] = kSeveralTexts;
        }
        return number;
    }

    std::array<WordPlace, kWordsAtOnce + 1> found_places_;
    std::array<Word, kWordsAtOnce> found_;
    Numbering numbering_;
    std::vector<Word> words_;         // by number; the first `count()` are in use
    std::vector<Owner> owners_;       // by number; the first `count()` are in use
    std::vector<Id> source_;          // the words of the source that have numbers
    std::vector<WordPlace> places_;   // of all words of the source
    std::vector<SharedEnds> shared_;  // of the other texts with the source
    bool is_long_ = false;            // nothing is known of what texts share
    std::size_t begin_ = 0;           // the first word of the source that gets a number
    std::size_t end_ = 0;             // behind the last one
    std::size_t next_ = 0;            // the word in `source_` that probably comes next
};

// Words that have their numbers already: see numbered_words.hpp.
class GivenNumbers {
public:
    static constexpr std::size_t fewest_bytes = 1;

    std::size_t start(const std::vector<Sentence>&, std::size_t, CountingMemory&) {
        owners_.clear();
        return 0;
    }

    void add(Sentence text, Owner owner, std::vector<Id>& ids) {
        for (const Token token : text) {
            const auto number = static_cast<Id>(token);
            if (number > owners_.size()) throw std::invalid_argument("words are not numbered");
            if (number == owners_.size()) {
                owners_.push_back(owner);
            } else if (owners_[number] != owner) {
                owners_[number] = kSeveralTexts;
            }
            ids.push_back(number);
        }
    }

    std::size_t count() const { return owners_.size(); }
    bool is_alone(Id number) const { return owners_[number] != kSeveralTexts; }

private:
    std::vector<Owner> owners_;  // by number
};

// The same for characters.
class CharacterNumbers {
public:
    static constexpr std::size_t fewest_bytes = 1;

    explicit CharacterNumbers(bool raw) : raw_(raw) {}

    std::size_t start(const std::vector<std::string_view>&, std::size_t, CountingMemory& memory) {
        characters_.clear();
        owners_.clear();
        ascii_.fill(kNew);
        numbering_.clear(sizeof(Token) + sizeof(Owner), memory);
        return 0;
    }

    void add(std::string_view text, Owner owner, std::vector<Id>& ids) {
        const auto append_one = [&](Token character) {
            ids.push_back(number_of(character, owner));
            if (owners_[ids.back()] != owner) owners_[ids.back()] = kSeveralTexts;
        };
        const auto append = [&](std::string_view part) {
            for (std::size_t at = 0; at < part.size();) append_one(next_code_point(part, at));
        };
        if (raw_) {
            append(text);
            return;
        }
        const std::size_t start = ids.size();
        for_each_word(text, [&](std::string_view word) {
            if (ids.size() > start) append_one(' ');
            append(word);
        });
    }

    std::size_t count() const { return characters_.size(); }
    bool is_alone(Id number) const { return owners_[number] != kSeveralTexts; }

private:
    static constexpr Id kNew = ~Id{0};

    Id number_of(Token character, Owner owner) {
        if (character < 0 || character >= 128) return looked_up(character, owner);
        Id& known = ascii_[static_cast<std::size_t>(character)];
        if (known == kNew) known = looked_up(character, owner);
        return known;
    }

    Id looked_up(Token character, Owner owner) {
        const std::uint64_t mixed = static_cast<std::uint32_t>(character) * (hash_seed | 1);
        const Id number = numbering_.find_or_add(
            mixed ^ mixed >> 32, [&](Id other) { return characters_[other] == character; });
        if (number == characters_.size()) {
            characters_.push_back(character);
            owners_.push_back(owner);
        }
        return number;
    }

    bool raw_;
    std::array<Id, 128> ascii_{};
    std::vector<Token> characters_;  // by number
    std::vector<Owner> owners_;      // by number
    Numbering numbering_;
};

}  // namespace corrigenda
