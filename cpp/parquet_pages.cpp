#include "parquet_pages.hpp"

#include <algorithm>

namespace corrigenda {
namespace {

std::uint64_t number_at(std::string_view data, std::size_t at, std::size_t bytes) {
    std::uint64_t number = 0;
    for (std::size_t place = 0; place < bytes && at + place < data.size(); ++place) {
        number |= static_cast<std::uint64_t>(static_cast<unsigned char>(data[at + place]))
                  << (8 * place);
    }
    return number;
}

// A number of seven bits per byte, the lowest first.
std::uint64_t varint(std::string_view data, std::size_t& at) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; at < data.size() && shift < 64; shift += 7) {
        const auto byte = static_cast<unsigned char>(data[at++]);
        number |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) break;
    }
    return number;
}

void add(RecordLengths& lengths, std::uint64_t level, std::uint64_t times) {
    if (times == 0) return;
    lengths.open = level == 0 ? 1 : lengths.open + times;
    lengths.longest = std::max(lengths.longest, lengths.open);
}

}  // namespace

std::uint64_t longest_entry(std::string_view page) {
    std::uint64_t longest = 0;
    for (std::size_t at = 0; at + 4 <= page.size();) {
        const std::uint64_t left = page.size() - at - 4;
        const std::uint64_t length = std::min(number_at(page, at, 4), left);
        longest = std::max(longest, length);
        at += 4 + static_cast<std::size_t>(length);
    }
    return longest;
}

RecordLengths longest_record(std::string_view levels, unsigned width, std::uint64_t values,
                             RecordLengths before) {
    RecordLengths lengths = before;
    const std::size_t bytes_of_level = (width + 7) / 8;
    std::size_t at = 0;
    while (values > 0 && at < levels.size()) {
        const std::uint64_t header = varint(levels, at);
        if ((header & 1) == 0) {
            const std::uint64_t times = std::min(header >> 1, values);
            add(lengths, number_at(levels, at, bytes_of_level), times);
            at += bytes_of_level;
            values -= times;
            continue;
        }
        const std::uint64_t bits = (levels.size() - at) * 8;
        const std::uint64_t packed = std::min({header >> 1 > values ? values : (header >> 1) * 8,
                                               values, bits / std::max(1U, width)});
        for (std::uint64_t place = 0; place < packed; ++place) {
            const std::uint64_t bit = place * width;
            const std::uint64_t level =
                number_at(levels, at + static_cast<std::size_t>(bit / 8), bytes_of_level + 1) >>
                (bit % 8);
            add(lengths, level & ((1ULL << width) - 1), 1);
        }
        values -= packed;
        if (packed == 0) break;
        at += static_cast<std::size_t>((packed * width + 7) / 8);
    }
    add(lengths, 1, values);
    return lengths;
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

std::uint64_t longest_entry_of(const nb::bytes& page) {
    const std::string_view all(page.c_str(), page.size());
    const nb::gil_scoped_release unlocked;
    return longest_entry(all);
}

nb::tuple longest_record_of(const nb::bytes& levels, unsigned width, std::uint64_t values,
                            std::uint64_t longest, std::uint64_t open) {
    RecordLengths found;
    {
        const std::string_view all(levels.c_str(), levels.size());
        const nb::gil_scoped_release unlocked;
        found = longest_record(all, width, values, {longest, open});
    }
    return nb::make_tuple(found.longest, found.open);
}

}  // namespace

CORRIGENDA_BINDINGS(parquet_pages) {
    module.def("longest_entry", &longest_entry_of, "page"_a);
    module.def("longest_record", &longest_record_of, "levels"_a, "width"_a, "values"_a, "longest"_a,
               "open"_a);
}

}  // namespace corrigenda
#endif
