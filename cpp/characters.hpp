// What a character is: its script, its case, and whether it is a mark that matters to the checks of
// src/corrigenda/health.
#pragma once

#include "ragged.hpp"

namespace corrigenda {

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
    script_lao,
    script_tibetan,
    script_burmese,
    script_khmer,
    script_georgian,
    script_hangul,
    script_cjk,
    script_fullwidth,
    script_other,
    script_count
};

enum Case : int { case_none, case_upper, case_lower };

struct Character {
    Script script;
    Case cased;
    Token folded;  // the small letter, without its accents
};

Script script_of(Token code);
Character described(Token code);

// Characters that nobody sees. Some scripts and emojis need joiners and zero-width blanks: so it
// depends on the character before.
bool is_invisible(Token code, Token before);

// Other quotes than ' and ".
bool is_curly(Token code);

// Whether UTF-8 that was read as Latin-1 or cp1252 looks like these two characters: `Ã©`, `â€`, `Ð°`.
bool is_mojibake(Token code, Token next);

// , ; : ? ! of ASCII.
inline bool is_mark(Token code) {
    return code == ',' || code == ';' || code == ':' || code == '?' || code == '!';
}

// Commas of any script.
inline bool is_comma(Token code) {
    return code == ',' || code == 0x3001 || code == 0xFF0C || code == 0x60C;
}

// Marks that end a sentence, in any script.
inline bool is_end(Token code) {
    return code == '.' || code == '?' || code == '!' || code == 0x3002 || code == 0xFF0E ||
           code == 0xFF1F || code == 0xFF01 || code == 0x61F || code == 0x6D4 || code == 0x964;
}

// Commas, colons and ends of sentences, in any script.
inline bool is_punctuation(Token code) {
    return is_mark(code) || is_end(code) || is_comma(code) || code == 0xFF1A || code == 0xFF1B ||
           code == 0x61B;
}

// Full-width forms of the punctuation of ASCII.
inline bool is_wide_mark(Token code) {
    return (code >= 0xFF01 && code <= 0xFF0F) || code == 0xFF1A || code == 0xFF1B || code == 0xFF1F;
}

// Scripts that people write without blanks between words.
inline bool has_no_blanks(Script script) {
    return script == script_cjk || (script >= script_thai && script <= script_khmer);
}

inline bool is_ascii_letter(char byte) {
    const char lower = static_cast<char>(byte | 0x20);
    return lower >= 'a' && lower <= 'z';
}

inline bool is_ascii_digit(char byte) { return byte >= '0' && byte <= '9'; }

}  // namespace corrigenda
