#include "ngram.hpp"

#include "parallel.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kSentencesPerChunk = 64;

}  // namespace

NgramIndex::NgramIndex(Ragged sources, Ragged references, const std::int64_t* reference_offsets,
                       int order, bool pooled, std::size_t threads)
    : order_(order), tries_(sources.count), row_offsets_(sources.count + 1, 0) {
    auto build = [&](std::size_t index) {
        std::vector<Sentence> of_sentence;
        for (auto at = reference_offsets[index]; at < reference_offsets[index + 1]; ++at) {
            of_sentence.push_back(references[static_cast<std::size_t>(at)]);
        }
        tries_[index] = NgramTrie(sources[index], of_sentence, order, pooled);
    };
    parallel_for(sources.count, threads, kSentencesPerChunk, [&] { return build; });
    for (std::size_t index = 0; index < tries_.size(); ++index) {
        row_offsets_[index + 1] =
            row_offsets_[index] + static_cast<std::int64_t>(tries_[index].references());
    }
}

void NgramIndex::count(Ragged hypotheses, std::size_t threads, std::int64_t* out) const {
    const auto row_size = static_cast<std::size_t>(order_) * ngram_count_kinds;
    parallel_for(tries_.size(), threads, kSentencesPerChunk, [&] {
        return [&, scratch = NgramScratch()](std::size_t sentence) mutable {
            const auto row = static_cast<std::size_t>(row_offsets_[sentence]);
            tries_[sentence].count(hypotheses[sentence], scratch, out + row * row_size);
        };
    });
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

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

}  // namespace

CORRIGENDA_BINDINGS(ngram) {
    nb::class_<NgramIndex>(module, "NgramIndex")
        .def("__init__", &make_ngram_index, "source_ids"_a.noconvert(),
             "source_offsets"_a.noconvert(), "reference_ids"_a.noconvert(),
             "reference_offsets"_a.noconvert(), "references_of_sentence"_a.noconvert(), "order"_a,
             "pooled"_a, "threads"_a)
        .def("count", &ngram_count, "ids"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a);
}

}  // namespace corrigenda
#endif
