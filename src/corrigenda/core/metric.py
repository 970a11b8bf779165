"""What a metric is: a frozen dataclass whose fields are its parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import Choice
from corrigenda.core.details import Details, plain_details
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses

Level = Literal["corpus", "sentence"]
LEVELS: tuple[Level, ...] = ("corpus", "sentence")


@dataclass(frozen=True, repr=False)
class Metric(ABC):
    """Counts, a choice, and a score.

    Two metrics with equal fields are the same metric; `str(metric)` is its printed form, which the
    command line takes and which leaves out what is at its default.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    extra: ClassVar[str | None] = None
    """The optional dependency (`corrigenda[extra]`) that it needs, if any."""
    modules: ClassVar[tuple[str, ...]] = ()
    """The modules that the extra brings."""
    whole_corpus: ClassVar[bool] = False
    """Whether a sentence's counts depend on the other sentences: then the corpus is not cut into blocks."""

    def __post_init__(self) -> None:
        """Metrics with rules of their own check them after these."""
        spec.check_values(self)

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:  # noqa: B027
        """Called with all systems before the statistics of any: what they share can be done at once."""

    def survey(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> dict[str, int]:
        """What the counts of a sentence need to know of all the others, as numbers that add up over parts."""
        return {}

    def surveyed(
        self, corpus: Corpus, hypotheses: Hypotheses, survey: Callable[[], dict[str, int]]
    ) -> dict[str, int]:
        """The survey of the corpus that this is, or is a part of: what was given first counts."""
        return corpus.latest(("survey", self), hypotheses, survey)

    @property
    def surveys(self) -> bool:
        """Whether a sentence's counts need the survey of the whole corpus."""
        return False

    @property
    def divisible(self) -> bool:
        """Whether a corpus can be counted in parts that know nothing of each other, but for the survey."""
        return not self.whole_corpus

    @abstractmethod
    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The counts of every sentence against each of its references."""

    @abstractmethod
    def policy(self, level: Level) -> Choice:
        """How a reference is chosen for each sentence."""

    @abstractmethod
    def score(self, totals: Array) -> Array:
        """The corpus score of totals [..., K]."""

    def sentence_score(self, counts: Array) -> Array:
        """The score of single sentences from counts [..., K]."""
        return self.score(counts)

    def measures(self, totals: Array) -> dict[str, Array]:
        """What is reported beside the score, e.g. precision and recall, of totals [..., K]."""
        return {}

    def sentence_measures(self, counts: Array) -> dict[str, Array]:
        """The same of single sentences."""
        return self.measures(counts)

    def counts_by_type(
        self, corpus: Corpus, hypotheses: Hypotheses, chosen: Chosen
    ) -> dict[str, Array]:
        """The counts [K] of each error type over these sentences, where the metric knows types."""
        return {}

    def sentence_details(
        self, corpus: Corpus, hypotheses: Hypotheses, chosen: Chosen
    ) -> Sequence[dict[str, Any]]:
        """What is worth knowing of each sentence beside its score and counts, ready for JSON; or nothing at all."""
        return ()

    def remarks(self, corpus: Corpus) -> dict[str, int]:
        """What a reader of the score should know about these sentences, as numbers that add up."""
        return {}

    @abstractmethod
    def named_counts(self, counts: Array) -> dict[str, Any]:
        """Counts [K] by their names, ready for JSON."""

    def details(
        self, score: float, measures: dict[str, Any], counts: dict[str, Any]
    ) -> Sequence[Details]:
        """A system's score, measures and named counts as rows of tables."""
        beta: float | None = getattr(self, "beta", None)
        return plain_details("score" if beta is None else f_name(beta), score, measures, counts)

    def signature_fields(self, corpus: Corpus) -> dict[str, object]:
        """What, besides version and level, somebody needs to get the same number."""
        return spec.parameters(self)

    def system_fields(self, hypotheses: Hypotheses) -> dict[str, object]:
        """What the signature must say about how a system's output was taken."""
        return {}

    def __str__(self) -> str:
        return spec.printed(self)

    def __repr__(self) -> str:
        return spec.printed(self)


def ratio(numerator: Array, denominator: Array, undefined: float) -> Array:
    """`numerator / denominator`, and `undefined` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    result = np.full(numerator.shape, undefined, np.float64)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def f_score(precision: Array, recall: Array, beta: float) -> Array:
    """F_β of precision and recall; 0 where both are 0."""
    square = beta * beta
    return ratio((1 + square) * precision * recall, square * precision + recall, 0.0)


def f_name(beta: float) -> str:
    """`F0.5`."""
    return f"F{beta:g}"


def plain(value: Any) -> Any:
    """A numpy scalar or array as plain Python, for JSON."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value
