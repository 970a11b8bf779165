// A quick look at many lines: their lengths, hashes, and how often each byte comes. It costs a small
// part of the traits of a line (line_traits.hpp), so it can look at every line of a large file.
#include "line_survey.hpp"

#include <algorithm>
#include <cstring>

#include "parallel.hpp"

namespace corrigenda {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29);
}

}  // namespace

std::uint64_t bytes_hash(std::string_view line) {
    // Four hashes at a time do not wait for one another.
    std::array<std::uint64_t, 4> lanes = {0x51ED270B, 0x2545F491, 0x1B873593, line.size()};
    std::size_t at = 0;
    for (; at + 32 <= line.size(); at += 32) {
        std::array<std::uint64_t, 4> bytes;
        std::memcpy(bytes.data(), line.data() + at, 32);
        for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] = mixed(lanes[lane], bytes[lane]);
    }
    std::uint64_t hash = mixed(mixed(lanes[0], lanes[1]), mixed(lanes[2], lanes[3]));
    for (; at + 8 <= line.size(); at += 8) {
        std::uint64_t bytes;
        std::memcpy(&bytes, line.data() + at, 8);
        hash = mixed(hash, bytes);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, line.data() + at, line.size() - at);
    return mixed(hash, rest);
}

void count_bytes(std::string_view line, ByteCounts& counts) {
    // Neighbours are often equal, and two additions to one place must wait for each other.
    std::size_t at = 0;
    for (; at + 2 <= line.size(); at += 2) {
        ++counts[0][static_cast<unsigned char>(line[at])];
        ++counts[1][static_cast<unsigned char>(line[at + 1])];
    }
    if (at < line.size()) ++counts[0][static_cast<unsigned char>(line[at])];
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "python_texts.hpp"

namespace corrigenda {
namespace {

// Lengths in bytes [lines], hashes [lines], and the counts of bytes [chunks, 256] of each eighth
// line, where a chunk is `chunk` consecutive lines.
nb::tuple line_survey(nb::handle texts, std::size_t chunk, std::size_t threads) {
    Utf8 utf8;
    const std::vector<std::string_view> views = utf8.views(texts);
    const std::size_t lines = views.size();
    const std::size_t chunks = (lines + chunk - 1) / chunk;
    std::vector<std::int32_t> lengths(lines);
    std::vector<std::uint64_t> hashes(lines);
    std::vector<std::int64_t> counts(chunks * byte_values);
    {
        const nb::gil_scoped_release unlocked;
        parallel_for(chunks, threads, 1, [&] {
            return [&](std::size_t at) {
                ByteCounts found{};
                for (std::size_t line = at * chunk; line < std::min(lines, (at + 1) * chunk);
                     ++line) {
                    lengths[line] = static_cast<std::int32_t>(views[line].size());
                    hashes[line] = bytes_hash(views[line]);
                    if (line % counted_lines == 0) count_bytes(views[line], found);
                }
                for (std::size_t byte = 0; byte < byte_values; ++byte) {
                    counts[at * byte_values + byte] = found[0][byte] + found[1][byte];
                }
            };
        });
    }
    return nb::make_tuple(to_numpy(std::move(lengths)), to_numpy(std::move(hashes)),
                          to_numpy_rows(std::move(counts), byte_values));
}

}  // namespace

CORRIGENDA_BINDINGS(line_survey) {
    module.def("line_survey", &line_survey, "texts"_a, "chunk"_a, "threads"_a);
}

}  // namespace corrigenda
#endif
