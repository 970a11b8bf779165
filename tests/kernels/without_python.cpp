// Counts the n-grams and finds the edits of one sentence. It is linked with the kernels, but
// not with Python. Prints one line of numbers per result.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "minimal_edits.hpp"
#include "ngram.hpp"
#include "vocabulary.hpp"

using namespace corrigenda;

static Ragged view(const EncodedText& text) {
    return {text.ids.data(), text.offsets.data(), text.offsets.size() - 1};
}

int main() {
    Vocabulary words;
    const EncodedText source = words.add({"a b c d"});
    const EncodedText reference = words.add({"a e c d"});
    const EncodedText hypothesis = words.encode({"a e c f"});
    const std::int64_t one_reference[] = {0, 1};

    const int order = 2;
    const NgramIndex index(view(source), view(reference), one_reference, order, false, 1);
    std::vector<std::int64_t> counts(index.rows() * order * ngram_count_kinds);
    index.count(view(hypothesis), 1, counts.data());
    for (const std::int64_t count : counts) std::printf("%lld ", static_cast<long long>(count));
    std::printf("\n");

    for (const ChangedSpan& span :
         minimal_edits_batch(view(source), view(reference), one_reference, 1).spans) {
        std::printf("%d %d %d %d ", span.start, span.end, span.begin, span.finish);
    }
    std::printf("\n");
}
