#include "ngram.hpp"

#include <algorithm>

#include "parallel.hpp"

namespace corrigenda {
namespace {

constexpr std::size_t kSentencesPerChunk = 64;

NgramCounts regions(std::int64_t s, std::int64_t r, std::int64_t c) {
    NgramCounts counts{};
    counts[true_keep] = std::min({s, r, c});
    counts[true_delete] = std::max<std::int64_t>(0, s - std::max(r, c));
    counts[true_insert] = std::max<std::int64_t>(0, std::min(r, c) - s);
    counts[over_delete] = std::max<std::int64_t>(0, std::min(s, r) - c);
    counts[over_insert] = std::max<std::int64_t>(0, c - std::max(s, r));
    counts[under_delete] = std::max<std::int64_t>(0, std::min(s, c) - r);
    counts[under_insert] = std::max<std::int64_t>(0, r - std::max(s, c));
    counts[source_only] = r == 0 ? std::min(s, c) : 0;
    counts[reference_only] = s == 0 ? std::min(r, c) : 0;
    return counts;
}

std::size_t slot_of(std::int32_t parent, Token token, std::size_t mask) {
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(parent)) << 32 |
                     static_cast<std::uint32_t>(token);
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 32) & mask;
}

std::size_t table_size_for(std::size_t nodes) {
    std::size_t size = 8;
    while (size < 2 * nodes) size *= 2;
    return size;
}

}  // namespace

std::int32_t NgramIndex::Trie::find(std::int32_t parent, Token token) const {
    const std::size_t mask = slots.size() - 1;
    for (std::size_t at = slot_of(parent, token, mask);; at = (at + 1) & mask) {
        const Slot& slot = slots[at];
        if (slot.node < 0) return -1;
        if (slot.parent == parent && slot.token == token) return slot.node;
    }
}

// The table was sized for every n-gram of the sentence's texts, so there is always a free slot.
std::int32_t NgramIndex::Trie::find_or_add(std::int32_t parent, Token token) {
    const std::size_t mask = slots.size() - 1;
    std::size_t at = slot_of(parent, token, mask);
    while (slots[at].node >= 0) {
        if (slots[at].parent == parent && slots[at].token == token) return slots[at].node;
        at = (at + 1) & mask;
    }
    const auto node = static_cast<std::int32_t>(depth.size());
    slots[at] = {parent, token, node};
    depth.push_back(depth[static_cast<std::size_t>(parent)] + 1);
    multiplicity.resize(multiplicity.size() + width(), 0);
    return node;
}

void NgramIndex::Trie::add_sentence(Sentence sentence, int order, std::int32_t column) {
    for (std::size_t begin = 0; begin < sentence.size; ++begin) {
        const std::size_t end = std::min(sentence.size, begin + static_cast<std::size_t>(order));
        std::int32_t node = 0;
        for (std::size_t position = begin; position < end; ++position) {
            node = find_or_add(node, sentence[position]);
            ++multiplicity[static_cast<std::size_t>(node) * width() + static_cast<std::size_t>(column)];
        }
    }
}

void NgramIndex::Trie::pool_references() {
    std::vector<std::int32_t> pooled;
    pooled.reserve(2 * depth.size());
    for (std::size_t node = 0; node < depth.size(); ++node) {
        const auto first = multiplicity.begin() + static_cast<std::ptrdiff_t>(node * width());
        pooled.push_back(*first);
        pooled.push_back(references == 0 ? 0 : *std::max_element(first + 1, first + 1 + references));
    }
    multiplicity = std::move(pooled);
    references = 1;
}

void NgramIndex::Trie::count_empty_hypothesis(int order) {
    empty_counts.assign(static_cast<std::size_t>(references) * static_cast<std::size_t>(order), {});
    for (std::size_t node = 1; node < depth.size(); ++node) {
        const std::int32_t* row = &multiplicity[node * width()];
        for (std::int32_t reference = 0; reference < references; ++reference) {
            auto& sums = empty_counts[static_cast<std::size_t>(reference * order + depth[node] - 1)];
            const auto counts = regions(row[0], row[reference + 1], 0);
            for (std::size_t kind = 0; kind < ngram_count_kinds; ++kind) sums[kind] += counts[kind];
        }
    }
}

NgramIndex::NgramIndex(Ragged sources, Ragged references, const std::int64_t* reference_offsets, int order,
                       bool pooled, std::size_t threads)
    : order_(order), tries_(sources.count), row_offsets_(sources.count + 1, 0) {
    auto build = [&](std::size_t index) {
        Trie& trie = tries_[index];
        const auto first = static_cast<std::size_t>(reference_offsets[index]);
        const auto last = static_cast<std::size_t>(reference_offsets[index + 1]);
        trie.references = static_cast<std::int32_t>(last - first);

        std::size_t tokens = sources[index].size;
        for (std::size_t reference = first; reference < last; ++reference) tokens += references[reference].size;
        trie.slots.resize(table_size_for(tokens * static_cast<std::size_t>(order) + 1));
        trie.depth.push_back(0);
        trie.multiplicity.resize(trie.width(), 0);

        trie.add_sentence(sources[index], order, 0);
        for (std::size_t reference = first; reference < last; ++reference) {
            trie.add_sentence(references[reference], order, static_cast<std::int32_t>(reference - first + 1));
        }
        if (pooled) trie.pool_references();
        trie.count_empty_hypothesis(order);
    };
    parallel_for(sources.count, threads, kSentencesPerChunk, [&] { return build; });
    for (std::size_t index = 0; index < tries_.size(); ++index) {
        row_offsets_[index + 1] = row_offsets_[index] + tries_[index].references;
    }
}

// Counts one hypothesis after another, reusing its memory.
class NgramIndex::Walker {
public:
    Walker(const NgramIndex& index, Ragged hypotheses, std::int64_t* out)
        : index_(index), hypotheses_(hypotheses), out_(out), unseen_(static_cast<std::size_t>(index.order_)) {}

    void operator()(std::size_t sentence) {
        const Trie& trie = index_.tries_[sentence];
        walk(trie, hypotheses_[sentence]);
        const auto row_size = static_cast<std::size_t>(index_.order_) * ngram_count_kinds;
        std::int64_t* rows = out_ + static_cast<std::size_t>(index_.row_offsets_[sentence]) * row_size;
        start_from_empty_hypothesis(trie, rows);
        add_found_ngrams(trie, rows);
    }

private:
    // Counts the n-grams of the hypothesis that the trie has, and how many, of each n, it has not.
    void walk(const Trie& trie, Sentence hypothesis) {
        const auto order = static_cast<std::size_t>(index_.order_);
        occurrences_.resize(std::max(occurrences_.size(), trie.depth.size()), 0);
        std::fill(unseen_.begin(), unseen_.end(), 0);
        for (std::size_t begin = 0; begin < hypothesis.size; ++begin) {
            const std::size_t longest = std::min(order, hypothesis.size - begin);
            std::int32_t node = 0;
            std::size_t n = 0;
            for (; n < longest; ++n) {
                node = trie.find(node, hypothesis[begin + n]);
                if (node < 0) break;
                if (occurrences_[static_cast<std::size_t>(node)]++ == 0) found_.push_back(node);
            }
            for (; n < longest; ++n) ++unseen_[n];
        }
    }

    void start_from_empty_hypothesis(const Trie& trie, std::int64_t* rows) const {
        const auto order = static_cast<std::size_t>(index_.order_);
        for (std::size_t cell = 0; cell < trie.empty_counts.size(); ++cell) {
            std::int64_t* counts = rows + cell * ngram_count_kinds;
            std::copy(trie.empty_counts[cell].begin(), trie.empty_counts[cell].end(), counts);
            counts[over_insert] += unseen_[cell % order];
        }
    }

    void add_found_ngrams(const Trie& trie, std::int64_t* rows) {
        const auto order = static_cast<std::size_t>(index_.order_);
        for (const std::int32_t found : found_) {
            const auto node = static_cast<std::size_t>(found);
            const std::int32_t* row = &trie.multiplicity[node * trie.width()];
            const auto n = static_cast<std::size_t>(trie.depth[node] - 1);
            for (std::size_t reference = 0; reference + 1 < trie.width(); ++reference) {
                const auto with = regions(row[0], row[reference + 1], occurrences_[node]);
                const auto without = regions(row[0], row[reference + 1], 0);
                std::int64_t* counts = rows + (reference * order + n) * ngram_count_kinds;
                for (std::size_t kind = 0; kind < ngram_count_kinds; ++kind) counts[kind] += with[kind] - without[kind];
            }
            occurrences_[node] = 0;
        }
        found_.clear();
    }

    const NgramIndex& index_;
    Ragged hypotheses_;
    std::int64_t* out_;
    std::vector<std::int32_t> occurrences_;  // by node; all zero between two hypotheses
    std::vector<std::int32_t> found_;        // the nodes with an occurrence
    std::vector<std::int64_t> unseen_;       // by n
};

void NgramIndex::count(Ragged hypotheses, std::size_t threads, std::int64_t* out) const {
    parallel_for(tries_.size(), threads, kSentencesPerChunk, [&] { return Walker(*this, hypotheses, out); });
}

}  // namespace corrigenda
