#include "common_parts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "alignment_memory.hpp"
#include "hash_seed.hpp"

namespace corrigenda {
namespace {

using Place = std::int32_t;
using Number = std::int32_t;
constexpr Number unknown = -1;
constexpr Place none = -1;

// What one character of both texts takes.
constexpr std::size_t kBytesPerCharacter = 96;
// How often the characters of short texts are looked at in any case. Above, the limit of memory
// counts: each megabyte that is allowed also allows to look once more at each character. Ordinary
// texts need less than a hundred looks.
constexpr std::size_t kFewLooks = std::size_t{1} << 25;

// Numbers for pairs of numbers: 0, 1, 2, … in the order in which they come.
class PairNumbers {
public:
    void clear(std::size_t most) {
        std::size_t size = 8;
        while (size < 2 * most) size *= 2;
        if (slots_.size() < size) slots_.resize(size);
        std::fill_n(slots_.begin(), size, Slot{});
        mask_ = size - 1;
        count_ = 0;
    }

    Number add(std::uint32_t first, std::uint32_t second) {
        Slot& slot = slot_of(first, second);
        if (slot.number == unknown) slot = {first, second, count_++};
        return slot.number;
    }

    Number find(std::uint32_t first, std::uint32_t second) { return slot_of(first, second).number; }

    Number count() const { return count_; }

private:
    struct Slot {
        std::uint32_t first = 0, second = 0;
        Number number = unknown;
    };

    Slot& slot_of(std::uint32_t first, std::uint32_t second) {
        std::uint64_t hash = (std::uint64_t{first} << 32 | second) + hash_seed;
        hash = (hash ^ hash >> 32) * 0x9E3779B97F4A7C15ULL;
        hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9ULL;
        std::size_t at = (hash ^ hash >> 32) & mask_;
        while (slots_[at].number != unknown &&
               (slots_[at].first != first || slots_[at].second != second)) {
            at = (at + 1) & mask_;
        }
        return slots_[at];
    }

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    Number count_ = 0;
};

// A part of the source and a part of the text that may share parts of at most `longest` characters.
struct Region {
    std::size_t source, source_end, text, text_end, longest;
};

// Equal parts of `length` characters have equal numbers. A part of the source that the text does
// not have is unknown. One number per place where a part begins.
struct NumberedParts {
    std::size_t length = 0;
    std::vector<Number> source, text;
};

class CommonParts {
public:
    CommonParts(Characters source, Characters text)
        : source_(source), text_(text), places_(text.size, not_in_source) {}

    std::vector<std::int32_t> found() {
        Region middle = without_ends();
        check_memory(middle);
        most_looks_ = kFewLooks + (alignment_memory.load() >> 20) * size_of(middle);
        regions_.push_back(middle);
        while (!regions_.empty()) {
            const Region region = regions_.back();
            regions_.pop_back();
            if (number_longest(region)) match(region);
        }
        return std::move(places_);
    }

private:
    static std::size_t size_of(const Region& region) {
        return region.source_end - region.source + region.text_end - region.text;
    }

    void put(std::size_t source, std::size_t text, std::size_t length) {
        for (std::size_t at = 0; at < length; ++at) {
            places_[text + at] = static_cast<Place>(source + at);
        }
    }

    // Texts that begin or end alike are alike there.
    Region without_ends() {
        const std::size_t shorter = std::min(source_.size, text_.size);
        std::size_t begin = 0, end = 0;
        while (begin < shorter && source_.data[begin] == text_.data[begin]) ++begin;
        while (end < shorter - begin &&
               source_.data[source_.size - 1 - end] == text_.data[text_.size - 1 - end]) {
            ++end;
        }
        put(0, 0, begin);
        put(source_.size - end, text_.size - end, end);
        return {begin, source_.size - end, begin, text_.size - end, shorter - begin - end};
    }

    void check_memory(const Region& middle) const {
        const std::size_t limit = alignment_memory.load();
        if (size_of(middle) <= limit / kBytesPerCharacter) return;
        refuse("need more than " + std::to_string(limit >> 20) + " MB to be compared");
    }

    [[noreturn]] void refuse(const std::string& why) const {
        throw AlignmentTooLarge("two texts of " + std::to_string(source_.size) + " and " +
                                std::to_string(text_.size) + " characters that differ " + why);
    }

    void look_at(const Region& region) {
        looks_ += size_of(region);
        if (looks_ > most_looks_) refuse("share so many parts that comparing them takes too long");
    }

    // Number the longest parts that both have in the region. False: they share no character.
    bool number_longest(const Region& region) {
        if (region.longest == 0 || !number_characters(region)) return false;
        std::size_t too_long = region.longest + 1;
        while (2 * numbered_.length < too_long) {
            if (!lengthen(region, 2 * numbered_.length)) {
                too_long = 2 * numbered_.length;
                break;
            }
            std::swap(numbered_, longer_);
        }
        longest_.length = 0;
        std::size_t known = numbered_.length;
        while (known + 1 < too_long) {
            const std::size_t length = known + (too_long - known) / 2;
            if (lengthen(region, length)) {
                std::swap(longest_, longer_);
                known = length;
            } else {
                too_long = length;
            }
        }
        if (longest_.length == 0) std::swap(longest_, numbered_);
        return true;
    }

    // Number single characters. False: there is none that both have.
    bool number_characters(const Region& region) {
        look_at(region);
        numbered_.length = 1;
        numbered_.source.clear();
        numbered_.text.clear();
        numbers_.clear(region.text_end - region.text);
        for (std::size_t at = region.text; at < region.text_end; ++at) {
            numbered_.text.push_back(numbers_.add(text_.data[at], 0));
        }
        bool is_common = false;
        for (std::size_t at = region.source; at < region.source_end; ++at) {
            numbered_.source.push_back(numbers_.find(source_.data[at], 0));
            is_common |= numbered_.source.back() != unknown;
        }
        return is_common;
    }

    // Number longer parts: two that overlap or touch make one. False: there is none that both have.
    bool lengthen(const Region& region, std::size_t length) {
        look_at(region);
        const std::size_t shift = length - numbered_.length;
        const auto second = [shift](const std::vector<Number>& numbers, std::size_t at) {
            return static_cast<std::uint32_t>(numbers[at + shift]);
        };
        longer_.length = length;
        longer_.source.clear();
        longer_.text.clear();
        const std::vector<Number>&text = numbered_.text, &source = numbered_.source;
        numbers_.clear(text.size() - shift);
        for (std::size_t at = 0; at + shift < text.size(); ++at) {
            longer_.text.push_back(
                numbers_.add(static_cast<std::uint32_t>(text[at]), second(text, at)));
        }
        bool is_common = false;
        for (std::size_t at = 0; at + shift < source.size(); ++at) {
            Number number = unknown;
            if (source[at] != unknown && source[at + shift] != unknown) {
                number = numbers_.find(static_cast<std::uint32_t>(source[at]), second(source, at));
            }
            longer_.source.push_back(number);
            is_common |= number != unknown;
        }
        return is_common;
    }

    // Match the longest parts from left to right. What is between them has shorter parts.
    void match(const Region& region) {
        look_at(region);
        const std::size_t length = longest_.length;
        list_places();
        std::size_t source = 0, text = 0;  // where the last match ended
        for (std::size_t at = 0; at < longest_.source.size();) {
            const Place found = first_place(longest_.source[at], text);
            if (found == none) {
                ++at;
                continue;
            }
            const auto begin = static_cast<std::size_t>(found);
            put(region.source + at, region.text + begin, length);
            leave({region.source + source, region.source + at, region.text + text,
                   region.text + begin, length - 1});
            source = at += length;
            text = begin + length;
        }
        leave({region.source + source, region.source_end, region.text + text, region.text_end,
               length - 1});
    }

    // For each number the places in the text, in order.
    void list_places() {
        const std::vector<Number>& text = longest_.text;
        first_.assign(text.size(), none);
        next_.resize(text.size());
        for (std::size_t at = text.size(); at-- > 0;) {
            Place& first = first_[static_cast<std::size_t>(text[at])];
            next_[at] = first;
            first = static_cast<Place>(at);
        }
    }

    // The first place of a part that does not begin before `begin`. Places before it are forgotten.
    Place first_place(Number number, std::size_t begin) {
        if (number == unknown) return none;
        Place& first = first_[static_cast<std::size_t>(number)];
        while (first != none && static_cast<std::size_t>(first) < begin) {
            first = next_[static_cast<std::size_t>(first)];
        }
        return first;
    }

    void leave(Region region) {
        region.longest = std::min(
            {region.longest, region.source_end - region.source, region.text_end - region.text});
        if (region.longest > 0) regions_.push_back(region);
    }

    Characters source_, text_;
    std::vector<std::int32_t> places_;
    std::vector<Region> regions_;
    NumberedParts numbered_, longer_, longest_;
    PairNumbers numbers_;
    std::vector<Place> first_, next_;
    std::size_t looks_ = 0, most_looks_ = 0;
};

}  // namespace

std::vector<std::int32_t> places_in_source(Characters source, Characters text) {
    return CommonParts(source, text).found();
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

using Letters = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::object places_of_text(const Letters& source, const Letters& text) {
    std::vector<std::int32_t> places;
    {
        const nb::gil_scoped_release unlocked;
        places = places_in_source({source.data(), source.shape(0)}, {text.data(), text.shape(0)});
    }
    return to_numpy(std::move(places));
}

}  // namespace

CORRIGENDA_BINDINGS(common_parts) {
    module.def("places_in_source", &places_of_text, "source"_a.noconvert(), "text"_a.noconvert());
}

}  // namespace corrigenda
#endif
