#include "vocabulary.hpp"

#include "text_units.hpp"

namespace corrigenda {
namespace {

// Calls `lookup(word)` for every word that is not the next one of the similar sentence.
template <typename Lookup>
EncodedText split_and_look_up(const std::vector<std::string_view>& sentences,
                              const SimilarText& similar, Lookup lookup) {
    EncodedText encoded;
    encoded.offsets.reserve(sentences.size() + 1);
    encoded.offsets.push_back(0);
    std::vector<std::string_view> known;
    for (std::size_t place = 0; place < sentences.size(); ++place) {
        Sentence ids;
        known.clear();
        if (similar.sentences != nullptr) {
            ids = similar.words[place];
            known.reserve(ids.size);
            for_each_word((*similar.sentences)[place],
                          [&](std::string_view word) { known.push_back(word); });
            if (known.size() != ids.size) known.clear();  // words of another kind
        }
        std::size_t next = 0;
        for_each_word(sentences[place], [&](std::string_view word) {
            for (std::size_t ahead = next; ahead < next + 2 && ahead < known.size(); ++ahead) {
                if (known[ahead] == word) {
                    encoded.ids.push_back(ids[ahead]);
                    next = ahead + 1;
                    return;
                }
            }
            ++next;
            encoded.ids.push_back(lookup(word));
        });
        encoded.offsets.push_back(static_cast<std::int64_t>(encoded.ids.size()));
    }
    return encoded;
}

}  // namespace

EncodedText Vocabulary::add(const std::vector<std::string_view>& sentences,
                            const SimilarText& similar) {
    return split_and_look_up(sentences, similar,
                             [this](std::string_view word) { return words_.add(word); });
}

EncodedText Vocabulary::encode(const std::vector<std::string_view>& sentences,
                               const SimilarText& similar) const {
    static_assert(WordTable::unknown == kUnknownWord);
    return split_and_look_up(sentences, similar,
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

// The wrapper checks that there is one similar sentence for each sentence.
template <typename Encode>
nb::tuple encoded_like(nb::handle texts, nb::handle similar, const Ids& ids, const Offsets& offsets,
                       Encode encode) {
    Utf8 utf8;
    const std::vector<std::string_view> sentences = utf8.views(texts);
    const bool has_similar = !similar.is_none();
    std::vector<std::string_view> similar_sentences;
    if (has_similar) similar_sentences = utf8.views(similar);
    EncodedText encoded;
    {
        const nb::gil_scoped_release unlocked;
        encoded = encode(sentences, SimilarText{has_similar ? &similar_sentences : nullptr,
                                                ragged(ids, offsets)});
    }
    return to_python(std::move(encoded));
}

nb::tuple vocabulary_add(Vocabulary& vocabulary, nb::handle texts, nb::handle similar,
                         const Ids& ids, const Offsets& offsets) {
    return encoded_like(texts, similar, ids, offsets,
                        [&](const auto& sentences, const SimilarText& known) {
                            return vocabulary.add(sentences, known);
                        });
}

nb::tuple vocabulary_encode(const Vocabulary& vocabulary, nb::handle texts, nb::handle similar,
                            const Ids& ids, const Offsets& offsets) {
    return encoded_like(texts, similar, ids, offsets,
                        [&](const auto& sentences, const SimilarText& known) {
                            return vocabulary.encode(sentences, known);
                        });
}

}  // namespace

CORRIGENDA_BINDINGS(vocabulary) {
    nb::class_<Vocabulary>(module, "Vocabulary")
        .def(nb::init<>())
        .def("add", &vocabulary_add, "texts"_a, "similar"_a.none(), "ids"_a.noconvert(),
             "offsets"_a.noconvert())
        .def("encode", &vocabulary_encode, "texts"_a, "similar"_a.none(), "ids"_a.noconvert(),
             "offsets"_a.noconvert())
        .def("__len__", &Vocabulary::size);
}

}  // namespace corrigenda
#endif
