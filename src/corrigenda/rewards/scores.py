"""A metric as a reward: batches of sentences in, an array of scores out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Metric
from corrigenda.core.scored import Scored
from corrigenda.errors import MetricError, UsageError
from corrigenda.kernels import threads_of
from corrigenda.metrics import metric_of
from corrigenda.rewards.alone import check_alone
from corrigenda.rewards.batch import Batch, BatchReferences, batch_of
from corrigenda.rewards.counting import checked_statistics, counter_for
from corrigenda.rewards.watching import FirstBatches

CACHE_SIZE = 20_000
RewardBaseline = Literal["source"] | None


def reward(
    metric: Metric | str = "green",
    *,
    baseline: RewardBaseline = None,
    threads: int | None = None,
    cache_size: int = CACHE_SIZE,
    health: bool = True,
) -> Reward:
    """Make a callable that scores batches of sentences, for training.

    Args:
        metric: The metric, as `"green:beta=1"` or as a value.
        baseline: With `"source"`, a score says by how much a hypothesis is better than its source.
        threads: The number of threads; None takes all cores.
        cache_size: References are prepared once and kept: at least those of this many sentences,
            at most twice as many.
        health: Whether to examine the first batches, and to warn of what makes scores doubtful.

    Returns:
        A callable: `(sources, hypotheses, references)` to an array of scores, those of
        `evaluate(…, level="sentence")`.

    Example:
        >>> import corrigenda
        >>> green = corrigenda.reward("green:n=2")
        >>> green(["He go ."], ["He goes ."], [["He goes ."]]).tolist()
        [1.0]
    """
    return Reward(metric, baseline=baseline, threads=threads, cache_size=cache_size, health=health)


class Reward:
    """See `reward`. Several threads may call it. A pickled reward has an empty cache."""

    def __init__(
        self,
        metric: Metric | str,
        *,
        baseline: RewardBaseline = None,
        threads: int | None = None,
        cache_size: int,
        health: bool = True,
    ) -> None:
        self.metric = metric_of(metric)
        check_alone(self.metric)
        if baseline not in (None, "source"):
            raise MetricError(f"baseline is {baseline!r}", remedy='It takes "source" or None.')
        for name, value, least in (("threads", threads, 1), ("cache_size", cache_size, 0)):
            if value is not None and (not isinstance(value, int) or value < least):
                raise UsageError(
                    f"{name} is {value!r}", remedy=f"It takes a whole number of {least} or more."
                )
        self.baseline = baseline
        self.threads = threads
        self.cache_size = cache_size
        self.__name__ = self.metric.name
        self._threads = threads_of(threads)
        self._counter = counter_for(self.metric, cache_size)
        self.health = health
        self._watch = FirstBatches(self.metric.name, self.metric.shortest) if health else None

    def __call__(
        self,
        sources: Sequence[str],
        hypotheses: Sequence[str],
        references: BatchReferences | None = None,
    ) -> npt.NDArray[np.float64]:
        """The score of each hypothesis.

        `references[i]` is the list of references of sentence i, or its only reference. Metrics that
        need no references take None. A line end or a NUL in a hypothesis counts as a blank, because
        a model may write any character.
        """
        batch = batch_of(sources, hypotheses, references)
        if not batch.targets:
            return np.zeros(0)
        if self._watch is not None:
            self._watch.look(batch)
        if self.baseline is None:
            return self._scores(batch)
        unchanged = [source for source, _ in batch.targets]
        scores = self._scores(Batch(batch.targets * 2, [*batch.hypotheses, *unchanged]))
        return scores[: len(unchanged)] - scores[len(unchanged) :]

    def _scores(self, batch: Batch) -> npt.NDArray[np.float64]:
        statistics = checked_statistics(self._counter, batch, threads=self._threads)
        return np.asarray(Scored(self.metric, statistics).sentences, np.float64)

    def __repr__(self) -> str:
        return f"reward({str(self.metric)!r}, {self._options()})"

    def _options(self) -> str:
        options = {
            "baseline": self.baseline,
            "threads": self.threads,
            "cache_size": self.cache_size,
            **({} if self.health else {"health": False}),
        }
        return ", ".join(f"{name}={value!r}" for name, value in options.items())

    def __reduce__(self) -> tuple[Callable[..., Reward], tuple[object, ...]]:
        options = (self.baseline, self.threads, self.cache_size, self.health)
        return _restored, (self.metric, *options)


def _restored(
    metric: Metric,
    baseline: RewardBaseline,
    threads: int | None,
    cache_size: int,
    health: bool,
) -> Reward:
    return Reward(metric, baseline=baseline, threads=threads, cache_size=cache_size, health=health)
