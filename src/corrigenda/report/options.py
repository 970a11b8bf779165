"""The settings of a report."""

from __future__ import annotations

from dataclasses import dataclass

from corrigenda.analysis.significance import Correction


@dataclass(frozen=True)
class ReportOptions:
    """How a report is made.

    `correction` corrects p-values for the number of pairs of systems, and for the number of slices.
    """

    title: str = "Grammatical error correction"
    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95
    correction: Correction = "bh"
    extractor: str = "m2"
    min_sentences: int = 10
    threads: int | None = None
