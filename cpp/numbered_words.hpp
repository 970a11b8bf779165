// The words of sentences as numbers. Each sentence numbers its own words: equal words of its source,
// its references and its hypothesis have equal numbers. Numbers of different sentences mean nothing
// to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ragged.hpp"
#include "text_ngrams.hpp"

namespace corrigenda {

struct NumberedText {
    std::vector<Token> ids;
    std::vector<std::int64_t> offsets = {0};  // one more than the number of texts
};

struct NumberedWords {
    NumberedText sources;
    NumberedText references;
    NumberedText hypotheses;  // empty if there are none
};

// The words of the source and the references have the same numbers for any hypotheses, also
// without: `texts.hypotheses` may be null. The result is the same for any number of threads. Throws
// AlignmentTooLarge.
NumberedWords number_words(const CorpusTexts& texts, std::size_t threads);

}  // namespace corrigenda
