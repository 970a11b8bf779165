// A quick look at lines: which are equal to their sources, and how often each byte comes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace corrigenda {

inline constexpr std::size_t byte_values = 256;
inline constexpr std::size_t counted_lines = 16;  // the bytes of each 16th line are counted

// Two tables; a count is the sum of both.
using ByteCounts = std::array<std::array<std::int64_t, byte_values>, 2>;

// What a line is beside its source. A line may have several marks.
enum LineMark : std::uint8_t {
    line_equal = 1,  // the same bytes
    line_empty = 2,  // without bytes, and its source is not
    line_apart = 4,  // the longer of both has far more bytes
};

// The marks of a line beside its source.
std::uint8_t line_marks(std::string_view source, std::string_view line);

// Adds the bytes of a line to the counts.
void count_bytes(std::string_view line, ByteCounts& counts);

}  // namespace corrigenda
