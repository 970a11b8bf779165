// Texts of JSON lines of the plain kind, found in their bytes. Whatever is not plain is left to a
// reader that can say what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corrigenda {

using Texts = std::vector<std::string_view>;

// What to find in each object. `keys` may be any text; `texts` and `references` are sentences.
struct JsonColumns {
    std::vector<std::string> texts;
    std::vector<std::string> references;
    std::vector<std::string> keys;
    std::size_t most_references = 0;  // of a row
};

struct JsonTexts {
    std::vector<Texts> texts;       // [column][row]
    std::vector<Texts> references;  // [reference][row]
    std::vector<Texts> keys;        // [column][row]
    std::string decoded;            // the strings that had escapes; views point into it
};

// The texts of the lines data[begins[i], ends[i]). Nothing unless each line is plain:
// - UTF-8 and one object, without a repeated key, without an escape in a key and without objects
//   inside; not longer than `longest`;
// - each of `texts` and `keys` is a string, each of `references` a string, a list of strings, null
//   or missing, and all rows have the same number of references;
// - sentences have no line end and no NUL, and no string has half of a character.
// The caller checks that the lines are inside the data.
std::optional<JsonTexts> json_texts(std::string_view data, const std::int64_t* begins,
                                    const std::int64_t* ends, std::size_t lines,
                                    std::size_t longest, const JsonColumns& columns);

}  // namespace corrigenda
