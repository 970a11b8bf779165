#include "json_rows.hpp"

#include <algorithm>
#include <utility>

#include "lines.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kMostKeys = 64;
constexpr int kDeepest = 8;
constexpr std::size_t kLongestNumber = 17;

int hex_digit(char byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return -1;
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

void append_utf8(std::uint32_t code, std::string& into) {
    const auto add = [&](std::uint32_t byte) { into.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0 | (code >> 6));
        add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        add(0xE0 | (code >> 12));
        add(0x80 | ((code >> 6) & 0x3F));
        add(0x80 | (code & 0x3F));
    } else {
        add(0xF0 | (code >> 18));
        add(0x80 | ((code >> 12) & 0x3F));
        add(0x80 | ((code >> 6) & 0x3F));
        add(0x80 | (code & 0x3F));
    }
}

bool is_sentence(std::string_view text) {
    return text.find('\n') == std::string_view::npos && text.find('\0') == std::string_view::npos;
}

// Reads one line. Each function returns whether the line is plain so far.
class PlainObject {
public:
    PlainObject(std::string_view line, std::string& decoded) : line_(line), decoded_(decoded) {}

    // Calls take(key) before each value; it must read the value.
    template <typename Take>
    bool read(Take take) {
        skip_blanks();
        if (!accept('{')) return false;
        skip_blanks();
        if (!accept('}')) {
            do {
                std::string_view key;
                skip_blanks();
                if (!plain_key(key)) return false;
                skip_blanks();
                if (!accept(':')) return false;
                skip_blanks();
                if (!take(key)) return false;
                skip_blanks();
            } while (accept(','));
            if (!accept('}')) return false;
        }
        skip_blanks();
        return at_ == line_.size();
    }

    bool string(std::string_view& text) {
        if (!accept('"')) return false;
        const std::size_t begin = at_;
        while (at_ < line_.size()) {
            const char byte = line_[at_];
            if (byte == '"') {
                text = line_.substr(begin, at_++ - begin);
                return true;
            }
            if (byte == '\\') return escaped_string(begin, text);
            if (static_cast<unsigned char>(byte) < 0x20) return false;
            ++at_;
        }
        return false;
    }

    // A string, a list of strings, or null.
    bool strings(Texts& texts) {
        if (next() == 'n') return literal("null");
        if (next() != '[') {
            texts.emplace_back();
            return string(texts.back());
        }
        ++at_;
        skip_blanks();
        if (accept(']')) return true;
        do {
            skip_blanks();
            texts.emplace_back();
            if (!string(texts.back())) return false;
            skip_blanks();
        } while (accept(','));
        return accept(']');
    }

    // Any value that has no object inside.
    bool other(int depth = 0) {
        std::string_view ignored;
        switch (next()) {
            case '"':
                return string(ignored);
            case 'n':
                return literal("null");
            case 't':
                return literal("true");
            case 'f':
                return literal("false");
            case '[':
                return depth < kDeepest && list(depth);
            default:
                return number();
        }
    }

private:
    char next() const { return at_ < line_.size() ? line_[at_] : '\0'; }

    bool accept(char byte) {
        if (next() != byte || at_ == line_.size()) return false;
        ++at_;
        return true;
    }

    bool literal(std::string_view name) {
        if (line_.substr(at_, name.size()) != name) return false;
        at_ += name.size();
        return true;
    }

    void skip_blanks() {
        while (next() == ' ' || next() == '\t' || next() == '\r' || next() == '\n') ++at_;
    }

    bool plain_key(std::string_view& key) {
        const std::size_t before = decoded_.size();
        if (!string(key) || decoded_.size() != before || keys_.size() == kMostKeys) return false;
        if (std::find(keys_.begin(), keys_.end(), key) != keys_.end()) return false;
        keys_.push_back(key);
        return true;
    }

    bool list(int depth) {
        ++at_;
        skip_blanks();
        if (accept(']')) return true;
        do {
            skip_blanks();
            if (!other(depth + 1)) return false;
            skip_blanks();
        } while (accept(','));
        return accept(']');
    }

    // Short numbers without an exponent: every floating-point number can hold them.
    bool number() {
        const std::size_t begin = at_;
        accept('-');
        const std::size_t digits = at_;
        while (is_digit(next())) ++at_;
        if (at_ == digits || (line_[digits] == '0' && at_ > digits + 1)) return false;
        if (accept('.')) {
            const std::size_t fraction = at_;
            while (is_digit(next())) ++at_;
            if (at_ == fraction) return false;
        }
        return at_ - begin <= kLongestNumber && next() != 'e' && next() != 'E';
    }

    bool escaped_string(std::size_t begin, std::string_view& text) {
        const std::size_t start = decoded_.size();
        decoded_.append(line_.substr(begin, at_ - begin));
        while (at_ < line_.size()) {
            const char byte = line_[at_++];
            if (byte == '"') {
                text = std::string_view(decoded_).substr(start);
                return true;
            }
            if (static_cast<unsigned char>(byte) < 0x20) return false;
            if (byte != '\\') {
                decoded_.push_back(byte);
            } else if (!escape()) {
                return false;
            }
        }
        return false;
    }

    bool escape() {
        constexpr std::string_view names = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const char name = next();
        ++at_;
        if (name == 'u') return unicode_escape();
        const std::size_t place = names.find(name);
        if (place == std::string_view::npos) return false;
        decoded_.push_back(meanings[place]);
        return true;
    }

    bool unicode_escape() {
        std::uint32_t code = 0;
        if (!four_digits(code)) return false;
        if (code >= 0xD800 && code < 0xE000) {
            std::uint32_t low = 0;
            if (code >= 0xDC00 || !literal("\\u") || !four_digits(low)) return false;
            if (low < 0xDC00 || low >= 0xE000) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        append_utf8(code, decoded_);
        return true;
    }

    bool four_digits(std::uint32_t& code) {
        for (int i = 0; i < 4; ++i) {
            const int digit = hex_digit(next());
            if (digit < 0) return false;
            code = code * 16 + static_cast<std::uint32_t>(digit);
            ++at_;
        }
        return true;
    }

    std::string_view line_;
    std::string& decoded_;
    std::size_t at_ = 0;
    Texts keys_;
};

// The texts of one row, until it is known to be plain.
class Row {
public:
    explicit Row(const JsonColumns& columns)
        : columns_(columns),
          texts_(columns.texts.size()),
          references_(columns.references.size()),
          keys_(columns.keys.size()) {}

    bool read(std::string_view line, std::string& decoded) {
        for (auto* each : {&texts_, &references_, &keys_}) {
            for (Texts& found : *each) found.clear();
        }
        PlainObject object(line, decoded);
        return object.read([&](std::string_view key) { return take(object, key); }) && is_whole();
    }

    bool add_to(JsonTexts& found, bool is_first) const {
        std::size_t number = 0;
        for (const Texts& of_column : references_) number += of_column.size();
        if (number > columns_.most_references) return false;
        if (is_first) found.references.resize(number);
        if (number != found.references.size()) return false;
        std::size_t reference = 0;
        for (const Texts& of_column : references_) {
            for (const std::string_view text : of_column) {
                found.references[reference++].push_back(text);
            }
        }
        for (std::size_t i = 0; i < texts_.size(); ++i) found.texts[i].push_back(texts_[i][0]);
        for (std::size_t i = 0; i < keys_.size(); ++i) found.keys[i].push_back(keys_[i][0]);
        return true;
    }

private:
    // One column may serve as several.
    bool take(PlainObject& object, std::string_view key) {
        Texts values;
        const bool is_list = is_among(columns_.references, key);
        const bool is_text = is_among(columns_.texts, key) || is_among(columns_.keys, key);
        if (!is_list && !is_text) return object.other();
        if (is_text) {
            values.emplace_back();
            if (!object.string(values[0])) return false;
        } else if (!object.strings(values)) {
            return false;
        }
        keep(columns_.texts, texts_, key, values);
        keep(columns_.references, references_, key, values);
        keep(columns_.keys, keys_, key, values);
        return true;
    }

    static bool is_among(const std::vector<std::string>& names, std::string_view key) {
        return std::find(names.begin(), names.end(), key) != names.end();
    }

    static void keep(const std::vector<std::string>& names, std::vector<Texts>& found,
                     std::string_view key, const Texts& values) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == key) found[i] = values;
        }
    }

    bool is_whole() const {
        const auto has_one = [](const Texts& found) { return found.size() == 1; };
        const auto are_sentences = [](const Texts& found) {
            return std::all_of(found.begin(), found.end(), is_sentence);
        };
        return std::all_of(texts_.begin(), texts_.end(), has_one) &&
               std::all_of(keys_.begin(), keys_.end(), has_one) &&
               std::all_of(texts_.begin(), texts_.end(), are_sentences) &&
               std::all_of(references_.begin(), references_.end(), are_sentences);
    }

    const JsonColumns& columns_;
    std::vector<Texts> texts_;
    std::vector<Texts> references_;
    std::vector<Texts> keys_;
};

}  // namespace

std::optional<JsonTexts> json_texts(std::string_view data, const std::int64_t* begins,
                                    const std::int64_t* ends, std::size_t lines,
                                    std::size_t longest, const JsonColumns& columns) {
    JsonTexts found;
    found.texts.resize(columns.texts.size());
    found.keys.resize(columns.keys.size());
    // No string becomes longer when it is decoded, so that views into `decoded` stay valid. A short
    // buffer would move with its object.
    found.decoded.reserve(std::max(data.size(), sizeof(std::string)));
    Row row(columns);
    for (std::size_t i = 0; i < lines; ++i) {
        const auto begin = static_cast<std::size_t>(begins[i]);
        const std::string_view line = data.substr(begin, static_cast<std::size_t>(ends[i]) - begin);
        if (line.size() > longest || !is_utf8(line)) return std::nullopt;
        if (!row.read(line, found.decoded) || !row.add_to(found, i == 0)) return std::nullopt;
    }
    return found;
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python_texts.hpp"

namespace corrigenda {
namespace {

using Places = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::list columns_of(const nb::object& owner, std::vector<Texts>&& texts) {
    nb::list found;
    for (Texts& column : texts) found.append(nb::cast(TextColumn(owner, std::move(column))));
    return found;
}

nb::object json_texts_of_lines(const nb::bytes& data, const Places& begins, const Places& ends,
                               std::size_t longest, const JsonColumns& columns) {
    const std::string_view all(data.c_str(), data.size());
    const std::size_t lines = begins.shape(0);
    bool is_inside = ends.shape(0) == lines;
    for (std::size_t i = 0; is_inside && i < lines; ++i) {
        is_inside = begins.data()[i] >= 0 && begins.data()[i] <= ends.data()[i] &&
                    static_cast<std::size_t>(ends.data()[i]) <= all.size();
    }
    if (!is_inside) throw nb::value_error("a line is not inside the data");
    std::optional<JsonTexts> found;
    {
        const nb::gil_scoped_release unlocked;
        found = json_texts(all, begins.data(), ends.data(), lines, longest, columns);
    }
    if (!found) return nb::none();
    auto* decoded = new std::string(std::move(found->decoded));
    const nb::capsule kept(decoded,
                           [](void* text) noexcept { delete static_cast<std::string*>(text); });
    const nb::object owner = nb::make_tuple(data, kept);
    return nb::make_tuple(columns_of(owner, std::move(found->texts)),
                          columns_of(owner, std::move(found->references)),
                          columns_of(owner, std::move(found->keys)));
}

}  // namespace

CORRIGENDA_BINDINGS(json_rows) {
    module.def(
        "json_texts",
        [](const nb::bytes& data, const Places& begins, const Places& ends, std::size_t longest,
           std::vector<std::string> texts, std::vector<std::string> references,
           std::vector<std::string> keys, std::size_t most_references) {
            return json_texts_of_lines(
                data, begins, ends, longest,
                {std::move(texts), std::move(references), std::move(keys), most_references});
        },
        "data"_a, "begins"_a, "ends"_a, "longest"_a, "texts"_a, "references"_a, "keys"_a,
        "most_references"_a);
}

}  // namespace corrigenda
#endif
