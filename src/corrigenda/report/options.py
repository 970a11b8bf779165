"""The settings of a report."""

from __future__ import annotations

from dataclasses import dataclass

from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
)
from corrigenda.core.metric import Metric


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
