"""What a meta-evaluation computes."""

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
from corrigenda.meta.correlation import Coefficient
from corrigenda.meta.sentence import MetricTies, PairsOf


@dataclass(frozen=True)
class MetaSettings:
    """What to compute: `aggregations` are some of `AGGREGATIONS`, `human` one of `HUMAN_SCORES`."""

    aggregations: tuple[str, ...] = ("corpus",)
    coefficients: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")
    human: str | None = None
    interval: str = "both"
    pairs_of: PairsOf = "outputs"
    metric_ties: MetricTies = "undecided"
    resamples: int = DEFAULT_RESAMPLES
    confidence: float = DEFAULT_CONFIDENCE
    correction: Correction = DEFAULT_CORRECTION
    window: int = 4
    runs: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse values that nothing can be computed with."""
        arguments.resampling(self.resamples, self.seed, self.confidence, least=0)
        arguments.one_of("correction", self.correction, CORRECTIONS)
        arguments.whole_number("window", self.window)
        arguments.whole_number("runs", self.runs, least=1)
