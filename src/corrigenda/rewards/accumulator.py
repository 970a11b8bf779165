"""A metric with the methods of torchmetrics: update, compute, reset, merge_state.

Its state is statistics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from corrigenda.core.metric import LEVELS, Level, Metric
from corrigenda.core.scored import Scored
from corrigenda.core.statistics import Array, Statistics
from corrigenda.errors import CorrigendaError, MetricError
from corrigenda.kernels import threads_of
from corrigenda.metrics import metric_of
from corrigenda.rewards.alone import check_alone
from corrigenda.rewards.batch import BatchReferences, batch_of
from corrigenda.rewards.counting import checked_statistics, counter_for
from corrigenda.rewards.scores import CACHE_SIZE

State = Mapping[str, Array]
"""`counts` [rows, K], and `references` [sentences], the number of rows of each sentence.

States can be joined end to end.
"""


class Accumulator:
    """The score of all sentences so far, from any number of batches and processes.

    It keeps the counts of each sentence against each reference. Merged states give the score of one
    process that saw the same sentences in the same order. The order matters only to metrics that
    choose references in corpus order (M² and ERRANT at corpus level).
    """

    higher_is_better = True

    def __init__(
        self, metric: Metric | str = "green", *, level: Level = "corpus", threads: int | None = None
    ) -> None:
        if level not in LEVELS:
            raise MetricError(f"level is {level!r}", remedy="It takes corpus or sentence.")
        self.metric = metric_of(metric)
        check_alone(self.metric)
        self.level = level
        self.threads = threads
        self._make_counter()
        self.reset()

    def _make_counter(self) -> None:
        self._counter = counter_for(self.metric, CACHE_SIZE)

    def reset(self) -> None:
        """Forget all sentences."""
        self._counts: list[Array] = []
        self._references: list[Array] = []

    def update(
        self,
        sources: Sequence[str],
        hypotheses: Sequence[str],
        references: BatchReferences | None = None,
    ) -> None:
        """Add a batch.

        `references[i]` is the list of references of sentence i, or its only reference. Metrics that
        need no references take None.
        """
        batch = batch_of(sources, hypotheses, references)
        if batch.targets:
            statistics = checked_statistics(self._counter, batch, threads=threads_of(self.threads))
            self._counts.append(statistics.counts)
            self._references.append(statistics.rows)

    def __call__(
        self,
        sources: Sequence[str],
        hypotheses: Sequence[str],
        references: BatchReferences | None = None,
    ) -> float:
        """Add a batch, and return the score of this batch alone."""
        batch = Accumulator(self.metric, level=self.level, threads=self.threads)
        batch._counter = self._counter
        batch.update(sources, hypotheses, references)
        self.merge_state(batch)
        return batch.compute()

    def compute(self) -> float:
        """The score of all sentences so far."""
        return Scored(self.metric, self._statistics()).at(self.level).score

    def _statistics(self) -> Statistics:
        if not self._counts:
            raise CorrigendaError("there are no sentences to score", remedy="Call update first.")
        state = self.state()
        return Statistics(state["counts"], np.concatenate([[0], np.cumsum(state["references"])]))

    def state(self) -> dict[str, Array]:
        """`counts` and `references` for another process; empty arrays before the first sentence."""
        if not self._counts:
            return {"counts": np.zeros((0, 0), np.int64), "references": np.zeros(0, np.int64)}
        # Keep the joined arrays, so that the next call does not join them again.
        self._counts = [np.concatenate(self._counts)]
        self._references = [np.concatenate(self._references)]
        return {"counts": self._counts[0], "references": self._references[0]}

    def merge_state(self, other: Accumulator | State) -> None:
        """Add the sentences of another accumulator after those of this one."""
        if isinstance(other, Accumulator):
            if (other.metric, other.level) != (self.metric, self.level):
                raise MetricError(
                    f"a state of {other.metric} at {other.level} level cannot be merged into one "
                    f"of {self.metric} at {self.level} level",
                    remedy="Merge states of the same metric and level.",
                )
            other = other.state()
        if len(other["references"]):
            self._check(other)
            self._counts.append(other["counts"])
            self._references.append(other["references"])

    def _check(self, state: State) -> None:
        """Refuse a state that another metric or another version has made."""
        counts, references = state["counts"], state["references"]
        width = self._counts[0].shape[1] if self._counts else counts.shape[1]
        if counts.ndim != 2 or counts.shape[1] != width or len(counts) != references.sum():
            raise MetricError(
                f"the state has counts of shape {counts.shape}, "
                f"but ({int(references.sum())}, {width}) was expected",
                remedy="Merge states of the same metric.",
            )

    def __getstate__(self) -> dict[str, object]:
        """Everything except the prepared references: they are compiled and can be made again."""
        return {name: value for name, value in self.__dict__.items() if name != "_counter"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._make_counter()
