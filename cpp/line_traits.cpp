#include "line_traits.hpp"

#include <algorithm>

#include "characters.hpp"
#include "parallel.hpp"
#include "text_units.hpp"
#include "word_marks.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kLinesPerChunk = 256;
constexpr int kMostGrams = 256;  // longer lines are sketched by their beginning
constexpr int kGram = 4;
constexpr int kDenseGram = 2;  // for scripts whose characters are syllables or words

const std::array<Character, 128>& ascii() {
    static const std::array<Character, 128> table = [] {
        std::array<Character, 128> made{};
        for (Token code = 0; code < 128; ++code) {
            made[static_cast<std::size_t>(code)] = described(code);
        }
        return made;
    }();
    return table;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29);
}

bool is_digit(Token code) { return code >= '0' && code <= '9'; }

// `n't`: the blank before it is a tokeniser's.
bool is_negation(std::string_view word) {
    return word.size() >= 3 && (word[0] | 0x20) == 'n' && contraction(word) == 2;
}

// Whether it is a letter or digit of a script with blanks between words.
bool joins(Token code) {
    if (code < 0x80) return is_digit(code) || is_ascii_letter(static_cast<char>(code));
    const Script script = script_of(code);
    return script != script_none && !has_no_blanks(script);
}

Token first_of(std::string_view word) {
    std::size_t at = 0;
    return next_code_point(word, at);
}

// Of the letters and digits of a word, whatever their case.
std::int32_t content_hash(std::string_view word) {
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < word.size();) {
        const Token code = next_code_point(word, at);
        if (is_digit(code) || script_of(code) != script_none) {
            hash = mixed(hash, static_cast<std::uint64_t>(described(code).folded));
        }
    }
    return static_cast<std::int32_t>(hash >> 33);
}

// The sketch of the letters so far: their last n-gram, and how many there were.
class Sketcher {
public:
    explicit Sketcher(Sketch& sketch) : sketch_(sketch) {}

    void add(Token letter, bool dense) {
        recent_ = recent_ << 16 ^ static_cast<std::uint64_t>(letter);
        ++letters_;
        const int size = dense ? kDenseGram : kGram;
        if (letters_ < size || grams_ == kMostGrams) return;
        ++grams_;
        const std::uint64_t gram = dense ? recent_ & 0xFFFFFFFFULL : recent_;
        const std::uint64_t bit = (gram * 0x9E3779B97F4A7C15ULL) >> 54;  // of 1024
        sketch_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    }

private:
    Sketch& sketch_;
    std::uint64_t recent_ = 0;
    int letters_ = 0;
    int grams_ = 0;
};

// The words of a line are read letter by letter, and everything is counted in this one pass.
class LineReader {
public:
    LineReader(std::string_view line, LineScratch& scratch)
        : line_(line), scratch_(scratch), sketcher_(found_.sketch), count_(found_.numbers) {}

    LineTraits read() {
        scratch_.hashes.clear();
        scratch_.has_letter.clear();
        for_each_word(line_, [this](std::string_view word) { read_word(word); });
        count_[trait_letters] += scripts_[script_latin];
        for (int script = script_latin + 1; script < script_count; ++script) {
            count_[trait_letters] += scripts_[script];
        }
        count_[trait_glued] += final_stop_;
        // Some languages have such letters; where they begin a third of the words, they are marks.
        if (byte_blanks_ > 1 && 3 * byte_blanks_ >= count_[trait_words]) {
            count_[trait_sentencepiece] += byte_blanks_;
        }
        count_[trait_last] = last_;
        count_[trait_final_marks] = final_marks_;
        const auto most = std::max_element(scripts_.begin(), scripts_.end());
        count_[trait_script] = *most > 0 ? static_cast<std::int32_t>(most - scripts_.begin()) : 0;
        count_[trait_repeats] = std::max(repeats(scratch_), looping_);
        count_[trait_width] = static_cast<std::int32_t>(
            std::count_if(begin_, end_, [](char byte) { return (byte & 0xC0) != 0x80; }));
        found_.ink_hash = ink_;
        found_.joint_hash = mixed(joint_, ink_);
        count_[trait_first_word] = content_hash(first_word_);
        count_[trait_last_word] = content_hash(last_word_);
        return found_;
    }

private:
    void read_word(std::string_view word) {
        if (count_[trait_words] == 0) begin_ = word.data();
        if (joins_ && joins(first_of(word)) && !is_negation(word)) joint_ = mixed(joint_, ink_);
        end_ = word.data() + word.size();
        std::uint64_t hash = 0x51ED270B;
        unsigned in_word = 0;  // the scripts of its letters
        bool has_digit = false;
        bool in_run = false;  // of letters
        Token before = 0;     // the character before the last
        Token last = 0;
        int characters = 0;
        for (std::size_t at = 0; at < word.size();) {
            const std::size_t begin = at;
            const auto byte = static_cast<unsigned char>(word[at]);
            Token code = byte;
            if (byte < 0x80) {
                ++at;
            } else {
                code = next_code_point(word, at);
            }
            hash = (hash ^ static_cast<std::uint64_t>(code)) * 0x9E3779B97F4A7C15ULL;
            ink_ = (ink_ ^ static_cast<std::uint64_t>(code)) * 0xD6E8FEB86659FD93ULL;
            const Character& character = byte < 0x80 ? ascii()[byte] : slow_ = described(code);
            count_[trait_broken] += byte >= 0x80 && is_mojibake(last, code);
            const bool is_letter = character.script != script_none;
            count_[trait_runs] += is_letter && !in_run;
            // Apostrophes, accents of their own and characters that nobody sees cut nothing.
            in_run = is_letter || (in_run && (byte >= 0x80 || byte == '\''));
            if (is_letter) {
                final_marks_ = 0;
                count_[trait_broken] +=
                    last == '?' && (characters == 1 || script_of(before) != script_none);
                in_word |= 1U << character.script;
                ++scripts_[character.script];
                count_[trait_upper] += character.cased == case_upper;
                count_[trait_lower] += character.cased == case_lower;
                if (characters == 0) first_letter(character.cased);
                if (count_[trait_first_case] == 0) count_[trait_first_case] = character.cased;
                sketcher_.add(character.folded,
                              character.script == script_cjk || character.script == script_hangul);
            } else {
                has_digit = has_digit || is_digit(code);
                other_character(code, last, word, begin);
            }
            count_[trait_inner_hyphens] += last == '-' && joins(code) && joins(before);
            byte_blanks_ += code == 0x120;  // a blank of GPT-2's subwords
            if (characters++ == 0 && count_[trait_words] == 0) count_[trait_first] = code;
            before = last;
            last = code;
        }
        ++count_[trait_words];
        count_[trait_characters] += characters;
        last_ = last;
        joins_ = joins(last);
        word_ends(word, before, last, characters);
        const bool latin = in_word >> script_latin & 1U;
        const bool lookalike = in_word & (1U << script_greek | 1U << script_cyrillic |
                                          1U << script_armenian | 1U << script_fullwidth);
        count_[trait_mixed_words] += latin && lookalike;
        hash ^= hash >> 32;
        found_.words_hash = mixed(found_.words_hash, hash);
        if (in_word != 0 || has_digit) {
            if (first_word_.empty()) first_word_ = word;
            last_word_ = word;
        }
        scratch_.hashes.push_back(hash);
        scratch_.has_letter.push_back(in_word != 0);
    }

    void first_letter(Case cased) {
        if (cased == case_none) return;
        ++count_[trait_cased_words];
        count_[trait_capitalised] += cased == case_upper;
    }

    void other_character(Token code, Token last, std::string_view word, std::size_t begin) {
        final_marks_ = is_end(code) ? final_marks_ + 1 : 0;
        if (is_digit(code)) {
            sketcher_.add(code, false);
            count_[trait_digits] += code != '0';
        } else if (is_punctuation(code)) {
            ++count_[trait_marks];
            count_[trait_commas] += is_comma(code);
            count_[trait_wide_marks] += is_wide_mark(code);
        } else if (code == '\'' && last == '\'' && !was_pair_) {
            --count_[trait_straight];  // two of them are one quote, as `` is
            ++count_[trait_curly];
            was_pair_ = true;
            return;
        } else if (code == '\'' || code == '"') {
            ++count_[trait_straight];
        } else if (code == '<') {
            const auto start = static_cast<std::size_t>(word.data() - line_.data());
            count_[trait_tags] += is_tag(line_.substr(start + begin));
        } else if (code == '&' || code == '\\') {
            count_[trait_entities] += is_entity(word.substr(begin));
        } else if (is_curly(code)) {
            ++count_[trait_curly];
        } else if (is_invisible(code, last)) {
            ++count_[trait_invisible];
        } else if (code == 0x2047) {
            ++count_[trait_unknown];  // SentencePiece writes it for what it does not know
        } else if (code == 0x2010 || code == 0x2011) {
            ++count_[trait_mixed_words];
        } else if (code == 0x2581 || code == 0xFFED) {
            ++count_[trait_sentencepiece];
        } else if (is_wide_mark(code)) {
            ++count_[trait_wide_marks];
        }
        count_[trait_broken] += code == 0xFFFD;
        was_pair_ = false;
    }

    void word_ends(std::string_view word, Token before, Token last, int characters) {
        final_stop_ = false;
        if (characters == 1) {
            count_[trait_free] += is_mark(last) || last == '.';
            count_[trait_free_hyphens] += last == '-';
            return;
        }
        if (last == '.' || last == '@' || is_mark(last)) {
            const bool after_text =
                script_of(before) != script_none || (before >= '0' && before <= '9');
            const bool is_escaped = last == ';' && word.find('&') != std::string_view::npos;
            count_[trait_glued] += after_text && is_mark(last) && !is_escaped;
            final_stop_ = after_text && last == '.' && characters > 2;
            count_[trait_bpe] += last == '@' && (before == '@' || is_joint(word));
        }
        // Most words begin with a letter and end without a star: they have no such marks.
        if (last == '*' || word[0] == 'U' || !is_ascii_letter(word[0])) {
            count_[trait_emphasis] += is_emphasis(word);
            count_[trait_unknown] += is_unknown(word);
            count_[trait_wordpiece] += is_wordpiece(word);
        }
        if (word.size() >= kShortestLoop) looping_ = std::max(looping_, loops(word));
        if (last >= 0x80 || !is_ascii_letter(static_cast<char>(last))) return;
        if (const int kind = contraction(word)) {
            ++count_[kind == 1 ? trait_glued_contractions : trait_free_contractions];
        } else if (characters == 2 && is_cut_contraction(word)) {
            ++count_[trait_cut_contractions];
        }
    }

    std::string_view line_;
    LineScratch& scratch_;
    LineTraits found_;
    Sketcher sketcher_;
    std::array<std::int32_t, trait_count>& count_;
    std::array<std::int32_t, script_count> scripts_{};
    std::uint64_t ink_ = 0;
    const char* begin_ = nullptr;  // the text from the first word to the last
    const char* end_ = nullptr;
    Character slow_{};
    Token last_ = 0;
    std::uint64_t joint_ = 0;
    std::int32_t final_marks_ = 0;
    bool final_stop_ = false;
    bool joins_ = false;  // the last character is a letter or digit of a script with blanks
    std::string_view first_word_;  // with letters or digits
    std::string_view last_word_;
    bool was_pair_ = false;
    std::int32_t byte_blanks_ = 0;
    std::int32_t looping_ = 0;  // how often a word repeats its letters
};

}  // namespace

LineTraits traits_of(std::string_view line, LineScratch& scratch) {
    return LineReader(line, scratch).read();
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "python_texts.hpp"

namespace corrigenda {
namespace {

// Numbers [lines, traits], hashes [lines, 3] and sketches [lines, words] of lines.
nb::tuple line_traits(nb::handle texts, std::size_t threads) {
    Utf8 utf8;
    const std::vector<std::string_view> views = utf8.views(texts);
    const std::size_t lines = views.size();
    std::vector<std::int32_t> numbers(lines * trait_count);
    std::vector<std::uint64_t> hashes(lines * 3);
    std::vector<std::uint64_t> sketches(lines * sketch_words);
    {
        const nb::gil_scoped_release unlocked;
        parallel_for(lines, threads, kLinesPerChunk, [&] {
            return [&, scratch = LineScratch()](std::size_t line) mutable {
                const LineTraits found = traits_of(views[line], scratch);
                std::copy(found.numbers.begin(), found.numbers.end(),
                          numbers.begin() + static_cast<std::ptrdiff_t>(line * trait_count));
                hashes[3 * line] = found.words_hash;
                hashes[3 * line + 1] = found.ink_hash;
                hashes[3 * line + 2] = found.joint_hash;
                std::copy(found.sketch.begin(), found.sketch.end(),
                          sketches.begin() + static_cast<std::ptrdiff_t>(line * sketch_words));
            };
        });
    }
    return nb::make_tuple(to_numpy_rows(std::move(numbers), trait_count),
                          to_numpy_rows(std::move(hashes), 3),
                          to_numpy_rows(std::move(sketches), sketch_words));
}

}  // namespace

CORRIGENDA_BINDINGS(line_traits) {
    module.def("line_traits", &line_traits, "texts"_a, "threads"_a);
}

}  // namespace corrigenda
#endif
