#include "word_marks.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "characters.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kLongestPeriod = 8;
constexpr int kFewestLoops = 8;
constexpr std::size_t kLongestLoop = 4096;  // the rest of a longer word is not looked at

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

// For each beginning of a sequence, the length of its longest proper beginning that also ends it.
// A beginning of length n with the border b repeats its first n - b items.
template <typename Item>
void borders(const Item* items, std::size_t size, std::vector<std::size_t>& found) {
    found.assign(size + 1, 0);
    std::size_t border = 0;
    for (std::size_t at = 1; at < size; ++at) {
        while (border > 0 && items[at] != items[border]) border = found[border];
        border += items[at] == items[border];
        found[at + 1] = border;
    }
}

// The same for n-grams that are longer than kLongestPeriod, at the beginning or the end of a line.
int long_repeats(LineScratch& words) {
    int most = 1;
    for (int way = 0; way < 2; ++way) {
        borders(words.hashes.data(), words.hashes.size(), words.borders);
        for (std::size_t size = 1; size <= words.hashes.size(); ++size) {
            const std::size_t period = size - words.borders[size];
            if (period > kLongestPeriod) most = std::max(most, static_cast<int>(size / period));
        }
        std::reverse(words.hashes.begin(), words.hashes.end());
    }
    return most;
}

}  // namespace

bool is_tag(std::string_view rest) {
    if (rest.size() < 3 ||
        !(is_ascii_letter(rest[1]) || is_one_of(rest.substr(1, 1), {"/", "!", "?", "|"}))) {
        return false;
    }
    const std::string_view near = rest.substr(0, 80);
    const std::size_t end = near.find('>');
    if (end == std::string_view::npos || is_unknown(near.substr(0, end + 1))) return false;
    const std::string_view inside = near.substr(1, end - 1);
    if (inside.find('<') != std::string_view::npos) return false;
    // `a <b and c> d` has no tag: a tag with blanks has `=` in it, or is closed at once.
    return inside.find(' ') == std::string_view::npos || is_one_of(rest.substr(1, 1), {"!", "?"}) ||
           inside.find('=') != std::string_view::npos || inside.back() == '/';
}

bool is_entity(std::string_view rest) {
    if (rest[0] == '\\') {
        return is_one_of(rest.substr(1, 1), {"n", "r", "t", "u", "\"", "'"});
    }
    std::size_t at = rest.size() > 1 && rest[1] == '#' ? 2 : 1;
    const std::size_t begin = at;
    while (at < rest.size() && at < 12 && (is_ascii_letter(rest[at]) || is_ascii_digit(rest[at])))
        ++at;
    return at - begin >= 2 && at < rest.size() && rest[at] == ';';
}

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

bool is_cut_contraction(std::string_view word) {
    return is_one_of(word, {"'t", "'T", "\xE2\x80\x99t", "\xE2\x80\x99T"});
}

bool is_unknown(std::string_view word) {
    return is_one_of(word, {"<unk>", "<UNK>", "<Unk>", "[UNK]", "[unk]", "UNK", "@UNKNOWN@"});
}

bool is_joint(std::string_view word) {
    return word.size() == 3 && word[0] == '@' && word[2] == '@' && word[1] != '@';
}

bool is_wordpiece(std::string_view word) {
    return word.size() > 2 && word[0] == '#' && word[1] == '#' &&
           (is_ascii_letter(word[2]) || is_ascii_digit(word[2]));
}

bool is_emphasis(std::string_view word) {
    if (word.size() < 3) return false;
    const std::string_view begin = word.substr(0, 2);
    const std::string_view end = word.substr(word.size() - 2);
    // `` is a quote, ` and ``` are Markdown.
    const bool is_code = word[0] == '`' && (word[1] != '`' || word[2] == '`');
    // `____` is a gap to fill in.
    const bool has_text = word.find_first_not_of("_~") != std::string_view::npos;
    const bool is_line = has_text && (begin == "~~" || (begin == "__" && end == "__"));
    return begin == "**" || end == "**" || is_code || is_line || (begin == "[-" && end == "-]") ||
           (begin == "{+" && end == "+}");
}

int repeats(LineScratch& words) {
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
    if (hashes.size() > 3 * kLongestPeriod) most = std::max(most, long_repeats(words));
    return most;
}

int loops(std::string_view word) {
    word = word.substr(0, kLongestLoop);
    const auto letters = std::count_if(word.begin(), word.end(), [](char byte) {
        return is_ascii_letter(byte) || (byte & 0x80) != 0;
    });
    std::vector<std::size_t> found;
    borders(word.data(), word.size(), found);
    const std::size_t period = word.size() - found.back();
    const int times = static_cast<int>(word.size() / period);
    return 2 * letters >= static_cast<std::ptrdiff_t>(word.size()) && times >= kFewestLoops ? times
                                                                                            : 0;
}

}  // namespace corrigenda
