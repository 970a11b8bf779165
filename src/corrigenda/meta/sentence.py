"""Metrics against judges, sentence by sentence: over all judged pairs that are not ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError
from corrigenda.judgments import TIE, Judgments

Floats = npt.NDArray[np.float64]


class SentenceAgreementData(TypedDict):
    """The agreement of one metric in the JSON of a report."""

    agree: int
    disagree: int
    ties: int
    accuracy: float
    tau: float


@dataclass(frozen=True)
class SentenceAgreement:
    """How often a metric orders two outputs as a judge does.

    `ties` are pairs to which the metric gives equal scores.
    """

    agree: int
    disagree: int
    ties: int

    @property
    def decided(self) -> int:
        """All pairs that the judges decided."""
        return self.agree + self.disagree + self.ties

    @property
    def accuracy(self) -> float:
        """The part of the decided pairs in which metric and judge agree; ties do not agree."""
        return self.agree / self.decided if self.decided else float("nan")

    @property
    def tau(self) -> float:
        """Kendall's τ: (agree - disagree) / (agree + disagree)."""
        compared = self.agree + self.disagree
        return (self.agree - self.disagree) / compared if compared else float("nan")

    def to_dict(self) -> SentenceAgreementData:
        """The agreement as plain Python values, ready for JSON."""
        return {
            "agree": self.agree,
            "disagree": self.disagree,
            "ties": self.ties,
            "accuracy": self.accuracy,
            "tau": self.tau,
        }


def sentence_agreement(
    sentences: Floats, systems: Sequence[str], judgments: Judgments, *, first_sentence: int = 0
) -> SentenceAgreement:
    """The agreement of scores [systems, sentences] with judgments.

    The judgments number the sentences from `first_sentence`.
    """
    pairs = judgments.of_systems([name for name in judgments.systems if name in systems]).pairs
    row = np.array([list(systems).index(name) for name in pairs.systems], np.int64)
    column = sentence_indices(judgments, first_sentence, sentences.shape[1])[pairs.ranking]
    decided = pairs.outcome != TIE
    difference = sentences[row[pairs.first], column] - sentences[row[pairs.second], column]
    product = (np.sign(difference) * pairs.outcome)[decided]
    return SentenceAgreement(
        int((product > 0).sum()), int((product < 0).sum()), int((product == 0).sum())
    )


def sentence_indices(
    judgments: Judgments, first_sentence: int, count: int
) -> npt.NDArray[np.int64]:
    """For every ranking, the place of its sentence in the corpus."""
    indices = []
    for ranking in judgments.rankings:
        digits = ranking.sentence.strip()
        index = int(digits) - first_sentence if digits.isascii() and digits.isdigit() else -1
        if not 0 <= index < count:
            raise CorrigendaError(
                f"there is no sentence {ranking.sentence!r} in a corpus of {count} sentences",
                at=ranking.location,
                remedy="Judgments give sentences by number. Say with --first-sentence whether the "
                "first one is 0 or 1.",
            )
        indices.append(index)
    return np.array(indices, np.int64)
