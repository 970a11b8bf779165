"""The statistics of a batch: by prepared n-grams where a metric counts those, else as for any corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from corrigenda.core.evaluate import prepare as prepare_metrics
from corrigenda.core.metric import Metric
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.kernels.prepared import PreparedSentence, count_prepared, prepare
from corrigenda.metrics.ngrams import NgramCounts, NgramMetric
from corrigenda.rewards.batch import Batch, Target, check_targets, checked_target, one_line
from corrigenda.rewards.recent import Recent


class Counter(Protocol):
    """Counts batch after batch."""

    def statistics(self, batch: Batch, *, threads: int) -> Statistics:
        """The metric's statistics of the batch, in its order."""


def counter_for(metric: Metric, cache_size: int) -> Counter:
    """What counts for this metric; the references of `cache_size` sentences are kept prepared."""
    if isinstance(metric, NgramMetric):
        return NgramCounter(metric, cache_size)
    return CorpusCounter(metric, cache_size)


def checked_statistics(counter: Counter, batch: Batch, *, threads: int) -> Statistics:
    """The statistics of a batch; where it holds other things than strings, an error that says so."""
    try:
        return counter.statistics(batch, threads=threads)
    except TypeError:
        check_targets(batch.targets)
        raise


class NgramCounter:
    """Each source with its references is a small compiled object, made once; a batch is a single call."""

    def __init__(self, metric: NgramMetric, cache_size: int) -> None:
        self._metric = metric
        self._prepared: Recent[Target, PreparedSentence] = Recent(cache_size)

    def statistics(self, batch: Batch, *, threads: int) -> Statistics:
        """The same counts as from an index of a corpus, with another way to them."""
        prepared = self._prepared.get_all(batch.targets, self._prepare)
        return self._metric.from_counts(
            NgramCounts(*count_prepared(prepared, batch.hypotheses, threads=threads)),
        )

    def _prepare(self, target: Target) -> PreparedSentence:
        counting = self._metric.counting
        unit = "raw" if counting.unit == "char" and counting.whitespace == "raw" else counting.unit
        return prepare(
            *checked_target(target), unit=unit, order=counting.order, pooled=counting.pooled
        )


class CorpusCounter:
    """The distinct sources of a batch are a corpus, and their first, second, … hypotheses are its systems.

    So the references are looked at once, however many hypotheses there are for each.
    """

    def __init__(self, metric: Metric, cache_size: int) -> None:
        self._metric = metric
        # Metrics with models keep what they know of hypotheses, too: their corpora would only grow.
        size = 0 if metric.needs_model else cache_size
        self._corpora: Recent[tuple[Target, ...], Corpus] = Recent(size, len)

    def statistics(self, batch: Batch, *, threads: int) -> Statistics:
        """Those of each system, put back into the order of the batch."""
        rows = _rows_by_target(batch.targets)
        corpus = self._corpora.get_all([tuple(target for target, _ in rows)], _corpus_of)[0]
        systems = list(_systems([places for _, places in rows], batch.hypotheses))
        prepare_metrics([self._metric], corpus, systems, threads=threads)
        counted = [self._metric.statistics(corpus, system, threads=threads) for system in systems]
        return _in_order_of_batch(counted, [places for _, places in rows], len(batch.targets))


_Places = list[int]


def _rows_by_target(targets: Sequence[Target]) -> list[tuple[Target, _Places]]:
    """Each distinct target with its places in the batch."""
    places: dict[Target, _Places] = {}
    for place, target in enumerate(targets):
        places.setdefault(target, []).append(place)
    most = max(map(len, places.values()), default=0)
    if most * len(places) > 2 * len(targets):
        # Some targets have many hypotheses and most have few: filling up the systems would cost more than it saves.
        return [(target, [place]) for place, target in enumerate(targets)]
    return list(places.items())


def _corpus_of(targets: Sequence[Target]) -> Corpus:
    checked = [checked_target(target) for target in targets]
    return Corpus(
        tuple(source for source, _ in checked), tuple(references for _, references in checked)
    )


def _systems(places: Sequence[_Places], hypotheses: Sequence[str]) -> Iterator[Hypotheses]:
    """The first hypothesis of each target, the second, …; where there is none, its last one once more."""
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
