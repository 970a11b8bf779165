#include "line_traits.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>

#include "parallel.hpp"
#include "text_units.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kLinesPerChunk = 256;
constexpr int kMostGrams = 256;  // longer lines are sketched by their beginning
constexpr int kGram = 4;
constexpr int kDenseGram = 2;  // for scripts whose characters are syllables or words
constexpr std::size_t kLongestPeriod = 8;

enum Script : int {
    script_none,
    script_latin,
    script_greek,
    script_cyrillic,
    script_armenian,
    script_hebrew,
    script_arabic,
    script_indic,
    script_thai,
    script_georgian,
    script_hangul,
    script_cjk,
    script_fullwidth,
    script_other,
    script_count
};

Script script_of(Token code) {
    if (code < 0x80)
        return ((code | 0x20) >= 'a' && (code | 0x20) <= 'z') ? script_latin : script_none;
    if (code < 0xC0) return script_none;
    if (code < 0x250) return code == 0xD7 || code == 0xF7 ? script_none : script_latin;
    if (code < 0x370) return script_none;
    if (code < 0x400) return code == 0x37E || code == 0x387 ? script_none : script_greek;
    if (code < 0x530) return script_cyrillic;
    if (code < 0x590) return script_armenian;
    if (code < 0x600) return script_hebrew;
    if (code < 0x780) return script_arabic;
    if (code < 0x900) return script_other;
    if (code < 0xE00) return script_indic;
    if (code < 0xF00) return script_thai;
    if (code >= 0x10A0 && code < 0x1100) return script_georgian;
    if (code >= 0x1100 && code < 0x1200) return script_hangul;
    if (code < 0x1E00) return script_other;
    if (code < 0x1F00) return script_latin;
    if (code < 0x2000) return script_greek;
    if (code < 0x2E80) return script_none;
    if (code >= 0x3000 && code < 0x3040) return script_none;
    if (code >= 0x3130 && code < 0x3190) return script_hangul;
    if (code < 0xA000) return script_cjk;
    if (code >= 0xAC00 && code < 0xD800) return script_hangul;
    if (code >= 0xD800 && code < 0xF900) return script_none;
    if (code < 0xAC00) return script_other;
    if (code < 0xFB00) return script_cjk;
    if (code >= 0xFB50 && code < 0xFE00) return script_arabic;
    if (code >= 0xFE70 && code < 0xFEFF) return script_arabic;
    if ((code >= 0xFF21 && code <= 0xFF3A) || (code >= 0xFF41 && code <= 0xFF5A)) {
        return script_fullwidth;
    }
    if (code >= 0x20000 && code < 0x32000) return script_cjk;
    return script_none;
}

enum Case : int { case_none, case_upper, case_lower };

Case case_of(Token code) {
    if (code < 0x80) {
        return code >= 'A' && code <= 'Z'   ? case_upper
               : code >= 'a' && code <= 'z' ? case_lower
                                            : case_none;
    }
    if (code >= 0xC0 && code < 0x100) {
        return code == 0xD7 || code == 0xF7 ? case_none : code < 0xDF ? case_upper : case_lower;
    }
    if (code >= 0x100 && code < 0x180) return code % 2 == 0 ? case_upper : case_lower;
    if (code >= 0x391 && code <= 0x3A9) return case_upper;
    if (code >= 0x3AC && code <= 0x3CE) return case_lower;
    if (code >= 0x400 && code < 0x430) return case_upper;
    if (code >= 0x430 && code < 0x460) return case_lower;
    return case_none;
}

Token folded(Token code) {
    if (case_of(code) != case_upper) return code;
    if (code >= 0x100 && code < 0x180) return code + 1;
    if (code >= 0x400 && code < 0x410) return code + 0x50;
    return code + 0x20;
}

struct Character {
    Script script;
    Case cased;
    Token folded;
};

Character described(Token code) { return {script_of(code), case_of(code), folded(code)}; }

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

// Characters that nobody sees. Some scripts and emojis need the joiners; the checks compare lines
// with their sources, so a text that uses them as its source does is not suspicious.
bool is_invisible(Token code) {
    if (code < 0x80) return code < 0x20 && !(code >= 0x09 && code <= 0x0D) && !(code >= 0x1C);
    return code == 0xAD || code == 0x34F || code == 0x61C || code == 0x180E ||
           (code >= 0x200B && code <= 0x200F) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

bool is_curly(Token code) {
    return (code >= 0x2018 && code <= 0x201F) || code == 0xB4 || code == 0x2032 || code == 0x2033 ||
           code == 0xAB || code == 0xBB;
}

bool is_mark(Token code) {
    return code == ',' || code == ';' || code == ':' || code == '?' || code == '!';
}

bool is_ascii_letter(char byte) {
    const char lower = static_cast<char>(byte | 0x20);
    return lower >= 'a' && lower <= 'z';
}

bool is_ascii_digit(char byte) { return byte >= '0' && byte <= '9'; }

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29);
}

// `<b>`, `</b>`, `<s id="1">`: from `<` on.
bool is_tag(std::string_view rest) {
    if (rest.size() < 3 || !(is_ascii_letter(rest[1]) || rest[1] == '/' || rest[1] == '!')) {
        return false;
    }
    const std::string_view near = rest.substr(0, 80);
    const std::size_t end = near.find('>');
    // `<unk>` is a word that a system does not know. Its score should show that.
    if (near.substr(0, 5) == "<unk>" || near.substr(0, 5) == "<UNK>") return false;
    return end != std::string_view::npos &&
           near.substr(1, end - 1).find('<') == std::string_view::npos;
}

// `&quot;`, `&#39;`: from `&` on.
bool is_entity(std::string_view rest) {
    std::size_t at = rest.size() > 1 && rest[1] == '#' ? 2 : 1;
    const std::size_t begin = at;
    while (at < rest.size() && at < 12 && (is_ascii_letter(rest[at]) || is_ascii_digit(rest[at])))
        ++at;
    return at - begin >= 2 && at < rest.size() && rest[at] == ';';
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

// 1: a contraction that is one with its verb (`isn't`); 2: one of its own (`n't`, `'s`); else 0.
int contraction(std::string_view word) {
    for (std::size_t length = 1; length <= 2 && length < word.size(); ++length) {
        const std::size_t end = word.size() - length;  // the apostrophe ends here
        const bool straight = word[end - 1] == '\'';
        const bool curly = end >= 3 && word.substr(end - 3, 3) == "\xE2\x80\x99";
        if (!straight && !curly) continue;
        const char lower[2] = {static_cast<char>(word[end] | 0x20),
                               static_cast<char>(word.back() | 0x20)};
        const std::string_view ending(lower, length);
        if (!is_one_of(ending, {"s", "t", "re", "ve", "ll", "d", "m"})) return 0;
        const std::string_view verb = word.substr(0, end - (straight ? 1 : 3));
        if (verb.empty()) return ending == "t" ? 0 : 2;
        if (verb.size() == 1 && (verb[0] | 0x20) == 'n' && ending == "t") return 2;
        return is_ascii_letter(verb.back()) ? 1 : 0;
    }
    return 0;
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

// How often one n-gram comes in a row. Runs of punctuation (`. . . .`) do not count.
int repeats(const LineScratch& words) {
    const auto& hashes = words.hashes;
    int most = 1;
    for (std::size_t period = 1; period <= kLongestPeriod && 2 * period <= hashes.size();
         ++period) {
        std::size_t run = 0;
        bool letters = false;
        for (std::size_t at = period; at < hashes.size(); ++at) {
            if (hashes[at] != hashes[at - period]) {
                run = 0;
                letters = false;
                continue;
            }
            ++run;
            letters = letters || words.has_letter[at];
            if (letters) most = std::max(most, static_cast<int>(run / period) + 1);
        }
    }
    return most;
}

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
        count_[trait_last] = last_;
        const auto most = std::max_element(scripts_.begin(), scripts_.end());
        count_[trait_script] = *most > 0 ? static_cast<std::int32_t>(most - scripts_.begin()) : 0;
        count_[trait_repeats] = repeats(scratch_);
        count_[trait_width] = static_cast<std::int32_t>(
            std::count_if(begin_, end_, [](char byte) { return (byte & 0xC0) != 0x80; }));
        found_.ink_hash = ink_;
        return found_;
    }

private:
    void read_word(std::string_view word) {
        if (count_[trait_words] == 0) begin_ = word.data();
        end_ = word.data() + word.size();
        std::uint64_t hash = 0x51ED270B;
        unsigned in_word = 0;  // the scripts of its letters
        Token before = 0;      // the character before the last
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
            if (character.script != script_none) {
                in_word |= 1U << character.script;
                ++scripts_[character.script];
                count_[trait_upper] += character.cased == case_upper;
                count_[trait_lower] += character.cased == case_lower;
                if (characters == 0) first_letter(character.cased);
                if (count_[trait_first_case] == 0) count_[trait_first_case] = character.cased;
                sketcher_.add(character.folded,
                              character.script == script_cjk || character.script == script_hangul);
            } else {
                other_character(code, word, begin);
            }
            if (characters++ == 0 && count_[trait_words] == 0) count_[trait_first] = code;
            before = last;
            last = code;
        }
        ++count_[trait_words];
        count_[trait_characters] += characters;
        last_ = last;
        word_ends(word, before, last, characters);
        const bool latin = in_word >> script_latin & 1U;
        const bool lookalike = in_word & (1U << script_greek | 1U << script_cyrillic |
                                          1U << script_armenian | 1U << script_fullwidth);
        count_[trait_mixed_words] += latin && lookalike;
        hash ^= hash >> 32;
        found_.words_hash = mixed(found_.words_hash, hash);
        scratch_.hashes.push_back(hash);
        scratch_.has_letter.push_back(in_word != 0);
    }

    void first_letter(Case cased) {
        if (cased == case_none) return;
        ++count_[trait_cased_words];
        count_[trait_capitalised] += cased == case_upper;
    }

    void other_character(Token code, std::string_view word, std::size_t begin) {
        if (code < 0x80 && is_ascii_digit(static_cast<char>(code))) {
            sketcher_.add(code, false);
        } else if (code == '\'' || code == '"') {
            ++count_[trait_straight];
        } else if (code == '<') {
            const auto start = static_cast<std::size_t>(word.data() - line_.data());
            count_[trait_tags] += is_tag(line_.substr(start + begin));
        } else if (code == '&') {
            count_[trait_entities] += is_entity(word.substr(begin));
        } else if (is_curly(code)) {
            ++count_[trait_curly];
        } else if (is_invisible(code)) {
            ++count_[trait_invisible];
        } else if (code == 0x2581) {
            ++count_[trait_sentencepiece];
        }
    }

    void word_ends(std::string_view word, Token before, Token last, int characters) {
        final_stop_ = false;
        if (characters == 1) {
            count_[trait_free] += is_mark(last) || last == '.';
            return;
        }
        if (last == '.' || last == '@' || is_mark(last)) {
            const bool after_text =
                script_of(before) != script_none || (before >= '0' && before <= '9');
            const bool is_escaped = last == ';' && word.find('&') != std::string_view::npos;
            count_[trait_glued] += after_text && is_mark(last) && !is_escaped;
            final_stop_ = after_text && last == '.' && characters > 2;
            count_[trait_bpe] += last == '@' && before == '@';
        }
        if (word[0] == '#' && word[1] == '#' && word.size() > 2 &&
            (is_ascii_letter(word[2]) || is_ascii_digit(word[2]))) {
            ++count_[trait_wordpiece];
        }
        if (characters < 2 || (last >= 0x80 || !is_ascii_letter(static_cast<char>(last)))) return;
        if (const int kind = contraction(word)) {
            ++count_[kind == 1 ? trait_glued_contractions : trait_free_contractions];
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
    bool final_stop_ = false;
};

}  // namespace

LineTraits traits_of(std::string_view line, LineScratch& scratch) {
    return LineReader(line, scratch).read();
}

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

// Numbers [lines, traits], hashes [lines, 2] and sketches [lines, words] of lines.
nb::tuple line_traits(nb::handle texts, std::size_t threads) {
    Utf8 utf8;
    const std::vector<std::string_view> views = utf8.views(texts);
    const std::size_t lines = views.size();
    std::vector<std::int32_t> numbers(lines * trait_count);
    std::vector<std::uint64_t> hashes(lines * 2);
    std::vector<std::uint64_t> sketches(lines * sketch_words);
    {
        const nb::gil_scoped_release unlocked;
        parallel_for(lines, threads, kLinesPerChunk, [&] {
            return [&, scratch = LineScratch()](std::size_t line) mutable {
                const LineTraits found = traits_of(views[line], scratch);
                std::copy(found.numbers.begin(), found.numbers.end(),
                          numbers.begin() + static_cast<std::ptrdiff_t>(line * trait_count));
                hashes[2 * line] = found.words_hash;
                hashes[2 * line + 1] = found.ink_hash;
                std::copy(found.sketch.begin(), found.sketch.end(),
                          sketches.begin() + static_cast<std::ptrdiff_t>(line * sketch_words));
            };
        });
    }
    return nb::make_tuple(to_numpy_rows(std::move(numbers), trait_count),
                          to_numpy_rows(std::move(hashes), 2),
                          to_numpy_rows(std::move(sketches), sketch_words));
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

CORRIGENDA_BINDINGS(line_traits) {
    module.def("line_traits", &line_traits, "texts"_a, "threads"_a);
    module.def("shared_sketch_bits", &shared_sketch_bits, "ones"_a.noconvert(),
               "others"_a.noconvert(), "rows"_a.noconvert(), "other_rows"_a.noconvert());
    module.def("nearest_sketches", &nearest_sketches, "ones"_a.noconvert(), "others"_a.noconvert(),
               "rows"_a.noconvert(), "threads"_a);
}

}  // namespace corrigenda
#endif
