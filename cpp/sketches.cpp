// Sketches of lines: how much two lines have in common, and which line is most like another.
#include <algorithm>
#include <bitset>
#include <cstring>

#include "line_traits.hpp"
#include "parallel.hpp"

namespace corrigenda {

int shared_bits(const Sketch& one, const Sketch& other) {
    std::size_t shared = 0;
    for (std::size_t at = 0; at < sketch_words; ++at) {
        shared += std::bitset<64>(one[at] & other[at]).count();
    }
    return static_cast<int>(shared);
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "python_texts.hpp"

namespace corrigenda {
namespace {

using Sketches =
    nb::ndarray<const std::uint64_t, nb::shape<-1, sketch_words>, nb::c_contig, nb::device::cpu>;

Sketch sketch_at(const Sketches& sketches, std::int64_t row) {
    Sketch sketch;
    std::memcpy(sketch.data(), sketches.data() + static_cast<std::size_t>(row) * sketch_words,
                sizeof(Sketch));
    return sketch;
}

// The bits that rows of two arrays of sketches share, pair by pair. The caller checks the rows.
nb::object shared_sketch_bits(const Sketches& ones, const Sketches& others, const Offsets& rows,
                              const Offsets& other_rows) {
    std::vector<std::int32_t> shared(rows.shape(0));
    for (std::size_t at = 0; at < shared.size(); ++at) {
        shared[at] =
            shared_bits(sketch_at(ones, rows.data()[at]), sketch_at(others, other_rows.data()[at]));
    }
    return to_numpy(std::move(shared));
}

// For each row of `ones`, the row of `others` whose sketch is most like it, as a share of the
// smaller of the two; the first of equals.
nb::tuple nearest_sketches(const Sketches& ones, const Sketches& others, const Offsets& rows,
                           std::size_t threads) {
    const std::size_t count = rows.shape(0);
    const std::size_t candidates = others.shape(0);
    std::vector<std::int64_t> nearest(count, -1);
    std::vector<double> likeness(count, 0.0);
    std::vector<int> sizes(candidates);
    {
        const nb::gil_scoped_release unlocked;
        for (std::size_t at = 0; at < candidates; ++at) {
            const Sketch sketch = sketch_at(others, static_cast<std::int64_t>(at));
            sizes[at] = shared_bits(sketch, sketch);
        }
        parallel_for(count, threads, 4, [&] {
            return [&](std::size_t row) {
                const Sketch sketch = sketch_at(ones, rows.data()[row]);
                const int size = shared_bits(sketch, sketch);
                for (std::size_t at = 0; at < candidates; ++at) {
                    const int larger = std::max(size, sizes[at]);
                    if (larger == 0 || 2 * std::min(size, sizes[at]) < larger) continue;
                    const int shared =
                        shared_bits(sketch, sketch_at(others, static_cast<std::int64_t>(at)));
                    const double share = static_cast<double>(shared) / std::min(size, sizes[at]);
                    if (share > likeness[row]) {
                        likeness[row] = share;
                        nearest[row] = static_cast<std::int64_t>(at);
                    }
                }
            };
        });
    }
    return nb::make_tuple(to_numpy(std::move(nearest)), to_numpy(std::move(likeness)));
}

}  // namespace

CORRIGENDA_BINDINGS(sketches) {
    module.def("shared_sketch_bits", &shared_sketch_bits, "ones"_a.noconvert(),
               "others"_a.noconvert(), "rows"_a.noconvert(), "other_rows"_a.noconvert());
    module.def("nearest_sketches", &nearest_sketches, "ones"_a.noconvert(), "others"_a.noconvert(),
               "rows"_a.noconvert(), "threads"_a);
}

}  // namespace corrigenda
#endif
