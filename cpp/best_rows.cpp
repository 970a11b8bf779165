// Finds the best row of each sentence, key by key: the reference that counts. The metric gives the
// keys.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace corrigenda {

// The rows of sentence i are [offsets[i], offsets[i + 1]). Below, `alive[row]` says whether a row
// can still win.
struct SentenceRows {
    const std::int64_t* offsets = nullptr;
    std::size_t sentences = 0;
};

// A row with the same bytes as an earlier row of its sentence cannot win, because all keys are
// equal.
std::vector<std::uint8_t> distinct_rows(SentenceRows rows, const char* counts,
                                        std::size_t row_bytes) {
    std::vector<std::uint8_t> alive(static_cast<std::size_t>(rows.offsets[rows.sentences]), 1);
    for (std::size_t sentence = 0; sentence < rows.sentences; ++sentence) {
        const auto begin = static_cast<std::size_t>(rows.offsets[sentence]);
        const auto end = static_cast<std::size_t>(rows.offsets[sentence + 1]);
        for (std::size_t row = begin + 1; row < end; ++row) {
            // Compare only with the first row and the row before: equal references are usually
            // neighbours, and comparing all pairs would take quadratic time.
            const char* own = counts + row * row_bytes;
            if (std::memcmp(own, counts + begin * row_bytes, row_bytes) == 0 ||
                std::memcmp(own, own - row_bytes, row_bytes) == 0) {
                alive[row] = 0;
            }
        }
    }
    return alive;
}

// Among the rows that are alive, only those with the largest key stay alive. Returns the number of
// sentences that still have several such rows.
std::size_t keep_best(SentenceRows rows, const double* key, std::uint8_t* alive) {
    std::size_t open = 0;
    for (std::size_t sentence = 0; sentence < rows.sentences; ++sentence) {
        const std::int64_t begin = rows.offsets[sentence];
        const std::int64_t end = rows.offsets[sentence + 1];
        std::int64_t best = -1;
        for (std::int64_t row = begin; row < end; ++row) {
            if (alive[row] && (best < 0 || key[row] > key[best])) best = row;
        }
        std::size_t left = 0;
        for (std::int64_t row = begin; row < end; ++row) {
            alive[row] = alive[row] && key[row] == key[best];
            left += alive[row];
        }
        open += left > 1;
    }
    return open;
}

// The first row of each sentence that is alive.
std::vector<std::int64_t> first_alive(SentenceRows rows, const std::uint8_t* alive) {
    std::vector<std::int64_t> first(rows.sentences);
    for (std::size_t sentence = 0; sentence < rows.sentences; ++sentence) {
        std::int64_t row = rows.offsets[sentence];
        while (row + 1 < rows.offsets[sentence + 1] && !alive[row]) ++row;
        first[sentence] = row;
    }
    return first;
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

using Rows = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Key = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Alive = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

SentenceRows sentence_rows(const Offsets& offsets) {
    return {offsets.data(), offsets.shape(0) - 1};
}

nb::object find_distinct_rows(const Rows& counts, const Offsets& offsets) {
    return to_numpy(distinct_rows(sentence_rows(offsets), static_cast<const char*>(counts.data()),
                                  counts.shape(1) * counts.itemsize()));
}

std::size_t keep_best_rows(const Key& key, const Offsets& offsets, const Alive& alive) {
    return keep_best(sentence_rows(offsets), key.data(), alive.data());
}

nb::object first_rows_alive(const Alive& alive, const Offsets& offsets) {
    const SentenceRows rows = sentence_rows(offsets);
    return to_numpy(first_alive(rows, alive.data()), {std::size_t{1}, rows.sentences});
}

}  // namespace

CORRIGENDA_BINDINGS(best_rows) {
    module.def("distinct_rows", &find_distinct_rows, "counts"_a.noconvert(),
               "offsets"_a.noconvert());
    module.def("keep_best", &keep_best_rows, "key"_a.noconvert(), "offsets"_a.noconvert(),
               "alive"_a.noconvert());
    module.def("first_alive", &first_rows_alive, "alive"_a.noconvert(), "offsets"_a.noconvert());
}

}  // namespace corrigenda
#endif
