"""The three-way alignment kernel against its oracle, and the properties that the paper states."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from itertools import chain, product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import oracle_imeasure as oracle
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corrigenda.errors import SentenceError
from corrigenda.kernels import Ragged
from corrigenda.kernels.alignment import COLUMN_CLASSES, Grouped, align, count_columns
from examples import examples

MOVE_NUMBER: dict[tuple[int, ...], int] = {move: number for number, move in enumerate(oracle.MOVES)}

Ids = tuple[int, ...]
Words = tuple[str, ...]


# --- The kernel is called here, and nowhere else --------------------------------------------------


def packed(texts: Sequence[Sequence[int]]) -> Ragged:
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return Ragged(np.fromiter(chain.from_iterable(texts), np.int32, int(offsets[-1])), offsets)


def grouped(groups: Sequence[Sequence[Sequence[int]]]) -> Grouped:
    return Grouped(
        packed([text for group in groups for text in group]),
        np.cumsum([0, *map(len, groups)], dtype=np.int64),
    )


def aligned(
    source: Sequence[int], hypothesis: Sequence[int], reference: Sequence[int]
) -> tuple[int, list[int]]:
    columns = align(packed([source]), packed([hypothesis]), packed([reference]))
    moves = [tuple(map(int, column)) for column in columns]
    return cost_of(source, hypothesis, reference, moves), [MOVE_NUMBER[move] for move in moves]


def cost_of(
    source: Sequence[int],
    hypothesis: Sequence[int],
    reference: Sequence[int],
    moves: Sequence[tuple[int, ...]],
) -> int:
    """The cost of the columns, which must use up all words."""
    words = [iter(as_words(text)) for text in (source, hypothesis, reference)]
    cost = 0
    for move in moves:
        first, second, third = (
            next(text) if step else None for text, step in zip(words, move, strict=True)
        )
        cost += oracle.column_cost((first, second, third))
    assert not any(list(text) for text in words)
    return cost


def counted(
    sources: Sequence[Ids],
    references: Sequence[Sequence[Ids]],
    hypotheses: Sequence[Sequence[Ids]],
    threads: int = 1,
) -> list[npt.NDArray[np.int64]]:
    """For each sentence [hypotheses, references, 5]."""
    counts = count_columns(
        packed(sources), grouped(references), grouped(hypotheses), threads=threads
    )
    sizes = [len(own) * len(golds) for own, golds in zip(hypotheses, references, strict=True)]
    parts = np.split(counts, np.cumsum(sizes)[:-1]) if sources else []
    return [
        part.reshape(len(own), len(golds), 5)
        for part, own, golds in zip(parts, hypotheses, references, strict=True)
    ]


def sentences(largest: int = 5, words: int = 3) -> st.SearchStrategy[Ids]:
    return st.lists(st.integers(0, words - 1), max_size=largest).map(tuple)


def as_words(ids: Sequence[int]) -> Words:
    return tuple(map(str, ids))


def oracle_moves(source: Ids, hypothesis: Ids, reference: Ids) -> tuple[int, list[int]]:
    cost, columns = oracle.align(as_words(source), as_words(hypothesis), as_words(reference))
    taken = [tuple(int(word is not None) for word in column) for column in columns]
    return cost, [MOVE_NUMBER[each] for each in taken]


def oracle_counts(source: Ids, hypothesis: Ids, reference: Ids) -> list[int]:
    detection, correction = oracle.counts_of(
        as_words(source), as_words(hypothesis), as_words(reference)
    )
    return [correction.tp, correction.tn, detection.fp, detection.fn, correction.fpn]


def aspects(classes: npt.NDArray[np.int64]) -> tuple[oracle.Counts, oracle.Counts]:
    """Detection and correction from the kernel's five classes."""
    corrected, kept, spoiled, missed, miscorrected = map(int, classes)
    detection = oracle.Counts(corrected + miscorrected, kept, spoiled, missed)
    correction = oracle.Counts(
        corrected, kept, spoiled + miscorrected, missed + miscorrected, miscorrected
    )
    return detection, correction


# --- kernel against oracle ------------------------------------------------------------------------


@settings(max_examples=examples(300))
@given(sentences(), sentences(), sentences())
@example((), (), ())
@example((0,), (), ())
@example((), (0, 1), (1,))
@example((0, 1, 0, 1), (1, 0, 1, 0), (0, 0, 1, 1))
def test_alignment_is_the_oracles(source: Ids, hypothesis: Ids, reference: Ids) -> None:
    assert aligned(source, hypothesis, reference) == oracle_moves(source, hypothesis, reference)


@pytest.mark.slow
def test_every_triple_of_two_words_up_to_three() -> None:
    texts = [text for size in range(4) for text in product((0, 1), repeat=size)]
    for source, hypothesis, reference in product(texts, texts, texts):
        assert aligned(source, hypothesis, reference) == oracle_moves(source, hypothesis, reference)


@settings(max_examples=examples(60))
@given(sentences(22, 2), sentences(6, 2), sentences(14, 4))
def test_alignment_beyond_the_first_band(first: Ids, second: Ids, third: Ids) -> None:
    """Lengths so different that the distances' band (8) has to grow."""
    for triple in ((first, second, third), (second, first, third), (third, second, first)):
        assert aligned(*triple) == oracle_moves(*triple)


def table_counts(source: Ids, hypothesis: Ids, reference: Ids) -> list[int]:
    """The columns of each class in the alignment that `align` finds by the table."""
    words = [iter(text) for text in (source, hypothesis, reference)]
    counts = dict.fromkeys(COLUMN_CLASSES, 0)
    for taken in align(packed([source]), packed([hypothesis]), packed([reference])):
        s, h, r = (next(text) if step else None for text, step in zip(words, taken, strict=True))
        if s == h:
            counts["kept" if s == r else "missed"] += 1
        elif s == r:
            counts["spoiled"] += 1
        else:
            counts["corrected" if h == r else "miscorrected"] += 1
    return list(counts.values())


@settings(max_examples=examples(80))
@given(
    sentences(9, 4),
    st.lists(sentences(9, 4), min_size=1, max_size=3),
    st.integers(1, 8),
    sentences(60, 4),
)
def test_counts_without_the_table_are_the_tables(
    source: Ids, references: list[Ids], times: int, hypothesis: Ids
) -> None:
    """Long and repeated outputs, where a path that fits all pairs is rare or hard to find."""
    doubled = tuple(word for word in source for _ in range(times))
    hypotheses = [source * times, doubled, references[0] * times, hypothesis, ()]
    (found,) = counted([source], [references], [hypotheses])
    assert found.tolist() == [
        [table_counts(source, own, gold) for gold in references] for own in hypotheses
    ]


@settings(max_examples=examples(200))
@given(
    st.lists(
        st.tuples(
            sentences(),
            st.lists(sentences(), min_size=1, max_size=5),
            st.lists(sentences(), max_size=3),
        ),
        max_size=4,
    )
)
def test_batch_is_the_oracles_for_any_number_of_threads(
    batch: list[tuple[Ids, list[Ids], list[Ids]]],
) -> None:
    sources = [source for source, _, _ in batch]
    references = [golds for _, golds, _ in batch]
    hypotheses = [[source, *own] for source, _, own in batch]  # the source first: the baseline
    expected = [
        [[oracle_counts(source, own, gold) for gold in golds] for own in group]
        for source, golds, group in zip(sources, references, hypotheses, strict=True)
    ]
    for threads in (1, 2):
        found = counted(sources, references, hypotheses, threads)
        assert [part.tolist() for part in found] == expected


@settings(max_examples=examples(300))
@given(sentences(), sentences())
def test_where_two_are_equal_they_are_aligned_word_by_word(one: Ids, other: Ids) -> None:
    """The pairwise alignment is enough: cheapest alignments keep equal sentences together."""
    cases = (((one, one, other), (0, 1)), ((one, other, one), (0, 2)), ((other, one, one), (1, 2)))
    for triple, (first, second) in cases:
        _, moves = aligned(*triple)
        assert all(oracle.MOVES[move][first] == oracle.MOVES[move][second] for move in moves)


# --- the paper's properties -----------------------------------------------------------------------


@settings(max_examples=examples(300))
@given(sentences(), sentences(), st.floats(1, 5))
def test_doing_nothing_improves_nothing(source: Ids, reference: Ids, weight: float) -> None:
    detection, correction = aspects(counted([source], [[reference]], [[source]])[0][0, 0])
    assert detection == correction
    measures = oracle.measure(correction, correction, weight=weight)
    assert measures.weighted_accuracy == measures.accuracy
    assert measures.improvement == (1 if source == reference else 0)


@settings(max_examples=examples(250))
@given(sentences(), sentences(), sentences())
def test_improvement_lies_between_minus_one_and_one(
    source: Ids, hypothesis: Ids, reference: Ids
) -> None:
    counts = counted([source], [[reference]], [[source, hypothesis]])[0][:, 0]
    baseline = aspects(counts[0])[1]
    for aspect in aspects(counts[1]):
        measures = oracle.measure(aspect, baseline)
        assert -1 <= measures.improvement <= 1
        assert 0 <= measures.weighted_accuracy <= 1
    if hypothesis == reference:
        assert oracle.measure(aspects(counts[1])[1], baseline).improvement == 1


# --- memory and limits ----------------------------------------------------------------------------

_NOTHING_IN_COMMON = """
import sys
from pathlib import Path
import numpy as np
from corrigenda.kernels import Ragged
from corrigenda.kernels.alignment import align
sizes = [int(size) for size in sys.argv[1:]]
texts = [np.arange(size, dtype=np.int32) + 10_000 * place for place, size in enumerate(sizes)]
columns = align(*(Ragged(text, np.array([0, len(text)])) for text in texts))
assert [sum(column[place] for column in columns) for place in range(3)] == sizes
# Not getrusage: its peak includes the memory of the process that started this one.
status = Path("/proc/self/status").read_text().splitlines()
peak = [line for line in status if line.startswith("VmHWM")]
print(peak[0].split()[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc"
)
@pytest.mark.parametrize("sizes", [(200, 200, 200), (200, 150, 100), (100, 200, 150)])
def test_long_sentences_with_nothing_in_common_stay_below_500_megabytes(
    sizes: tuple[int, int, int],
) -> None:
    command = [sys.executable, "-c", _NOTHING_IN_COMMON, *map(str, sizes)]
    kilobytes = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert kilobytes < 500 * 1024


def test_near_equal_sentences_may_be_long() -> None:
    source = list(range(10_000))
    cost, moves = aligned(source, source[:50] + source[51:], [*source[:9000], 1, *source[9000:]])
    assert (cost, len(moves)) == (8, 10_001)


def test_what_is_too_large_is_said() -> None:
    large = [tuple(range(start, start + 20_000)) for start in (0, 20_000, 40_000)]
    with pytest.raises(SentenceError, match="bounded memory"):
        aligned(*large)
    with pytest.raises(SentenceError, match=r"sentence 2: .*bounded memory"):
        counted([(1,), large[0]], [[(1,)], [large[2]]], [[(1,)], [large[1]]])


def test_unknown_words_are_words_not_gaps() -> None:
    """A word that is not in the corpus is -1. It differs from everything, also from a gap."""
    (counts,) = counted([(1, 2)], [[(1, 3)]], [[(1, -1)]])
    assert counts.tolist() == [[[0, 1, 0, 0, 1]]]
    (counts,) = counted([(1,)], [[(1,)]], [[(1, -1)]])
    assert counts.tolist() == [[[0, 1, 1, 0, 0]]]
