#include "parquet_footer.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace corrigenda {
namespace {

constexpr int kMostDepth = 32;

// Places of fields: the row groups of a file, the columns of a row group; of a column its
// description, and the key by which the description is encrypted.
constexpr std::int16_t kRowGroups = 4;
constexpr std::int16_t kColumns = 1;
constexpr std::int16_t kDescription = 3;
constexpr std::int16_t kKey = 8;

// Reads Thrift's compact protocol. After an error nothing more is read.
class CompactWalker {
public:
    explicit CompactWalker(std::string_view data) : data_(data) {}

    bool is_damaged() const { return damaged_; }

    // Calls `use(place, kind)` for each field of a structure. It must read or skip the value.
    template <typename Use>
    void structure(int depth, Use use) {
        if (depth > kMostDepth) damaged_ = true;
        std::int16_t place = 0;
        while (!damaged_) {
            const unsigned head = byte();
            const unsigned kind = head & 15U;
            if (kind == kStop) return;
            place = head >> 4 ? static_cast<std::int16_t>(place + static_cast<int>(head >> 4))
                              : static_cast<std::int16_t>(signed_number());
            use(place, kind);
        }
    }

    // Calls `use(kind)` for each item of a list. It must read or skip the item.
    template <typename Use>
    void list(Use use) {
        const unsigned head = byte();
        const std::uint64_t size = head >> 4 == 15 ? number() : head >> 4;
        if (size > data_.size() - at_) damaged_ = true;  // each item takes a byte at least
        for (std::uint64_t item = 0; item < size && !damaged_; ++item) use(head & 15U);
    }

    void skip(unsigned kind, int depth) {
        if (depth > kMostDepth) damaged_ = true;
        if (damaged_) return;
        if (kind == kTrue || kind == kFalse) return;
        if (kind == kByte) {
            byte();
        } else if (kind < kDouble && kind != kStop) {
            number();
        } else if (kind == kDouble) {
            skip_bytes(8);
        } else if (kind == kBinary) {
            skip_bytes(number());
        } else if (kind == kList || kind == kSet) {
            list([&](unsigned item) { skip_item(item, depth + 1); });
        } else if (kind == kMap) {
            skip_map(depth);
        } else if (kind == kStruct) {
            structure(depth + 1, [&](std::int16_t, unsigned inner) { skip(inner, depth + 1); });
        } else {
            damaged_ = true;
        }
    }

    std::int64_t signed_number() {
        const std::uint64_t found = number();
        return static_cast<std::int64_t>(found >> 1) ^ -static_cast<std::int64_t>(found & 1);
    }

    void fail() { damaged_ = true; }

    static constexpr unsigned kStop = 0, kTrue = 1, kFalse = 2, kByte = 3, kInt32 = 5, kInt64 = 6;
    static constexpr unsigned kDouble = 7, kBinary = 8, kList = 9, kSet = 10, kMap = 11;
    static constexpr unsigned kStruct = 12;

private:
    // In lists and maps, a truth value takes a byte.
    void skip_item(unsigned kind, int depth) {
        skip(kind == kTrue || kind == kFalse ? kByte : kind, depth);
    }

    void skip_map(int depth) {
        const std::uint64_t size = number();
        if (size == 0) return;
        const unsigned kinds = byte();
        if (size > data_.size() - at_) damaged_ = true;
        for (std::uint64_t item = 0; item < size && !damaged_; ++item) {
            skip_item(kinds >> 4, depth + 1);
            skip_item(kinds & 15U, depth + 1);
        }
    }

    unsigned byte() {
        if (at_ >= data_.size()) damaged_ = true;
        return damaged_ ? 0U : static_cast<unsigned char>(data_[at_++]);
    }

    void skip_bytes(std::uint64_t bytes) {
        if (bytes > data_.size() - at_) damaged_ = true;
        if (!damaged_) at_ += static_cast<std::size_t>(bytes);
    }

    std::uint64_t number() {
        std::uint64_t found = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const unsigned part = byte();
            found |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
            if (part < 0x80U) return found;
        }
        damaged_ = true;
        return 0;
    }

    std::string_view data_;
    std::size_t at_ = 0;
    bool damaged_ = false;
};

// Reads the parts of a footer that describe its columns. Other readers take the last of two fields,
// if it has the right kind. So a field that comes twice, or has another kind, is a damage.
class FooterReader {
public:
    explicit FooterReader(std::string_view footer) : walker_(footer) {}

    FooterColumns read() {
        bool seen = false;
        walker_.structure(0, [&](std::int16_t place, unsigned kind) {
            if (place != kRowGroups) return walker_.skip(kind, 1);
            expect(kind == CompactWalker::kList && !seen);
            seen = true;
            walker_.list([&](unsigned item) {
                expect(item == CompactWalker::kStruct);
                row_group();
            });
        });
        found_.is_damaged = walker_.is_damaged();
        return std::move(found_);
    }

private:
    void expect(bool holds) {
        if (!holds) walker_.fail();
    }

    void row_group() {
        bool seen = false;
        walker_.structure(2, [&](std::int16_t place, unsigned kind) {
            if (place != kColumns) return walker_.skip(kind, 3);
            expect(kind == CompactWalker::kList && !seen);
            seen = true;
            walker_.list([&](unsigned item) {
                expect(item == CompactWalker::kStruct);
                column();
            });
        });
        found_.offsets.push_back(static_cast<std::int64_t>(found_.chunks.size()));
    }

    void column() {
        ColumnChunk chunk;
        bool seen = false;
        walker_.structure(4, [&](std::int16_t place, unsigned kind) {
            if (place == kKey) found_.is_encrypted = chunk.is_encrypted = true;
            if (place != kDescription) return walker_.skip(kind, 5);
            expect(kind == CompactWalker::kStruct && !seen);
            seen = true;
            description(chunk);
        });
        found_.chunks.push_back(chunk);
    }

    void description(ColumnChunk& chunk) {
        walker_.structure(5, [&](std::int16_t place, unsigned kind) {
            std::int64_t* const number = number_at(chunk, place);
            if (number == nullptr) return walker_.skip(kind, 6);
            const bool is_short = place == kType || place == kCodec;
            expect(kind == (is_short ? CompactWalker::kInt32 : CompactWalker::kInt64));
            expect(*number == -1);
            *number = walker_.signed_number();
            expect(*number >= 0);
        });
    }

    static std::int64_t* number_at(ColumnChunk& chunk, std::int16_t place) {
        switch (place) {
            case kType:
                return &chunk.type;
            case kCodec:
                return &chunk.codec;
            case 5:
                return &chunk.values;
            case 7:
                return &chunk.packed;
            case 9:
                return &chunk.first_page;
            case 11:
                return &chunk.dictionary;
            default:
                return nullptr;
        }
    }

    static constexpr std::int16_t kType = 1, kCodec = 4;

    CompactWalker walker_;
    FooterColumns found_;
};

}  // namespace

FooterColumns footer_columns(std::string_view footer) { return FooterReader(footer).read(); }

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

// Whether the footer is damaged, whether a column is encrypted, the numbers of each column in each
// row group, and where the columns of each row group begin.
nb::tuple footer_columns_of(const nb::bytes& footer) {
    FooterColumns found = footer_columns(std::string_view(footer.c_str(), footer.size()));
    std::vector<std::int64_t> numbers;
    numbers.reserve(found.chunks.size() * column_chunk_numbers);
    for (const ColumnChunk& chunk : found.chunks) {
        numbers.insert(numbers.end(), {chunk.type, chunk.codec, chunk.values, chunk.packed,
                                       chunk.first_page, chunk.dictionary});
    }
    return nb::make_tuple(found.is_damaged, found.is_encrypted, to_numpy(std::move(numbers)),
                          to_numpy(std::move(found.offsets)));
}

}  // namespace

CORRIGENDA_BINDINGS(parquet_footer) {
    module.def("footer_columns", &footer_columns_of, "footer"_a);
}

}  // namespace corrigenda
#endif
