#include "ngram_trie.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "alignment_memory.hpp"
#include "greedy_alignment.hpp"
#include "hash_seed.hpp"

namespace corrigenda {
namespace {

constexpr std::int32_t kNoNode = -1;
constexpr std::size_t kMostSlots = std::size_t{1} << 31;

std::size_t slot_of(std::int32_t parent, Token token, std::size_t mask) {
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(parent)) << 32 |
                     static_cast<std::uint32_t>(token);
    return static_cast<std::size_t>((key * (hash_seed | 1)) >> 32) & mask;
}

std::size_t table_size_for(std::size_t nodes) {
    std::size_t size = 8;
    while (size < 2 * nodes) size *= 2;
    return size;
}

}  // namespace

std::int32_t NgramTrie::find(std::int32_t parent_node, Token next) const {
    // The n-gram that was added after its beginning is often the one that is asked for.
    const auto after = static_cast<std::size_t>(parent_node) + 1;
    if (parent_node != 0 && after < size() && has_key(parent_node + 1, parent_node, next)) {
        return parent_node + 1;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = slot_of(parent_node, next, mask);; at = (at + 1) & mask) {
        const std::int32_t found = slots_[at];
        if (found == kNoNode) return kNoNode;
        if (has_key(found, parent_node, next)) return found;
    }
}

std::int32_t NgramTrie::find_or_add(std::int32_t parent_node, Token next) {
    const std::int32_t found = find(parent_node, next);
    if (found != kNoNode) return found;
    const auto number = static_cast<std::int32_t>(size());
    if (2 * (size() + 1) > slots_.size()) {
        check_memory(2 * slots_.size());
        resize_slots(2 * slots_.size());
    }
    add_node(parent_node, next);
    put_into_slot(number);
    return number;
}

void NgramTrie::add_node(std::int32_t parent_node, Token next) {
    const std::size_t at = nodes_.size();
    nodes_.resize(at + width(), 0);
    nodes_[at + parent] = parent_node;
    nodes_[at + token] = next;
    ++size_;
}

void NgramTrie::put_into_slot(std::int32_t number) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = slot_of(node(number)[parent], node(number)[token], mask);
    while (slots_[at] != kNoNode) at = (at + 1) & mask;
    slots_[at] = number;
}

// Nodes fill half of the slots at most; their list grows by doubling.
void NgramTrie::check_memory(std::size_t slots) const {
    const double per_slot = static_cast<double>(sizeof(slots_[0]) + width() * sizeof(nodes_[0]));
    const double per_source_unit = static_cast<double>(order_ * sizeof(source_nodes_[0]));
    const double needed = static_cast<double>(slots) * per_slot +
                          static_cast<double>(source_.size()) * per_source_unit;
    const std::size_t limit = alignment_memory.load(std::memory_order_relaxed);
    if (needed <= static_cast<double>(limit) && slots <= kMostSlots) return;
    throw AlignmentTooLarge("its words and n-grams need more than " + std::to_string(limit >> 20) +
                            " MB to be compared");
}

void NgramTrie::resize_slots(std::size_t slots) {
    slots_.assign(slots, kNoNode);
    const auto nodes = static_cast<std::int32_t>(size());
    for (std::int32_t number = 1; number < nodes; ++number) put_into_slot(number);
}

NgramTrie::NgramTrie(Sentence source, const std::vector<Sentence>& references, int order,
                     bool pooled)
    : order_(static_cast<std::size_t>(order)),
      references_(references.size()),
      source_(source.begin(), source.end()) {
    std::vector<Sentence> texts = {source};
    texts.insert(texts.end(), references.begin(), references.end());
    std::size_t longest = 0;
    for (const Sentence& text : texts) longest = std::max(longest, text.size);
    // References repeat most of the source. So 1.5 times the n-grams of one text is a good guess.
    const std::size_t expected = 1 + longest * std::min<std::size_t>(order_, 8) * 3 / 2;
    check_memory(table_size_for(expected));
    source_nodes_.resize(source.size * order_);
    slots_.assign(table_size_for(expected), kNoNode);
    nodes_.reserve(expected * width());
    add_node(kNoNode, 0);
    add_ngrams(texts);
    if (pooled) pool_references();
    sum_up();
    nodes_.shrink_to_fit();
}

// Adds the n-grams place by place, so that those that begin at a place are neighbours.
void NgramTrie::add_ngrams(const std::vector<Sentence>& texts) {
    for (std::size_t column = 0; column < texts.size(); ++column) {
        const Sentence text = texts[column];
        for (std::size_t begin = 0; begin < text.size; ++begin) {
            std::int32_t number = 0;
            const std::size_t longest = std::min(order_, text.size - begin);
            for (std::size_t n = 1; n <= longest; ++n) {
                number = find_or_add(number, text[begin + n - 1]);
                ++node(number)[in_source + column];
                if (column == 0) source_nodes_[begin * order_ + n - 1] = number;
            }
        }
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
    std::vector<std::uint32_t> sizes(size(), 0);  // by node: n - 1; a parent comes before its nodes
    for (std::size_t number = 1; number < sizes.size(); ++number) {
        const std::int32_t* fields = node(static_cast<std::int32_t>(number));
        const auto shorter = static_cast<std::size_t>(fields[parent]);
        const std::size_t n = shorter == 0 ? 0 : sizes[shorter] + 1;
        sizes[number] = static_cast<std::uint32_t>(n);
        for (std::size_t reference = 0; reference < references_; ++reference) {
            Totals& totals = totals_[reference * order_ + n];
            const std::int32_t r = fields[in_reference + reference];
            totals.source += fields[in_source];
            totals.reference += r;
            totals.shared += std::min(fields[in_source], r);
            totals.unshared += r == 0 ? fields[in_source] : 0;
        }
    }
}

void NgramTrie::count(Sentence hypothesis, NgramScratch& scratch, std::int64_t* out) const {
    if (references_ == 0) return;
    find_changes(hypothesis, scratch);
    start(scratch, out);
    add_changes(scratch, out);
    finish(hypothesis.size, scratch, out);
}

// Finds `gained`. A run is a stretch of the source that stands in the hypothesis, too. Runs do not
// overlap, so an n-gram inside a run is in both texts the same number of times. The other n-grams
// of the source are lost, and the other ones of the hypothesis are won.
void NgramTrie::find_changes(Sentence hypothesis, NgramScratch& scratch) const {
    const Sentence source = this->source();
    const std::size_t shorter = std::min(source.size, hypothesis.size);
    std::size_t before = 0;  // units that both begin with
    while (before < shorter && source[before] == hypothesis[before]) ++before;
    std::size_t behind = 0;  // units that both end with
    while (behind < shorter - before &&
           source[source.size - 1 - behind] == hypothesis[hypothesis.size - 1 - behind]) {
        ++behind;
    }
    const std::size_t source_end = source.size - behind;
    const std::size_t end = hypothesis.size - behind;
    if (before == source_end && before == end) return;

    if (scratch.gained.size() < size()) scratch.gained.resize(size(), 0);
    const auto gain = [&](std::int32_t number, std::size_t n, std::int32_t occurrence) {
        std::int32_t& gained = scratch.gained[static_cast<std::size_t>(number)];
        if (gained == 0) scratch.changes.push_back({number, static_cast<std::uint32_t>(n)});
        gained += occurrence;
    };
    scratch.partners.resize(source_end - before);
    align_greedily(source.data + before, source_end - before, hypothesis.data + before,
                   end - before, scratch.partners.data());
    // N-grams that begin further on the left are in the run before all changes.
    const std::size_t begin = before + 1 < order_ ? 0 : before + 1 - order_;
    scratch.rest.assign(end - begin, 0);
    scratch.source_of.resize(end - begin);
    std::size_t next_partner = end;
    std::size_t next_rest = behind;
    for (std::size_t at = source_end; at-- > begin;) {
        const std::int32_t in_changed = at < before ? 0 : scratch.partners[at - before];
        std::size_t rest = 0;  // units of the run from here on
        if (in_changed >= 0) {
            const std::size_t partner =
                at < before ? at : before + static_cast<std::size_t>(in_changed);
            rest = partner + 1 == next_partner ? next_rest + 1 : 1;
            scratch.rest[partner - begin] = static_cast<std::int32_t>(rest);
            scratch.source_of[partner - begin] = static_cast<std::int32_t>(at);
            next_partner = partner;
        }
        next_rest = rest;
        const std::int32_t* numbers = &source_nodes_[at * order_];
        const std::size_t longest = std::min(order_, source.size - at);
        for (std::size_t n = rest + 1; n <= longest; ++n) gain(numbers[n - 1], n, -1);
    }
    for (std::size_t at = begin; at < end; ++at) {
        const auto rest = static_cast<std::size_t>(scratch.rest[at - begin]);
        const std::size_t longest = std::min(order_, hypothesis.size - at);
        if (rest >= longest) continue;
        std::int32_t number = 0;
        if (rest > 0) {
            const auto partner = static_cast<std::size_t>(scratch.source_of[at - begin]);
            number = source_nodes_[partner * order_ + rest - 1];
        }
        for (std::size_t n = rest + 1; n <= longest; ++n) {
            number = find(number, hypothesis[at + n - 1]);
            if (number == kNoNode) break;  // only the hypothesis has it, and all longer ones
            gain(number, n, 1);
        }
    }
}

// The sums for a hypothesis that is the source. In `out`, true_keep is the sum of min(s, r, c), and
// true_insert is the sum of min(r, c).
void NgramTrie::start(NgramScratch& scratch, std::int64_t* out) const {
    scratch.shared_with_source.resize(order_);
    for (std::size_t n = 0; n < order_; ++n) scratch.shared_with_source[n] = totals_[n].source;
    for (const Totals& totals : totals_) {
        out[true_keep] = totals.shared;
        out[true_insert] = totals.shared;
        out[source_only] = totals.unshared;
        out[reference_only] = 0;
        out += ngram_count_kinds;
    }
}

// Changes the sums where c is not s.
void NgramTrie::add_changes(NgramScratch& scratch, std::int64_t* out) const {
    for (const auto [number, n] : scratch.changes) {
        const std::int32_t gained =
            std::exchange(scratch.gained[static_cast<std::size_t>(number)], 0);
        if (gained == 0) continue;
        const std::int32_t* fields = node(number);
        const std::int32_t s = fields[in_source];
        const std::int32_t c = s + gained;
        const std::int32_t from_source = std::min(s, c);
        scratch.shared_with_source[n - 1] += from_source - s;
        std::int64_t* counts = out + (n - 1) * ngram_count_kinds;
        for (std::size_t reference = 0; reference < references_; ++reference) {
            const std::int32_t r = fields[in_reference + reference];
            const std::int32_t from_reference = std::min(r, c);
            const std::int32_t shared = std::min(s, r);
            counts[true_keep] += std::min(from_source, r) - shared;
            counts[true_insert] += from_reference - shared;
            counts[source_only] += r == 0 ? from_source - s : 0;
            counts[reference_only] += s == 0 ? from_reference : 0;
            counts += order_ * ngram_count_kinds;
        }
    }
    scratch.changes.clear();
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

void NgramTrie::prefetch() const {
    prefetch_all(source_);
    prefetch_all(source_nodes_);
    prefetch_all(totals_);
    prefetch_all(nodes_);
    prefetch_all(slots_);
}

std::size_t NgramTrie::memory() const {
    return (slots_.capacity() + nodes_.capacity() + source_.capacity() + source_nodes_.capacity()) *
               sizeof(std::int32_t) +
           totals_.capacity() * sizeof(Totals);
}

}  // namespace corrigenda
