// The Mersenne Twister as Python seeds it, and whole numbers as Python 2 and Python 3 make them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace corrigenda {

class MersenneTwister {
public:
    static constexpr std::size_t words = 624;

    explicit MersenneTwister(std::uint64_t seed);

    std::uint32_t word() {
        if (next_ == words) refill();
        std::uint32_t made = state_[next_++];
        made ^= made >> 11;
        made ^= (made << 7) & 0x9D2C5680U;
        made ^= (made << 15) & 0xEFC60000U;
        return made ^ (made >> 18);
    }

    // A number of 53 bits, at least 0 and below 1.
    double fraction() {
        const std::uint32_t high = word() >> 5;
        const std::uint32_t low = word() >> 6;
        return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
    }

private:
    void refill();

    std::array<std::uint32_t, words> state_;
    std::size_t next_ = words;
};

// A number below each limit, in order. Limits are 1 or more and below 2^31.
// Python 2: the limit times a random fraction, rounded down.
void pick_python2(MersenneTwister& random, const std::int64_t* limits, std::size_t count,
                  std::int64_t* picks);
// Python 3: as many random bits as the limit has, again and again until they are below the limit.
void pick_python3(MersenneTwister& random, const std::int64_t* limits, std::size_t count,
                  std::int64_t* picks);

}  // namespace corrigenda
