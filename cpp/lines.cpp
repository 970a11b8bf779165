#include "lines.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "byte_marks.hpp"

namespace corrigenda {
namespace {

// Whether a line has only characters of ASCII, and no NUL. The loop has no branch, so that the
// compiler makes it look at many bytes at once.
bool is_plain(std::string_view line) {
    unsigned char high = 0;
    unsigned char zeros = 0;
    for (const char byte : line) {
        high |= static_cast<unsigned char>(byte);
        zeros |= static_cast<unsigned char>(byte == 0);
    }
    return high < 0x80 && zeros == 0;
}

bool is_text(std::string_view line) {
    return is_plain(line) || (line.find('\0') == std::string_view::npos && is_utf8(line));
}

}  // namespace

bool is_ascii(std::string_view text) {
    unsigned char high = 0;
    for (const char byte : text) high |= static_cast<unsigned char>(byte);
    return high < 0x80;
}

std::size_t count_line_ends(std::string_view data) {
    // Small sums side by side, which a compiler turns into instructions for many bytes at once.
    constexpr std::size_t lanes = 32;
    constexpr std::size_t most = 255;  // a sum is one byte
    std::size_t total = 0;
    std::size_t at = 0;
    while (at + lanes <= data.size()) {
        std::array<std::uint8_t, lanes> sums{};
        const std::size_t end = at + std::min(most, (data.size() - at) / lanes) * lanes;
        for (; at < end; at += lanes) {
            for (std::size_t i = 0; i < lanes; ++i) {
                sums[i] = static_cast<std::uint8_t>(sums[i] + (data[at + i] == '\n'));
            }
        }
        for (const std::uint8_t sum : sums) total += sum;
    }
    for (; at < data.size(); ++at) total += data[at] == '\n';
    return total;
}

bool is_utf8(std::string_view text) {
    const auto byte = [&](std::size_t at) -> unsigned {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const auto follows = [&](std::size_t at) { return (byte(at) & 0xC0) == 0x80; };
    for (std::size_t at = 0; at < text.size();) {
        const unsigned lead = byte(at);
        if (lead < 0x80) {
            ++at;
        } else if (lead >= 0xC2 && lead <= 0xDF) {
            if (!follows(at + 1)) return false;
            at += 2;
        } else if (lead >= 0xE0 && lead <= 0xEF) {
            if (!follows(at + 1) || !follows(at + 2)) return false;
            if (lead == 0xE0 && byte(at + 1) < 0xA0) return false;   // a long form
            if (lead == 0xED && byte(at + 1) >= 0xA0) return false;  // a surrogate
            at += 3;
        } else if (lead >= 0xF0 && lead <= 0xF4) {
            if (!follows(at + 1) || !follows(at + 2) || !follows(at + 3)) return false;
            if (lead == 0xF0 && byte(at + 1) < 0x90) return false;   // a long form
            if (lead == 0xF4 && byte(at + 1) >= 0x90) return false;  // beyond Unicode
            at += 4;
        } else {
            return false;
        }
    }
    return true;
}

namespace {

// Takes the lines of a file one by one, up to one with a problem.
class LineTaker {
public:
    LineTaker(std::string_view data, std::size_t begin, std::size_t most, std::size_t longest)
        : data_(data), most_(most), longest_(longest) {
        found_.end = begin;
        found_.lines.reserve(std::min(most, (data.size() - begin) / 64 + 1));
    }

    bool is_done() const {
        return found_.lines.size() >= most_ || found_.problem != LineProblem::none;
    }

    // The line up to `end`, and the bytes of its line end. An unusual line is checked.
    void take(std::size_t end, std::size_t line_end, bool is_unusual) {
        if (end + line_end - found_.end > longest_) {
            found_.problem = LineProblem::too_long;
            return;
        }
        std::string_view line(data_.data() + found_.end, end - found_.end);
        if (line_end > 0 && !line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (is_unusual && !is_text(line)) {
            found_.problem = LineProblem::not_text;
            return;
        }
        found_.lines.push_back(line);
        found_.end = end + line_end;
    }

    std::size_t end() const { return found_.end; }
    ScannedLines&& result() { return std::move(found_); }

private:
    std::string_view data_;
    std::size_t most_;
    std::size_t longest_;
    ScannedLines found_;
};

}  // namespace

ScannedLines scan_lines(std::string_view data, std::size_t begin, std::size_t most,
                        std::size_t longest, bool at_end) {
    LineTaker taker(data, begin, most, longest);
    bool is_unusual = false;  // the line so far
    std::size_t block = begin;
    for (; block < data.size() && !taker.is_done(); block += kMarkedBytes) {
        const char* const bytes = data.data() + block;
        LineMarks marks = block + kMarkedBytes <= data.size()
                              ? line_marks(bytes)
                              : line_marks(PaddedBytes(bytes, data.size() - block).data());
        for (; marks.ends != 0 && !taker.is_done(); marks.ends &= marks.ends - 1) {
            const std::uint64_t up_to_end = marks.ends ^ (marks.ends - 1);
            is_unusual = is_unusual || (marks.unusual & up_to_end) != 0;
            taker.take(block + lowest_bit(marks.ends), 1, is_unusual);
            marks.unusual &= ~up_to_end;
            is_unusual = false;
        }
        is_unusual = is_unusual || marks.unusual != 0;
    }
    const std::size_t last = taker.end();
    if (at_end && !taker.is_done() && last < data.size()) taker.take(data.size(), 0, is_unusual);
    return taker.result();
}

std::optional<std::vector<std::string_view>> sentences_in(std::string_view data,
                                                          const std::int64_t* begins,
                                                          const std::int64_t* ends,
                                                          std::size_t count) {
    std::vector<std::string_view> found;
    found.reserve(count);
    for (std::size_t place = 0; place < count; ++place) {
        const auto begin = static_cast<std::size_t>(begins[place]);
        const std::string_view text =
            data.substr(begin, static_cast<std::size_t>(ends[place]) - begin);
        if (!is_text(text) || text.find('\n') != std::string_view::npos) return std::nullopt;
        found.push_back(text);
    }
    return found;
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "python_texts.hpp"

namespace corrigenda {
namespace {

nb::object decoded(std::string_view text) {
    PyObject* made =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
    if (made == nullptr) throw nb::python_error();
    return nb::steal<nb::object>(made);
}

nb::tuple scan_lines_of_bytes(const nb::bytes& data, std::size_t begin, std::size_t most,
                              std::size_t longest, bool at_end) {
    ScannedLines found;
    {
        const std::string_view all(data.c_str(), data.size());
        const nb::gil_scoped_release unlocked;
        found = scan_lines(all, begin, most, longest, at_end);
    }
    const std::size_t end = found.end;
    const auto problem = static_cast<int>(found.problem);
    return nb::make_tuple(TextColumn(nb::borrow<nb::object>(data), std::move(found.lines)), end,
                          problem);
}

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::object sentences_in_buffer(const Bytes& data, const Offsets& begins, const Offsets& ends,
                               const nb::object& owner) {
    const std::string_view all(reinterpret_cast<const char*>(data.data()), data.shape(0));
    const std::size_t count = begins.shape(0);
    bool is_inside = ends.shape(0) == count;
    for (std::size_t place = 0; is_inside && place < count; ++place) {
        is_inside = begins.data()[place] >= 0 && begins.data()[place] <= ends.data()[place] &&
                    static_cast<std::size_t>(ends.data()[place]) <= all.size();
    }
    if (!is_inside) throw nb::value_error("a text is not inside the data");
    std::optional<std::vector<std::string_view>> found;
    {
        const nb::gil_scoped_release unlocked;
        found = sentences_in(all, begins.data(), ends.data(), count);
    }
    if (!found) return nb::none();
    return nb::cast(TextColumn(owner, std::move(*found)));
}

std::size_t count_line_ends_of_bytes(const nb::bytes& data) {
    return count_line_ends({data.c_str(), data.size()});
}

nb::object text_at(const TextColumn& column, std::size_t place) {
    if (place >= column.size()) throw nb::index_error();
    return decoded(column[place]);
}

nb::list all_texts(const TextColumn& column) {
    nb::list texts;
    for (std::size_t place = 0; place < column.size(); ++place) {
        texts.append(decoded(column[place]));
    }
    return texts;
}

bool column_is_ascii(const TextColumn& column) {
    for (std::size_t place = 0; place < column.size(); ++place) {
        if (!is_ascii(column[place])) return false;
    }
    return true;
}

}  // namespace

CORRIGENDA_BINDINGS(lines) {
    nb::class_<TextColumn>(module, "TextColumn")
        .def("__len__", &TextColumn::size)
        .def("at", &text_at, "place"_a)
        .def("part", &TextColumn::part, "begin"_a, "end"_a)
        .def("texts", &all_texts)
        .def("is_ascii", &column_is_ascii);
    module.def("sentences_in", &sentences_in_buffer, "data"_a.noconvert(), "begins"_a.noconvert(),
               "ends"_a.noconvert(), "owner"_a);
    module.def("count_line_ends", &count_line_ends_of_bytes, "data"_a);
    module.def("scan_lines", &scan_lines_of_bytes, "data"_a, "begin"_a, "most"_a, "longest"_a,
               "at_end"_a);
}

}  // namespace corrigenda
#endif
