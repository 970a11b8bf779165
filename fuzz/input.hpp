// What the fuzz targets of the kernels share: numbers from the bytes of an input, and rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace corrigenda {

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "a kernel broke a rule: %s\n", what);
    std::abort();
}

// Numbers from the bytes of the input; zeros after its end.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    std::uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : byte() % limit; }
    // Small numbers, and sometimes the largest one.
    std::int32_t number() {
        const std::uint8_t value = byte();
        return value == 255 ? 2147483647 : value;
    }
    std::string_view rest() {
        const std::string_view left(reinterpret_cast<const char*>(data_) + at_, size_ - at_);
        at_ = size_;
        return left;
    }

private:
    const std::uint8_t* data_;
    std::size_t size_;
    std::size_t at_ = 0;
};

// How often the sentences of an input are repeated. A kernel starts a second thread only for a
// large batch. So some batches are large, and under TSan all of them.
inline std::size_t copies(Input& input) {
#ifdef CORRIGENDA_LARGE_BATCHES
    input.byte();
    return 140;
#else
    return input.byte() == 255 ? 140 : 1;
#endif
}

// The kernels that read text, in text_kernels.cpp.
void count_text(Input& input);
void scan_text(Input& input);
void describe_text(Input& input);
void number_words(Input& input);

// The kernel that compares characters, in common_parts_kernels.cpp.
void share_parts(Input& input);

// The kernel of JSON lines, in json_kernels.cpp.
void read_json(std::string_view data);

// The kernels that look at Parquet files, in parquet_kernels.cpp.
void measure_pages(Input& input);
void walk_footers(Input& input);

}  // namespace corrigenda
