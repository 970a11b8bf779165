// The columns that the footer of a Parquet file describes. Arrow can read the footer, too, but it
// ends the whole process when it is asked for the description of a column that is damaged or
// encrypted. The footer is a structure of Thrift's compact protocol.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace corrigenda {

// A column in one row group.
struct ColumnChunk {
    std::int64_t type = -1;
    std::int64_t codec = -1;
    std::int64_t values = -1;
    std::int64_t packed = -1;      // the bytes of its pages
    std::int64_t first_page = -1;  // where the data pages begin
    std::int64_t dictionary = -1;  // where the dictionary begins, if there is one
    bool is_encrypted = false;
};

constexpr std::size_t column_chunk_numbers = 6;  // without `is_encrypted`

struct FooterColumns {
    std::vector<ColumnChunk> chunks;          // group by group
    std::vector<std::int64_t> offsets = {0};  // where the columns of each row group begin
    bool is_damaged = false;
    bool is_encrypted = false;
};

FooterColumns footer_columns(std::string_view footer);

}  // namespace corrigenda
