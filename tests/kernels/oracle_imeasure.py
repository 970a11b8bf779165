"""The slow, obvious I-measure, written from docs/metrics/imeasure.md and the paper.

The kernel must give the same results. Every cell of the three-dimensional table is filled, and the
alignment is read back from the last cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import floor

Words = tuple[str, ...]
Column = tuple[str | None, str | None, str | None]
Cell = tuple[int, int, int]

MATCH, GAP, MISMATCH = 0, 2, 3

# Which of S, C, R a column takes a word from, in the order in which the traceback tries them.
MOVES: tuple[Cell, ...] = (
    (1, 1, 1),  # no gap
    (1, 1, 0),  # gap in R
    (1, 0, 1),  # gap in C
    (0, 1, 1),  # gap in S
    (1, 0, 0),  # S alone
    (0, 1, 0),  # C alone
    (0, 0, 1),  # R alone
)


def pair_cost(first: str | None, second: str | None) -> int:
    """The cost of two words, or of a word and a gap (None), in one column."""
    if first is None or second is None:
        return MATCH if first is second else GAP
    return MATCH if first == second else MISMATCH


def column_cost(column: Column) -> int:
    """The sum of pairs of a column."""
    source, hypothesis, reference = column
    return (
        pair_cost(source, hypothesis)
        + pair_cost(source, reference)
        + pair_cost(hypothesis, reference)
    )


def column_before(sentences: Sequence[Words], cell: Cell, move: Cell) -> Column:
    """The column that the move writes when it arrives at the cell."""
    source, hypothesis, reference = (
        sentence[position - 1] if step else None
        for sentence, position, step in zip(sentences, cell, move, strict=True)
    )
    return source, hypothesis, reference


def moves_into(cell: Cell) -> list[tuple[Cell, Cell]]:
    """The moves that can arrive at the cell, each with its origin, in order of preference."""
    arrivals = [(move, (cell[0] - move[0], cell[1] - move[1], cell[2] - move[2])) for move in MOVES]
    return [(move, origin) for move, origin in arrivals if min(origin) >= 0]


def cost_table(sentences: Sequence[Words]) -> dict[Cell, int]:
    """The lowest sum-of-pairs cost of aligning the prefixes, for all prefixes."""
    table: dict[Cell, int] = {(0, 0, 0): 0}
    lengths = [len(sentence) for sentence in sentences]
    for i, j, k in product(*(range(length + 1) for length in lengths)):
        if (i, j, k) != (0, 0, 0):
            table[i, j, k] = min(
                table[origin] + column_cost(column_before(sentences, (i, j, k), move))
                for move, origin in moves_into((i, j, k))
            )
    return table


def align(source: Words, hypothesis: Words, reference: Words) -> tuple[int, list[Column]]:
    """The cost and the columns of the preferred among the cheapest alignments."""
    sentences = (source, hypothesis, reference)
    table = cost_table(sentences)
    cell: Cell = (len(source), len(hypothesis), len(reference))
    total = table[cell]
    columns: list[Column] = []
    while cell != (0, 0, 0):
        for move, origin in moves_into(cell):
            column = column_before(sentences, cell, move)
            if table[origin] + column_cost(column) == table[cell]:
                columns.append(column)
                cell = origin
                break
    return total, columns[::-1]


@dataclass(frozen=True)
class Counts:
    """Columns by class; ``fpn`` counts the columns that are both FP and FN."""

    tp: int = 0
    tn: int = 0
    fp: int = 0
    fn: int = 0
    fpn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def as_tuple(self) -> tuple[int, int, int, int, int]:
        return self.tp, self.tn, self.fp, self.fn, self.fpn


TP, TN, FP, FN = Counts(tp=1), Counts(tn=1), Counts(fp=1), Counts(fn=1)
FP_AND_FN = Counts(fp=1, fn=1, fpn=1)


def classify(column: Column) -> tuple[Counts, Counts]:
    """Table 6: the class of a column for detection and for correction."""
    source, hypothesis, reference = column
    if source == hypothesis:
        same = TN if source == reference else FN
        return same, same
    if source == reference:
        return FP, FP
    return (TP, TP) if hypothesis == reference else (TP, FP_AND_FN)


def count(columns: Sequence[Column]) -> tuple[Counts, Counts]:
    """Detection and correction counts of an alignment."""
    detection, correction = Counts(), Counts()
    for column in columns:
        for_detection, for_correction = classify(column)
        detection, correction = detection + for_detection, correction + for_correction
    return detection, correction


@dataclass(frozen=True)
class Statistics:
    """The counts against one reference: of the hypothesis, and of the source as hypothesis."""

    detection: Counts = Counts()
    correction: Counts = Counts()
    baseline: Counts = Counts()

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(
            self.detection + other.detection,
            self.correction + other.correction,
            self.baseline + other.baseline,
        )


@cache
def counts_of(source: Words, hypothesis: Words, reference: Words) -> tuple[Counts, Counts]:
    return count(align(source, hypothesis, reference)[1])


def statistics(source: Words, hypothesis: Words, reference: Words) -> Statistics:
    """Counts against one reference. For the baseline detection and correction are the same."""
    detection, correction = counts_of(source, hypothesis, reference)
    return Statistics(detection, correction, counts_of(source, source, reference)[1])


@dataclass(frozen=True)
class Measures:
    """The measures of one aspect, as fractions."""

    precision: float
    recall: float
    f: float
    accuracy: float
    weighted_accuracy: float
    baseline_accuracy: float
    baseline_weighted_accuracy: float
    improvement: float


def ratio(numerator: float, denominator: float) -> float:
    """The share is 1 if there is nothing to divide by."""
    return numerator / denominator if denominator else 1.0


def f_score(precision: float, recall: float, beta: float) -> float:
    denominator = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / denominator if denominator else 0.0


def weighted_accuracy(counts: Counts, weight: float) -> float:
    tp, tn, fp, fn, fpn = counts.as_tuple()
    right = weight * tp + tn
    return ratio(right, right + weight * (fp - fpn / 2) + (fn - fpn / 2))


def improvement(system: float, baseline: float) -> float:
    if system == baseline:
        return float(floor(system))
    if system > baseline:
        return (system - baseline) / (1 - baseline)
    return system / baseline - 1


def measure(counts: Counts, baseline: Counts, beta: float = 0.5, weight: float = 2) -> Measures:
    tp, fp, fn = counts.tp, counts.fp, counts.fn
    precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
    system = weighted_accuracy(counts, weight)
    base = weighted_accuracy(baseline, weight)
    return Measures(
        precision,
        recall,
        f_score(precision, recall, beta),
        weighted_accuracy(counts, 1),
        system,
        weighted_accuracy(baseline, 1),
        base,
        improvement(system, base),
    )


def preference(totals: Statistics) -> tuple[float, ...]:
    """What the choice compares: correction WAcc; then I, WAcc, Acc of correction, of detection."""
    correction = measure(totals.correction, totals.baseline)
    detection = measure(totals.detection, totals.baseline)
    return (
        correction.weighted_accuracy,
        correction.improvement,
        correction.weighted_accuracy,
        correction.accuracy,
        detection.improvement,
        detection.weighted_accuracy,
        detection.accuracy,
    )


def choose(
    candidates: Sequence[Statistics],
    so_far: Statistics,
    key: Callable[[Statistics], tuple[float, ...]],
) -> int:
    """The first of the best references."""
    keys = [key(so_far + candidate) for candidate in candidates]
    return keys.index(max(keys))


def evaluate(
    sentences: Sequence[Sequence[Statistics]], optimise: str = "sentence"
) -> tuple[list[Statistics], Statistics]:
    """The statistics of each sentence's chosen reference, and their sum."""
    total = Statistics()
    picked: list[Statistics] = []
    for candidates in sentences:
        so_far = total if optimise == "corpus" else Statistics()
        picked.append(candidates[choose(candidates, so_far, preference)])
        total = total + picked[-1]
    return picked, total
