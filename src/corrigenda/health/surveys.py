"""A quick look at all lines of a block, and at how it differs from the first rows of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health.long_lines import examined_references
from corrigenda.health.screening import CHUNK_LINES, Usual, distances
from corrigenda.kernels.line_survey import ByteCounts, LineSurvey, byte_survey, line_survey

FEWEST_LINES = 8 * CHUNK_LINES
"""This many lines show what is usual."""


class BlockSurvey(NamedTuple):
    """The surveys of the texts of a block."""

    source: ByteCounts
    references: list[LineSurvey]
    """Of the references that every sentence has."""
    outputs: list[LineSurvey]

    @classmethod
    def of(cls, corpus: Corpus, systems: Sequence[Hypotheses]) -> BlockSurvey:
        """The surveys of a block."""

        def survey(lines: Sequence[str]) -> LineSurvey:
            return line_survey(corpus.sources, lines, chunk=CHUNK_LINES)

        return cls(
            byte_survey(corpus.sources, chunk=CHUNK_LINES),
            [survey(lines) for rows, lines in examined_references(corpus) if rows is None],
            [survey(each.sentences) for each in systems],
        )

    @property
    def texts(self) -> list[LineSurvey]:
        """The surveys of all texts but the source."""
        return [*self.references, *self.outputs]


@dataclass(frozen=True)
class FirstRows:
    """How the texts of the first rows of a run differ from their source."""

    usual: tuple[Usual, ...]

    @classmethod
    def of(cls, corpus: Corpus, systems: Sequence[Hypotheses]) -> FirstRows | None:
        """What these rows show; None if they are too few."""
        if len(corpus) < FEWEST_LINES:
            return None
        survey = BlockSurvey.of(*_as_given(corpus, systems))
        return cls(tuple(Usual.of(survey.source, text) for text in survey.texts))

    def distance(self, corpus: Corpus, systems: Sequence[Hypotheses]) -> float:
        """How far the strangest part of other rows is from what is usual."""
        corpus, systems = _as_given(corpus, systems)
        survey = BlockSurvey.of(corpus, systems)
        if len(survey.texts) != len(self.usual):
            return np.inf
        found = distances(self.usual, survey.source, survey.texts)
        # The last chunk may have few lines, and the mean of few lines varies more.
        found[-1:] *= np.sqrt((len(corpus) - CHUNK_LINES * (len(found) - 1)) / CHUNK_LINES)
        return float(found.max(initial=0.0))


def _as_given(corpus: Corpus, systems: Sequence[Hypotheses]) -> tuple[Corpus, Sequence[Hypotheses]]:
    """The texts without the words that were made of them."""
    return corpus.given or corpus, [each.given or each for each in systems]
