"""Metrics against judges, sentence by sentence: over all judged pairs that are not ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypedDict

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError, brief
from corrigenda.judgments import LOSS, TIE, WIN, Integers, Judgments
from corrigenda.text.numerals import whole_number

Floats = npt.NDArray[np.float64]


PairsOf = Literal["outputs", "systems"]
"""What is compared: two outputs, or two systems, also where several gave the same output."""
PAIRS_OF: tuple[PairsOf, ...] = ("outputs", "systems")
MetricTies = Literal["undecided", "first-loses"]
"""What equal scores of a metric say about a pair: nothing, or that the first system is worse."""
METRIC_TIES: tuple[MetricTies, ...] = ("undecided", "first-loses")
FOLDS = 10


class SentenceAgreementData(TypedDict):
    """The agreement of one metric in the JSON of a report."""

    pairs_of: str
    agree: int
    disagree: int
    ties: int
    accuracy: float
    chance: float
    tau: float
    acc_eq: float
    acc_eq_chance: float
    epsilon: float


@dataclass(frozen=True)
class TieCalibration:
    """Accuracy with ties (Deutsch et al. 2023).

    A metric ties where two scores differ by at most `epsilon`. Each ε was chosen on other sentences
    than those that it is counted on; the one here was chosen on all of them.
    """

    accuracy: float
    chance: float
    """What a metric that knows nothing gets: it always ties, or it never does and guesses."""
    epsilon: float


@dataclass(frozen=True)
class SentenceAgreement:
    """How often a metric orders two outputs as a judge does.

    `ties` are pairs to which the metric gives equal scores.
    """

    agree: int
    disagree: int
    ties: int
    pairs_of: PairsOf = "outputs"
    calibrated: TieCalibration | None = None

    @property
    def decided(self) -> int:
        """All pairs that the judges decided."""
        return self.agree + self.disagree + self.ties

    @property
    def accuracy(self) -> float:
        """The part of the decided pairs in which metric and judge agree; ties do not agree."""
        return self.agree / self.decided if self.decided else float("nan")

    @property
    def chance(self) -> float:
        """The accuracy of a metric that guesses as often as this one decides."""
        return (self.agree + self.disagree) / self.decided / 2 if self.decided else float("nan")

    @property
    def tau(self) -> float:
        """Kendall's τ: (agree - disagree) / (agree + disagree)."""
        compared = self.agree + self.disagree
        return (self.agree - self.disagree) / compared if compared else float("nan")

    def to_dict(self) -> SentenceAgreementData:
        """The agreement as plain Python values, ready for JSON."""
        calibrated = self.calibrated or TieCalibration(*[float("nan")] * 3)
        return {
            "pairs_of": self.pairs_of,
            "agree": self.agree,
            "disagree": self.disagree,
            "ties": self.ties,
            "accuracy": self.accuracy,
            "chance": self.chance,
            "tau": self.tau,
            "acc_eq": calibrated.accuracy,
            "acc_eq_chance": calibrated.chance,
            "epsilon": calibrated.epsilon,
        }


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs that were judged: places of two systems, of the sentence, and the outcome."""

    first: Integers
    second: Integers
    sentence: Integers
    outcome: Integers
    pairs_of: PairsOf

    @property
    def decided(self) -> int:
        """The number of pairs that are not ties."""
        return int((self.outcome != TIE).sum())

    def differences(self, sentences: Floats) -> Floats:
        """First minus second, by scores [systems, sentences]."""
        return np.asarray(
            sentences[self.first, self.sentence] - sentences[self.second, self.sentence]
        )


def judged_pairs(
    systems: Sequence[str],
    judgments: Judgments,
    *,
    count: int,
    first_sentence: int = 0,
    pairs_of: PairsOf = "outputs",
    outputs: Sequence[Sequence[str]] | None = None,
) -> JudgedPairs:
    """All judged pairs of some systems in a corpus of `count` sentences.

    A judge reads an output once, also if several systems gave it. So `outputs` counts each pair of
    outputs of a ranking once, and two systems with one output are no pair. `outputs` [systems,
    sentences] has the texts, if they are known: then equal texts are one output also where the
    judgments list them one by one.
    """
    place = {name: index for index, name in enumerate(systems)}
    column = sentence_indices(judgments, first_sentence, count).tolist()
    rows: list[tuple[int, int, int, int]] = []
    for ranking, sentence in zip(judgments.rankings, column, strict=True):
        judged: dict[str, tuple[int, int]] = {}
        for number, output in enumerate(ranking.outputs):
            for name in output.systems:
                if name in place:
                    key: object = name
                    if pairs_of == "outputs":
                        key = number if outputs is None else outputs[place[name]][sentence].split()
                    judged.setdefault(str(key), (place[name], output.rank))
        for (first, rank), (second, other) in combinations(sorted(judged.values()), 2):
            outcome = WIN if rank < other else LOSS if other < rank else TIE
            rows.append((first, second, sentence, outcome))
    first_place, second_place, sentences, outcomes = np.array(rows, np.int64).reshape(-1, 4).T
    return JudgedPairs(first_place, second_place, sentences, outcomes, pairs_of=pairs_of)


def agreement_on(
    pairs: JudgedPairs,
    sentences: Floats,
    *,
    seed: int = 0,
    metric_ties: MetricTies = "undecided",
) -> SentenceAgreement:
    """The agreement of scores [systems, sentences] with judged pairs.

    gec-metrics and SEEDA's script count equal scores as a loss of the first system of a pair; the
    first is the one that comes first in the list of systems.
    """
    differences = pairs.differences(sentences)
    called = np.sign(differences)
    if metric_ties == "first-loses":
        called = np.where(called == 0, LOSS, called)
    product = (called * pairs.outcome)[pairs.outcome != TIE]
    return SentenceAgreement(
        int((product > 0).sum()),
        int((product < 0).sum()),
        int((product == 0).sum()),
        pairs.pairs_of,
        _calibrated(differences, pairs, seed) if len(differences) else None,
    )


def _calibrated(differences: Floats, pairs: JudgedPairs, seed: int) -> TieCalibration:
    """ε is chosen on nine tenths of the sentences and counted on the last tenth, ten times."""
    names = np.unique(pairs.sentence)
    fold_of = np.random.default_rng(seed).permutation(len(names)) % FOLDS
    fold = fold_of[np.searchsorted(names, pairs.sentence)]
    right = 0
    for number in range(min(FOLDS, len(names))):
        held = fold == number
        epsilon = best_epsilon(differences[~held], pairs.outcome[~held])
        right += _right(differences[held], pairs.outcome[held], epsilon)
    tied = float((pairs.outcome == TIE).mean())
    return TieCalibration(
        right / len(differences),
        max(tied, (1 - tied) / 2),
        best_epsilon(differences, pairs.outcome),
    )


def _right(differences: Floats, outcome: Integers, epsilon: float) -> int:
    called = np.where(np.abs(differences) <= epsilon, TIE, np.sign(differences))
    return int((called == outcome).sum())


def best_epsilon(differences: Floats, outcome: Integers) -> float:
    """The ε with the most right calls, the smallest of several; 0 ties equal scores only."""
    if not len(differences):
        return 0.0
    size = np.abs(differences)
    order = np.argsort(size, kind="stable")
    ordered = size[order]
    # With ε at the size of a pair, all pairs up to it are ties, and the others are as they are.
    tie = np.cumsum(outcome[order] == TIE)
    agrees = (np.sign(differences) == outcome)[order] & (ordered > 0)
    beyond = agrees.sum() - np.cumsum(agrees)
    last = np.append(ordered[1:] != ordered[:-1], True)
    values = np.append(0.0, ordered[last])
    none = ordered <= 0
    at_zero = int((outcome[order][none] == TIE).sum() + agrees.sum())
    right = np.append(at_zero, (tie + beyond)[last])
    return float(values[int(np.argmax(right))])


def sentence_agreement(
    sentences: Floats,
    systems: Sequence[str],
    judgments: Judgments,
    *,
    first_sentence: int = 0,
    pairs_of: PairsOf = "outputs",
) -> SentenceAgreement:
    """The agreement of scores [systems, sentences] with judgments.

    The judgments number the sentences from `first_sentence`.
    """
    pairs = judged_pairs(
        systems,
        judgments,
        count=sentences.shape[1],
        first_sentence=first_sentence,
        pairs_of=pairs_of,
    )
    return agreement_on(pairs, sentences)


def sentence_indices(
    judgments: Judgments, first_sentence: int, count: int
) -> npt.NDArray[np.int64]:
    """For every ranking, the place of its sentence in the corpus."""
    indices = []
    for ranking in judgments.rankings:
        number = whole_number(ranking.sentence.strip())
        index = -1 if number is None else number - first_sentence
        if not 0 <= index < count:
            raise CorrigendaError(
                f"there is no sentence {brief(ranking.sentence)} in a corpus of {count} sentences",
                at=ranking.location,
                remedy="Judgments give sentences by number. Say with --first-sentence whether the "
                "first one is 0 or 1.",
            )
        indices.append(index)
    return np.array(indices, np.int64)
