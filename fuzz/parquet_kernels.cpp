// Fuzz targets of the kernels that look at the bytes of Parquet files.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "parquet_footer.hpp"
#include "parquet_pages.hpp"

namespace corrigenda {
namespace {

using Levels = std::vector<std::uint64_t>;

// The longest entry, byte by byte.
std::uint64_t slow_longest_entry(std::string_view page) {
    std::uint64_t longest = 0;
    while (page.size() >= 4) {
        std::uint64_t length = 0;
        for (int place = 3; place >= 0; --place) {
            length =
                length * 256 + static_cast<unsigned char>(page[static_cast<std::size_t>(place)]);
        }
        page.remove_prefix(4);
        length = std::min<std::uint64_t>(length, page.size());
        longest = std::max(longest, length);
        page.remove_prefix(static_cast<std::size_t>(length));
    }
    return longest;
}

RecordLengths slow_longest_record(const Levels& levels, RecordLengths lengths) {
    for (const std::uint64_t level : levels) {
        lengths.open = level == 0 ? 1 : lengths.open + 1;
        lengths.longest = std::max(lengths.longest, lengths.open);
    }
    return lengths;
}

void append_number(std::string& data, std::uint64_t number) {
    for (; number >= 128; number >>= 7) data.push_back(static_cast<char>(number | 128));
    data.push_back(static_cast<char>(number));
}

// Levels as Parquet writes them: runs, and groups of eight with `width` bits each.
std::string encoded_levels(Input& input, unsigned width, Levels& levels) {
    std::string data;
    const std::uint64_t largest = (std::uint64_t{1} << width) - 1;
    for (std::size_t left = input.below(8); left > 0; --left) {
        if (input.below(2) == 0) {
            const std::uint64_t times = 1 + input.byte();
            const std::uint64_t level = input.byte() & largest;
            append_number(data, times << 1);
            for (unsigned byte = 0; byte < (width + 7) / 8; ++byte) {
                data.push_back(static_cast<char>(level >> (8 * byte)));
            }
            levels.insert(levels.end(), static_cast<std::size_t>(times), level);
            continue;
        }
        const std::size_t groups = 1 + input.below(4);
        append_number(data, groups << 1 | 1);
        std::string bits(groups * width, '\0');
        for (std::size_t place = 0; place < 8 * groups; ++place) {
            const std::uint64_t level = (input.byte() * 0x01010101ULL) & largest;
            for (unsigned bit = 0; bit < width; ++bit) {
                const std::size_t at = place * width + bit;
                bits[at / 8] |= static_cast<char>((level >> bit & 1) << (at % 8));
            }
            levels.push_back(level);
        }
        data += bits;
    }
    return data;
}

// A field of a structure in Thrift's compact protocol. Returns whether it was a list of structures.
void append_value(std::string& data, Input& input, unsigned kind) {
    if (kind == 3) data.push_back(static_cast<char>(input.byte()));
    if (kind >= 4 && kind <= 6) append_number(data, input.byte() * 3ULL);
    if (kind == 7) data.append(8, 'x');
    if (kind == 8) {
        const std::size_t size = input.below(40);
        append_number(data, size);
        data.append(size, '\x1c');
    }
}

void append_fields(std::string& data, Input& input, std::size_t number) {
    for (; number > 0; --number) {
        const auto kind = static_cast<unsigned>(1 + input.below(8));
        data.push_back(static_cast<char>(kind));
        append_number(data, 2 * (20 + input.below(100)));  // places without a meaning
        append_value(data, input, kind);
    }
}

void append_list(std::string& data, unsigned place, std::size_t size) {
    data.push_back('\x09');
    append_number(data, 2 * place);
    data.push_back(static_cast<char>(size < 15 ? size << 4 | 12 : 0xFC));
    if (size >= 15) append_number(data, size);
}

// A footer with row groups and columns, of which some may have a key.
std::string made_footer(Input& input, bool& has_key) {
    std::string data;
    append_fields(data, input, input.below(4));
    const std::size_t groups = input.below(20);
    append_list(data, 4, groups);
    for (std::size_t group = 0; group < groups; ++group) {
        append_fields(data, input, input.below(2));
        const std::size_t columns = input.below(4);
        append_list(data, 1, columns);
        for (std::size_t column = 0; column < columns; ++column) {
            append_fields(data, input, input.below(3));
            if (input.byte() == 7) {
                data += std::string("\x0c\x10\x00", 3);  // the place 8: an empty structure
                has_key = true;
            }
            data.push_back('\0');
        }
        data.push_back('\0');
    }
    append_fields(data, input, input.below(3));
    data.push_back('\0');
    return data;
}

}  // namespace

void measure_pages(Input& input) {
    const auto width = static_cast<unsigned>(1 + input.below(32));
    const RecordLengths before{input.byte(), 0};
    Levels levels;
    const std::string data = encoded_levels(input, width, levels);
    const std::size_t missing = input.below(3);
    const RecordLengths found = longest_record(data, width, levels.size() + missing, before);
    levels.insert(levels.end(), missing, 1);
    const RecordLengths expected = slow_longest_record(levels, before);
    require(found.longest == expected.longest && found.open == expected.open, "lengths of records");

    const std::uint64_t values = (std::uint64_t{1} << (input.byte() % 63)) + input.byte();
    const std::string_view rest = input.rest();
    require(longest_entry(rest) == slow_longest_entry(rest), "the longest text of a dictionary");
    const RecordLengths any = longest_record(rest, width, values, {});
    require(any.open <= any.longest && any.longest <= values, "no record has more than all values");
}

void walk_footers(Input& input) {
    bool has_key = false;
    std::string footer = made_footer(input, has_key);
    const FooterColumns whole = footer_columns(footer);
    require(!whole.is_damaged && whole.is_encrypted == has_key, "whether a column is encrypted");
    footer.pop_back();
    require(footer_columns(footer).is_damaged, "a footer that is not whole");
    const std::string_view rest = input.rest();
    const FooterColumns any = footer_columns(rest);
    require(any.offsets.back() == static_cast<std::int64_t>(any.chunks.size()) || any.is_damaged,
            "columns belong to row groups");
    require(any.chunks.size() <= rest.size(), "a column takes a byte at least");
    const FooterColumns more = footer_columns(std::string(rest) + "more");
    require(any.is_damaged || (!more.is_damaged && more.offsets == any.offsets),
            "what comes after a footer does not matter");
}

}  // namespace corrigenda
