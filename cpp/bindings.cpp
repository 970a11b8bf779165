// The only file that knows Python. It unpacks arrays, releases the GIL, calls a kernel and returns
// arrays. The wrappers in src/corrigenda/kernels check shapes and offsets.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "align3.hpp"
#include "best_rows.hpp"
#include "errant_align.hpp"
#include "maxmatch.hpp"
#include "minimal_edits.hpp"
#include "ngram.hpp"
#include "prepared.hpp"
#include "ragged.hpp"
#include "vocabulary.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corrigenda {
namespace {

using Ids = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Ragged ragged(const Ids& ids, const Offsets& offsets) {
    return {ids.data(), offsets.data(), offsets.shape(0) - 1};
}

// Gives a vector to numpy without a copy.
template <typename Value>
nb::object to_numpy(std::vector<Value>&& values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<Value>(std::move(values));
    nb::capsule owner(
        owned, [](void* memory) noexcept { delete static_cast<std::vector<Value>*>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, Value>(owned->data(), shape, owner));
}

nb::tuple to_python(EncodedText&& encoded) {
    const auto ids = encoded.ids.size();
    const auto offsets = encoded.offsets.size();
    return nb::make_tuple(to_numpy(std::move(encoded.ids), {ids}),
                          to_numpy(std::move(encoded.offsets), {offsets}));
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

void make_ngram_index(NgramIndex* self, const Ids& source_ids, const Offsets& source_offsets,
                      const Ids& reference_ids, const Offsets& reference_offsets,
                      const Offsets& references_of_sentence, int order, bool pooled,
                      std::size_t threads) {
    const nb::gil_scoped_release unlocked;
    new (self)
        NgramIndex(ragged(source_ids, source_offsets), ragged(reference_ids, reference_offsets),
                   references_of_sentence.data(), order, pooled, threads);
}

nb::object ngram_count(const NgramIndex& index, const Ids& ids, const Offsets& offsets,
                       std::size_t threads) {
    const auto order = static_cast<std::size_t>(index.order());
    std::vector<std::int64_t> counts(index.rows() * order * ngram_count_kinds);
    {
        const nb::gil_scoped_release unlocked;
        index.count(ragged(ids, offsets), threads, counts.data());
    }
    return to_numpy(std::move(counts), {index.rows(), order, ngram_count_kinds});
}

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

private:
    std::vector<nb::bytes> kept_;
};

void make_prepared_sentence(PreparedSentence* self, const nb::str& source,
                            const nb::tuple& references, const char* unit, int order, bool pooled) {
    Utf8 texts;
    std::vector<std::string_view> of_sentence;
    for (const nb::handle reference : references) of_sentence.push_back(texts.view(reference));
    const std::string_view name = unit;
    const TextUnit kind = name == "word"  ? TextUnit::word
                          : name == "raw" ? TextUnit::raw_character
                                          : TextUnit::character;
    new (self) PreparedSentence(texts.view(source), of_sentence, kind, order, pooled);
}

// Takes tuples, because no other thread can remove a string from a tuple while the GIL is released.
nb::tuple count_prepared_sentences(const nb::tuple& prepared, const nb::tuple& hypotheses,
                                   std::size_t threads) {
    Utf8 utf8;
    std::vector<const PreparedSentence*> sentences;
    std::vector<std::string_view> texts;
    sentences.reserve(prepared.size());
    texts.reserve(prepared.size());
    for (const nb::handle sentence : prepared) {
        sentences.push_back(nb::cast<const PreparedSentence*>(sentence));
    }
    for (const nb::handle text : hypotheses) texts.push_back(utf8.view(text));
    PreparedCounts counted;
    {
        const nb::gil_scoped_release unlocked;
        counted = count_prepared(sentences, texts, threads);
    }
    const auto order = sentences.empty() ? 0 : static_cast<std::size_t>(sentences[0]->order());
    const auto rows = order == 0 ? 0 : counted.counts.size() / (order * ngram_count_kinds);
    const auto references = counted.reference_lengths.size();
    return nb::make_tuple(to_numpy(std::move(counted.counts), {rows, order, ngram_count_kinds}),
                          to_numpy(std::move(counted.hypothesis_lengths), {sentences.size()}),
                          to_numpy(std::move(counted.reference_lengths), {references}),
                          to_numpy(std::move(counted.reference_offsets), {sentences.size() + 1}));
}

using Rows = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Key = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Alive = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

SentenceRows sentence_rows(const Offsets& offsets) {
    return {offsets.data(), offsets.shape(0) - 1};
}

nb::object find_distinct_rows(const Rows& counts, const Offsets& offsets) {
    auto alive = distinct_rows(sentence_rows(offsets), static_cast<const char*>(counts.data()),
                               counts.shape(1) * counts.itemsize());
    const auto rows = alive.size();
    return to_numpy(std::move(alive), {rows});
}

std::size_t keep_best_rows(const Key& key, const Offsets& offsets, const Alive& alive) {
    return keep_best(sentence_rows(offsets), key.data(), alive.data());
}

nb::object first_rows_alive(const Alive& alive, const Offsets& offsets) {
    auto first = first_alive(sentence_rows(offsets), alive.data());
    const auto sentences = first.size();
    return to_numpy(std::move(first), {std::size_t{1}, sentences});
}

// The edits as rows of start, end (in the source), begin, finish (in the hypothesis) and gold (the
// index of the gold edit, or -1).
std::vector<std::int32_t> as_rows(const std::vector<SystemEdit>& edits) {
    std::vector<std::int32_t> rows;
    rows.reserve(5 * edits.size());
    for (const SystemEdit& edit : edits) {
        rows.insert(rows.end(), {edit.start, edit.end, edit.begin, edit.finish, edit.gold});
    }
    return rows;
}

nb::tuple max_match(const Ids& source_ids, const Offsets& source_offsets, const Ids& hypothesis_ids,
                    const Offsets& hypothesis_offsets, const Offsets& annotation_offsets,
                    const Offsets& edit_offsets, const Ids& spans,
                    const Offsets& correction_offsets, const Ids& correction_ids,
                    const Offsets& correction_id_offsets, int max_unchanged_words,
                    std::size_t threads) {
    const GoldBatch gold = {annotation_offsets.data(), edit_offsets.data(), spans.data(),
                            correction_offsets.data(),
                            ragged(correction_ids, correction_id_offsets)};
    const auto annotations = edit_offsets.shape(0) - 1;
    std::vector<std::int64_t> counts(3 * annotations);
    SystemEdits edits;
    {
        const nb::gil_scoped_release unlocked;
        max_match_batch(ragged(source_ids, source_offsets),
                        ragged(hypothesis_ids, hypothesis_offsets), gold, max_unchanged_words,
                        threads, counts.data(), &edits);
    }
    const auto found = edits.edits.size();
    const auto offsets = edits.offsets.size();
    return nb::make_tuple(to_numpy(std::move(counts), {annotations, 3}),
                          to_numpy(as_rows(edits.edits), {found, 5}),
                          to_numpy(std::move(edits.offsets), {offsets}));
}

// The edits of each reference as rows of start, end (in the source), begin, finish (in the
// reference).
nb::tuple minimal_edits(const Ids& source_ids, const Offsets& source_offsets,
                        const Ids& reference_ids, const Offsets& reference_offsets,
                        const Offsets& references_of_sentence, std::size_t threads) {
    ReferenceEdits edits;
    {
        const nb::gil_scoped_release unlocked;
        edits = minimal_edits_batch(ragged(source_ids, source_offsets),
                                    ragged(reference_ids, reference_offsets),
                                    references_of_sentence.data(), threads);
    }
    std::vector<std::int32_t> rows;
    rows.reserve(4 * edits.spans.size());
    for (const ChangedSpan& span : edits.spans) {
        rows.insert(rows.end(), {span.start, span.end, span.begin, span.finish});
    }
    const auto found = edits.spans.size();
    const auto offsets = edits.offsets.size();
    return nb::make_tuple(to_numpy(std::move(rows), {found, 4}),
                          to_numpy(std::move(edits.offsets), {offsets}));
}

nb::object count_alignment_columns(const Ids& source_ids, const Offsets& source_offsets,
                                   const Ids& reference_ids, const Offsets& reference_word_offsets,
                                   const Offsets& reference_offsets, const Ids& hypothesis_ids,
                                   const Offsets& hypothesis_word_offsets,
                                   const Offsets& hypothesis_offsets, std::size_t threads) {
    const TripleBatch batch = {
        ragged(source_ids, source_offsets), ragged(reference_ids, reference_word_offsets),
        reference_offsets.data(), ragged(hypothesis_ids, hypothesis_word_offsets),
        hypothesis_offsets.data()};
    const auto rows = static_cast<std::size_t>(triple_count(batch));
    std::vector<std::int64_t> counts(rows * column_classes);
    {
        const nb::gil_scoped_release unlocked;
        count_columns(batch, counts.data(), threads);
    }
    return to_numpy(std::move(counts), {rows, column_classes});
}

nb::tuple align_three(const Ids& source, const Ids& hypothesis, const Ids& reference) {
    const auto sentence = [](const Ids& ids) { return Sentence{ids.data(), ids.shape(0)}; };
    const Alignment alignment = align3(sentence(source), sentence(hypothesis), sentence(reference));
    nb::list moves;
    for (const Move move : alignment.moves) {
        moves.append(
            nb::make_tuple(takes_source(move), takes_hypothesis(move), takes_reference(move)));
    }
    return nb::make_tuple(alignment.cost, moves);
}

using WordRows = nb::ndarray<const std::uint64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Letters = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void make_parsed_sentence(ParsedSentence* self, const WordRows& words, const Letters& letters) {
    static_assert(sizeof(ParsedWord) == 4 * sizeof(std::uint64_t));
    new (self) ParsedSentence(reinterpret_cast<const ParsedWord*>(words.data()), words.shape(0),
                              letters.data(), letters.shape(0));
}

void make_errant_aligner(ErrantAligner* self, const Numbers& open) {
    new (self) ErrantAligner(std::vector<std::uint64_t>(open.data(), open.data() + open.shape(0)));
}

// The path as rows of step, start, end (in the source), begin, finish (in the target).
nb::object errant_align(ErrantAligner& aligner, const ParsedSentence& source,
                        const ParsedSentence& target) {
    std::vector<std::int32_t> rows;
    for (const AlignedSpan& span : aligner.align(source, target)) {
        rows.insert(rows.end(), {static_cast<std::int32_t>(span.step), span.start, span.end,
                                 span.begin, span.finish});
    }
    const auto steps = rows.size() / 5;
    return to_numpy(std::move(rows), {steps, 5});
}

}  // namespace
}  // namespace corrigenda

NB_MODULE(_kernels, module) {
    using namespace corrigenda;
    // A corpus that still exists when Python ends is not a leak, so nanobind must not warn of it.
    nb::set_leak_warnings(false);

    nb::class_<Vocabulary>(module, "Vocabulary")
        .def(nb::init<>())
        .def("add", &vocabulary_add, "text"_a)
        .def("encode", &vocabulary_encode, "text"_a)
        .def("__len__", &Vocabulary::size);

    nb::class_<NgramIndex>(module, "NgramIndex")
        .def("__init__", &make_ngram_index, "source_ids"_a.noconvert(),
             "source_offsets"_a.noconvert(), "reference_ids"_a.noconvert(),
             "reference_offsets"_a.noconvert(), "references_of_sentence"_a.noconvert(), "order"_a,
             "pooled"_a, "threads"_a)
        .def("count", &ngram_count, "ids"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a);

    nb::class_<PreparedSentence>(module, "PreparedSentence")
        .def("__init__", &make_prepared_sentence, "source"_a, "references"_a, "unit"_a, "order"_a,
             "pooled"_a)
        .def("__sizeof__", &PreparedSentence::memory);
    module.def("count_prepared", &count_prepared_sentences, "prepared"_a, "hypotheses"_a,
               "threads"_a);

    module.def("distinct_rows", &find_distinct_rows, "counts"_a.noconvert(),
               "offsets"_a.noconvert());
    module.def("keep_best", &keep_best_rows, "key"_a.noconvert(), "offsets"_a.noconvert(),
               "alive"_a.noconvert());
    module.def("first_alive", &first_rows_alive, "alive"_a.noconvert(), "offsets"_a.noconvert());

    module.def("align_three", &align_three, "source"_a.noconvert(), "hypothesis"_a.noconvert(),
               "reference"_a.noconvert());
    module.def("count_alignment_columns", &count_alignment_columns, "source_ids"_a.noconvert(),
               "source_offsets"_a.noconvert(), "reference_ids"_a.noconvert(),
               "reference_word_offsets"_a.noconvert(), "reference_offsets"_a.noconvert(),
               "hypothesis_ids"_a.noconvert(), "hypothesis_word_offsets"_a.noconvert(),
               "hypothesis_offsets"_a.noconvert(), "threads"_a);

    nb::class_<ParsedSentence>(module, "ParsedSentence")
        .def("__init__", &make_parsed_sentence, "words"_a.noconvert(), "letters"_a.noconvert());
    nb::class_<ErrantAligner>(module, "ErrantAligner")
        .def("__init__", &make_errant_aligner, "open_parts_of_speech"_a.noconvert())
        .def("align", &errant_align, "source"_a, "target"_a);

    module.def("minimal_edits", &minimal_edits, "source_ids"_a.noconvert(),
               "source_offsets"_a.noconvert(), "reference_ids"_a.noconvert(),
               "reference_offsets"_a.noconvert(), "references_of_sentence"_a.noconvert(),
               "threads"_a);
    module.def("max_match", &max_match, "source_ids"_a.noconvert(), "source_offsets"_a.noconvert(),
               "hypothesis_ids"_a.noconvert(), "hypothesis_offsets"_a.noconvert(),
               "annotation_offsets"_a.noconvert(), "edit_offsets"_a.noconvert(),
               "spans"_a.noconvert(), "correction_offsets"_a.noconvert(),
               "correction_ids"_a.noconvert(), "correction_id_offsets"_a.noconvert(),
               "max_unchanged_words"_a, "threads"_a);
}
