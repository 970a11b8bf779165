// GREEN's precisions and recalls: the products over n = 1, 1..2, … 1..N for many rows at once. Numpy
// needs a dozen calls for them, and each takes longer than the work on the rows of a small batch.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace corrigenda {

// Sums over the seven regions of GREEN, in the order of NgramCount.
constexpr std::size_t kGreenRegions = 7;

// Numbers of n-grams that no text has may be too large to be added. As for numpy, what is too large
// begins again at the other end.
inline std::int64_t sum(std::int64_t a, std::int64_t b, std::int64_t c) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b) +
                                     static_cast<std::uint64_t>(c));
}
inline double sum(double a, double b, double c) { return a + b + c; }

// `regions` is [row][n][region]. With `is_counted` [row][n], a size that is not counted leaves the
// product as it is. Returns [n][precision or recall][row]. Each result is rounded as numpy rounds
// it: there are sums, one division and one product, in the same order.
template <typename Value>
std::vector<double> green_products(const Value* regions, std::size_t rows, std::size_t order,
                                   const std::uint8_t* is_counted) {
    std::vector<double> products(order * 2 * rows);
    for (std::size_t row = 0; row < rows; ++row) {
        double precision = 1.0;
        double recall = 1.0;
        for (std::size_t n = 0; n < order; ++n, regions += kGreenRegions) {
            if (is_counted == nullptr || is_counted[row * order + n]) {
                const Value right = sum(regions[0], regions[1], regions[2]);
                const Value proposed = sum(right, regions[3], regions[4]);
                const Value expected = sum(right, regions[5], regions[6]);
                // Without n-grams the precision is 1 and the recall is 0.
                if (proposed != 0) {
                    precision *= static_cast<double>(right) / static_cast<double>(proposed);
                }
                recall *= expected == 0
                              ? 0.0
                              : static_cast<double>(right) / static_cast<double>(expected);
            }
            products[2 * n * rows + row] = precision;
            products[(2 * n + 1) * rows + row] = recall;
        }
    }
    return products;
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

template <typename Value>
using Regions = nb::ndarray<const Value, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename Value>
nb::object products(const Regions<Value>& regions, const Flags* is_counted) {
    const std::size_t rows = regions.shape(0);
    const std::size_t order = regions.shape(1);
    const auto* flags =
        is_counted == nullptr ? nullptr : reinterpret_cast<const std::uint8_t*>(is_counted->data());
    return to_numpy(green_products(regions.data(), rows, order, flags),
                    {order, std::size_t{2}, rows});
}

}  // namespace

CORRIGENDA_BINDINGS(green_products) {
    module.def(
        "green_products",
        [](const Regions<std::int64_t>& regions) {
            return products<std::int64_t>(regions, nullptr);
        },
        "regions"_a.noconvert());
    module.def(
        "green_products",
        [](const Regions<double>& regions) { return products<double>(regions, nullptr); },
        "regions"_a.noconvert());
    module.def(
        "green_products",
        [](const Regions<std::int64_t>& regions, const Flags& is_counted) {
            return products<std::int64_t>(regions, &is_counted);
        },
        "regions"_a.noconvert(), "is_counted"_a.noconvert());
    module.def(
        "green_products",
        [](const Regions<double>& regions, const Flags& is_counted) {
            return products<double>(regions, &is_counted);
        },
        "regions"_a.noconvert(), "is_counted"_a.noconvert());
}

}  // namespace corrigenda
#endif
