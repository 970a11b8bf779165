"""Long lines take a bounded amount of memory: they are aligned in a band, or refused."""

from __future__ import annotations

import corrigenda._kernels as kernels
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.core import evaluate as evaluation
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import extract_edits
from corrigenda.errors import SentenceError, UsageError
from corrigenda.kernels import limits
from corrigenda.kernels.errant_align import ErrantAligner, parsed_sentence
from corrigenda.kernels.prepared import prepare
from corrigenda.kernels.ragged import single
from corrigenda.metrics import metric
from corrigenda.scoring import evaluate
from examples import examples

LONG = 9_000


def sentence(start: int) -> str:
    return " ".join(str(number) for number in range(start, start + LONG))


@pytest.fixture
def one_megabyte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.VARIABLE, "1")


@pytest.mark.parametrize("name", ["m2", "imeasure"])
@pytest.mark.usefixtures("one_megabyte")
def test_a_long_line_that_differs_is_refused_with_its_number(name: str) -> None:
    source = sentence(0)
    corpus = Corpus(("a", source), (("a",), (source,)))
    output = Hypotheses("s", ("a", sentence(LONG)))
    with pytest.raises(SentenceError, match=r"^sentence 2: .* words") as refused:
        evaluate(corpus, [output], [metric(name)])
    assert "--max-memory" in str(refused.value)


@pytest.mark.parametrize("name", ["m2", "imeasure"])
def test_a_long_line_that_is_nearly_equal_is_scored(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(limits.VARIABLE, "16")
    source = sentence(0)
    corpus = Corpus((source,), ((source.replace(" 77 ", " x ", 1),),))
    (found,) = evaluate(corpus, [Hypotheses("s", corpus.references[0])], [metric(name)])
    assert found.score == 1


@pytest.mark.parametrize("name", ["green", "gleu", "bleu", "green:unit=char"])
@pytest.mark.usefixtures("one_megabyte")
def test_n_grams_are_bounded(name: str) -> None:
    source = sentence(0)
    corpus = Corpus(("a", source), (("a",), (sentence(LONG // 2),)))
    output = Hypotheses("s", ("a", " ".join(source.split()[::-1])))
    with pytest.raises(
        SentenceError, match=r"^sentence 2: its words and n-grams need more than 1 MB"
    ) as seen:
        evaluate(corpus, [output], [metric(name)])
    assert "--max-memory" in str(seen.value)


@pytest.mark.usefixtures("one_megabyte")
def test_n_grams_of_many_references_are_bounded() -> None:
    references = tuple(f"{place % 17} {place % 19} {place % 23}" for place in range(300))
    corpus = Corpus(("a b c",), (references,))
    with pytest.raises(SentenceError, match="its words and n-grams need more than 1 MB"):
        evaluate(corpus, [Hypotheses("s", corpus.sources)], [metric("green")])
    with pytest.raises(SentenceError, match="its words and n-grams need more than 1 MB"):
        prepare("a b c", references, unit="word", order=4, pooled=False)
    long = " ".join("ab"[place % 3 == 0] for place in range(5_000))
    with pytest.raises(SentenceError, match="its words and n-grams need more than 1 MB"):
        evaluate(Corpus((long,), ((("a",) * 60),)), [Hypotheses("s", ("b",))], [metric("green")])


@pytest.mark.parametrize("name", ["m2", "green"])
@pytest.mark.usefixtures("one_megabyte")
def test_a_sentence_of_a_later_block_is_refused_with_its_number(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "BLOCK_SENTENCES", 2)
    corpus = Corpus(("a", "b", "c", sentence(0)), (("a",), ("b",), ("c",), (sentence(1),)))
    output = Hypotheses("s", ("a", "b", "c", sentence(LONG)))
    with pytest.raises(SentenceError, match=r"^sentence 4: "):
        evaluate(corpus, [output], [metric(name)])


@pytest.mark.usefixtures("one_megabyte")
def test_minimal_edits_and_errant_are_bounded() -> None:
    words, others = sentence(0).split(), sentence(LONG).split()
    with pytest.raises(SentenceError, match="sentence 1: two sentences of 9000 and 9000 words"):
        extract_edits(words, others)
    numbers = np.arange(4 * LONG, dtype=np.uint64).reshape(-1, 4)
    parsed = [parsed_sentence(each, numbers) for each in (words, others)]
    with pytest.raises(SentenceError, match="need more than 1 MB"):
        ErrantAligner().align(*parsed)


@pytest.mark.usefixtures("one_megabyte")
def test_many_gold_insertions_are_bounded() -> None:
    words = single(list(range(1_000)))
    insertions = np.array([300], np.int64)
    with pytest.raises(SentenceError, match="sentence 1: M²"):
        limits.check_lattices(words, words, insertions)
    limits.check_lattices(words, words, insertions // 2)


@pytest.mark.parametrize("value", ["0", "-1", "many", "1" * 8, "1e3", "١"])
def test_a_limit_that_is_none(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(limits.VARIABLE, value)
    with pytest.raises(UsageError, match=limits.VARIABLE):
        limits.alignment_memory()


def changes(source: list[int], target: list[int]) -> int:
    """The fewest insertions and deletions, by the definition."""
    row = list(range(len(target) + 1))
    for i, word in enumerate(source, 1):
        before, row = row, [i]
        for j, other in enumerate(target, 1):
            row.append(before[j - 1] if word == other else 1 + min(before[j], row[j - 1]))
    return row[-1]


@settings(max_examples=examples(150))
@given(
    st.lists(st.integers(0, 2), max_size=9),
    st.lists(st.integers(0, 2), max_size=9),
    st.integers(0, 120),
)
def test_the_band_is_bounded_exactly(source: list[int], target: list[int], cells: int) -> None:
    before, after = single(source), single(target)
    found = kernels.first_too_different(before.ids, before.offsets, after.ids, after.offsets, cells)
    rows, columns = len(source) + 1, len(target) + 1
    fits = rows * columns <= cells or changes(source, target) <= cells // rows
    assert found == (-1 if fits else 0)
