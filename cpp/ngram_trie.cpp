#include "ngram_trie.hpp"

#include <algorithm>

namespace corrigenda {
namespace {

constexpr std::int32_t kNoNode = -1;

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

std::int32_t NgramTrie::find(std::int32_t parent, Token token) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = slot_of(parent, token, mask);; at = (at + 1) & mask) {
        const std::int32_t found = slots_[at];
        if (found == kNoNode) return kNoNode;
        const Node& node = nodes_[static_cast<std::size_t>(found)];
        if (node.parent == parent && node.token == token) return found;
    }
}

std::int32_t NgramTrie::find_or_add(std::int32_t parent, Token token, std::int32_t link) {
    const std::int32_t found = find(parent, token);
    if (found != kNoNode) return found;
    if (2 * (nodes_.size() + 1) > slots_.size()) resize_slots(2 * slots_.size());
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = slot_of(parent, token, mask);
    while (slots_[at] != kNoNode) at = (at + 1) & mask;
    slots_[at] = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({parent, token, link});
    multiplicity_.resize(multiplicity_.size() + width(), 0);
    return slots_[at];
}

void NgramTrie::resize_slots(std::size_t size) {
    slots_.assign(size, kNoNode);
    for (std::size_t node = 1; node < nodes_.size(); ++node) {
        std::size_t at = slot_of(nodes_[node].parent, nodes_[node].token, size - 1);
        while (slots_[at] != kNoNode) at = (at + 1) & (size - 1);
        slots_[at] = static_cast<std::int32_t>(node);
    }
}

NgramTrie::NgramTrie(Sentence source, const std::vector<Sentence>& references, int order, bool pooled)
    : order_(static_cast<std::size_t>(order)), references_(references.size()) {
    std::vector<Sentence> texts = {source};
    texts.insert(texts.end(), references.begin(), references.end());
    std::size_t longest = 0;
    for (const Sentence& text : texts) longest = std::max(longest, text.size);
    // References repeat most of the source: half as many again as its own n-grams is a good guess.
    const std::size_t expected = 1 + longest * std::min<std::size_t>(order_, 8) * 3 / 2;
    slots_.assign(table_size_for(expected), kNoNode);
    nodes_.reserve(expected);
    multiplicity_.reserve(expected * width());
    nodes_.push_back({kNoNode, 0, 0});
    multiplicity_.resize(width(), 0);

    // n by n, so that the nodes of one n stand together, and links lead to nodes that exist.
    std::vector<std::int32_t> ending;  // of each text and position, the n-gram before this one
    std::vector<std::size_t> starts;
    for (const Sentence& text : texts) {
        starts.push_back(ending.size());
        ending.resize(ending.size() + text.size + 1, 0);
    }
    for (std::size_t n = 1; n <= order_; ++n) {
        for (std::size_t column = 0; column < texts.size(); ++column) {
            const Sentence text = texts[column];
            std::int32_t* nodes = ending.data() + starts[column];
            for (std::size_t begin = 0; begin + n <= text.size; ++begin) {
                // The one that begins at the next token has still n - 1 tokens: this one's link.
                const std::int32_t link = n == 1 ? 0 : nodes[begin + 1];
                nodes[begin] = find_or_add(nodes[begin], text[begin + n - 1], link);
                ++multiplicity_[static_cast<std::size_t>(nodes[begin]) * width() + column];
            }
        }
        ends_.push_back(static_cast<std::int32_t>(nodes_.size()));
    }
    if (pooled) pool_references();
    sum_up();
    nodes_.shrink_to_fit();
    multiplicity_.shrink_to_fit();
}

void NgramTrie::pool_references() {
    std::vector<std::int32_t> pooled;
    pooled.reserve(2 * nodes_.size());
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        const std::int32_t* row = &multiplicity_[node * width()];
        pooled.push_back(row[0]);
        pooled.push_back(references_ == 0 ? 0 : *std::max_element(row + 1, row + width()));
    }
    multiplicity_ = std::move(pooled);
    references_ = 1;
}

void NgramTrie::sum_up() {
    totals_.assign(references_ * order_, {});
    std::size_t node = 1;
    for (std::size_t n = 0; n < order_; ++n) {
        for (; node < static_cast<std::size_t>(ends_[n]); ++node) {
            const std::int32_t* row = &multiplicity_[node * width()];
            for (std::size_t reference = 0; reference < references_; ++reference) {
                Totals& totals = totals_[reference * order_ + n];
                totals.source += row[0];
                totals.reference += row[reference + 1];
                totals.shared += std::min(row[0], row[reference + 1]);
            }
        }
    }
}

void NgramTrie::count(Sentence hypothesis, NgramScratch& scratch, std::int64_t* out) const {
    read(hypothesis, scratch);
    collect(scratch, out);
    finish(hypothesis.size, scratch, out);
}

// At each position counts the longest n-gram that ends there and is known.
void NgramTrie::read(Sentence hypothesis, NgramScratch& scratch) const {
    if (scratch.occurrences.size() < nodes_.size()) scratch.occurrences.resize(nodes_.size(), 0);
    if (scratch.reached.size() <= order_) scratch.reached.resize(order_ + 1);
    std::int32_t node = 0;
    std::size_t depth = 0;
    const auto drop_first_token = [&] {
        node = nodes_[static_cast<std::size_t>(node)].link;
        --depth;
    };
    for (const Token token : hypothesis) {
        if (depth == order_) drop_first_token();
        std::int32_t longer = find(node, token);
        while (longer == kNoNode && depth > 0) {
            drop_first_token();
            longer = find(node, token);
        }
        if (longer == kNoNode) continue;
        node = longer;
        ++depth;
        if (scratch.occurrences[static_cast<std::size_t>(node)]++ == 0) scratch.reached[depth].push_back(node);
    }
}

// Where an n-gram occurs, so do the shorter ones with the same end: counts go along the links, from the
// longest to the shortest. Leaves in `out` the sums of min(s, r, c) as true_keep and of min(r, c) as true_insert.
void NgramTrie::collect(NgramScratch& scratch, std::int64_t* out) const {
    std::fill(out, out + references_ * order_ * ngram_count_kinds, 0);
    scratch.shared_with_source.assign(order_, 0);
    for (std::size_t n = order_; n > 0; --n) {
        for (const std::int32_t reached : scratch.reached[n]) {
            const auto node = static_cast<std::size_t>(reached);
            const std::int32_t c = scratch.occurrences[node];
            scratch.occurrences[node] = 0;
            const std::int32_t link = nodes_[node].link;
            std::int32_t& of_link = scratch.occurrences[static_cast<std::size_t>(link)];
            if (n > 1) {
                if (of_link == 0) scratch.reached[n - 1].push_back(link);
                of_link += c;
            }
            const std::int32_t* row = &multiplicity_[node * width()];
            const std::int32_t from_source = std::min(row[0], c);
            scratch.shared_with_source[n - 1] += from_source;
            for (std::size_t reference = 0; reference < references_; ++reference) {
                const std::int32_t r = row[reference + 1];
                const std::int32_t from_reference = std::min(r, c);
                std::int64_t* counts = out + (reference * order_ + n - 1) * ngram_count_kinds;
                counts[true_keep] += std::min(from_source, r);
                counts[true_insert] += from_reference;
                counts[source_only] += r == 0 ? from_source : 0;
                counts[reference_only] += row[0] == 0 ? from_reference : 0;
            }
        }
        scratch.reached[n].clear();
    }
}

// The regions from sums of minima, since max(0, a - max(b, c)) = a - min(a, b) - min(a, c) + min(a, b, c).
void NgramTrie::finish(std::size_t tokens, const NgramScratch& scratch, std::int64_t* out) const {
    for (std::size_t cell = 0; cell < totals_.size(); ++cell) {
        const std::size_t n = cell % order_;
        const Totals& totals = totals_[cell];
        std::int64_t* counts = out + cell * ngram_count_kinds;
        const auto ngrams = static_cast<std::int64_t>(tokens > n ? tokens - n : 0);
        const std::int64_t with_source = scratch.shared_with_source[n];
        const std::int64_t with_reference = counts[true_insert];
        const std::int64_t all = counts[true_keep];
        counts[true_delete] = totals.source - totals.shared - with_source + all;
        counts[true_insert] = with_reference - all;
        counts[over_delete] = totals.shared - all;
        counts[over_insert] = ngrams - with_source - with_reference + all;
        counts[under_delete] = with_source - all;
        counts[under_insert] = totals.reference - totals.shared - with_reference + all;
    }
}

std::size_t NgramTrie::memory() const {
    return slots_.capacity() * sizeof(slots_[0]) + nodes_.capacity() * sizeof(nodes_[0]) +
           ends_.capacity() * sizeof(ends_[0]) + multiplicity_.capacity() * sizeof(multiplicity_[0]) +
           totals_.capacity() * sizeof(totals_[0]);
}

}  // namespace corrigenda
