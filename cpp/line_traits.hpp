// What a line of text looks like, in numbers: its words, case, punctuation, marks and scripts, and
// a sketch of its letters. The checks of src/corrigenda/health compare these numbers between files.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace corrigenda {

// The numbers of a line, in this order. kernels/line_traits.py gives them the same names.
enum Trait : std::size_t {
    trait_words,
    trait_characters,  // without blanks
    trait_letters,
    trait_upper,
    trait_lower,
    trait_capitalised,         // words that begin with a capital letter
    trait_cased_words,         // words that begin with a letter that has two cases
    trait_first_case,          // of the first letter with two cases: 1 upper, 2 lower, 0 none
    trait_glued,               // words with punctuation at their end, e.g. `word,`
    trait_free,                // words that are punctuation, e.g. `,`
    trait_glued_contractions,  // `isn't`
    trait_free_contractions,   // `n't`
    trait_bpe,                 // words that end with `@@`, or are `@-@`
    trait_sentencepiece,       // U+2581, U+FFED, and U+0120 if it begins many words
    trait_wordpiece,           // words that begin with `##` and a letter
    trait_tags,                // `<b>`
    trait_entities,            // `&quot;`
    trait_invisible,           // characters that nobody sees
    trait_curly,               // curly quotes and apostrophes
    trait_straight,            // ' and "
    trait_mixed_words,         // words with letters of Latin and of a script that looks like it,
                               // and hyphens that look like `-`
    trait_repeats,             // how often one n-gram comes in a row
    trait_script,              // the script of most letters
    trait_first,               // the first code point
    trait_last,                // the last code point
    trait_width,               // code points from the first word to the last, with blanks
    trait_marks,               // commas, colons and ends of sentences
    trait_commas,
    trait_wide_marks,        // full-width forms of punctuation
    trait_final_marks,       // ends of sentences at the end of the line
    trait_broken,            // `Ã©` and the like, U+FFFD, a question mark before a letter
    trait_emphasis,          // words with marks of Markdown, such as `**so**`
    trait_first_word,        // a hash of the letters of the first word that has any
    trait_last_word,         // the same for the last word
    trait_unknown,           // `<unk>` and the like
    trait_digits,            // 1 to 9
    trait_inner_hyphens,     // `-` between two letters or digits
    trait_free_hyphens,      // words that are `-`
    trait_runs,              // runs of letters: 3 in `up-to-date`
    trait_cut_contractions,  // `'t`, as in `don 't`
    trait_count
};

inline constexpr std::size_t sketch_words = 16;

// A Bloom filter of the letter n-grams of a line: case, blanks and punctuation do not matter.
using Sketch = std::array<std::uint64_t, sketch_words>;

struct LineTraits {
    std::array<std::int32_t, trait_count> numbers{};
    std::uint64_t words_hash = 0;  // equal for lines with equal words
    std::uint64_t ink_hash = 0;    // equal for lines that differ in blanks alone
    std::uint64_t joint_hash = 0;  // equal for lines that differ in blanks beside marks alone
    Sketch sketch{};
};

struct LineScratch {
    std::vector<std::uint64_t> hashes;
    std::vector<char> has_letter;
    std::vector<std::size_t> borders;
};

LineTraits traits_of(std::string_view line, LineScratch& scratch);

// The number of bits that two sketches share.
int shared_bits(const Sketch& one, const Sketch& other);

}  // namespace corrigenda
