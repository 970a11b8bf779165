// ERRANT's alignment of two sentences: Damerau-Levenshtein over words. A substitution costs more if
// the two words have less in common (lemma, part of speech, letters). Words may also change places.
// The path is the one that the errant package takes, with the same ties and the same rounding.
// Other costs (see AlignCosts) serve languages without a parser; ties are settled in the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace corrigenda {

// The properties of a word that the costs use. The numbers come from the parser; equal numbers mean
// equal strings.
struct ParsedWord {
    std::uint64_t orth;
    std::uint64_t lower;
    std::uint64_t lemma;
    std::uint64_t part_of_speech;
};

// A parsed sentence: its words, and the letters (code points) of all words, one after another.
struct ParsedSentence {
    // `letters` holds the words, joined by single spaces.
    ParsedSentence(const ParsedWord* words, std::size_t size, const std::uint32_t* letters,
                   std::size_t letter_count);

    std::size_t size() const { return words.size(); }
    std::size_t word_length(std::size_t word) const {
        return letter_offsets[word + 1] - letter_offsets[word];
    }

    std::vector<ParsedWord> words;
    std::vector<std::uint32_t> letters;
    std::vector<std::size_t> letter_offsets;
};

// A step of the path: source words [start, end) become target words [begin, finish).
// A transposition has the same number of words on both sides.
enum class AlignStep : std::int32_t { match, substitution, insertion, deletion, transposition };

struct AlignedSpan {
    AlignStep step;
    std::int32_t start, end, begin, finish;
};

// What a substitution costs, and whether words may change places.
// - linguistic: as above.
// - levenshtein: every substitution costs 1, and nothing changes places (errant's option -lev).
// - characters: ChERRANT's costs of Chinese characters of which its dictionaries say nothing. The
//   part of speech is 1 for punctuation and 0 for everything else. Characters change places.
enum class AlignCosts : std::int32_t { linguistic, levenshtein, characters };

// Reuses its memory: one object serves any number of sentences.
class ErrantAligner {
public:
    // Linguistic costs: a substitution is cheaper if both parts of speech are in this list.
    explicit ErrantAligner(std::vector<std::uint64_t> open_parts_of_speech,
                           AlignCosts costs = AlignCosts::linguistic)
        : open_parts_of_speech_(std::move(open_parts_of_speech)), costs_(costs) {}

    // The path from left to right; valid until the next call.
    const std::vector<AlignedSpan>& align(const ParsedSentence& source,
                                          const ParsedSentence& target);

private:
    struct Cell {
        double cost;
        AlignStep step;
        std::int32_t moved;  // the number of words of a transposition
    };

    Cell& cell(std::size_t row, std::size_t column) { return cells_[row * columns_ + column]; }
    void number_lower_words();
    void fill_edges();
    void fill_cell(std::size_t row, std::size_t column);
    double substitution_cost(std::size_t row, std::size_t column);
    double linguistic_cost(std::size_t row, std::size_t column);
    double character_cost(std::size_t row, std::size_t column) const;
    double letter_cost(std::size_t row, std::size_t column);
    std::size_t common_letters(std::size_t row, std::size_t column);
    std::size_t transposed_words(std::size_t row, std::size_t column);
    bool is_open(std::uint64_t part_of_speech) const;
    void trace_back();

    std::vector<std::uint64_t> open_parts_of_speech_;
    AlignCosts costs_;
    const ParsedSentence* source_ = nullptr;
    const ParsedSentence* target_ = nullptr;
    std::size_t columns_ = 0;
    std::vector<Cell> cells_;
    std::vector<AlignedSpan> path_;
    // Lower-cased words as small numbers, and the count of each in the source minus that in the
    // target.
    std::vector<std::int32_t> source_lower_;
    std::vector<std::int32_t> target_lower_;
    std::vector<std::int32_t> balance_;
    std::vector<std::int32_t> common_row_;
};

}  // namespace corrigenda
