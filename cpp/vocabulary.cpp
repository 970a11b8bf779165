#include "vocabulary.hpp"

namespace corrigenda {
namespace {

// Calls `lookup(word)` for every word of `text`, in order. An empty sentence has no words. The
// empty text is one empty sentence; the Python wrapper handles the case of no sentences.
template <typename Lookup>
EncodedText split_and_look_up(std::string_view text, Lookup lookup) {
    EncodedText encoded;
    encoded.offsets.push_back(0);
    std::size_t word_begin = 0;
    for (std::size_t position = 0; position <= text.size(); ++position) {
        const bool at_end = position == text.size();
        if (!at_end && text[position] != ' ' && text[position] != '\n') continue;
        if (position > word_begin) {
            encoded.ids.push_back(lookup(text.substr(word_begin, position - word_begin)));
        }
        word_begin = position + 1;
        if (at_end || text[position] == '\n') {
            encoded.offsets.push_back(static_cast<std::int64_t>(encoded.ids.size()));
        }
    }
    return encoded;
}

}  // namespace

EncodedText Vocabulary::add(std::string_view text) {
    return split_and_look_up(text, [this](std::string_view word) {
        const auto found = ids_.find(word);
        if (found != ids_.end()) return found->second;
        words_.emplace_back(word);
        const auto id = static_cast<Token>(words_.size() - 1);
        ids_.emplace(words_.back(), id);
        return id;
    });
}

EncodedText Vocabulary::encode(std::string_view text) const {
    return split_and_look_up(text, [this](std::string_view word) {
        const auto found = ids_.find(word);
        return found == ids_.end() ? kUnknownWord : found->second;
    });
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

nb::tuple to_python(EncodedText&& encoded) {
    return nb::make_tuple(to_numpy(std::move(encoded.ids)), to_numpy(std::move(encoded.offsets)));
}

std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

nb::tuple vocabulary_add(Vocabulary& vocabulary, const nb::bytes& text) {
    return to_python(vocabulary.add(view(text)));
}

nb::tuple vocabulary_encode(const Vocabulary& vocabulary, const nb::bytes& text) {
    EncodedText encoded;
    {
        const nb::gil_scoped_release unlocked;
        encoded = vocabulary.encode(view(text));
    }
    return to_python(std::move(encoded));
}

}  // namespace

CORRIGENDA_BINDINGS(vocabulary) {
    nb::class_<Vocabulary>(module, "Vocabulary")
        .def(nb::init<>())
        .def("add", &vocabulary_add, "text"_a)
        .def("encode", &vocabulary_encode, "text"_a)
        .def("__len__", &Vocabulary::size);
}

}  // namespace corrigenda
#endif
