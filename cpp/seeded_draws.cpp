// Random references as `random.randint(0, m - 1)` of Python 2 or Python 3 picks them.
#include "seeded_draws.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace corrigenda {
namespace {

constexpr std::size_t kWords = MersenneTwister::words;
constexpr std::size_t kMiddle = 397;

// The state that every seed changes.
std::array<std::uint32_t, kWords> first_state() {
    std::array<std::uint32_t, kWords> state{};
    state[0] = 19650218U;
    for (std::size_t at = 1; at < kWords; ++at) {
        const std::uint32_t before = state[at - 1];
        state[at] = 1812433253U * (before ^ (before >> 30)) + static_cast<std::uint32_t>(at);
    }
    return state;
}

std::uint32_t twisted(std::uint32_t high, std::uint32_t low, std::uint32_t middle) {
    const std::uint32_t mixed = (high & 0x80000000U) | (low & 0x7FFFFFFFU);
    return middle ^ (mixed >> 1) ^ ((low & 1U) ? 0x9908B0DFU : 0U);
}

// As many bits as the number has.
unsigned bit_length(std::uint64_t number) {
    unsigned bits = 0;
    for (; number != 0; number >>= 1) ++bits;
    return bits;
}

}  // namespace

MersenneTwister::MersenneTwister(std::uint64_t seed) {
    static const std::array<std::uint32_t, kWords> first = first_state();
    state_ = first;
    // Python takes a whole number as a key of words, the lowest first.
    const std::array<std::uint32_t, 2> key = {static_cast<std::uint32_t>(seed),
                                              static_cast<std::uint32_t>(seed >> 32)};
    const std::size_t length = key[1] == 0 ? 1 : 2;
    std::size_t at = 1;
    const auto step = [&](std::uint32_t factor) {
        const std::uint32_t before = state_[at - 1];
        return state_[at] ^ ((before ^ (before >> 30)) * factor);
    };
    const auto advance = [&] {
        if (++at < kWords) return;
        state_[0] = state_[kWords - 1];
        at = 1;
    };
    for (std::size_t count = 0; count < kWords; ++count) {
        const std::size_t place = count % length;
        state_[at] = step(1664525U) + key[place] + static_cast<std::uint32_t>(place);
        advance();
    }
    for (std::size_t count = 1; count < kWords; ++count) {
        state_[at] = step(1566083941U) - static_cast<std::uint32_t>(at);
        advance();
    }
    state_[0] = 0x80000000U;
}

void MersenneTwister::refill() {
    for (std::size_t at = 0; at < kWords - kMiddle; ++at) {
        state_[at] = twisted(state_[at], state_[at + 1], state_[at + kMiddle]);
    }
    for (std::size_t at = kWords - kMiddle; at < kWords - 1; ++at) {
        state_[at] = twisted(state_[at], state_[at + 1], state_[at + kMiddle - kWords]);
    }
    state_[kWords - 1] = twisted(state_[kWords - 1], state_[0], state_[kMiddle - 1]);
    next_ = 0;
}

void pick_python2(MersenneTwister& random, const std::int64_t* limits, std::size_t count,
                  std::int64_t* picks) {
    for (std::size_t at = 0; at < count; ++at) {
        picks[at] = static_cast<std::int64_t>(random.fraction() * static_cast<double>(limits[at]));
    }
}

void pick_python3(MersenneTwister& random, const std::int64_t* limits, std::size_t count,
                  std::int64_t* picks) {
    for (std::size_t at = 0; at < count; ++at) {
        const auto limit = static_cast<std::uint64_t>(limits[at]);
        const unsigned shift = 32 - bit_length(limit);
        std::uint32_t number = random.word() >> shift;
        while (number >= limit) number = random.word() >> shift;
        picks[at] = number;
    }
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

// Numbers below limits, for some draws: [draws, limits without the first `skipped`]. Their type is
// the smallest that holds them, as there is one per draw and sentence. `generator(draw)` draws.
template <typename Number, typename Generator>
nb::object picks_of_type(std::size_t draws, const Offsets& limits, std::size_t skipped,
                         bool by_python3, const Generator& generator) {
    const std::size_t count = limits.shape(0);
    const std::size_t kept = count - skipped;
    std::vector<Number> found(draws * kept);
    {
        const nb::gil_scoped_release unlocked;
        const auto pick = by_python3 ? pick_python3 : pick_python2;
        std::vector<std::int64_t> numbers(count);
        for (std::size_t draw = 0; draw < draws; ++draw) {
            pick(generator(draw), limits.data(), count, numbers.data());
            for (std::size_t at = 0; at < kept; ++at) {
                found[draw * kept + at] = static_cast<Number>(numbers[skipped + at]);
            }
        }
    }
    return to_numpy(std::move(found), {draws, kept});
}

template <typename Generator>
nb::object picks(std::size_t draws, const Offsets& limits, std::size_t skipped, bool by_python3,
                 const Generator& generator) {
    const std::size_t count = limits.shape(0);
    if (skipped > count) throw std::invalid_argument("more numbers are skipped than drawn");
    std::int64_t largest = 1;
    for (std::size_t at = skipped; at < count; ++at) {
        largest = std::max(largest, limits.data()[at]);
    }
    if (largest <= 1 << 8) {
        return picks_of_type<std::uint8_t>(draws, limits, skipped, by_python3, generator);
    }
    if (largest <= 1 << 16) {
        return picks_of_type<std::uint16_t>(draws, limits, skipped, by_python3, generator);
    }
    return picks_of_type<std::uint32_t>(draws, limits, skipped, by_python3, generator);
}

// One generator per draw. Draw j has the seed j * step.
class SeededGenerators {
public:
    SeededGenerators(std::size_t draws, std::uint64_t step, bool by_python3)
        : by_python3_(by_python3) {
        generators_.reserve(draws);
        for (std::size_t draw = 0; draw < draws; ++draw) generators_.emplace_back(draw * step);
    }

    // One number below each limit, in order, for each draw. The first `skipped` are left out.
    nb::object next(const Offsets& limits, std::size_t skipped) {
        return picks(generators_.size(), limits, skipped, by_python3_,
                     [&](std::size_t draw) -> MersenneTwister& { return generators_[draw]; });
    }

private:
    std::vector<MersenneTwister> generators_;
    bool by_python3_;
};

// The same numbers as the first of new generators, with one generator at a time.
nb::object first_picks(std::size_t draws, std::uint64_t step, bool by_python3,
                       const Offsets& limits) {
    MersenneTwister current(0);
    return picks(draws, limits, 0, by_python3, [&](std::size_t draw) -> MersenneTwister& {
        current = MersenneTwister(draw * step);
        return current;
    });
}

}  // namespace

CORRIGENDA_BINDINGS(seeded_draws) {
    nb::class_<SeededGenerators>(module, "SeededGenerators")
        .def(nb::init<std::size_t, std::uint64_t, bool>(), "draws"_a, "step"_a, "by_python3"_a)
        .def("next", &SeededGenerators::next, "limits"_a.noconvert(), "skipped"_a);
    module.def("first_picks", &first_picks, "draws"_a, "step"_a, "by_python3"_a,
               "limits"_a.noconvert());
}

}  // namespace corrigenda
#endif
