"""The statistics of a batch: from prepared targets if the metric can, else from a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from corrigenda.core.evaluate import prepare_metrics
from corrigenda.core.metric import Metric, TargetCounter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.rewards.batch import Batch, Target, check_targets, checked_target
from corrigenda.rewards.recent import Recent
from corrigenda.text.sentences import one_line


class Counter(Protocol):
    """Counts batch after batch."""

    def statistics(self, batch: Batch, *, threads: int) -> Statistics:
        """The metric's statistics of the batch, in the order of the batch."""


def counter_for(metric: Metric, cache_size: int) -> Counter:
    """The counter for this metric. It keeps the prepared references of `cache_size` sentences."""
    if counter := metric.target_counter():
        return PreparedCounter(metric, counter, cache_size)
    return CorpusCounter(metric, cache_size)


def checked_statistics(counter: Counter, batch: Batch, *, threads: int) -> Statistics:
    """The statistics of a batch. If it contains anything but strings, the error says so."""
    try:
        return counter.statistics(batch, threads=threads)
    except TypeError:
        check_targets(batch.targets)
        raise


class PreparedCounter:
    """Each source with its references is prepared once; a batch is a single call."""

    def __init__(self, metric: Metric, counter: TargetCounter, cache_size: int) -> None:
        self._metric = metric
        self._counter = counter
        self._prepared: Recent[Target, object] = Recent(cache_size)

    def statistics(self, batch: Batch, *, threads: int) -> Statistics:
        """The counts of each hypothesis against its prepared target."""
        prepared = self._prepared.get_all(batch.targets, self._prepare)
        return self._counter.statistics(prepared, batch.hypotheses, threads=threads)

    def _prepare(self, target: Target) -> object:
        return self._counter.prepare(*checked_target(self._metric, target))


class CorpusCounter:
    """The distinct sources of a batch are a corpus; their hypotheses are its systems.

    The first hypothesis of each source belongs to the first system, the second to the second, and
    so on. So the references are prepared once for any number of hypotheses.
    """

    def __init__(self, metric: Metric, cache_size: int) -> None:
        self._metric = metric
        # Metrics with models also keep what they know about hypotheses in the corpus, so a corpus
        # that is kept would grow with every batch.
        size = 0 if metric.needs_model else cache_size
        self._corpora: Recent[tuple[Target, ...], Corpus] = Recent(size, len)

    def statistics(self, batch: Batch, *, threads: int) -> Statistics:
        """The statistics of each system, put back into the order of the batch."""
        rows = _rows_by_target(batch.targets)
        corpus = self._corpora.get_all([tuple(target for target, _ in rows)], self._corpus)[0]
        systems = list(_systems([places for _, places in rows], batch.hypotheses))
        prepare_metrics([self._metric], corpus, systems, threads=threads)
        counted = [self._metric.statistics(corpus, system, threads=threads) for system in systems]
        return _in_order_of_batch(counted, [places for _, places in rows], len(batch.targets))

    def _corpus(self, targets: Sequence[Target]) -> Corpus:
        checked = [checked_target(self._metric, target) for target in targets]
        return Corpus(
            tuple(source for source, _ in checked), tuple(references for _, references in checked)
        )


_Places = list[int]


def _rows_by_target(targets: Sequence[Target]) -> list[tuple[Target, _Places]]:
    """Each distinct target with its places in the batch."""
    places: dict[Target, _Places] = {}
    for place, target in enumerate(targets):
        places.setdefault(target, []).append(place)
    most = max(map(len, places.values()), default=0)
    if most * len(places) > 2 * len(targets):
        # Most targets have few hypotheses. Filling up the systems would cost more than it saves.
        return [(target, [place]) for place, target in enumerate(targets)]
    return list(places.items())


def _systems(places: Sequence[_Places], hypotheses: Sequence[str]) -> Iterator[Hypotheses]:
    """The first hypothesis of each target, then the second, and so on.

    A target that has no more hypotheses repeats its last one.
    """
    for number in range(max(map(len, places), default=0)):
        sentences = (hypotheses[of_target[min(number, len(of_target) - 1)]] for of_target in places)
        yield Hypotheses(str(number), tuple(map(one_line, sentences)))


def _in_order_of_batch(
    counted: Sequence[Statistics], places: Sequence[_Places], size: int
) -> Statistics:
    rows: list[Array] = [np.zeros(0)] * size
    for sentence, of_target in enumerate(places):
        for number, place in enumerate(of_target):
            statistics = counted[number]
            rows[place] = statistics.counts[
                statistics.offsets[sentence] : statistics.offsets[sentence + 1]
            ]
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return Statistics(np.concatenate(rows), offsets)
