#include "numbered_words.hpp"

#include <string>

#include "parallel.hpp"
#include "unit_numbers.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kSentencesAtOnce = 256;

// The words of some texts, one text after another.
struct PartOfText {
    std::vector<Id> ids;
    std::vector<std::size_t> sizes;
};
struct Part {
    PartOfText sources, references, hypotheses;
};

// Numbers one sentence after another, and reuses its memory.
class SentenceWords {
public:
    void start(const std::vector<std::string_view>& texts) {
        memory_.clear();
        numbers_.start(texts, WordNumbers::all_words, memory_);
        texts_ = 0;
    }

    // Whether so much memory was needed that it should be given back.
    bool is_large() const { return memory_.is_large(); }

    void add(std::string_view text, PartOfText& out) {
        const std::size_t before = out.ids.size();
        numbers_.add(text, texts_++, out.ids);
        out.sizes.push_back(out.ids.size() - before);
    }

private:
    CountingMemory memory_;
    WordNumbers numbers_;
    Owner texts_ = 0;
};

// The parts are in the order of the sentences.
NumberedText joined(const std::vector<Part>& parts, PartOfText Part::*text) {
    NumberedText whole;
    std::size_t ids = 0, texts = 0;
    for (const Part& part : parts) {
        ids += (part.*text).ids.size();
        texts += (part.*text).sizes.size();
    }
    whole.ids.reserve(ids);
    whole.offsets.reserve(texts + 1);
    for (const Part& part : parts) {
        whole.ids.insert(whole.ids.end(), (part.*text).ids.begin(), (part.*text).ids.end());
        for (const std::size_t size : (part.*text).sizes) {
            whole.offsets.push_back(whole.offsets.back() + static_cast<std::int64_t>(size));
        }
    }
    return whole;
}

}  // namespace

NumberedWords number_words(const CorpusTexts& texts, std::size_t threads) {
    std::vector<Part> parts((texts.count + kSentencesAtOnce - 1) / kSentencesAtOnce);
    parallel_for(texts.count, threads, kSentencesAtOnce, [&] {
        return [&, words = SentenceWords(),
                given = std::vector<std::string_view>()](std::size_t sentence) mutable {
            Part& part = parts[sentence / kSentencesAtOnce];
            const auto first = static_cast<std::size_t>(texts.reference_offsets[sentence]);
            const auto last = static_cast<std::size_t>(texts.reference_offsets[sentence + 1]);
            given.assign(1, texts.sources[sentence]);
            given.insert(given.end(), texts.references + first, texts.references + last);
            if (texts.hypotheses) given.push_back(texts.hypotheses[sentence]);
            try {
                words.start(given);
                words.add(given[0], part.sources);
                for (std::size_t text = 1; text <= last - first; ++text) {
                    words.add(given[text], part.references);
                }
                if (texts.hypotheses) words.add(given.back(), part.hypotheses);
            } catch (const AlignmentTooLarge& problem) {
                throw AlignmentTooLarge("sentence " + std::to_string(sentence) + ": " +
                                        problem.what());
            }
            if (words.is_large()) words = SentenceWords();
        };
    });
    return {joined(parts, &Part::sources), joined(parts, &Part::references),
            joined(parts, &Part::hypotheses)};
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "python_texts.hpp"

namespace corrigenda {
namespace {

nb::tuple ragged_of(NumberedText&& text) {
    return nb::make_tuple(to_numpy(std::move(text.ids)), to_numpy(std::move(text.offsets)));
}

// The ids and offsets of sources, references and hypotheses, and the reference offsets. The caller
// checks that there are as many hypotheses and references as sources.
nb::tuple number_words_of_texts(nb::handle sources, nb::handle references, nb::handle hypotheses,
                                std::size_t threads) {
    Utf8 utf8;
    const auto source_views = utf8.views(sources);
    std::vector<std::string_view> hypothesis_views;
    if (!hypotheses.is_none()) hypothesis_views = utf8.views(hypotheses);
    ReferenceViews of_references = reference_views(references, source_views.size(), utf8);
    NumberedWords numbered;
    {
        const nb::gil_scoped_release unlocked;
        numbered = number_words(
            {source_views.data(), of_references.texts.data(), of_references.offsets.data(),
             hypotheses.is_none() ? nullptr : hypothesis_views.data(), source_views.size()},
            threads);
    }
    return nb::make_tuple(
        ragged_of(std::move(numbered.sources)), ragged_of(std::move(numbered.references)),
        ragged_of(std::move(numbered.hypotheses)), to_numpy(std::move(of_references.offsets)));
}

}  // namespace

CORRIGENDA_BINDINGS(numbered_words) {
    module.def("number_words", &number_words_of_texts, "sources"_a, "references"_a,
               "hypotheses"_a.none(), "threads"_a);
}

}  // namespace corrigenda
#endif
