// The fuzz target of the kernel that finds which characters of a text its source has, too.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "alignment_memory.hpp"
#include "common_parts.hpp"
#include "input.hpp"

namespace corrigenda {
namespace {

using Letters = std::vector<std::uint32_t>;
using Places = std::vector<std::int32_t>;

struct Part {
    std::size_t source, source_end, text, text_end;
};

// The longest common part by its definition, then those before and after it.
void match(const Letters& source, const Letters& text, Part in, Places& places) {
    std::size_t longest = 0;
    Part best = in;
    for (std::size_t i = in.source; i < in.source_end; ++i) {
        for (std::size_t j = in.text; j < in.text_end; ++j) {
            std::size_t length = 0;
            while (i + length < in.source_end && j + length < in.text_end &&
                   source[i + length] == text[j + length]) {
                ++length;
            }
            if (length > longest) {
                longest = length;
                best = {i, i + length, j, j + length};
            }
        }
    }
    if (longest == 0) return;
    for (std::size_t at = 0; at < longest; ++at) {
        places[best.text + at] = static_cast<std::int32_t>(best.source + at);
    }
    match(source, text, {in.source, best.source, in.text, best.text}, places);
    match(source, text, {best.source_end, in.source_end, best.text_end, in.text_end}, places);
}

Letters letters(Input& input, std::size_t alphabet) {
    Letters made;
    for (std::size_t left = input.below(50); left > 0; --left) {
        made.push_back(static_cast<std::uint32_t>('a' + input.below(alphabet)));
    }
    return made;
}

}  // namespace

// The parts are those of the definition, where both do not begin or end alike.
void share_parts(Input& input) {
    const std::size_t alphabet = 1 + input.below(5);
    Letters source = letters(input, alphabet), text = letters(input, alphabet);
    source.insert(source.begin(), 'x');
    source.push_back('x');
    text.insert(text.begin(), 'y');
    text.push_back('y');
    Places expected(text.size(), not_in_source);
    match(source, text, {0, source.size(), 0, text.size()}, expected);
    alignment_memory = std::size_t{1} << (10 + input.below(8));
    try {
        const Places found =
            places_in_source({source.data(), source.size()}, {text.data(), text.size()});
        require(found == expected, "the common parts of two texts");
    } catch (const AlignmentTooLarge&) {
        // The texts need more.
    }
}

}  // namespace corrigenda
