// What the pages of a Parquet file may unpack to, found before Arrow unpacks them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace corrigenda {

// The bytes of the longest text of a dictionary page. Each text follows its length (4 bytes).
std::uint64_t longest_entry(std::string_view page);

struct RecordLengths {
    std::uint64_t longest = 0;  // the values of the longest record so far
    std::uint64_t open = 0;     // the values of the last record, which may go on in the next page
};

// Counts the values of each record in a page. A value with the repetition level 0 begins a record.
// The levels are runs and packed bits, as Parquet's hybrid encoding has them, `width` bits each.
// Levels that are missing continue the last record.
RecordLengths longest_record(std::string_view levels, unsigned width, std::uint64_t values,
                             RecordLengths before);

}  // namespace corrigenda
