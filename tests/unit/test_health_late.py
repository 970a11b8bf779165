"""Health of large files: every line is surveyed, and what looks unusual is examined."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damages
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health import Examination, Finding
from corrigenda.health.runs import LongestRun
from corrigenda.health.screening import Screening
from corrigenda.kernels.line_survey import byte_survey, line_survey
from examples import examples

WORDS = (
    "house", "river", "apple", "quickly", "green", "seven", "Monday", "window", "thought", "never",
    "bring", "mother", "station", "paper", "yellow", "before", "music", "travel", "corner", "bread",
)  # fmt: skip
LINES = 30_000


def changed(words: list[str], generator: random.Random) -> str:
    copy = list(words)
    if generator.random() < 0.6:
        copy[generator.randrange(len(copy))] = generator.choice(WORDS)
    return " ".join([*copy, "."]).capitalize()


@pytest.fixture(scope="module")
def texts() -> tuple[Corpus, list[str]]:
    """A large corpus with one reference, and an output."""
    generator = random.Random(1)
    sentences = [generator.choices(WORDS, k=generator.randrange(5, 20)) for _ in range(LINES)]
    source, reference, output = (
        [changed(words, generator) for words in sentences] for _ in range(3)
    )
    return Corpus.from_lists(source, [reference], references_by="text"), output


def found(corpus: Corpus, lines: Sequence[str], *, whole: bool = False) -> tuple[Finding, ...]:
    examination = Examination(whole=whole)
    for part in corpus.blocks(8192):
        examination.add(corpus[part], [Hypotheses("ours", tuple(lines[part]))])
    return examination.findings()


Change = Callable[[list[str]], list[str]]
LATE: dict[str, tuple[str, int, int, Change]] = {
    "shifted": ("out-of-step", 20_000, LINES, lambda lines: damages.shifted(lines, 1)),
    "shifted for a while": (
        "out-of-step",
        12_345,
        12_600,
        lambda lines: damages.shifted(lines, -2),
    ),
    "shuffled": ("out-of-step", 20_000, 21_000, damages.shuffled),
    "empty": ("empty", 25_000, 25_007, lambda lines: [""] * len(lines)),
    "lower": ("case", 15_000, LINES, lambda lines: [line.lower() for line in lines]),
    "tags": ("markup", 20_300, 20_900, lambda lines: [f"<s> {line}" for line in lines]),
    "prefix": ("constant-affix", 12_000, LINES, lambda lines: [f"Right: {x}" for x in lines]),
}


@pytest.mark.slow
def test_damages_behind_the_first_block(texts: tuple[Corpus, list[str]]) -> None:
    corpus, output = texts
    assert not found(corpus, output)
    for code, begin, end, change in LATE.values():
        damaged = [*output[:begin], *change(output[begin:end]), *output[end:]]
        (finding,) = found(corpus, damaged)
        assert finding.code == code
        if finding.first_line is not None:
            assert finding.first_line == begin + 1
    copied = [*output[:20_000], *corpus.sources[20_000:20_400], *output[20_400:]]
    (finding,) = found(corpus, copied)
    assert finding.code == "unchanged"
    assert finding.first_line is not None
    assert 19_990 <= finding.first_line <= 20_001


@pytest.mark.slow
def test_shares_are_those_of_the_whole_file(texts: tuple[Corpus, list[str]]) -> None:
    corpus, output = texts
    damaged = [*output[:12_000], *(line.upper() for line in output[12_000:])]
    (sampled,), (exact,) = found(corpus, damaged), found(corpus, damaged, whole=True)
    assert exact.message.startswith("18,000 of 30,000 lines (60 %)")
    assert sampled.message.startswith("about ")
    assert "of 30,000 lines" in sampled.message
    assert sampled.share == pytest.approx(exact.share, abs=0.15)


PAIRS = st.lists(
    st.tuples(st.text("ab é<", max_size=30), st.text("ab é<", max_size=30), st.booleans()),
    min_size=1,
    max_size=40,
)


@given(PAIRS, st.integers(1, 9))
@settings(max_examples=examples(40))
def test_surveys_by_definition(pairs: list[tuple[str, str, bool]], chunk: int) -> None:
    sources = [source for source, _, _ in pairs]
    lines = [source if is_equal else line for source, line, is_equal in pairs]
    survey = line_survey(sources, lines, chunk=chunk)
    before, raw = [line.encode() for line in sources], [line.encode() for line in lines]
    equal = [one == other for one, other in zip(before, raw, strict=True)]
    empty = [bool(one) and not other for one, other in zip(before, raw, strict=True)]
    apart = [
        10 * abs(len(one) - len(other)) > 3 * max(len(one), len(other))
        for one, other in zip(before, raw, strict=True)
    ]
    assert survey.equal.tolist() == equal
    assert survey.empty.tolist() == empty
    for place, begin in enumerate(range(0, len(lines), chunk)):
        here = slice(begin, begin + chunk)
        assert survey.counts[place].tolist() == [sum(each[here]) for each in (equal, empty, apart)]
        counted = [raw[at] for at in range(begin, min(begin + chunk, len(lines))) if at % 16 == 0]
        expected = np.bincount(np.frombuffer(b"".join(counted), np.uint8), minlength=256)
        assert survey.byte_counts[place].tolist() == expected.tolist()


@given(st.lists(st.integers(1, 20_000), min_size=1, max_size=30))
@settings(max_examples=examples(40))
def test_each_line_is_stood_for_once(sizes: list[int]) -> None:
    screening = Screening()
    stood_for = 0.0
    for size in sizes:
        lines = min(size, 600)
        counts = byte_survey(["He goes ."] * lines, chunk=512)
        parts = screening.parts(counts, [], lines)
        assert all(0 <= part.begin < part.end <= lines for part in parts)
        stood_for += sum((part.end - part.begin) * part.weight for part in parts)
    if (last := screening.last_part()) is not None:
        stood_for += (last.end - last.begin) * last.weight
    assert stood_for == pytest.approx(sum(min(size, 600) for size in sizes))


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=8), min_size=1, max_size=6))
@settings(max_examples=examples(60))
def test_the_longest_run_across_blocks(blocks: list[list[bool]]) -> None:
    runs, seen = LongestRun(), 1
    for block in blocks:
        runs.add(np.array(block), seen, np.ones(len(block), bool))
        seen += len(block)
    marks = "".join("x" if mark else "-" for block in blocks for mark in block)
    longest = max(map(len, marks.split("-")))
    assert (runs.longest.lines, runs.longest.wrong) == (longest, longest)
    if longest:
        assert runs.longest.first == marks.index("x" * longest) + 1
