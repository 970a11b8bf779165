#include "characters.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace corrigenda {
namespace {

// Punctuation and digits, and vowels over and under letters, which most texts leave out.
bool is_arabic_sign(Token code) {
    return code < 0x620 || code == 0x640 || (code >= 0x64B && code <= 0x66D) || code == 0x670 ||
           code == 0x6D4 || (code >= 0x6F0 && code <= 0x6F9);
}

// The letters of ASCII that Latin letters with accents stand for; `-` where there is none.
constexpr std::string_view kLatin =  // from U+00C0 on
    "aaaaaaaceeeeiiiidnooooo-ouuuuytsaaaaaaaceeeeiiiidnooooo-ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii--jjkk-lllllll"
    "lllnnnnnn---oooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz-"
    "--------------------------------oo-------------uu---------------"
    "-------------aaiioouuuuuuuuuu-aaaaaa--ggkkoooo--j---gg--nnaaaaoo"
    "aaaaeeeeiiiioooorrrruuuusstt--hh------aaeeooooooooyy------------"
    "----------------";
constexpr std::string_view kMoreLatin =  // from U+1E00 on
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
    "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
    "wwwwwwwwwwxxxxyyzzzzzzhtwy------aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy------";

struct Accented {
    Token letter;
    Token plain;
};

constexpr std::array<Accented, 24> kAccented = {{
    {0x386, 0x3B1}, {0x388, 0x3B5}, {0x389, 0x3B7}, {0x38A, 0x3B9}, {0x38C, 0x3BF},
    {0x38E, 0x3C5}, {0x38F, 0x3C9}, {0x390, 0x3B9}, {0x3AA, 0x3B9}, {0x3AB, 0x3C5},
    {0x3AC, 0x3B1}, {0x3AD, 0x3B5}, {0x3AE, 0x3B7}, {0x3AF, 0x3B9}, {0x3B0, 0x3C5},
    {0x3CA, 0x3B9}, {0x3CB, 0x3C5}, {0x3CC, 0x3BF}, {0x3CD, 0x3C5}, {0x3CE, 0x3C9},  // of Greek
    {0x401, 0x435}, {0x451, 0x435},                                                  // ё
    {0x623, 0x627}, {0x625, 0x627},  // alif with hamza
}};

Token without_accents(Token code) {
    if (code >= 0xC0 && code < 0x250) {
        const char plain = kLatin[static_cast<std::size_t>(code - 0xC0)];
        return plain == '-' ? code : static_cast<Token>(plain);
    }
    if (code >= 0x1E00 && code < 0x1F00) {
        const char plain = kMoreLatin[static_cast<std::size_t>(code - 0x1E00)];
        return plain == '-' ? code : static_cast<Token>(plain);
    }
    if (code < 0x386 || code > 0x625) return code;
    for (const Accented& each : kAccented) {
        if (each.letter == code) return each.plain;
    }
    return code;
}

}  // namespace

Script script_of(Token code) {
    if (code < 0x80)
        return ((code | 0x20) >= 'a' && (code | 0x20) <= 'z') ? script_latin : script_none;
    if (code < 0xC0) return script_none;
    if (code < 0x250) return code == 0xD7 || code == 0xF7 ? script_none : script_latin;
    if (code < 0x370) return script_none;
    if (code < 0x400) return code == 0x37E || code == 0x387 ? script_none : script_greek;
    if (code < 0x530) return script_cyrillic;
    if (code < 0x590) return script_armenian;
    if (code < 0x600) return code < 0x5D0 ? script_none : script_hebrew;  // or vowel signs
    if (code < 0x780) return is_arabic_sign(code) ? script_none : script_arabic;
    if (code < 0x900) return script_other;
    if (code < 0xE00) return code == 0x964 || code == 0x965 ? script_none : script_indic;
    if (code < 0xE80) return script_thai;
    if (code < 0xF00) return script_lao;
    if (code < 0x1000) return script_tibetan;
    if (code < 0x10A0) return script_burmese;
    if (code < 0x1100) return script_georgian;
    if (code < 0x1200) return script_hangul;
    if ((code >= 0x1780 && code < 0x1800) || (code >= 0x19E0 && code < 0x1A00)) return script_khmer;
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
    if (code >= 0xFB00 && code <= 0xFB06) return script_fullwidth;  // ligatures of Latin
    if ((code >= 0xFF21 && code <= 0xFF3A) || (code >= 0xFF41 && code <= 0xFF5A)) {
        return script_fullwidth;
    }
    if (code >= 0x1D400 && code < 0x1D7CE) return script_fullwidth;  // bold letters of mathematics
    if (code >= 0x20000 && code < 0x32000) return script_cjk;
    return script_none;
}

namespace {

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
    const Token plain = without_accents(code);
    if (plain != code || case_of(code) != case_upper) return plain;
    if (code >= 0x100 && code < 0x180) return code + 1;
    if (code >= 0x400 && code < 0x410) return code + 0x50;
    return code + 0x20;
}

}  // namespace

Character described(Token code) { return {script_of(code), case_of(code), folded(code)}; }

bool is_invisible(Token code, Token before) {
    if (code < 0x80) return code < 0x20 && !(code >= 0x09 && code <= 0x0D) && !(code >= 0x1C);
    const Script script = script_of(before);
    // People write them: joiners in Persian, Hindi and emojis, blanks between words of Khmer.
    if (code == 0x200C || code == 0x200D) {
        const bool in_emoji = script == script_none && before >= 0x2190;
        return !(in_emoji || (script >= script_arabic && script <= script_khmer));
    }
    if (code == 0x200B) return !(script >= script_thai && script <= script_khmer);
    if (code >= 0xFE00 && code <= 0xFE0F) return script != script_none && script != script_cjk;
    return code == 0xAD || code == 0x34F || code == 0x61C || code == 0x180E || code == 0x200E ||
           code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

bool is_curly(Token code) {
    return (code >= 0x2018 && code <= 0x201F) || code == 0xB4 || code == 0x2032 || code == 0x2033 ||
           code == 0xAB || code == 0xBB || code == '`';
}

namespace {

// What cp1252 has for the bytes 0x80 to 0x9F.
constexpr std::array<Token, 27> kCp1252 = {0x152,  0x153,  0x160,  0x161,  0x178,  0x17D,  0x17E,
                                           0x192,  0x2C6,  0x2DC,  0x2013, 0x2014, 0x2018, 0x2019,
                                           0x201A, 0x201C, 0x201D, 0x201E, 0x2020, 0x2021, 0x2022,
                                           0x2026, 0x2030, 0x2039, 0x203A, 0x20AC, 0x2122};

}  // namespace

bool is_mojibake(Token code, Token next) {
    const bool leads = (code >= 0xC2 && code <= 0xC5) || code == 0xCE || code == 0xCF ||
                       code == 0xD0 || code == 0xD1;
    if (code == 0xE2) return next == 0x80 || next == 0x20AC;
    if (!leads) return false;
    return (next >= 0x80 && next <= 0xBF) ||
           std::binary_search(kCp1252.begin(), kCp1252.end(), next);
}

}  // namespace corrigenda
