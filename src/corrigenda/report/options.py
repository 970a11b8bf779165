"""The settings of a report."""

from __future__ import annotations

from dataclasses import dataclass

from corrigenda import arguments
from corrigenda.analysis.resolution import (
    CORRECTIONS,
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
)
from corrigenda.core.metric import Metric
from corrigenda.metrics import metric_of


@dataclass(frozen=True)
class ReportOptions:
    """How a report is made.

    `correction` corrects p-values for the number of pairs of systems, and for the number of slices.
    """

    title: str = ""
    """The heading; by default it is made from the names of the systems."""
    resamples: int = DEFAULT_RESAMPLES
    seed: int = 0
    confidence: float = DEFAULT_CONFIDENCE
    correction: Correction = DEFAULT_CORRECTION
    extractor: str = "m2"
    min_sentences: int = 10
    ceiling: bool = False
    """Whether to show the human ceiling: each reference scored against the others."""
    attribute: Metric | None = None
    """The metric whose sentence scores are shared out among the edits; None shows no shares."""
    threads: int | None = None

    def __post_init__(self) -> None:
        """Refuse values that no report can be made with."""
        arguments.resampling(self.resamples, self.seed, self.confidence)
        arguments.one_of("correction", self.correction, CORRECTIONS)
        arguments.whole_number("min_sentences", self.min_sentences, least=1)
        arguments.text("title", self.title)
        arguments.text("extractor", self.extractor)
        if self.attribute is not None:
            metric_of(self.attribute)
