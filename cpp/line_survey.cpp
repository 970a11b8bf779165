// A quick look at many lines beside their sources. Most lines are known by their lengths, and the
// bytes of few lines are read. So it costs a small part of the traits of a line (line_traits.hpp),
// and every line of a large file can be looked at.
#include "line_survey.hpp"

#include <algorithm>

namespace corrigenda {
namespace {

constexpr std::size_t kApartTenths = 3;

}  // namespace

std::uint8_t line_marks(std::string_view source, std::string_view line) {
    if (source.size() == line.size()) return source == line ? line_equal : 0;
    if (line.empty()) return line_empty | line_apart;
    const auto [shorter, longer] = std::minmax({source.size(), line.size()});
    return 10 * (longer - shorter) > kApartTenths * longer ? line_apart : 0;
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

// How often each byte comes in each 16th line: [chunks, 256].
std::vector<std::int64_t> chunk_bytes(const TextViews& lines, std::size_t chunk) {
    std::vector<std::int64_t> counts;
    counts.reserve((lines.size() + chunk - 1) / chunk * byte_values);
    for (std::size_t begin = 0; begin < lines.size(); begin += chunk) {
        ByteCounts found{};
        const std::size_t end = std::min(lines.size(), begin + chunk);
        const std::size_t first = (begin + counted_lines - 1) / counted_lines * counted_lines;
        for (std::size_t line = first; line < end; line += counted_lines) {
            count_bytes(lines[line], found);
        }
        for (std::size_t byte = 0; byte < byte_values; ++byte) {
            counts.push_back(found[0][byte] + found[1][byte]);
        }
    }
    return counts;
}

// The counts of bytes of the lines [chunks, 256], where a chunk is `chunk` consecutive lines.
nb::object byte_survey(nb::handle texts, std::size_t chunk) {
    Utf8 utf8;
    const TextViews lines = utf8.kept_views(texts);
    std::vector<std::int64_t> counts;
    {
        const nb::gil_scoped_release unlocked;
        counts = chunk_bytes(lines, chunk);
    }
    return to_numpy_rows(std::move(counts), byte_values);
}

// The marks of each line [lines], and how many lines of each chunk are equal to their source, empty
// and far apart [chunks, 3]. Both texts have the same number of lines.
nb::tuple line_survey(nb::handle sources, nb::handle texts, std::size_t chunk) {
    Utf8 utf8;
    const TextViews source = utf8.kept_views(sources);
    const TextViews lines = utf8.kept_views(texts);
    std::vector<std::uint8_t> marks(lines.size());
    std::vector<std::int64_t> counts((lines.size() + chunk - 1) / chunk * 3);
    {
        const nb::gil_scoped_release unlocked;
        for (std::size_t line = 0; line < lines.size(); ++line) {
            const std::uint8_t found = line_marks(source[line], lines[line]);
            marks[line] = found;
            std::int64_t* const here = counts.data() + line / chunk * 3;
            here[0] += (found & line_equal) != 0;
            here[1] += (found & line_empty) != 0;
            here[2] += (found & line_apart) != 0;
        }
    }
    return nb::make_tuple(to_numpy(std::move(marks)), to_numpy_rows(std::move(counts), 3));
}

// The places of the lines with more bytes than `longest`.
nb::object long_lines(nb::handle texts, std::size_t longest) {
    Utf8 utf8;
    const TextViews lines = utf8.kept_views(texts);
    std::vector<std::int64_t> places;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        if (lines[line].size() > longest) places.push_back(static_cast<std::int64_t>(line));
    }
    return to_numpy(std::move(places));
}

}  // namespace

CORRIGENDA_BINDINGS(line_survey) {
    module.def("long_lines", &long_lines, "texts"_a, "longest"_a);
    module.def("byte_survey", &byte_survey, "texts"_a, "chunk"_a);
    module.def("line_survey", &line_survey, "sources"_a, "texts"_a, "chunk"_a);
}

}  // namespace corrigenda
#endif
