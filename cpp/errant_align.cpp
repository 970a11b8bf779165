#include "errant_align.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "alignment_memory.hpp"

namespace corrigenda {

ParsedSentence::ParsedSentence(const ParsedWord* first, std::size_t size, const std::uint32_t* text,
                               std::size_t letter_count)
    : words(first, first + size), letter_offsets{0} {
    letters.reserve(letter_count);
    for (const std::uint32_t* letter = text; letter != text + letter_count; ++letter) {
        if (*letter == U' ') {
            letter_offsets.push_back(letters.size());
        } else {
            letters.push_back(*letter);
        }
    }
    if (size != 0) letter_offsets.push_back(letters.size());
    if (letter_offsets.size() != size + 1) {
        throw std::invalid_argument("words and letters do not agree");
    }
}

const std::vector<AlignedSpan>& ErrantAligner::align(const ParsedSentence& source,
                                                     const ParsedSentence& target) {
    source_ = &source;
    target_ = &target;
    columns_ = target.size() + 1;
    check_table(source.size() + 1, columns_, sizeof(Cell));
    cells_.resize((source.size() + 1) * columns_);
    number_lower_words();
    fill_edges();
    for (std::size_t row = 0; row < source.size(); ++row) {
        for (std::size_t column = 0; column < target.size(); ++column) fill_cell(row, column);
    }
    trace_back();
    return path_;
}

void ErrantAligner::number_lower_words() {
    std::unordered_map<std::uint64_t, std::int32_t> numbers;
    const auto number_all = [&numbers](const ParsedSentence& sentence,
                                       std::vector<std::int32_t>* lower) {
        lower->clear();
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            const auto next = static_cast<std::int32_t>(numbers.size());
            lower->push_back(numbers.try_emplace(sentence.words[i].lower, next).first->second);
        }
    };
    number_all(*source_, &source_lower_);
    number_all(*target_, &target_lower_);
    balance_.assign(numbers.size(), 0);
}

void ErrantAligner::fill_edges() {
    cell(0, 0) = {0.0, AlignStep::match, 0};
    for (std::size_t row = 1; row <= source_->size(); ++row) {
        cell(row, 0) = {static_cast<double>(row), AlignStep::deletion, 0};
    }
    for (std::size_t column = 1; column <= target_->size(); ++column) {
        cell(0, column) = {static_cast<double>(column), AlignStep::insertion, 0};
    }
}

void ErrantAligner::fill_cell(std::size_t row, std::size_t column) {
    const double diagonal = cell(row, column).cost;
    Cell& current = cell(row + 1, column + 1);
    if (source_->words[row].orth == target_->words[column].orth) {
        current = {diagonal, AlignStep::match, 0};
        return;
    }
    // In a tie the first wins: transposition, substitution, insertion, deletion.
    current = {std::numeric_limits<double>::infinity(), AlignStep::transposition, 0};
    if (const std::size_t moved = transposed_words(row, column)) {
        const double cost =
            cell(row + 1 - moved, column + 1 - moved).cost + static_cast<double>(moved - 1);
        current = {cost, AlignStep::transposition, static_cast<std::int32_t>(moved)};
    }
    const auto offer = [&current](double cost, AlignStep step) {
        if (cost < current.cost) current = {cost, step, 0};
    };
    offer(diagonal + substitution_cost(row, column), AlignStep::substitution);
    offer(cell(row + 1, column).cost + 1, AlignStep::insertion);
    offer(cell(row, column + 1).cost + 1, AlignStep::deletion);
}

// The fewest words, two or more, that end here and are the same on both sides except for order and
// case. Goes back along the diagonal, at most to a step that cost nothing. Returns 0 if there are
// none.
std::size_t ErrantAligner::transposed_words(std::size_t row, std::size_t column) {
    if (costs_ == AlignCosts::levenshtein) return 0;
    std::size_t unbalanced = 0;
    const auto change = [this, &unbalanced](std::int32_t word, std::int32_t by) {
        auto& count = balance_[static_cast<std::size_t>(word)];
        unbalanced -= count != 0;
        count += by;
        unbalanced += count != 0;
    };
    change(source_lower_[row], 1);
    change(target_lower_[column], -1);
    std::size_t length = 1;
    bool found = false;
    while (!found && length <= row && length <= column &&
           cell(row - length + 1, column - length + 1).cost !=
               cell(row - length, column - length).cost) {
        change(source_lower_[row - length], 1);
        change(target_lower_[column - length], -1);
        ++length;
        found = unbalanced == 0;
    }
    for (std::size_t i = 0; i < length; ++i) {
        balance_[static_cast<std::size_t>(source_lower_[row - i])] = 0;
        balance_[static_cast<std::size_t>(target_lower_[column - i])] = 0;
    }
    return found ? length : 0;
}

bool ErrantAligner::is_open(std::uint64_t part_of_speech) const {
    return std::find(open_parts_of_speech_.begin(), open_parts_of_speech_.end(), part_of_speech) !=
           open_parts_of_speech_.end();
}

double ErrantAligner::substitution_cost(std::size_t row, std::size_t column) {
    switch (costs_) {
        case AlignCosts::levenshtein:
            return 1.0;
        case AlignCosts::characters:
            return character_cost(row, column);
        default:
            return linguistic_cost(row, column);
    }
}

// Meaning and shape are unknown; punctuation is nearer to punctuation than to anything else.
double ErrantAligner::character_cost(std::size_t row, std::size_t column) const {
    const bool from = source_->words[row].part_of_speech != 0;
    const bool to = target_->words[column].part_of_speech != 0;
    const double unknown = 4 / 6.0 + 0.5;
    return unknown + (from != to ? 0.499 : from ? 0.0 : 0.25);
}

// Adds in the same order as the errant package, so that rounding is the same.
double ErrantAligner::linguistic_cost(std::size_t row, std::size_t column) {
    const ParsedWord& from = source_->words[row];
    const ParsedWord& to = target_->words[column];
    if (from.lower == to.lower) return 0.0;
    const double lemma = from.lemma == to.lemma ? 0.0 : 0.499;
    double part_of_speech = 0.0;
    if (from.part_of_speech != to.part_of_speech) {
        part_of_speech = is_open(from.part_of_speech) && is_open(to.part_of_speech) ? 0.25 : 0.5;
    }
    return lemma + part_of_speech + letter_cost(row, column);
}

// The number of letters to insert and delete, divided by the number of letters of both words.
double ErrantAligner::letter_cost(std::size_t row, std::size_t column) {
    const std::size_t all = source_->word_length(row) + target_->word_length(column);
    if (all == 0) return 0.0;
    return static_cast<double>(all - 2 * common_letters(row, column)) / static_cast<double>(all);
}

// The length of the longest common subsequence of two words.
std::size_t ErrantAligner::common_letters(std::size_t row, std::size_t column) {
    const std::uint32_t* from = source_->letters.data() + source_->letter_offsets[row];
    const std::uint32_t* from_end = from + source_->word_length(row);
    const std::uint32_t* to = target_->letters.data() + target_->letter_offsets[column];
    const std::size_t to_size = target_->word_length(column);
    common_row_.assign(to_size + 1, 0);
    for (; from != from_end; ++from) {
        std::int32_t diagonal = 0;
        for (std::size_t j = 0; j < to_size; ++j) {
            const std::int32_t above = common_row_[j + 1];
            common_row_[j + 1] = *from == to[j] ? diagonal + 1 : std::max(above, common_row_[j]);
            diagonal = above;
        }
    }
    return static_cast<std::size_t>(common_row_[to_size]);
}

void ErrantAligner::trace_back() {
    path_.clear();
    auto row = static_cast<std::int32_t>(source_->size());
    auto column = static_cast<std::int32_t>(target_->size());
    while (row + column != 0) {
        const Cell& here = cell(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
        std::int32_t down = 1;
        std::int32_t right = 1;
        if (here.step == AlignStep::transposition) down = right = here.moved;
        if (here.step == AlignStep::deletion) right = 0;
        if (here.step == AlignStep::insertion) down = 0;
        path_.push_back({here.step, row - down, row, column - right, column});
        row -= down;
        column -= right;
    }
    std::reverse(path_.begin(), path_.end());
}

}  // namespace corrigenda

#ifndef CORRIGENDA_WITHOUT_PYTHON
#include "binding.hpp"

namespace corrigenda {
namespace {

using WordRows = nb::ndarray<const std::uint64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Letters = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void make_parsed_sentence(ParsedSentence* self, const WordRows& words, const Letters& letters) {
    static_assert(sizeof(ParsedWord) == 4 * sizeof(std::uint64_t));
    new (self) ParsedSentence(reinterpret_cast<const ParsedWord*>(words.data()), words.shape(0),
                              letters.data(), letters.shape(0));
}

void make_errant_aligner(ErrantAligner* self, const Numbers& open, std::int32_t costs) {
    new (self) ErrantAligner(std::vector<std::uint64_t>(open.data(), open.data() + open.shape(0)),
                             static_cast<AlignCosts>(costs));
}

// The path as rows of step, start, end (in the source), begin, finish (in the target).
nb::object errant_align(ErrantAligner& aligner, const ParsedSentence& source,
                        const ParsedSentence& target) {
    std::vector<std::int32_t> rows;
    for (const AlignedSpan& span : aligner.align(source, target)) {
        rows.insert(rows.end(), {static_cast<std::int32_t>(span.step), span.start, span.end,
                                 span.begin, span.finish});
    }
    return to_numpy_rows(std::move(rows), 5);
}

}  // namespace

CORRIGENDA_BINDINGS(errant_align) {
    nb::class_<ParsedSentence>(module, "ParsedSentence")
        .def("__init__", &make_parsed_sentence, "words"_a.noconvert(), "letters"_a.noconvert());
    nb::class_<ErrantAligner>(module, "ErrantAligner")
        .def("__init__", &make_errant_aligner, "open_parts_of_speech"_a.noconvert(), "costs"_a)
        .def("align", &errant_align, "source"_a, "target"_a);
}

}  // namespace corrigenda
#endif
