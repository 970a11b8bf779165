// Blanks and line ends among 64 bytes at a time, as the bits of one number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define CORRIGENDA_SSE2
#endif
#if defined(_MSC_VER) && !defined(__GNUC__)
#include <intrin.h>
#endif

namespace corrigenda {

inline constexpr std::size_t kMarkedBytes = 64;

// The place of the lowest bit that is set. There must be one.
inline std::size_t lowest_bit(std::uint64_t bits) {
#if defined(__GNUC__)
    return static_cast<std::size_t>(__builtin_ctzll(bits));
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
    unsigned long place = 0;
    _BitScanForward64(&place, bits);
    return place;
#else
    std::size_t place = 0;
    for (; (bits & 1) == 0; bits >>= 1) ++place;
    return place;
#endif
}

// Bit i stands for byte i.
struct BlankMarks {
    std::uint64_t spaces = 0;  // the space of ASCII
    std::uint64_t others = 0;  // bytes that may be another blank, or its first byte
};
struct LineMarks {
    std::uint64_t ends = 0;     // LF
    std::uint64_t unusual = 0;  // NUL, and bytes that are not ASCII
};

#if defined(CORRIGENDA_SSE2)
inline constexpr std::size_t kBytesAtOnce = 16;

// 16 bytes. Every processor of this kind has these instructions.
class ByteBlock {
public:
    explicit ByteBlock(const char* bytes)
        : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) {}

    std::uint64_t equal_to(char byte) const {
        return bits(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(byte)));
    }
    std::uint64_t not_ascii() const { return bits(bytes_); }
    // Control characters, and the first bytes of other blanks: C2, E1, E2, E3.
    std::uint64_t blanks_beside_space() const {
        // As numbers with a sign, bytes from 0x80 on are below 0x20, too.
        if (bits(_mm_cmplt_epi8(bytes_, _mm_set1_epi8(0x20))) == 0) return 0;
        const auto byte = [](int value) { return _mm_set1_epi8(static_cast<char>(value)); };
        const __m128i from_e1 = _mm_sub_epi8(bytes_, byte(0xE1));
        const __m128i of_three = _mm_cmpeq_epi8(_mm_min_epu8(from_e1, byte(2)), from_e1);
        const __m128i of_two = _mm_cmpeq_epi8(bytes_, byte(0xC2));
        const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes_, byte(0x1F)), bytes_);
        return bits(_mm_or_si128(control, _mm_or_si128(of_two, of_three)));
    }

private:
    static std::uint64_t bits(__m128i found) {
        return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found)));
    }

    __m128i bytes_;
};
#else
inline constexpr std::size_t kBytesAtOnce = 8;

// Eight bytes, as one number.
class ByteBlock {
public:
    explicit ByteBlock(const char* bytes) {
        for (std::size_t i = 0; i < 8; ++i) {
            bytes_ |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << 8 * i;
        }
    }

    std::uint64_t equal_to(char byte) const {
        const std::uint64_t rest = bytes_ ^ static_cast<unsigned char>(byte) * kOnes;
        return bits(~(((rest & ~kHigh) + ~kHigh) | rest));
    }
    std::uint64_t not_ascii() const { return bits(bytes_); }
    std::uint64_t blanks_beside_space() const {
        const std::uint64_t control = ~((bytes_ | kHigh) - 0x20 * kOnes) & ~bytes_;
        std::uint64_t found = bits(control);
        if ((bytes_ & kHigh) == 0) return found;
        for (const int lead : {0xC2, 0xE1, 0xE2, 0xE3}) found |= equal_to(static_cast<char>(lead));
        return found;
    }

private:
    static constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    static constexpr std::uint64_t kHigh = 0x80 * kOnes;

    // The high bit of each byte, gathered into eight bits.
    static std::uint64_t bits(std::uint64_t found) {
        return ((found & kHigh) >> 7) * 0x0102040810204080ULL >> 56;
    }

    std::uint64_t bytes_ = 0;
};
#endif

// Calls `use(block, place)` for the parts of 64 bytes.
template <typename Use>
void for_each_block(const char* bytes, Use use) {
    for (std::size_t place = 0; place < kMarkedBytes; place += kBytesAtOnce) {
        use(ByteBlock(bytes + place), place);
    }
}

inline BlankMarks blank_marks(const char* bytes) {
    BlankMarks marks;
    for_each_block(bytes, [&](const ByteBlock& block, std::size_t place) {
        marks.spaces |= block.equal_to(' ') << place;
        marks.others |= block.blanks_beside_space() << place;
    });
    return marks;
}

inline LineMarks line_marks(const char* bytes) {
    LineMarks marks;
    for_each_block(bytes, [&](const ByteBlock& block, std::size_t place) {
        marks.ends |= block.equal_to('\n') << place;
        marks.unusual |= (block.not_ascii() | block.equal_to('\0')) << place;
    });
    return marks;
}

// The last bytes of a text, fewer than 64, filled up with spaces.
class PaddedBytes {
public:
    PaddedBytes(const char* bytes, std::size_t size) {
        std::memset(bytes_, ' ', kMarkedBytes);
        if (size > 0) std::memcpy(bytes_, bytes, size);
    }
    const char* data() const { return bytes_; }

private:
    char bytes_[kMarkedBytes];
};

}  // namespace corrigenda
