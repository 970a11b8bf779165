// Stretches of units that all texts of a sentence have, and the n-grams that are not inside them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "greedy_alignment.hpp"
#include "unit_numbers.hpp"

namespace corrigenda {

// The units of all texts of a sentence: the source, its references, the hypothesis.
struct TextUnits {
    std::vector<Id> ids;
    std::vector<std::size_t> ends = {0};  // of the texts in `ids`, after a zero

    void clear() {
        ids.clear();
        ends.resize(1);
    }
    std::size_t texts() const { return ends.size() - 1; }
    std::size_t length(std::size_t text) const { return ends[text + 1] - ends[text]; }
    std::int64_t ngrams(std::size_t text, std::size_t n) const {
        return length(text) < n ? 0 : static_cast<std::int64_t>(length(text) - n + 1);
    }
};

// Runs stand in all texts, in the same order, and do not overlap.
class SharedRuns {
    struct Run {
        Id begin;  // in the source
        Id size;
    };

public:
    // The memory that `find` takes for these texts: partners, and runs of one unit each.
    static double bytes_for(const TextUnits& units) {
        return static_cast<double>(units.length(0)) *
               (static_cast<double>(units.texts() - 1) * sizeof(std::int32_t) + 2 * sizeof(Run));
    }

    void find(const TextUnits& units) {
        runs_.clear();
        others_ = units.texts() - 1;
        if (others_ == 1) return;  // without a reference, no n-gram is in all three
        size_ = units.length(0);
        partners_.resize(others_ * size_);
        for (std::size_t text = 1; text <= others_; ++text) {
            align_greedily(units.ids.data(), size_, units.ids.data() + units.ends[text],
                           units.length(text), partners_.data() + (text - 1) * size_);
        }
        for (std::size_t at = 0; at < size_;) {
            if (!all_have(at)) {
                ++at;
                continue;
            }
            const std::size_t begin = at++;
            while (at < size_ && all_continue(at)) ++at;
            runs_.push_back({static_cast<Id>(begin), static_cast<Id>(at - begin)});
        }
    }

    // The number of n-grams inside runs.
    std::int64_t ngrams(std::size_t n) const {
        std::int64_t inside = 0;
        for (const Run& run : runs_) {
            if (run.size >= n) inside += static_cast<std::int64_t>(run.size - n + 1);
        }
        return inside;
    }

    // Calls `use(begin, size)` for each run of the source.
    template <typename Use>
    void for_each(Use use) const {
        for (const Run& run : runs_) use(run.begin, run.size);
    }

    // Calls `use(at, rest, longest)` for each place of a text where an n-gram begins that is not
    // inside a run: units are longer than `rest` and not longer than `longest`. No n-gram reaches a
    // unit that is alone: `is_alone(place)`. Places are counted from the beginning of the text.
    template <typename IsAlone, typename Use>
    void for_each_place(std::size_t text, std::size_t length, std::size_t order, IsAlone is_alone,
                        Use use) const {
        std::size_t end = length;
        std::size_t limit = length;  // no n-gram goes further
        for (std::size_t run = runs_.size();; --run) {
            const std::size_t begin_before = run == 0 ? 0 : begin_of(text, run - 1);
            const std::size_t end_before = run == 0 ? 0 : begin_before + runs_[run - 1].size;
            for (std::size_t at = end; at-- > end_before;) {
                if (is_alone(at)) {
                    limit = at;
                } else {
                    use(at, 0, std::min(order, limit - at));
                }
            }
            if (run == 0) return;
            // n-grams that begin inside a run and leave it.
            const std::size_t nearest =
                std::max(begin_before + order, end_before + 1) - order;  // not below 0
            for (std::size_t at = end_before; limit > end_before && at-- > nearest;) {
                const std::size_t rest = end_before - at;
                if (const std::size_t longest = std::min(order, limit - at); longest > rest) {
                    use(at, rest, longest);
                }
            }
            end = begin_before;
        }
    }

private:
    std::size_t begin_of(std::size_t text, std::size_t run) const {
        const std::size_t begin = runs_[run].begin;
        if (text == 0) return begin;
        return static_cast<std::size_t>(partners_[(text - 1) * size_ + begin]);
    }

    bool all_have(std::size_t at) const {
        for (std::size_t place = at; place < partners_.size(); place += size_) {
            if (partners_[place] < 0) return false;
        }
        return true;
    }

    bool all_continue(std::size_t at) const {
        for (std::size_t place = at; place < partners_.size(); place += size_) {
            if (partners_[place] < 0 || partners_[place] != partners_[place - 1] + 1) return false;
        }
        return true;
    }

    std::vector<std::int32_t> partners_;  // [text - 1][unit of the source]
    std::size_t others_ = 0;              // texts beside the source
    std::size_t size_ = 0;                // of the source
    std::vector<Run> runs_;
};

}  // namespace corrigenda
