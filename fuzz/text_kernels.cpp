// Fuzz targets for the kernels that read text: n-grams, lines, what lines look like, words.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "alignment_memory.hpp"
#include "input.hpp"
#include "line_survey.hpp"
#include "line_traits.hpp"
#include "lines.hpp"
#include "ngram.hpp"
#include "oracles.hpp"
#include "parallel.hpp"
#include "prepared.hpp"
#include "text_ngrams.hpp"
#include "vocabulary.hpp"

namespace corrigenda {
namespace {

using Strings = std::vector<std::string>;
using Views = std::vector<std::string_view>;

// Few words, so that they repeat. Words around 8 and 16 bytes are compared in parts. The last piece
// stands for a byte of the input, which seldom is UTF-8.
const Strings& pieces() {
    static const Strings all{"a",
                             "b",
                             "ab",
                             "abcdefgh",
                             "abcdefgi",
                             "abcdefghijklmnop",
                             "é",
                             "日本",
                             "abcdefghijkX",
                             "abcdefghijkY",
                             "\xED\xA0\x80",
                             "abcdefghijklmnopq",
                             " ",
                             " ",
                             " ",
                             "  ",
                             "\t",
                             "\xC2\xA0",
                             "\r",
                             "\xF0\x9F\x98\x80",
                             "\xE2\x80\x83",
                             "abcdefghijkXmnopq",
                             ""};
    return all;
}

std::string piece(Input& input) {
    const std::string& chosen = pieces()[input.below(pieces().size())];
    if (!chosen.empty()) return chosen;
    const auto byte = static_cast<char>(input.byte());
    return {byte == '\n' || byte == 0 ? 'x' : byte};  // no sentence contains them
}

Strings free_pieces(Input& input, std::size_t most) {
    Strings chosen;
    for (std::size_t left = input.below(most + 1); left > 0; --left) chosen.push_back(piece(input));
    return chosen;
}

// A text with a few changes, as references and outputs have. Words have blanks between them.
std::string version(Input& input, Strings base) {
    for (std::size_t left = input.below(4); left > 0 && !base.empty(); --left) {
        const auto at = base.begin() + static_cast<std::ptrdiff_t>(input.below(base.size()));
        switch (input.below(3)) {
            case 0:
                *at = piece(input);
                break;
            case 1:
                base.erase(at);
                break;
            default:
                base.insert(at, piece(input));
        }
    }
    return oracle::joined(base);
}

std::string text(Input& input, const Strings& base) {
    if (input.below(4) != 0) return version(input, base);
    std::string made;
    for (const std::string& each : free_pieces(input, 12)) made += each;
    return made;
}

struct Texts {
    Strings sources, references, hypotheses;
    std::vector<std::int64_t> offsets{0};
    std::size_t different = 0;  // the sentences after them are copies

    explicit Texts(Input& input) {
        const std::size_t repeats = copies(input);
        for (std::size_t left = 1 + input.below(2); left > 0; --left) {
            const Strings base = free_pieces(input, 20);
            sources.push_back(text(input, base));
            hypotheses.push_back(text(input, base));
            for (std::size_t more = input.below(4); more > 0; --more) {
                references.push_back(text(input, base));
            }
            offsets.push_back(static_cast<std::int64_t>(references.size()));
        }
        different = sources.size();
        const Texts once = *this;
        for (std::size_t copy = 1; copy < repeats; ++copy) {
            const auto append = [](Strings& to, const Strings& from) {
                to.insert(to.end(), from.begin(), from.end());
            };
            for (std::size_t i = 1; i < once.offsets.size(); ++i) {
                offsets.push_back(once.offsets[i] + static_cast<std::int64_t>(references.size()));
            }
            append(sources, once.sources);
            append(references, once.references);
            append(hypotheses, once.hypotheses);
        }
    }

    std::size_t size() const { return sources.size(); }
    Strings references_of(std::size_t i) const {
        return {references.begin() + offsets[i], references.begin() + offsets[i + 1]};
    }
};

Views views(const Strings& texts) { return {texts.begin(), texts.end()}; }

// The units of texts in simple code. `known` is false if a text is not UTF-8: then nobody says what
// its characters are.
struct Unit {
    TextUnit unit;
    std::map<std::string, std::int64_t> numbers{};
    bool known = true;

    oracle::Units of(const std::string& text) {
        oracle::Units found;
        if (unit == TextUnit::word) {
            for (const std::string& word : oracle::words(text)) {
                const auto next = static_cast<std::int64_t>(numbers.size());
                found.push_back(numbers.emplace(word, next).first->second);
            }
            return found;
        }
        const bool raw = unit == TextUnit::raw_character;
        known &= oracle::decode(raw ? text : oracle::joined(oracle::words(text)), found);
        return found;
    }
};

struct Counted {
    std::vector<std::int64_t> counts, hypothesis_lengths, reference_lengths;

    bool operator==(const Counted& other) const {
        return counts == other.counts && hypothesis_lengths == other.hypothesis_lengths &&
               reference_lengths == other.reference_lengths;
    }
};

Counted counted(const Texts& texts, const TextCounting& counting, std::size_t threads) {
    const Views sources = views(texts.sources), references = views(texts.references),
                hypotheses = views(texts.hypotheses);
    const std::size_t rows = counting.pooled ? texts.size() : references.size();
    Counted out{std::vector<std::int64_t>(rows * counting.order * ngram_count_kinds, -1),
                std::vector<std::int64_t>(texts.size(), -1),
                std::vector<std::int64_t>(references.size(), -1)};
    count_text_ngrams(
        {sources.data(), references.data(), texts.offsets.data(), hypotheses.data(), texts.size()},
        counting, threads,
        {out.counts.data(), out.hypothesis_lengths.data(), out.reference_lengths.data()});
    return out;
}

// Rewards prepare sources and references once; calls from several threads share them.
Counted counted_as_rewards(const Texts& texts, const TextCounting& counting) {
    std::vector<PreparedSentence> prepared;
    std::vector<const PreparedSentence*> sentences;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        prepared.emplace_back(texts.sources[i], views(texts.references_of(i)), counting.unit,
                              static_cast<int>(counting.order), counting.pooled);
    }
    for (const PreparedSentence& each : prepared) sentences.push_back(&each);
    PreparedCounts found;
    const auto call = [&](PreparedCounts& into) {
        into = count_prepared(sentences, views(texts.hypotheses), 2);
    };
    if (texts.size() > 2) {
        PreparedCounts others;
        std::thread other(call, std::ref(others));
        call(found);
        other.join();
        require(found.counts == others.counts, "calls at the same time count the same");
    } else {
        call(found);
    }
    require(found.reference_offsets == texts.offsets, "the references of prepared sentences");
    return {found.counts, found.hypothesis_lengths, found.reference_lengths};
}

std::vector<std::int64_t> counted_by_index(const Texts& texts, const TextCounting& counting) {
    Vocabulary words;
    const EncodedText sources = words.add(views(texts.sources));
    const EncodedText references = words.add(views(texts.references));
    const EncodedText hypotheses = words.encode(views(texts.hypotheses));
    const auto ragged = [](const EncodedText& text) {
        return Ragged{text.ids.data(), text.offsets.data(), text.offsets.size() - 1};
    };
    const NgramIndex index(ragged(sources), ragged(references), texts.offsets.data(),
                           static_cast<int>(counting.order), counting.pooled, 2);
    std::vector<std::int64_t> counts(index.rows() * counting.order * ngram_count_kinds);
    index.count(ragged(hypotheses), 2, counts.data());
    return counts;
}

bool operator==(const LineTraits& one, const LineTraits& other) {
    return one.numbers == other.numbers && one.words_hash == other.words_hash &&
           one.ink_hash == other.ink_hash && one.sketch == other.sketch;
}

}  // namespace

// The three ways to count n-grams give the counts of the formulas.
void count_text(Input& input) {
    TextCounting counting;
    counting.unit = static_cast<TextUnit>(input.below(3));
    counting.order = 1 + input.below(6);
    counting.pooled = input.below(2) != 0;
    const Texts texts(input);
    const Counted found = counted(texts, counting, 2);
    // Without types, words that all texts share at their margins are not looked at.
    TextCounting seven = counting;
    seven.types = false;
    Counted regions = found;
    for (std::size_t at = 0; at < regions.counts.size(); ++at) {
        if (at % ngram_count_kinds >= source_only) regions.counts[at] = 0;
    }
    require(counted(texts, seven, 2) == regions, "the regions do not depend on types");
    const Counted rewards = counted_as_rewards(texts, counting);
    try {
        alignment_memory = std::size_t{1} << (10 + counting.order);
        require(counted(texts, counting, 2) == found, "a limit of memory changes no count");
        require(counted_as_rewards(texts, counting) == rewards, "a limit changes no reward");
    } catch (const AlignmentTooLarge&) {
        // The texts need more.
    }
    alignment_memory = default_memory_limit;  // the index, too, would refuse what needs more
    Unit unit{counting.unit};
    std::vector<std::int64_t> expected;
    for (std::size_t i = 0; i < texts.different; ++i) {
        std::vector<oracle::Units> references;
        for (const std::string& each : texts.references_of(i)) references.push_back(unit.of(each));
        const oracle::Units hypothesis = unit.of(texts.hypotheses[i]);
        const auto counts = oracle::ngram_counts(unit.of(texts.sources[i]), references, hypothesis,
                                                 counting.order, counting.pooled);
        if (!unit.known) return;
        expected.insert(expected.end(), counts.begin(), counts.end());
        require(found.hypothesis_lengths[i] == static_cast<std::int64_t>(hypothesis.size()),
                "the length of a hypothesis");
        for (std::size_t r = 0; r < references.size(); ++r) {
            const auto row = static_cast<std::size_t>(texts.offsets[i]) + r;
            require(found.reference_lengths[row] == static_cast<std::int64_t>(references[r].size()),
                    "the length of a reference");
        }
    }
    require(found == rewards, "rewards count as scores do");
    if (counting.unit == TextUnit::word) {
        require(found.counts == counted_by_index(texts, counting), "the index counts as texts do");
    }
    require(std::equal(expected.begin(), expected.end(), found.counts.begin()),
            "counts are those of the formulas");
    for (std::size_t at = expected.size(); at < found.counts.size(); ++at) {
        require(found.counts[at] == found.counts[at % expected.size()],
                "copies have the same counts");
    }
}

// The lines of a buffer, at once and in parts, are those of the rules; so is the first problem.
void scan_text(Input& input) {
    const std::size_t longest = 1 + input.number() / 2;
    const std::size_t most = 1 + input.below(5);
    const bool at_end = input.below(4) != 0;
    const std::string_view data = input.rest();

    Strings lines;
    std::size_t end = 0;
    LineProblem problem = LineProblem::none;
    while (end < data.size() && problem == LineProblem::none) {
        std::size_t next = end;
        while (next < data.size() && data[next] != '\n') ++next;
        const bool has_end = next < data.size();
        if (!has_end && !at_end) break;
        std::string line(data.substr(end, next - end));
        next += has_end;
        if (has_end && !line.empty() && line.back() == '\r') line.pop_back();
        if (next - end > longest) {
            problem = LineProblem::too_long;
        } else if (std::count(line.begin(), line.end(), '\0') > 0 || !oracle::is_utf8(line)) {
            problem = LineProblem::not_text;
        } else {
            lines.push_back(line);
            end = next;
        }
    }

    Strings found;
    std::size_t begin = 0;
    for (;;) {
        const ScannedLines part = scan_lines(data, begin, most, longest, at_end);
        require(part.lines.size() <= most, "not more lines than wanted");
        found.insert(found.end(), part.lines.begin(), part.lines.end());
        begin = part.end;
        if (part.problem != LineProblem::none || part.lines.size() < most) {
            require(part.problem == problem, "the problem of a line");
            break;
        }
    }
    require(found == lines && begin == end, "the lines of a buffer");
    const ScannedLines all = scan_lines(data, 0, data.size() + 1, longest, at_end);
    require(std::equal(all.lines.begin(), all.lines.end(), lines.begin(), lines.end()) &&
                all.end == end && all.problem == problem,
            "lines at once are lines in parts");
    const auto is_low = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
    require(is_ascii(data) == std::all_of(data.begin(), data.end(), is_low), "what is ASCII");
    require(is_utf8(data) == oracle::is_utf8(data), "what is UTF-8");
    read_json(data);
    for (const std::string& line : lines) read_json(line);
}

// What a line looks like: counts by their definitions, and what must not change them.
void describe_text(Input& input) {
    const std::size_t repeats = copies(input);
    const bool is_raw = input.below(2) != 0;
    std::string line;
    if (is_raw) {
        line = input.rest();
    } else {
        for (const std::string& each : free_pieces(input, 40)) line += each;
    }
    LineScratch scratch;
    const LineTraits traits = traits_of(line, scratch);
    const Strings words = oracle::words(line);
    const auto& number = traits.numbers;
    for (std::size_t trait = 0; trait < trait_count; ++trait) {
        require(number[trait] >= 0, "numbers of a line are not negative");
    }
    require(number[trait_words] == static_cast<std::int32_t>(words.size()), "the number of words");
    require(number[trait_upper] + number[trait_lower] <= number[trait_letters], "letters by case");
    require(number[trait_capitalised] <= number[trait_cased_words], "capitals of words");
    require(number[trait_cased_words] <= number[trait_words], "words with a case");
    std::string ink;
    for (const std::string& word : words) ink += word;
    // Bytes that are not UTF-8 may become characters when they come together.
    oracle::Units whole, codes;
    const bool is_text = oracle::decode(line, whole);
    if (is_text && oracle::decode(ink, codes)) {
        const auto count = static_cast<std::int32_t>(codes.size());
        require(number[trait_characters] == count, "the number of characters");
        require(number[trait_letters] <= count && number[trait_invisible] <= count, "characters");
        require(number[trait_first] == (codes.empty() ? 0 : codes.front()), "the first character");
        require(number[trait_last] == (codes.empty() ? 0 : codes.back()), "the last character");
    }

    const LineTraits narrow = traits_of(oracle::joined(words), scratch);
    require(narrow.words_hash == traits.words_hash && narrow.ink_hash == traits.ink_hash &&
                narrow.sketch == traits.sketch,
            "blanks do not change words, ink or letters");
    const LineTraits packed = traits_of(ink, scratch);
    require(!is_text || packed.ink_hash == traits.ink_hash, "ink has no blanks");
    const int shared = shared_bits(traits.sketch, packed.sketch);
    require(shared == shared_bits(packed.sketch, traits.sketch), "sharing has no direction");
    require(shared <= shared_bits(packed.sketch, packed.sketch),
            "no sketch shares more than it has");

    std::string other = line;
    require(line_marks(line, other) == line_equal, "equal bytes are equal");
    if (!other.empty()) {
        other[repeats % other.size()] ^= 1;
        require(line_marks(line, other) == 0, "another byte is another line of the same length");
        require(line_marks(line, "") == (line_empty | line_apart), "no bytes are empty");
        require((line_marks("", line) & line_empty) == 0, "no source is no sign of emptiness");
    }
    ByteCounts bytes{};
    count_bytes(line, bytes);
    for (std::size_t byte = 0; byte < byte_values; ++byte) {
        require(bytes[0][byte] + bytes[1][byte] ==
                    std::count(line.begin(), line.end(), static_cast<char>(byte)),
                "how often each byte comes");
    }

    std::vector<LineTraits> many(repeats);
    parallel_for(repeats, 2, 8, [&] {
        return
            [&, own = LineScratch()](std::size_t at) mutable { many[at] = traits_of(line, own); };
    });
    for (const LineTraits& each : many) require(each == traits, "a line always looks the same");
}

// Words get their ids in the order in which they come; unknown words get none.
void number_words(Input& input) {
    const std::size_t cut = input.byte();
    const std::string_view data = input.rest();
    const Strings texts{std::string(data.substr(0, cut)),
                        std::string(data.substr(std::min(cut, data.size())))};
    Vocabulary words;
    std::map<std::string, Token> known;
    const EncodedText added = words.add({texts[0]});
    std::vector<Token> expected;
    for (const std::string& word : oracle::words(texts[0])) {
        const auto next = static_cast<Token>(known.size());
        expected.push_back(known.emplace(word, next).first->second);
    }
    require(added.ids == expected && words.size() == known.size(), "the ids of words");
    const EncodedText found = words.encode(views(texts));
    for (const std::string& word : oracle::words(texts[1])) {
        const auto place = known.find(word);
        expected.push_back(place == known.end() ? kUnknownWord : place->second);
    }
    require(found.ids == expected, "known words keep their ids");
    require(found.offsets[1] == added.offsets[1] && found.offsets.size() == 3, "offsets");
}

}  // namespace corrigenda
