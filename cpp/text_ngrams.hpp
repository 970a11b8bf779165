// n-gram counts straight from text: no vocabulary, no index, one pass over the sentences.
//
// Words are compared only within a sentence, so every sentence numbers its own. Most of a sentence
// is the same in the source, the references and the hypothesis. What they all share in runs is
// counted by the lengths of the runs; only the n-grams around changes are looked up.
// docs/adr/0110-shared-runs.md proves that the counts stay the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ngram_trie.hpp"
#include "prepared.hpp"
#include "ragged.hpp"

namespace corrigenda {

struct TextCounting {
    TextUnit unit = TextUnit::word;
    std::size_t order = 4;
    bool pooled = false;  // the references of a sentence become one, as in NgramTrie
    bool types = true;    // also `source_only` and `reference_only`; they stay 0 otherwise
};

// Texts of a corpus. The references of sentence i are reference_offsets[i] up to
// reference_offsets[i + 1].
struct CorpusTexts {
    const std::string_view* sources = nullptr;
    const std::string_view* references = nullptr;
    const std::int64_t* reference_offsets = nullptr;
    const std::string_view* hypotheses = nullptr;
    std::size_t count = 0;
};

// The same, for words that have the numbers of numbered_words.hpp.
struct NumberedTexts {
    Ragged sources;
    Ragged references;
    const std::int64_t* reference_offsets = nullptr;
    Ragged hypotheses;
    std::size_t count = 0;
};

// Where the counts go. With `pooled` there is one row per sentence, otherwise one per reference.
struct TextCounts {
    std::int64_t* counts = nullptr;              // [row][n][kind]
    std::int64_t* hypothesis_lengths = nullptr;  // [sentence]
    std::int64_t* reference_lengths = nullptr;   // [reference]
};

void count_text_ngrams(const CorpusTexts& texts, const TextCounting& counting, std::size_t threads,
                       const TextCounts& out);

// Throws std::invalid_argument if the words of a sentence have other numbers than 0, 1, 2, … in the
// order in which they come.
void count_numbered_ngrams(const NumberedTexts& texts, const TextCounting& counting,
                           std::size_t threads, const TextCounts& out);

}  // namespace corrigenda
