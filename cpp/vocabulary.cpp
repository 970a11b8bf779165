#include "vocabulary.hpp"

#include "text_units.hpp"

namespace corrigenda {
namespace {

// Calls `lookup(word)` for every word, in order.
template <typename Lookup>
EncodedText split_and_look_up(const std::vector<std::string_view>& sentences, Lookup lookup) {
    EncodedText encoded;
    encoded.offsets.reserve(sentences.size() + 1);
    encoded.offsets.push_back(0);
    for (const std::string_view sentence : sentences) {
        for_each_word(sentence,
                      [&](std::string_view word) { encoded.ids.push_back(lookup(word)); });
        encoded.offsets.push_back(static_cast<std::int64_t>(encoded.ids.size()));
    }
    return encoded;
}

}  // namespace

EncodedText Vocabulary::add(const std::vector<std::string_view>& sentences) {
    return split_and_look_up(sentences, [this](std::string_view word) { return words_.add(word); });
}

EncodedText Vocabulary::encode(const std::vector<std::string_view>& sentences) const {
    static_assert(WordTable::unknown == kUnknownWord);
    return split_and_look_up(sentences,
                             [this](std::string_view word) { return words_.find(word); });
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "python_texts.hpp"

namespace corrigenda {
namespace {

nb::tuple to_python(EncodedText&& encoded) {
    return nb::make_tuple(to_numpy(std::move(encoded.ids)), to_numpy(std::move(encoded.offsets)));
}

nb::tuple vocabulary_add(Vocabulary& vocabulary, nb::handle texts) {
    Utf8 utf8;
    return to_python(vocabulary.add(utf8.views(texts)));
}

nb::tuple vocabulary_encode(const Vocabulary& vocabulary, nb::handle texts) {
    Utf8 utf8;
    const std::vector<std::string_view> sentences = utf8.views(texts);
    EncodedText encoded;
    {
        const nb::gil_scoped_release unlocked;
        encoded = vocabulary.encode(sentences);
    }
    return to_python(std::move(encoded));
}

}  // namespace

CORRIGENDA_BINDINGS(vocabulary) {
    nb::class_<Vocabulary>(module, "Vocabulary")
        .def(nb::init<>())
        .def("add", &vocabulary_add, "texts"_a)
        .def("encode", &vocabulary_encode, "texts"_a)
        .def("__len__", &Vocabulary::size);
}

}  // namespace corrigenda
#endif
