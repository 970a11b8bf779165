// What single words of a line show: tags, contractions, marks of subwords, and repetitions.
#pragma once

#include <string_view>

#include "line_traits.hpp"

namespace corrigenda {

// `<b>`, `</b>`, `<s id="1">`, `<|end|>`: from `<` on.
bool is_tag(std::string_view rest);

// `&quot;`, `&#39;`, or an escape that a string of a program has (`\n`): from `&` or `\` on.
bool is_entity(std::string_view rest);

// 1: a contraction that is one with its verb (`isn't`); 2: one of its own (`n't`, `'s`); else 0.
int contraction(std::string_view word);

// `'t`, which Moses leaves of `don't`.
bool is_cut_contraction(std::string_view word);

// A mark for a word that a system does not know: `<unk>`, `[UNK]`.
bool is_unknown(std::string_view word);

// `@-@` and the like: Moses cuts words there.
bool is_joint(std::string_view word);

// `##ing`
bool is_wordpiece(std::string_view word);

// `**so**`, `__so__`, `~~so~~`, `code` of Markdown, or marks of changes: `[-word-]`, `{+word+}`.
bool is_emphasis(std::string_view word);

// How often one n-gram comes in a row. Runs of punctuation (`. . . .`) do not count.
int repeats(LineScratch& words);

// Words of fewer bytes say nothing.
inline constexpr std::size_t kShortestLoop = 24;

// How often a word repeats its letters (`hahahaha`), if it does so all along; else 0.
int loops(std::string_view word);

}  // namespace corrigenda
