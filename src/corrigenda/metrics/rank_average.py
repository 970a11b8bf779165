"""Rank average: the mean rank of a system by several metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corrigenda.core.choice import Pooled
from corrigenda.core.evaluate import prepare_metrics
from corrigenda.core.explanation import ExplainedCell, Explanation
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric, Scope
from corrigenda.core.result import Result
from corrigenda.core.scored import Scored
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import MetricError, UsageError
from corrigenda.metrics import metric as metric_from_text

COUNTS = ("corpus", "sentence", "sentences")


@dataclass(frozen=True)
class _Ranked:
    """The systems, and their mean ranks: [systems] and [systems, sentences]."""

    systems: tuple[Hypotheses, ...]
    corpus: Array
    sentences: Array
    by_metric: Array
    """[metrics, systems]"""

    def place(self, hypotheses: Hypotheses) -> int:
        for place, system in enumerate(self.systems):
            if system is hypotheses:
                return place
        raise UsageError(
            f"rank-average has no rank of {hypotheses.name}",
            remedy="It ranks the systems of one run: score them together.",
        )


@dataclass(frozen=True, repr=False)
class RankAverage(Metric):
    """The mean over metrics of a system's rank among the compared systems, from 1 (best) to 0.

    Statistics [sentences, 3]: the corpus value, which is the same in each row, the value of the
    sentence, and 1.
    """

    name = "rank-average"
    title = "Rank average: the mean rank by several metrics"
    citation = "No paper; an ensemble of metrics."
    needs_references = "edits"
    needs_all_systems = True
    offers = frozenset({"explain"})
    main_parameter = "metrics"

    metrics: str = parameter("green+m2", "the metrics, joined by +")

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(each.name == self.name for each in self._members):
            raise MetricError(
                "rank-average: it cannot contain itself", remedy="Give other metrics."
            )

    @cached_property
    def _members(self) -> tuple[Metric, ...]:
        return tuple(metric_from_text(text) for text in self.metrics.split("+"))

    @property
    def scope(self) -> Scope:
        """A rank depends on all sentences."""
        return "corpus"

    @property
    def scope_remedy(self) -> str:
        """A rank needs several systems."""
        return "A rank depends on all systems and sentences: use corrigenda score."

    @property
    def asks_a_service(self) -> bool:
        """Whether one of its metrics does."""
        return any(each.asks_a_service for each in self._members)

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """Those of its metrics."""
        return tuple(dict.fromkeys(name for each in self._members for name in each.modules_in_use))

    def check_installed(self) -> None:
        """Each of its metrics must be installed."""
        for each in self._members:
            each.check_installed()

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Score all systems by all metrics, and rank them."""
        if len(systems) < 2:
            raise UsageError(
                "rank-average compares systems, but only one is given",
                remedy="Give at least two systems.",
            )
        prepare_metrics(self._members, corpus, systems, threads=threads)
        ranks, of_sentences = [], []
        for member in self._members:
            scored = [
                Scored(member, member.statistics(corpus, system, threads=threads))
                for system in systems
            ]
            ranks.append(_standing(np.array([each.corpus for each in scored])))
            of_sentences.append(_standing(np.stack([each.sentences for each in scored])))
        by_metric = np.stack(ranks)
        self._ranked(corpus)[:] = [
            _Ranked(
                tuple(systems), by_metric.mean(axis=0), np.mean(of_sentences, axis=0), by_metric
            )
        ]

    def _ranked(self, corpus: Corpus) -> list[_Ranked]:
        return corpus.once(("rank average", self), list)

    def _ranks(self, corpus: Corpus) -> _Ranked:
        found = self._ranked(corpus)
        if not found:
            raise UsageError(
                "rank-average compares systems, but there are none to compare",
                remedy="Score at least two systems together.",
            )
        return found[0]

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The values of the system, for each sentence."""
        ranked = self._ranks(corpus)
        place = ranked.place(hypotheses)
        count = len(corpus)
        rows = np.column_stack(
            [np.full(count, ranked.corpus[place]), ranked.sentences[place], np.ones(count)]
        )
        return Statistics(rows, np.arange(count + 1, dtype=np.int64))

    def policy(self, level: Level) -> Pooled:
        """Its metrics choose references."""
        return Pooled()

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The mean rank as a share: 1 is the best system by all metrics, 0 the worst."""
        totals = np.asarray(totals)
        place = 0 if level == "corpus" else 1
        return Measures(ratio(totals[..., place], totals[..., 2], undefined=0.0))

    def named_counts(self, counts: Array) -> NamedCounts:
        """Sums over sentences."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The standing by each metric."""
        ranked = self._ranks(corpus)
        place = ranked.place(hypotheses)
        rows = tuple(
            (ExplainedCell(str(member)), ExplainedCell(f"{ranked.by_metric[number][place]:.3f}"))
            for number, member in enumerate(self._members)
        )
        note = f"among {len(ranked.systems)} systems: 1 is the best, 0 the worst"
        return [Explanation("standing by metric", ("metric", "standing"), rows, note)]

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The metrics, and how many systems were compared: the score holds among them only."""
        metrics = "+".join(map(str, self._members)).replace(":", "(").replace(",", " ")
        return {"metrics": metrics, "systems": len(self._ranks(corpus).systems)}


def _standing(scores: Array) -> Array:
    """For scores [systems, ...]: the share of the other systems that are worse; a tie is a half."""
    others = len(scores) - 1
    better = (scores[:, None] > scores[None]).sum(axis=1)
    ties = (scores[:, None] == scores[None]).sum(axis=1) - 1
    return np.asarray((better + ties / 2) / others)
