"""Metrics against judges sentence by sentence: over all judged pairs that are not ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError
from corrigenda.judgments import TIE, Judgments

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SentenceAgreement:
    """How often a metric orders two outputs as a judge did; `ties` are pairs that it scores equal."""

    agree: int
    disagree: int
    ties: int

    @property
    def decided(self) -> int:
        """All pairs that the judges decided."""
        return self.agree + self.disagree + self.ties

    @property
    def accuracy(self) -> float:
        """The part of decided pairs in which metric and judge agree; a tie of the metric is no agreement."""
        return self.agree / self.decided if self.decided else float("nan")

    @property
    def tau(self) -> float:
        """Kendall's τ: (agree - disagree) / (agree + disagree)."""
        compared = self.agree + self.disagree
        return (self.agree - self.disagree) / compared if compared else float("nan")


def sentence_agreement(
    sentences: Floats, systems: Sequence[str], judgments: Judgments, *, first_sentence: int = 0
) -> SentenceAgreement:
    """The agreement of scores [systems, sentences] with judgments whose sentences count from `first_sentence`."""
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
    """The place in the corpus of the sentence of every ranking."""
    indices = []
    for ranking in judgments.rankings:
        digits = ranking.sentence.strip()
        index = int(digits) - first_sentence if digits.isascii() and digits.isdigit() else -1
        if not 0 <= index < count:
            raise CorrigendaError(
                f"there is no sentence {ranking.sentence!r} in a corpus of {count} sentences",
                at=ranking.location,
                remedy="Sentences of judgments are numbers; say by --first-sentence whether they count from 0 or 1.",
            )
        indices.append(index)
    return np.array(indices, np.int64)
