"""How far judges agree with each other and with themselves: κ over pairs of judged outputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from operator import itemgetter
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError
from corrigenda.judgments import Judgments, Ranking

Floats = npt.NDArray[np.float64]
_Comparison = tuple[str, tuple[str, ...], tuple[str, ...]]
_Answers = Mapping[_Comparison, Sequence[int]]
_BETTER, _EQUAL, _WORSE = 0, 1, 2
# The weight of each disagreement. With weights, "better" against "worse" counts twice as much as
# "better" or "worse" against a tie.
_UNWEIGHTED = 1 - np.eye(3)
_WEIGHTED = np.array([[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]])
FEWEST_COMPARISONS = 50
MOST_PAIRS = 500_000
"""The most pairs of judges: their number can grow with the square of the judges."""


@dataclass(frozen=True)
class Agreement:
    """The agreement of two judges, or of one judge with itself, over their shared comparisons."""

    first: str
    second: str
    comparisons: int
    kappa: float
    weighted_kappa: float


@dataclass(frozen=True)
class AgreementReport:
    """The agreement of every two judges with shared comparisons, and of each judge with itself."""

    between: tuple[Agreement, ...]
    within: tuple[Agreement, ...]

    def mean(
        self,
        kind: Literal["between", "within"],
        *,
        weighted: bool = False,
        fewest: int = FEWEST_COMPARISONS,
    ) -> float | None:
        """The mean κ `between` or `within` judges, weighted by the numbers of comparisons.

        Pairs of judges with fewer than `fewest` comparisons are left out.
        """
        entries = self.between if kind == "between" else self.within
        kept = [entry for entry in entries if entry.comparisons >= fewest]
        total = sum(entry.comparisons for entry in kept)
        if not total:
            return None
        values = (entry.weighted_kappa if weighted else entry.kappa for entry in kept)
        return (
            sum(entry.comparisons * value for entry, value in zip(kept, values, strict=True))
            / total
        )


def agreement(judgments: Judgments) -> AgreementReport:
    """The agreement between all judges and within each judge.

    Chance agreement is computed as in the WMT reports: the probability of an answer is its share
    among the answers of both judges.
    """
    of_sentence: dict[str, list[Ranking]] = defaultdict(list)
    for ranking in judgments.rankings:
        of_sentence[ranking.sentence].append(ranking)
    between: _OfJudges = defaultdict(_Counts)
    within: _OfJudges = defaultdict(_Counts)
    # One sentence at a time is in memory. What is ranked once is compared with nothing.
    for rankings in of_sentence.values():
        if len(rankings) > 1:
            by_judge = Judgments(tuple(rankings)).by_judge()
            answers = {judge: _answers(own.rankings) for judge, own in by_judge.items()}
            _count_between(answers, between)
            for judge, given in answers.items():
                _count_within(given, within[judge, judge])
    return AgreementReport(_agreements(between), _agreements(within))


def _answers(rankings: Sequence[Ranking]) -> _Answers:
    answers: dict[_Comparison, list[int]] = defaultdict(list)
    for ranking in rankings:
        for comparison, answer in _comparisons(ranking):
            answers[comparison].append(answer)
    return answers


def _comparisons(ranking: Ranking) -> Iterator[tuple[_Comparison, int]]:
    """All pairs of outputs in a ranking.

    Systems that share an output count once, because the judge read and ranked one output.
    """
    outputs = sorted((tuple(sorted(output.systems)), output.rank) for output in ranking.outputs)
    for (first, rank), (second, other) in combinations(outputs, 2):
        yield (
            (ranking.sentence, first, second),
            _BETTER if rank < other else _WORSE if other < rank else _EQUAL,
        )


@dataclass(slots=True)
class _Counts:
    """How often two answers to a comparison met [3 × 3], and how often each answer was given."""

    table: list[int] = field(default_factory=lambda: [0] * 9)
    given: list[int] = field(default_factory=lambda: [0] * 3)

    def add(self, met: Iterable[tuple[int, int]], given: Iterable[int]) -> None:
        """Count the answers to one comparison."""
        for one, other in met:
            self.table[3 * one + other] += 1
        for answer in given:
            self.given[answer] += 1


_OfJudges = defaultdict[tuple[str, str], _Counts]


def _count_between(answers: Mapping[str, _Answers], found: _OfJudges) -> None:
    """Count the answers of every two judges who made the same comparison."""
    judges_of: dict[_Comparison, list[str]] = defaultdict(list)
    for judge, own in answers.items():
        for comparison in own:
            judges_of[comparison].append(judge)
    for comparison, judges in judges_of.items():
        for first, second in combinations(judges, 2):
            one, other = answers[first][comparison], answers[second][comparison]
            found[first, second].add(product(one, other), (*one, *other))
            if len(found) > MOST_PAIRS:
                raise CorrigendaError(
                    f"more than {MOST_PAIRS:,} pairs of judges compared the same outputs",
                    remedy="Divide the judgments into several files, or leave out judges.",
                )


def _count_within(answers: _Answers, counts: _Counts) -> None:
    """Count the answers of a judge to each comparison that came again."""
    for repeated in answers.values():
        if len(repeated) > 1:
            counts.add(combinations(repeated, 2), repeated)


def _agreements(counts: _OfJudges) -> tuple[Agreement, ...]:
    """In the order of the judges, without those who share no comparison."""
    shared = sorted(
        ((judges, each) for judges, each in counts.items() if any(each.table)),
        key=itemgetter(0),
    )
    tables = np.array([each.table for _, each in shared], np.float64).reshape(-1, 9)
    given = np.array([each.given for _, each in shared], np.float64).reshape(-1, 3)
    columns = (
        tables.sum(axis=1).astype(np.int64),
        _kappas(tables, given, _UNWEIGHTED),
        _kappas(tables, given, _WEIGHTED),
    )
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    return tuple(
        Agreement(*judges, *numbers_of)
        for (judges, _), numbers_of in zip(shared, numbers, strict=True)
    )


def _kappas(tables: Floats, given: Floats, distance: Floats) -> Floats:
    """1 - observed / expected disagreement; 1 if no disagreement is expected."""
    share = given / given.sum(axis=1, keepdims=True)
    met = (share[:, :, np.newaxis] * share[:, np.newaxis, :]).reshape(-1, 9)
    expected = (met * distance.ravel()).sum(axis=1)
    observed = (tables * distance.ravel()).sum(axis=1) / tables.sum(axis=1)
    some = expected != 0
    return np.where(some, 1 - observed / np.where(some, expected, 1), 1.0)
