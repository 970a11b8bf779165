// The lines of a text file, found in its bytes and checked. Nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace corrigenda {

enum class LineProblem { none, too_long, not_text };

struct ScannedLines {
    std::vector<std::string_view> lines;      // without their line ends
    std::size_t end = 0;                      // where the next line begins
    LineProblem problem = LineProblem::none;  // of the line that begins at `end`
};

// At most `most` lines of `data` from `begin` on. Only LF or CRLF ends a line. A last line without
// a line end counts if `at_end`. The scan stops before a line that has more than `longest` bytes
// with its line end, that is not UTF-8, or that has a NUL byte.
ScannedLines scan_lines(std::string_view data, std::size_t begin, std::size_t most,
                        std::size_t longest, bool at_end);

// The texts data[begins[i], ends[i]). Nothing if one of them is not a sentence: it is not UTF-8, or
// it has a line end or a NUL byte. The caller checks that the texts are inside the data.
std::optional<std::vector<std::string_view>> sentences_in(std::string_view data,
                                                          const std::int64_t* begins,
                                                          const std::int64_t* ends,
                                                          std::size_t count);

// The number of LF. Python's `bytes.count` starts a new search after each of them.
std::size_t count_line_ends(std::string_view data);

// Whether all bytes are ASCII.
bool is_ascii(std::string_view text);

// Whether a text is UTF-8 as Python decodes it: no surrogates, no long forms.
bool is_utf8(std::string_view text);

}  // namespace corrigenda
