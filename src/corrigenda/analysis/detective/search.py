"""The search: quick metrics here, those with a model in a thread beside it, until the time is over.

A model parses sentences for several seconds. Meanwhile hundreds of settings of quick metrics are
tried. Within a thread the setting nearest to the published defaults comes first.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from corrigenda import progress
from corrigenda.analysis.detective.number import PublishedNumber
from corrigenda.analysis.detective.settings import (
    MOST_CHANGES,
    GoldHandling,
    SearchSetting,
    counting_metric,
    gold_handlings,
    handlings_for,
    reference_texts,
    settings_of,
)
from corrigenda.core.metric import LEVELS, Level, Metric, check_references
from corrigenda.core.scored import Scored
from corrigenda.core.signature import signature_fields
from corrigenda.core.statistics import Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError, MetricError
from corrigenda.kernels import threads_of

_COSTS: Mapping[str, float] = {"level": 1.0, "precision": 1.5, "recall": 1.5}
_OTHER_MEASURE = 2.0
# A quick metric waits for others after it has used this much time per unit of distance.
_SECONDS_PER_DISTANCE = 4.0
_TRIED_SENTENCES = 20
_CLOSEST = 5
LANE = "detective"
"""The name of the thread beside the search."""
_MOST_NOTES = 10
_SECONDS_BEFORE_NOTES = 3.0
_SECONDS_BETWEEN_LOOKS = 0.1
# A thread that is told to stop does so at its next report, unless it computes for this long.
_SECONDS_TO_STOP = 2.0


@dataclass(frozen=True)
class Suspect:
    """A setting, the value it gives, and its distance from the published defaults."""

    system: str
    metric: str
    level: Level
    gold: str
    measure: str
    """`score`, `precision`, `recall`, or another measure of the metric."""
    value: float
    distance: float

    def __str__(self) -> str:
        return (
            f"{self.metric}, {self.level} level, {self.measure}, gold {self.gold}, "
            f"{self.system}: {100 * self.value:.4f}"
        )


@dataclass(frozen=True)
class Investigation:
    """What was found, and how much was tried."""

    number: PublishedNumber
    found: list[Suspect]
    closest: list[Suspect]
    """If nothing was found: the settings with the smallest difference near the defaults."""
    tried: int
    """The number of values that were compared with the number."""
    left: int
    """The number of settings that were not tried, because the time was over."""
    by_chance: float
    """How many of the values would equal the number by chance."""
    skipped: list[str]
    """Metrics that could not be used, each with the reason."""


@dataclass(frozen=True)
class _GivenValue:
    """A value that a setting gave."""

    system: str
    metric: Metric
    level: Level
    gold: str
    measure: str
    value: float
    distance: float

    def suspect(self) -> Suspect:
        return Suspect(
            self.system, str(self.metric), self.level, self.gold, self.measure, self.value,
            self.distance,
        )  # fmt: skip


def investigate(
    number: PublishedNumber,
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    metrics: Sequence[Metric],
    *,
    seconds: float = 30.0,
    most_changes: int = MOST_CHANGES,
    threads: int | None = None,
) -> Investigation:
    """Try the settings of metrics until all are tried or the time is over.

    A long search tells each setting that gives the number at once, by `corrigenda.progress.note`.
    """
    search = _Search(number, systems, seconds, threads_of(threads))
    golds = gold_handlings(corpus)
    quick, slow = _Lane(search), _Lane(search, reference_texts(golds))
    for metric in metrics:
        try:
            metric.check_installed()
            check_references(metric, corpus)
        except CorrigendaError as error:
            search.skipped.append(f"{metric}: {error.problem}")
            continue
        queue = settings_of(metric, handlings_for(metric, golds), most_changes)
        if metric.needs_model or metric.needs_service or metric.needs_all_systems:
            slow.add(metric, queue)
        else:
            quick.add(metric, queue, _expected_seconds(metric, corpus, systems[0]))
    with _beside(slow):
        quick.run()
        if quick.failure is not None:
            raise quick.failure
        while slow.is_running and not search.is_over:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
    return search.result(quick, slow)


@contextmanager
def _beside(lane: _Lane) -> Iterator[None]:
    """Run a lane in a thread. Afterwards it is told to stop, and may not yet have done so."""
    # The thread has the settings of its parent: the listener, the cache, the model.
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(lane.run,), daemon=True, name=LANE)
    lane.is_running = True
    thread.start()
    try:
        yield
    finally:
        lane.is_stopped = True
        thread.join(_SECONDS_TO_STOP)
    if lane.failure is not None:
        raise lane.failure


def _expected_seconds(metric: Metric, corpus: Corpus, system: Hypotheses) -> float:
    """How long the metric takes, by its time on a few sentences."""
    few = min(_TRIED_SENTENCES, len(corpus))
    began = time.monotonic()
    metric.statistics(corpus[:few], system[:few], threads=1)
    return (time.monotonic() - began) * len(corpus) / max(1, few)


class _TimeOverError(Exception):
    """Ends the work of a lane in the middle of a setting."""


class _Search:
    """What the lanes share: the number, the systems, the end of the time, and the values so far."""

    def __init__(
        self, number: PublishedNumber, systems: Sequence[Hypotheses], seconds: float, threads: int
    ) -> None:
        self.number, self.systems, self.seconds, self.threads = number, systems, seconds, threads
        self.skipped: list[str] = []
        self._values: list[_GivenValue] = []
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._nearest = float("inf")
        self._news: list[_GivenValue] = []
        self._told = 0

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self._elapsed >= self.seconds

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._began

    def report(self, doing: str) -> None:
        """Report how much of the time is used."""
        elapsed = min(self.seconds, self._elapsed)
        progress.report("seconds of search", round(elapsed), round(self.seconds), doing)
        self._tell()

    def add(self, given: _GivenValue) -> None:
        """Keep a value. If it is the number, tell it, but none that is less plausible."""
        with self._lock:
            self._values.append(given)
            if self.number.equals(given.value) and given.distance <= self._nearest:
                self._nearest = given.distance
                self._news.append(given)
        self._tell()

    def _tell(self) -> None:
        """Tell what was found. A short search needs no notes: its result comes at once."""
        if self._elapsed < _SECONDS_BEFORE_NOTES:
            return
        with self._lock:
            news, self._news = self._news[: _MOST_NOTES - self._told], []
            self._told += len(news)
        for each in news:
            progress.note(f"found {each.suspect()}")

    def result(self, *lanes: _Lane) -> Investigation:
        """The settings that give the number, and how likely that is by chance."""
        number = self.number
        with self._lock:
            values = sorted(self._values, key=lambda each: each.distance)
        found = [each for each in values if number.equals(each.value)]
        near = [each for each in values if number.off(each.value) <= 50]
        usual = [each for each in values if each.distance <= 1 and each.measure == "score"]
        closest = sorted(usual, key=lambda each: number.off(each.value))[:_CLOSEST]
        skipped = [*self.skipped, *(each for lane in lanes for each in lane.skipped)]
        skipped += [f"{each}: no time for it" for lane in lanes for each in lane.not_started]
        return Investigation(
            number,
            [each.suspect() for each in found],
            [] if found else [each.suspect() for each in closest],
            tried=len(values),
            left=sum(lane.left for lane in lanes),
            by_chance=(len(near) - len(found)) / 100,
            skipped=list(dict.fromkeys(skipped)),
        )


class _Lane:
    """The settings of some metrics, tried one after the other.

    With `shared`, the metrics first do for this corpus what their settings share, e.g. parse it. A
    metric then does not wait for others because it took long: it worked for all of them.
    """

    def __init__(self, search: _Search, shared: Corpus | None = None) -> None:
        self.skipped: list[str] = []
        self.failure: Exception | None = None
        self.is_running = False
        self.is_stopped = False
        self._search = search
        self._waiting: dict[str, list[SearchSetting]] = {}
        self._delay: dict[str, float] = {}
        self._started: set[str] = set()
        self._seen: set[object] = set()
        self._counted: dict[tuple[Metric, str, str], Statistics] = {}
        self._shared = shared

    def add(self, metric: Metric, queue: Sequence[SearchSetting], seconds: float = 0.0) -> None:
        """Add a metric whose settings take about this many seconds each."""
        if queue:
            self._waiting[str(metric)] = list(reversed(queue))
            self._delay[str(metric)] = seconds / _SECONDS_PER_DISTANCE

    @property
    def left(self) -> int:
        """The number of settings that were not tried."""
        return sum(map(len, self._waiting.values()))

    @property
    def not_started(self) -> list[str]:
        """The metrics without any score."""
        return [name for name in self._waiting if name not in self._started]

    def run(self) -> None:
        """Try the setting with the smallest distance, again and again."""
        try:
            with progress.ending(self._check):
                if self._shared is not None:
                    self._prepare(self._shared)
                while self._waiting and not self._is_over:
                    self._try_next()
        except _TimeOverError:
            pass
        except Exception as failure:
            self.failure = failure
        finally:
            self.is_running = False

    def _prepare(self, corpus: Corpus) -> None:
        systems, threads = self._search.systems, self._search.threads
        for queue in self._waiting.values():
            # A metric that cannot use this corpus says so when its settings are tried.
            with suppress(CorrigendaError):
                queue[-1].metric.prepare(corpus, systems, threads=threads)

    @property
    def _is_over(self) -> bool:
        return self.is_stopped or self._search.is_over

    def _check(self) -> None:
        if self._is_over:
            raise _TimeOverError

    def _try_next(self) -> None:
        name = min(self._waiting, key=self._priority)
        setting = self._waiting[name][-1]
        began = time.monotonic()
        metric = setting.built()
        if metric is not None and not self._is_known(metric, setting.gold):
            self._search.report(str(metric))
            self._try_setting(name, metric, setting)
        if name in self._waiting:
            self._waiting[name].pop()
            if not self._waiting[name]:
                del self._waiting[name]
        if self._shared is None:
            self._delay[name] += (time.monotonic() - began) / _SECONDS_PER_DISTANCE

    def _priority(self, name: str) -> float:
        return self._waiting[name][-1].distance + self._delay[name]

    def _try_setting(self, name: str, metric: Metric, setting: SearchSetting) -> None:
        try:
            for given in self._values(metric, setting):
                self._search.add(given)
            self._started.add(name)
        except CorrigendaError as error:
            self.skipped.append(f"{metric}: {error.problem}")
            if setting.distance == 0:
                del self._waiting[name]

    def _is_known(self, metric: Metric, gold: GoldHandling) -> bool:
        """Whether a setting with the same signature was tried, or the gold does not fit it."""
        try:
            fields = signature_fields(metric, gold.corpus)
        except MetricError:
            return True
        key = (metric.name, gold.name, *fields.items())
        known = key in self._seen
        self._seen.add(key)
        return known

    def _values(self, metric: Metric, setting: SearchSetting) -> Iterator[_GivenValue]:
        counting = counting_metric(metric)
        systems, threads = self._search.systems, self._search.threads
        for system in systems:
            key = (counting, setting.gold.name, system.name)
            if key not in self._counted:
                # Counts of another metric are not needed again soon: keep the memory bounded.
                if len(self._counted) > 64:
                    self._counted.clear()
                corpus = setting.gold.corpus
                counting.prepare(corpus, systems, threads=threads)
                self._counted[key] = counting.statistics(corpus, system, threads=threads)
            scored = Scored(metric, self._counted[key])
            for level in LEVELS:
                yield from _given_values(metric, setting, system.name, level, scored)


def _given_values(
    metric: Metric, setting: SearchSetting, system: str, level: Level, scored: Scored
) -> Iterator[_GivenValue]:
    for path, value in scored.measures(level).leaves().items():
        measure = ".".join(path)
        extra = 0.0 if measure == "score" else _COSTS.get(measure, _OTHER_MEASURE)
        extra += 0.0 if level == "corpus" else _COSTS["level"]
        yield _GivenValue(
            system, metric, level, setting.gold.name, measure, value, setting.distance + extra
        )
