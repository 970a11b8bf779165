"""How far judges agree with each other and with themselves: κ over pairs of judged outputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

import numpy as np
import numpy.typing as npt

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
    answers = {judge: _answers(judgments.of_judge(judge).rankings) for judge in judgments.judges}
    between = [
        _between(first, second, answers) for first, second in combinations(judgments.judges, 2)
    ]
    within = [_within(judge, answers[judge]) for judge in judgments.judges]
    return AgreementReport(
        tuple(entry for entry in between if entry.comparisons),
        tuple(entry for entry in within if entry.comparisons),
    )


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


def _between(first: str, second: str, answers: Mapping[str, _Answers]) -> Agreement:
    table, given = np.zeros((3, 3)), np.zeros(3)
    for comparison in answers[first].keys() & answers[second].keys():
        one, other = answers[first][comparison], answers[second][comparison]
        for pair in product(one, other):
            table[pair] += 1
        for answer in (*one, *other):
            given[answer] += 1
    return _agreement(first, second, table, given)


def _within(judge: str, answers: _Answers) -> Agreement:
    table, given = np.zeros((3, 3)), np.zeros(3)
    for repeated in answers.values():
        if len(repeated) > 1:
            for pair in combinations(repeated, 2):
                table[pair] += 1
            for answer in repeated:
                given[answer] += 1
    return _agreement(judge, judge, table, given)


def _agreement(first: str, second: str, table: Floats, given: Floats) -> Agreement:
    return Agreement(
        first,
        second,
        int(table.sum()),
        _kappa(table, given, _UNWEIGHTED),
        _kappa(table, given, _WEIGHTED),
    )


def _kappa(table: Floats, given: Floats, distance: Floats) -> float:
    """1 - observed / expected disagreement; 1 if no disagreement is expected."""
    if not table.sum():
        return float("nan")
    share = given / given.sum()
    expected = float((np.outer(share, share) * distance).sum())
    observed = float((table * distance).sum() / table.sum())
    return 1 - observed / expected if expected else 1.0
