// The fuzz target of the kernel that finds texts in lines of JSON.
#include <cstdint>
#include <string>
#include <string_view>

#include "input.hpp"
#include "json_rows.hpp"
#include "oracles.hpp"

namespace corrigenda {

// Texts of plain JSON are inside the line, or in the buffer of what had escapes. A line that is
// plain by itself is plain beside others with as many references.
void read_json(std::string_view data) {
    const JsonColumns columns{{"s", "h"}, {"r", "q"}, {"k"}, 4};
    const std::int64_t begins[] = {0, 0};
    const auto size = static_cast<std::int64_t>(data.size());
    const std::int64_t ends[] = {size, size};
    const auto once = json_texts(data, begins, ends, 1, data.size(), columns);
    const auto twice = json_texts(data, begins, ends, 2, data.size(), columns);
    require(once.has_value() == twice.has_value(), "a line is plain wherever it is");
    if (!once) return;
    const auto is_in = [](std::string_view text, std::string_view buffer) {
        return text.data() >= buffer.data() &&
               text.data() + text.size() <= buffer.data() + buffer.size();
    };
    for (const auto* columns_found : {&once->texts, &once->references, &once->keys}) {
        for (const auto& column : *columns_found) {
            require(column.size() == 1, "one text per line");
            require(is_in(column[0], data) || is_in(column[0], once->decoded),
                    "a text is inside its buffer");
            require(oracle::is_utf8(std::string(column[0])), "a text is UTF-8");
        }
    }
    require(once->references.size() <= columns.most_references, "few references");
    require(twice->texts[0][0] == twice->texts[0][1], "equal lines have equal texts");
}

}  // namespace corrigenda
