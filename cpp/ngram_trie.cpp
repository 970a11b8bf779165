#include "ngram_trie.hpp"

#include <algorithm>
#include <utility>

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

std::int32_t NgramTrie::find(std::int32_t parent_node, Token next) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = slot_of(parent_node, next, mask);; at = (at + 1) & mask) {
        const std::int32_t found = slots_[at];
        if (found == kNoNode) return kNoNode;
        if (has_key(found, parent_node, next)) return found;
    }
}

std::int32_t NgramTrie::find_or_add(std::int32_t parent_node, Token next, std::int32_t shorter) {
    const std::int32_t found = find(parent_node, next);
    if (found != kNoNode) return found;
    const auto number = static_cast<std::int32_t>(size());
    if (2 * (size() + 1) > slots_.size()) resize_slots(2 * slots_.size());
    add_node(parent_node, next, shorter);
    put_into_slot(number);
    return number;
}

void NgramTrie::add_node(std::int32_t parent_node, Token next, std::int32_t shorter) {
    const std::size_t at = nodes_.size();
    nodes_.resize(at + width(), 0);
    nodes_[at + parent] = parent_node;
    nodes_[at + token] = next;
    nodes_[at + link] = shorter;
}

void NgramTrie::put_into_slot(std::int32_t number) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = slot_of(node(number)[parent], node(number)[token], mask);
    while (slots_[at] != kNoNode) at = (at + 1) & mask;
    slots_[at] = number;
}

void NgramTrie::resize_slots(std::size_t slots) {
    slots_.assign(slots, kNoNode);
    const auto nodes = static_cast<std::int32_t>(size());
    for (std::int32_t number = 1; number < nodes; ++number) put_into_slot(number);
}

NgramTrie::NgramTrie(Sentence source, const std::vector<Sentence>& references, int order,
                     bool pooled)
    : order_(static_cast<std::size_t>(order)), references_(references.size()) {
    std::vector<Sentence> texts = {source};
    texts.insert(texts.end(), references.begin(), references.end());
    std::size_t longest = 0;
    for (const Sentence& text : texts) longest = std::max(longest, text.size);
    // References repeat most of the source. So 1.5 times the n-grams of one text is a good guess.
    const std::size_t expected = 1 + longest * std::min<std::size_t>(order_, 8) * 3 / 2;
    slots_.assign(table_size_for(expected), kNoNode);
    nodes_.reserve(expected * width());
    add_node(kNoNode, 0, 0);
    add_ngrams(texts);
    if (pooled) pool_references();
    sum_up();
    nodes_.shrink_to_fit();
}

// Adds the n-grams for n = 1, 2, …, so that the nodes of one n are neighbours, and the node that a
// link needs already exists.
void NgramTrie::add_ngrams(const std::vector<Sentence>& texts) {
    std::vector<std::vector<std::int32_t>> beginning;  // by text and position: the (n - 1)-gram
    for (const Sentence& text : texts) beginning.emplace_back(text.size + 1, 0);
    for (std::size_t n = 1; n <= order_; ++n) {
        for (std::size_t column = 0; column < texts.size(); ++column) {
            const Sentence text = texts[column];
            auto& numbers = beginning[column];
            for (std::size_t begin = 0; begin + n <= text.size; ++begin) {
                // The next position still has its (n - 1)-gram, to which this n-gram links.
                const std::int32_t shorter = n == 1 ? 0 : numbers[begin + 1];
                numbers[begin] = find_or_add(numbers[begin], text[begin + n - 1], shorter);
                ++node(numbers[begin])[in_source + column];
            }
        }
        ends_.push_back(static_cast<std::int32_t>(size()));
    }
}

void NgramTrie::pool_references() {
    std::vector<std::int32_t> pooled;
    pooled.reserve(size() * (in_reference + 1));
    for (auto fields = nodes_.begin(); fields != nodes_.end();) {
        const auto references = fields + in_reference;
        const auto end = fields + static_cast<std::ptrdiff_t>(width());
        pooled.insert(pooled.end(), fields, references);
        pooled.push_back(references_ == 0 ? 0 : *std::max_element(references, end));
        fields = end;
    }
    nodes_ = std::move(pooled);
    references_ = 1;
}

void NgramTrie::sum_up() {
    totals_.assign(references_ * order_, {});
    std::int32_t number = 1;
    for (std::size_t n = 0; n < order_; ++n) {
        for (; number < ends_[n]; ++number) {
            const std::int32_t* fields = node(number);
            for (std::size_t reference = 0; reference < references_; ++reference) {
                Totals& totals = totals_[reference * order_ + n];
                const std::int32_t r = fields[in_reference + reference];
                totals.source += fields[in_source];
                totals.reference += r;
                totals.shared += std::min(fields[in_source], r);
            }
        }
    }
}

void NgramTrie::count(Sentence hypothesis, NgramScratch& scratch, std::int64_t* out) const {
    read(hypothesis, scratch);
    collect(scratch, out);
    finish(hypothesis.size, scratch, out);
}

// At each position, counts the longest known n-gram that ends there.
void NgramTrie::read(Sentence hypothesis, NgramScratch& scratch) const {
    if (scratch.occurrences.size() < size()) scratch.occurrences.resize(size(), 0);
    if (scratch.reached.size() <= order_) scratch.reached.resize(order_ + 1);
    std::int32_t known = 0;
    std::size_t depth = 0;
    const auto drop_first_token = [&] {
        known = node(known)[link];
        --depth;
    };
    const auto nodes = static_cast<std::int32_t>(size());
    for (const Token next : hypothesis) {
        // Nodes are numbered in the order of the text. If the hypothesis continues like the text,
        // this guess is right, and the processor does not wait for a search.
        const std::int32_t guess = known + 1;
        if (depth == order_) drop_first_token();
        const bool is_right = guess < nodes && has_key(guess, known, next);
        std::int32_t longer = is_right ? guess : find(known, next);
        while (longer == kNoNode && depth > 0) {
            drop_first_token();
            longer = find(known, next);
        }
        if (longer == kNoNode) continue;
        known = longer;
        ++depth;
        if (scratch.occurrences[static_cast<std::size_t>(known)]++ == 0) {
            scratch.reached[depth].push_back(known);
        }
    }
}

// Where an n-gram occurs, the shorter n-grams with the same end also occur. So counts go along the
// links, from the longest to the shortest. In `out`, true_keep is then the sum of min(s, r, c), and
// true_insert is the sum of min(r, c).
void NgramTrie::collect(NgramScratch& scratch, std::int64_t* out) const {
    std::fill(out, out + references_ * order_ * ngram_count_kinds, 0);
    scratch.shared_with_source.assign(order_, 0);
    for (std::size_t n = order_; n > 0; --n) {
        for (const std::int32_t reached : scratch.reached[n]) {
            const std::int32_t* fields = node(reached);
            const std::int32_t c =
                std::exchange(scratch.occurrences[static_cast<std::size_t>(reached)], 0);
            if (n > 1) {
                std::int32_t& of_shorter =
                    scratch.occurrences[static_cast<std::size_t>(fields[link])];
                if (of_shorter == 0) scratch.reached[n - 1].push_back(fields[link]);
                of_shorter += c;
            }
            const std::int32_t from_source = std::min(fields[in_source], c);
            scratch.shared_with_source[n - 1] += from_source;
            for (std::size_t reference = 0; reference < references_; ++reference) {
                const std::int32_t r = fields[in_reference + reference];
                const std::int32_t from_reference = std::min(r, c);
                std::int64_t* counts = out + (reference * order_ + n - 1) * ngram_count_kinds;
                counts[true_keep] += std::min(from_source, r);
                counts[true_insert] += from_reference;
                counts[source_only] += r == 0 ? from_source : 0;
                counts[reference_only] += fields[in_source] == 0 ? from_reference : 0;
            }
        }
        scratch.reached[n].clear();
    }
}

// Computes the regions from sums of minima:
// max(0, a - max(b, c)) = a - min(a, b) - min(a, c) + min(a, b, c).
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
    return (slots_.capacity() + nodes_.capacity() + ends_.capacity()) * sizeof(std::int32_t) +
           totals_.capacity() * sizeof(Totals);
}

}  // namespace corrigenda
