// Turns words into token ids. A vocabulary is filled with the words of a corpus (sources,
// references, gold corrections). After that it is only read, so any number of threads may encode
// with it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ragged.hpp"

namespace corrigenda {

// The id of all words that are not in the corpus. Two unknown words are never compared with each
// other: metrics only look for the words of a hypothesis in the source and in the references.
constexpr Token kUnknownWord = -1;

struct EncodedText {
    std::vector<Token> ids;
    std::vector<std::int64_t> offsets;  // one more than the number of sentences
};

class Vocabulary {
public:
    // Texts are UTF-8: sentences separated by '\n', words by single ' '.
    EncodedText add(std::string_view text);           // new words get the next ids
    EncodedText encode(std::string_view text) const;  // new words become `kUnknownWord`
    std::size_t size() const { return words_.size(); }

private:
    std::deque<std::string> words_;  // the views in `ids_` stay valid when a deque grows
    std::unordered_map<std::string_view, Token> ids_;
};

}  // namespace corrigenda
