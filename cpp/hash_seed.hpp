// A number that differs from process to process. Hashes of untrusted text begin with it, so that
// nobody can write words that all have one hash. Results do not depend on it: words get their
// numbers in the order in which they come.
#pragma once

#include <chrono>
#include <cstdint>
#include <random>

namespace corrigenda {

inline std::uint64_t chosen_seed() {
    auto seed =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    try {
        std::random_device random;
        seed ^= static_cast<std::uint64_t>(random()) << 32 ^ random();
    } catch (...) {
        // There is no source of random numbers; the clock must be enough.
    }
    return seed * 0xD6E8FEB86659FD93ULL;
}

inline const std::uint64_t hash_seed = chosen_seed();

}  // namespace corrigenda
