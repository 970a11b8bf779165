#include "alignment_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace corrigenda {
namespace {

bool is_within(std::size_t rows, std::size_t columns, std::size_t most_cells) {
    return columns == 0 || rows <= most_cells / columns;
}

// Whether at most `most` insertions and deletions turn one sentence into the other. Myers' greedy
// algorithm: for 0, 1, 2, … changes it finds the furthest row on each diagonal (column - row).
bool differ_by_at_most(Sentence source, Sentence hypothesis, std::int64_t most) {
    const auto height = static_cast<std::int64_t>(source.size);
    const auto width = static_cast<std::int64_t>(hypothesis.size);
    std::vector<std::int64_t> memory(static_cast<std::size_t>(2 * most + 3), -1);
    std::int64_t* const furthest = memory.data() + most + 1;
    for (std::int64_t changes = 0; changes <= most; ++changes) {
        for (std::int64_t diagonal = -changes; diagonal <= changes; diagonal += 2) {
            std::int64_t row = std::max(furthest[diagonal - 1], furthest[diagonal + 1] + 1);
            if (changes == 0) row = 0;
            while (row < height && row + diagonal >= 0 && row + diagonal < width &&
                   source[static_cast<std::size_t>(row)] ==
                       hypothesis[static_cast<std::size_t>(row + diagonal)]) {
                ++row;
            }
            furthest[diagonal] = row;
            if (diagonal == width - height && row >= height) return true;
        }
    }
    return false;
}

}  // namespace

void check_table(std::size_t rows, std::size_t columns, std::size_t bytes_per_cell) {
    const std::size_t limit = alignment_memory.load();
    if (is_within(rows, columns, limit / bytes_per_cell)) return;
    throw AlignmentTooLarge("two sentences of " + std::to_string(rows - 1) + " and " +
                            std::to_string(columns - 1) + " words that differ need more than " +
                            std::to_string(limit >> 20) + " MB to be aligned");
}

bool band_fits(Sentence source, Sentence hypothesis, std::size_t most_cells) {
    const std::size_t rows = source.size + 1, columns = hypothesis.size + 1;
    if (is_within(rows, columns, most_cells)) return true;
    const std::size_t most = std::min(most_cells / rows, rows + columns);
    const std::size_t difference = rows < columns ? columns - rows : rows - columns;
    return difference <= most &&
           differ_by_at_most(source, hypothesis, static_cast<std::int64_t>(most));
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

// The index of the first pair whose band has too many cells, or -1.
std::int64_t first_too_different(const Ids& source_ids, const Offsets& source_offsets,
                                 const Ids& hypothesis_ids, const Offsets& hypothesis_offsets,
                                 std::size_t most_cells) {
    const Ragged sources = ragged(source_ids, source_offsets);
    const Ragged hypotheses = ragged(hypothesis_ids, hypothesis_offsets);
    const nb::gil_scoped_release unlocked;
    for (std::size_t sentence = 0; sentence < sources.count; ++sentence) {
        if (!band_fits(sources[sentence], hypotheses[sentence], most_cells)) {
            return static_cast<std::int64_t>(sentence);
        }
    }
    return -1;
}

}  // namespace

CORRIGENDA_BINDINGS(alignment_memory) {
    nb::exception<AlignmentTooLarge>(module, "AlignmentTooLarge", PyExc_ValueError);
    module.def("set_alignment_memory", [](std::size_t bytes) { alignment_memory = bytes; });
    module.def("first_too_different", &first_too_different, "source_ids"_a.noconvert(),
               "source_offsets"_a.noconvert(), "hypothesis_ids"_a.noconvert(),
               "hypothesis_offsets"_a.noconvert(), "most_cells"_a);
}

}  // namespace corrigenda
#endif
