"""Health: every damage is found and named, and real outputs are left alone."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import damages
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import SAMPLE
from corrigenda.formats import read_hypotheses, read_text
from corrigenda.health import Examination, Finding, examine
from corrigenda.health.spelling import Misspellings
from public_data import CONLL_SYSTEMS, full


def found(corpus: Corpus, lines: Sequence[str]) -> list[Finding]:
    return list(examine(corpus, [Hypotheses("ours", tuple(lines))]))


def codes(findings: Sequence[Finding]) -> set[str]:
    return {each.code for each in findings}


@pytest.fixture(scope="module")
def sample() -> Corpus:
    return read_text(SAMPLE / "source.txt", [SAMPLE / "ref0.txt", SAMPLE / "ref1.txt"])


@pytest.fixture(scope="module", params=["conll", "gmeg"])
def good(request: pytest.FixtureRequest) -> tuple[Corpus, tuple[str, ...]]:
    """A corpus and a good output for it."""
    shared: Path = request.getfixturevalue("shared")
    if request.param == "conll":
        output = shared / "data" / "seeda" / "outputs" / "all" / "T5.txt"
        return request.getfixturevalue("conll"), read_hypotheses(output).sentences
    folder = shared / "data" / "gmeg" / "dev" / "wiki"
    corpus = read_text(folder / "source", [folder / f"ref{number}" for number in (1, 2, 3)])
    return corpus, read_hypotheses(folder / "lstm").sentences


@pytest.mark.slow
def test_outputs_of_conll(conll: Corpus, conll_systems: dict[str, Hypotheses]) -> None:
    findings = examine(conll, [conll_systems[name] for name in CONLL_SYSTEMS])
    assert [(each.system, each.code) for each in findings] == [("INPUT", "unchanged")]


@pytest.mark.slow
def test_outputs_of_seeda(conll: Corpus, shared: Path) -> None:
    folder = shared / "data" / "seeda" / "outputs" / "all"
    findings = examine(conll, [read_hypotheses(path) for path in sorted(folder.iterdir())])
    assert [(each.system, each.code) for each in findings] == [("INPUT", "unchanged")]


@pytest.mark.slow
@pytest.mark.parametrize("domain", ["fce", "wiki"])
def test_outputs_of_gmeg(shared: Path, domain: str) -> None:
    folder = shared / "data" / "gmeg" / "dev" / domain
    corpus = read_text(folder / "source", [folder / f"ref{number}" for number in (1, 2, 3)])
    names = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer", "ref0")
    assert not examine(corpus, [read_hypotheses(folder / name) for name in names])


def test_outputs_of_the_sample(sample: Corpus) -> None:
    names = ("cautious", "eager", "empty", "strong", "unchanged")
    findings = examine(sample, [read_hypotheses(SAMPLE / f"{name}.txt") for name in names])
    assert [(each.system, each.code) for each in findings] == [
        ("empty", "empty"), ("unchanged", "unchanged"),
    ]  # fmt: skip


def test_a_few_sentences_say_nothing() -> None:
    corpus = Corpus.from_lists(["He go home .", "I likes it ."], ["He goes home .", "I like it ."])
    assert not found(corpus, corpus.sources)


NFD_NEEDS_ACCENTS = {"nfd"}
MASKED_NUMBERS = {"digits", "numbers", "zeros"}
"""Few lines have numbers, so a part of them is too few to be found."""


@pytest.mark.slow
@pytest.mark.parametrize("share", [1.0, pytest.param(0.4, marks=full)])
@pytest.mark.parametrize("name", sorted(damages.ON_LINES.keys() - NFD_NEEDS_ACCENTS))
def test_damaged_lines(good: tuple[Corpus, tuple[str, ...]], name: str, share: float) -> None:
    if name in MASKED_NUMBERS and share < 1:
        pytest.skip("few lines have numbers")
    code, change = damages.ON_LINES[name]
    findings = found(good[0], damages.on_share(change, share)(good[1]))
    assert code in codes(findings)
    allowed = {"tokenised-differently"} | ({"case"} if name == "no first words" else set())
    allowed |= {"invisible-characters"} if name == "curly quotes around" else set()
    assert codes(findings) <= {code} | allowed
    assert all(each.system == "ours" for each in findings)


def test_normal_forms() -> None:
    source = [f"Le café numéro {number} est fermé ce soir ." for number in range(30)]
    damaged = list(map(damages.ON_LINES["nfd"][1], source))
    corpus = Corpus.from_lists(source, [line.replace("ce", "le") for line in source])
    assert codes(found(corpus, damaged)) == {"invisible-characters"}
    turned = Corpus.from_lists(damaged, [line.replace("ce", "le") for line in damaged])
    assert codes(found(turned, source)) == {"invisible-characters"}


@pytest.mark.slow
@pytest.mark.parametrize("share", [1, 0.5, 0.1, 0.03])
def test_shuffled(good: tuple[Corpus, tuple[str, ...]], share: float) -> None:
    (finding,) = found(good[0], damages.shuffled(good[1], share))
    assert (finding.code, finding.shift) == ("out-of-step", None)
    assert "shuffled" in finding.message
    assert finding.share == pytest.approx(share, rel=0.25)


@pytest.mark.slow
@pytest.mark.parametrize("shift", [1, -1, 3, -7, 40])
@pytest.mark.parametrize("first", [0, 500, -70])
def test_shifted(good: tuple[Corpus, tuple[str, ...]], shift: int, first: int) -> None:
    first %= len(good[1])
    findings = found(good[0], damages.shifted(good[1], shift, first))
    finding = next(each for each in findings if each.code == "out-of-step")
    assert (finding.shift, finding.first_line) == (shift, first + 1)
    assert f"shifted by {shift:+d} from line {first + 1:,} on" in finding.message


@pytest.mark.slow
@pytest.mark.parametrize(
    "cut", [damages.cut_at_words(25), damages.cut_at_words(40), damages.cut_at_characters(120)]
)
def test_cut_at_one_length(good: tuple[Corpus, tuple[str, ...]], cut: object) -> None:
    assert codes(found(good[0], cut(good[1]))) == {"truncated"}  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize(("first", "last"), [(0.5, 1), (0.9, 1), (0.25, 0.5), (0, 0.5)])
def test_a_part_that_the_system_did_not_make(
    good: tuple[Corpus, tuple[str, ...]], first: float, last: float
) -> None:
    """A run that died, filled up with the source or with empty lines."""
    corpus, output = good
    begin, end = (int(share * len(output)) for share in (first, last))
    copied = [*output[:begin], *corpus.sources[begin:end], *output[end:]]
    (finding,) = found(corpus, copied)
    assert finding.code == "unchanged"
    assert finding.first_line is not None
    assert begin - 12 <= finding.first_line <= begin + 1
    without = Corpus(corpus.sources, ((),) * len(corpus))
    assert codes(found(without, copied)) == {"unchanged"}
    assert not found(without, output)
    (finding,) = found(corpus, [*output[:700], *[""] * 6, *output[706:]])
    assert (finding.code, finding.first_line) == ("empty", 701)


@pytest.mark.slow
def test_one_output_for_two_systems(conll: Corpus, conll_systems: dict[str, Hypotheses]) -> None:
    copy = Hypotheses("copy", conll_systems["AMU"].sentences)
    systems = [*(conll_systems[name] for name in ("AMU", "CAMB", "CUUI")), copy]
    (finding,) = examine(conll, systems)
    assert (finding.code, finding.system) == ("wrong-roles", "copy")
    assert "the same as in AMU" in finding.message


@pytest.mark.slow
def test_exchanged_files(good: tuple[Corpus, tuple[str, ...]]) -> None:
    corpus, output = good
    first, second = (tuple(each[place] for each in corpus.references) for place in (0, 1))

    def of_references(*texts: Sequence[str]) -> list[tuple[str, str]]:
        changed = Corpus.from_lists(corpus.sources, list(texts), references_by="text")
        return [(each.code, each.text) for each in found(changed, output)]

    assert codes(found(corpus, corpus.sources)) == {"unchanged"}
    assert codes(found(Corpus(output, corpus.references), corpus.sources)) == {"wrong-roles"}
    assert codes(found(corpus, first)) == {"wrong-roles"}
    assert of_references(corpus.sources) == [("wrong-roles", "reference 1")]
    assert of_references(second, first, second) == [("wrong-roles", "reference 3")]
    blank = ["" if number % 20 == 0 else line for number, line in enumerate(first)]
    assert of_references(second, blank) == [("missing-references", "reference 2")]
    assert of_references(damages.shifted(first, 1)) == [("out-of-step", "reference 1")]


@pytest.mark.slow
def test_reference_exchanged_with_the_source(good: tuple[Corpus, tuple[str, ...]]) -> None:
    corpus, output = good
    for place in (0, 1):
        reference = [each[place] for each in corpus.references]
        sound = Corpus.from_lists(corpus.sources, [reference], references_by="text")
        assert not found(sound, output)
        wrong = Corpus.from_lists(reference, [list(corpus.sources)], references_by="text")
        (finding,) = found(wrong, output)
        assert (finding.code, finding.text) == ("wrong-roles", "reference 1")
        assert "it may be the source, and the source a reference" in finding.message
        assert finding.lines


@pytest.mark.slow
def test_reference_exchanged_with_an_output(shared: Path) -> None:
    folder = shared / "data" / "gmeg" / "dev" / "fce"
    corpus = read_text(folder / "source", [folder / "ref0"])
    output = read_hypotheses(folder / "amu").sentences
    assert not found(corpus, output)
    wrong = Corpus.from_lists(corpus.sources, [list(output)], references_by="text")
    (finding,) = found(wrong, [each[0] for each in corpus.references])
    assert (finding.code, finding.system) == ("wrong-roles", "ours")
    assert "the two may be exchanged" in finding.message


def test_misspellings_tell_a_reference_from_the_source() -> None:
    """Also in another language; a text that mends as much as it adds is left alone."""
    words = ["Garten", "Straße", "Wasser", "Kirche", "Brücke", "Schule"]
    wrong = ["Gareten", "Strabße", "Waser", "Kirsche", "Brükcke", "Schuhle"]
    right = [f"Wir sehen {word} Nummer {row} ." for row, word in enumerate(words * 4)]
    text = [f"Wir sehen {word} Nummer {row} ." for row, word in enumerate(wrong + words * 3)]
    output = [*text[:1], *right[1:]]
    assert not found(Corpus.from_lists(text, [right], references_by="text"), output)
    (finding,) = found(Corpus.from_lists(right, [text], references_by="text"), output)
    assert (finding.text, finding.lines) == ("reference 1", (1, 2, 3, 4, 5))
    half = [*right[:3], *text[3:]], [*text[:3], *right[3:]]
    assert not found(Corpus.from_lists(half[0], [half[1]], references_by="text"), right)


@pytest.mark.slow
def test_raw_text(good: tuple[Corpus, tuple[str, ...]]) -> None:
    corpus, output = good
    raw = Corpus.from_lists(
        list(map(damages.detokenised, corpus.sources)),
        [[damages.detokenised(each[0]) for each in corpus.references]],
        references_by="text",
    )
    findings = found(raw, list(map(damages.detokenised, output)))
    assert [(each.code, each.system) for each in findings] == [("raw-text", None)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "name", "first", "last"),
    [
        ("conll14/systems", "NTHU.txt", 13, 113),  # it exchanges four lines
        ("conll14/systems", "NTHU.txt", 134, 334),
        ("conll14/systems", "RAC.txt", 974, 1034),  # hyphens are words of their own
        ("seeda/outputs/all", "TemplateGEC.txt", 731, 1131),
        ("seeda/outputs/all", "T5.txt", 305, 365),  # the ends of long lines are missing
        ("seeda/outputs/all", "REF-F.txt", 702, 732),  # it leaves out first words
        ("conll14/systems", "IITB.txt", 330, 390),  # few lines are changed
        ("conll14/systems", "UFC.txt", 66, 266),
        ("conll14/systems", "AMU.txt", 514, 574),  # reference 2 deletes two sentences
        ("gmeg/dev/wiki", "marian", 712, 812),
        ("gmeg/dev/wiki", "nus", 462, 662),  # it repeats itself on two lines
    ],
)
def test_parts_of_real_outputs(
    conll: Corpus, shared: Path, data: str, name: str, first: int, last: int
) -> None:
    """What is rare in a text stands together in a part of it."""
    folder = shared / "data" / data
    corpus = conll
    if "gmeg" in data:
        corpus = read_text(folder / "source", [folder / f"ref{number}" for number in range(4)])
    here = slice(first, last)
    assert not found(corpus[here], read_hypotheses(folder / name).sentences[here])


def test_a_few_missing_references() -> None:
    source = ["He go home .", "I likes it .", '"', "She sing .", "They was here ."]
    right = ["He goes home .", "I like it .", "", "She sings .", "They were here ."]
    assert not found(Corpus.from_lists(source, right), source)
    (finding,) = found(Corpus.from_lists(source, ["", *right[1:]]), source)
    assert (finding.code, finding.lines) == ("missing-references", (1,))


@pytest.mark.slow
def test_a_mark_before_lines_that_became_shorter(conll: Corpus, shared: Path) -> None:
    path = shared / "data" / "seeda" / "outputs" / "all" / "REF-F.txt"
    lines = read_hypotheses(path).sentences[:60]
    assert codes(found(conll[:60], [f"- {line}" for line in lines])) == {"constant-affix"}


WRONG_SOURCES: dict[str, tuple[str, Callable[[str], str]]] = {
    "prefix": ("constant-affix", lambda line: f"Sentence : {line}"),
    "number": ("constant-affix", lambda line: f"17. {line}"),
    "suffix": ("constant-affix", lambda line: f"{line} [END]"),
    "json": ("markup", damages.as_json),
    "markdown": ("markup", lambda line: f"**{line}**"),
    "half": ("truncated", damages.half),
    "loops": ("repeated", damages.repeated),
    "no text": ("encoding", lambda line: "nan"),
    "zero width": ("invisible-characters", lambda line: line.replace(" ", " \u200b")),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG_SOURCES)
def test_a_wrong_source(good: tuple[Corpus, tuple[str, ...]], name: str) -> None:
    """The references and the output are as they should be."""
    code, change = WRONG_SOURCES[name]
    corpus, output = good
    findings = found(Corpus(tuple(map(change, corpus.sources)), corpus.references), output)
    assert ("source", code) in {(each.text, each.code) for each in findings}
    empty = damages.on_share(lambda line: "", 0.05)(corpus.sources)
    findings = found(Corpus(tuple(empty), corpus.references), output)
    assert [(each.text, each.code) for each in findings] == [("source", "empty")]


@pytest.mark.slow
@pytest.mark.parametrize("change", [lambda line: f"Right: {line}", lambda line: f'"{line}"'])
def test_a_reference_with_an_affix(
    good: tuple[Corpus, tuple[str, ...]], change: Callable[[str], str]
) -> None:
    corpus, output = good
    references = tuple((change(first), *others) for first, *others in corpus.references)
    findings = found(Corpus(corpus.sources, references), output)
    assert [(each.text, each.code) for each in findings] == [("reference 1", "constant-affix")]


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.15, 0.2])
@pytest.mark.parametrize("affix", ["Here is the corrected sentence: ", "Corrected : "])
def test_an_affix_on_some_lines(
    good: tuple[Corpus, tuple[str, ...]], affix: str, share: float
) -> None:
    lines = damages.on_share(lambda line: affix + line, share)(good[1])
    assert codes(found(good[0], lines)) == {"constant-affix"}


def test_another_text_without_a_line_of_this_one() -> None:
    source = [f"The house number {number} are near the river ." for number in range(40)]
    corpus = Corpus.from_lists(source, [line.replace("are", "is") for line in source])
    words = ["zebra", "quick", "fjord", "vexing", "glyph", "waltz", "nymph", "blitz", "jumbo"]
    generator = random.Random(2)
    other = [" ".join(generator.sample(words, 7)) for _ in source]
    (finding,) = (each for each in found(corpus, other) if each.code == "out-of-step")
    assert "of another text" in finding.message


def test_contractions_cut_elsewhere() -> None:
    source = [f"I do n't like number {number} , and she is n't here ." for number in range(30)]
    corpus = Corpus.from_lists(source, [line.replace("here", "there") for line in source])
    moses = [line.replace(" n't", "n 't") for line in source]
    assert codes(found(corpus, moses)) == {"tokenised-differently"}


def test_blocks_say_the_same(sample: Corpus) -> None:
    """Where a corpus is cut makes no difference to counts."""
    lines = tuple(damages.on_share(str.upper, 0.5)(sample.sources))
    whole, parts = Examination(), Examination()
    whole.add(sample, [Hypotheses("ours", lines)])
    for part in sample.blocks(17):
        parts.whole = True
        parts.add(sample[part], [Hypotheses("ours", lines[part])])
    assert [each.to_dict() for each in whole.findings()] == [
        each.to_dict() for each in parts.findings()
    ]


def test_sentences_with_different_numbers_of_references() -> None:
    source = [f"This are sentence number {number} of the text ." for number in range(40)]
    right = [line.replace("are", "is") for line in source]
    references = [(line,) if place % 2 else (line, "") for place, line in enumerate(right)]
    corpus = Corpus(tuple(source), tuple(references))
    findings = found(corpus, [line.replace("are", "is the") for line in source])
    assert [(each.code, each.text, each.lines[:2]) for each in findings] == [
        ("missing-references", "reference 2", (1, 3))
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("constant-affix", lambda line: f'"{line}"'),
        ("repeated", lambda line: "nan"),
        ("subword-marks", lambda line: re.sub(r"(\w)-(\w)", r"\1 @-@ \2", line)),
        ("tokenised-differently", lambda line: re.sub(r"(\w)-(\w)", r"\1 - \2", line)),
    ],
)
def test_damages_of_few_lines(shared: Path, code: str, change: Callable[[str], str]) -> None:
    """One line in ten is in quotes, or says nothing; hyphens are words of their own."""
    folder = shared / "data" / "gmeg" / "dev" / "wiki"
    corpus = read_text(folder / "source", [folder / "ref1"])
    lines = read_hypotheses(folder / "lstm").sentences
    damaged = list(map(change, lines))
    if sum(one != other for one, other in zip(lines, damaged, strict=True)) == len(lines):
        damaged = damages.on_share(change, 0.1)(lines)
    assert codes(found(corpus, damaged)) == {code}


@pytest.mark.slow
def test_lines_that_are_in_step_again(good: tuple[Corpus, tuple[str, ...]]) -> None:
    """A line was lost, and one was inserted further on."""
    lines = good[1]
    moved = [*lines[:200], *lines[201:400], "Quarterly widgets , yippee !", *lines[400:]]
    (finding,) = found(good[0], moved)
    assert (finding.shift, finding.first_line) == (-1, 201)
    assert "from line 201 to line " in finding.message
    last = int(finding.message.split(" to line ")[1].split(":")[0])
    assert 395 <= last <= 399


@pytest.mark.slow
def test_two_lost_lines(good: tuple[Corpus, tuple[str, ...]]) -> None:
    lines = good[1]
    (finding,) = found(good[0], [*lines[:200], *lines[201:500], *lines[501:], "", ""])
    assert (finding.code, finding.shift, finding.first_line) == ("out-of-step", -1, 201)
    assert "further on by -2" in finding.message


@pytest.mark.slow
def test_pairs_of_lines_exchanged(good: tuple[Corpus, tuple[str, ...]]) -> None:
    pairs = zip(good[1][::2], good[1][1::2], strict=False)
    (finding,) = found(good[0], [line for one, other in pairs for line in (other, one)])
    assert (finding.code, finding.shift) == ("out-of-step", None)
    assert "shuffled" in finding.message


@pytest.mark.slow
def test_lines_that_were_inserted(good: tuple[Corpus, tuple[str, ...]]) -> None:
    lines = [*good[1][:500], *["Quarterly widgets , yippee !"] * 2, *good[1][500:]]
    (finding,) = found(good[0], lines[: len(good[1])])
    assert (finding.shift, finding.first_line) == (2, 501)


@pytest.mark.parametrize(
    ("one", "other", "is_misspelt"),
    [
        ("recieve", "receive", True),
        ("goverment", "government", True),
        ("neihgbour", "neighbour", True),
        ("organise", "organize", False),
        ("behavior", "behaviour", False),
        ("neighbourhood", "neighborhood", False),
        ("walks", "walk", False),
    ],
)
def test_misspellings(one: str, other: str, is_misspelt: bool) -> None:
    found = Misspellings()
    found.add([(f"the {other} here", f"the {one} here")], [1], {"the", "here", other})
    assert (found.new == 1) == is_misspelt


def test_empty_references_are_no_copies() -> None:
    sources = [f"He go to house {number} ." for number in range(40)]
    corpus = Corpus(tuple(sources), (("", ""),) * len(sources))
    assert {each.code for each in examine(corpus)} == {"missing-references"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["BERT-fuse", "GPT-3.5", "PIE"])
def test_few_lines_of_real_outputs(conll: Corpus, shared: Path, name: str) -> None:
    """What is rare in a corpus may be on two of twenty lines.

    T5 is not among them: it does cut long lines, and its hyphens are words of their own.
    """
    lines = read_hypotheses(shared / "data" / "seeda" / "outputs" / "all" / f"{name}.txt").sentences
    for begin in range(0, len(lines) - 20, 20):
        here = slice(begin, begin + 20)
        assert codes(found(conll[here], lines[here])) <= {"unchanged"}
