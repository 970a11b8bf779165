// Which characters of a text its source has, too: the longest common part of both, then the longest
// ones before and after it, and so on. Of equally long parts the first one of the source counts,
// then the first one of the text. These are the parts that difflib of Python finds.
//
// difflib's time may grow with the cube of the length. Here all parts of one length are found in
// one pass. Between them only shorter parts are left. Parts on the way to a character do not
// overlap. So there are at most as many passes as numbers 1, 2, 3, … fit into the length: about the
// root of twice the length.
// A text that needs too many passes for its length is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corrigenda {

struct Characters {
    const std::uint32_t* data = nullptr;
    std::size_t size = 0;
};

constexpr std::int32_t not_in_source = -1;

// For each character of the text its place in the source, or `not_in_source`. Both have less than
// 2^31 characters. Throws AlignmentTooLarge if that takes too much memory or too many passes.
std::vector<std::int32_t> places_in_source(Characters source, Characters text);

}  // namespace corrigenda
