// Texts of Python as views of their UTF-8 bytes: strings, or lines that were found in a buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "binding.hpp"

namespace corrigenda {

// Consecutive texts in a buffer that a Python object owns. Parts share the views.
class TextColumn {
public:
    TextColumn(nb::object owner, std::vector<std::string_view>&& texts)
        : owner_(std::move(owner)),
          texts_(std::make_shared<const std::vector<std::string_view>>(std::move(texts))),
          end_(texts_->size()) {}

    std::size_t size() const { return end_ - begin_; }
    std::string_view operator[](std::size_t place) const { return (*texts_)[begin_ + place]; }

    const std::string_view* begin() const { return texts_->data() + begin_; }
    const std::string_view* end() const { return texts_->data() + end_; }

    // Some of the texts. The caller checks the places.
    TextColumn part(std::size_t begin, std::size_t end) const {
        TextColumn made = *this;
        made.begin_ = begin_ + std::min(begin, size());
        made.end_ = begin_ + std::max(std::min(begin, size()), std::min(end, size()));
        return made;
    }

private:
    nb::object owner_;
    std::shared_ptr<const std::vector<std::string_view>> texts_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

// Texts that a Python object owns, or views that were made for this call.
class TextViews {
public:
    explicit TextViews(const TextColumn& column) : begin_(column.begin()), size_(column.size()) {}
    explicit TextViews(std::vector<std::string_view>&& made)
        : made_(std::move(made)), begin_(made_.data()), size_(made_.size()) {}
    TextViews(const TextViews&) = delete;
    TextViews& operator=(const TextViews&) = delete;

    std::size_t size() const { return size_; }
    std::string_view operator[](std::size_t place) const { return begin_[place]; }

private:
    std::vector<std::string_view> made_;
    const std::string_view* begin_;
    std::size_t size_;
};

// Views of Python strings as UTF-8. Python stores that form inside the string if it can. It cannot
// for a string with lone surrogates; such a string is encoded here.
class Utf8 {
public:
    std::string_view view(nb::handle text) {
        Py_ssize_t size = 0;
        if (const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) {
            return {bytes, static_cast<std::size_t>(size)};
        }
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
        PyErr_Clear();
        PyObject* encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass");
        if (encoded == nullptr) throw nb::python_error();
        kept_.push_back(nb::steal<nb::bytes>(encoded));
        return {kept_.back().c_str(), kept_.back().size()};
    }

    // Texts are a TextColumn or a tuple of strings: no other thread can remove a string from a
    // tuple while the GIL is released.
    std::vector<std::string_view> views(nb::handle texts) {
        std::vector<std::string_view> found;
        append(texts, found);
        return found;
    }

    // The same without a copy where Python keeps views. The caller keeps the texts.
    TextViews kept_views(nb::handle texts) {
        if (nb::isinstance<TextColumn>(texts)) {
            return TextViews(nb::cast<const TextColumn&>(texts));
        }
        return TextViews(views(texts));
    }

    void append(nb::handle texts, std::vector<std::string_view>& found) {
        if (nb::isinstance<TextColumn>(texts)) {
            const auto& column = nb::cast<const TextColumn&>(texts);
            found.insert(found.end(), column.begin(), column.end());
            return;
        }
        const auto strings = nb::cast<nb::tuple>(texts);
        found.reserve(found.size() + strings.size());
        for (const nb::handle text : strings) found.push_back(view(text));
    }

private:
    std::vector<nb::bytes> kept_;
};

// The references of all sentences in order, and where those of each sentence begin.
struct ReferenceViews {
    std::vector<std::string_view> texts;
    std::vector<std::int64_t> offsets = {0};
};

// References are a list of texts, one per reference, or a tuple with a tuple per sentence.
inline ReferenceViews reference_views(nb::handle references, std::size_t sentences, Utf8& utf8) {
    ReferenceViews found;
    found.offsets.reserve(sentences + 1);
    if (!nb::isinstance<nb::list>(references)) {
        for (const nb::handle of_sentence : nb::cast<nb::tuple>(references)) {
            utf8.append(of_sentence, found.texts);
            found.offsets.push_back(static_cast<std::int64_t>(found.texts.size()));
        }
        return found;
    }
    std::vector<std::vector<std::string_view>> columns;
    for (const nb::handle text : nb::cast<nb::list>(references)) {
        columns.push_back(utf8.views(text));
    }
    found.texts.reserve(sentences * columns.size());
    for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
        for (const auto& column : columns) found.texts.push_back(column[sentence]);
        found.offsets.push_back(static_cast<std::int64_t>(found.texts.size()));
    }
    return found;
}

}  // namespace corrigenda
