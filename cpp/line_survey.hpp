// A quick look at lines: hashes, and how often each byte comes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace corrigenda {

inline constexpr std::size_t byte_values = 256;
inline constexpr std::size_t counted_lines = 8;  // the bytes of each eighth line are counted

// Two tables; a count is the sum of both.
using ByteCounts = std::array<std::array<std::int64_t, byte_values>, 2>;

// Equal for equal bytes.
std::uint64_t bytes_hash(std::string_view line);

// Adds the bytes of a line to the counts.
void count_bytes(std::string_view line, ByteCounts& counts);

}  // namespace corrigenda
