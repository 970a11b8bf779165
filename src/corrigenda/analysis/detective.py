"""The detective: which settings give a published number?

Papers print a score and often not its settings. `investigate` tries the settings of all metrics, in
the order of their distance from the published defaults, and lists those that give the number to its
digits. Settings that differ only in the choice of references and in the score share their counts.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from corrigenda import progress
from corrigenda.core import spec
from corrigenda.core.metric import LEVELS, Level, Metric, check_references
from corrigenda.core.scored import Scored
from corrigenda.core.signature import signature_fields
from corrigenda.core.statistics import Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Annotation
from corrigenda.errors import CorrigendaError, MetricError, UsageError
from corrigenda.kernels import default_threads

LISTED_VALUES: Mapping[str, tuple[object, ...]] = {
    "beta": (0.5, 1.0, 2.0),
    "n": (1, 2, 3, 4, 5, 6),
    "lambda_": tuple(round(0.1 * step, 1) for step in range(11)),
    "max_unchanged_words": (0, 1, 2, 3, 4),
    "w": (1.0, 2.0, 3.0),
}
"""The values that are tried for numbers. Choices and switches are tried with all their values."""
MOST_CHANGES = 3
_COSTS: Mapping[str, float] = {"level": 1.0, "precision": 1.5, "recall": 1.5}
_OTHER_MEASURE = 2.0
# A metric waits for others after it has used this much time per unit of distance.
_SECONDS_PER_DISTANCE = 4.0
_TRIED_SENTENCES = 20
_CLOSEST = 5
_EXTRACTED = "edits extracted from the reference texts"


@dataclass(frozen=True)
class PublishedNumber:
    """A number as it is printed, and how many decimals it has."""

    text: str
    value: float
    decimals: int

    @classmethod
    def read(cls, text: str) -> PublishedNumber:
        """The number of a text such as `35.01`, `35.01 %` or `.3501`."""
        digits = text.strip().removesuffix("%").strip()
        try:
            value = float(digits)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or "e" in digits.lower():
            raise UsageError(
                f"{text!r} is not a published number", remedy="Write it as printed, e.g. 35.01."
            )
        return cls(text, value, len(digits.partition(".")[2]))

    @property
    def scales(self) -> tuple[float, ...]:
        """What a fraction is multiplied by: 100, or also 1 if the number can be a fraction."""
        return (1.0, 100.0) if abs(self.value) <= 1 else (100.0,)

    def off(self, score: float) -> float:
        """How far a score, as a fraction, is from the number, in units of its last digit."""
        smallest = min(abs(score * scale - self.value) for scale in self.scales)
        return smallest * 10.0**self.decimals

    def equals(self, score: float) -> bool:
        """Whether the score, rounded, is the number. A half may be rounded either way."""
        return self.off(score) <= 0.5 + 1e-9


@dataclass(frozen=True)
class GoldHandling:
    """What is made of the gold before scoring; `distance` says how unusual that is."""

    name: str
    corpus: Corpus = field(repr=False)
    distance: float


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
class _SearchSetting:
    """A metric with other values of some parameters, and a handling of the gold."""

    metric: Metric
    changes: Mapping[str, object]
    gold: GoldHandling
    distance: float

    def built(self) -> Metric | None:
        """The metric with these values; None if they do not go together."""
        given = {
            spec.public_name(name): spec.text(value)
            for name, value in {**vars(self.metric), **self.changes}.items()
            if name in self.changes or name in self.kept
        }
        try:
            return spec.build(type(self.metric), given)
        except MetricError:
            return None

    @property
    def kept(self) -> frozenset[str]:
        """The parameters that the user gave."""
        usual = type(self.metric)()
        return frozenset(
            each.name
            for each in dataclasses.fields(self.metric)
            if getattr(self.metric, each.name) != getattr(usual, each.name)
        )


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


def gold_handlings(corpus: Corpus) -> list[GoldHandling]:
    """The ways in which papers use the gold of a corpus."""
    handlings = [GoldHandling("as given", corpus, 0.0)]
    if corpus.gold is not None or corpus.errors is not None:
        texts = Corpus(corpus.sources, corpus.references)
        handlings.append(GoldHandling(_EXTRACTED, texts, 1.0))
    fewest, most = corpus.reference_range
    if fewest < most:
        filled = _with_references(corpus, range(most))
        handlings.append(GoldHandling("a missing annotator left the source alone", filled, 2.0))
    if most > 1:
        handlings += [
            GoldHandling(f"reference {k + 1} alone", _with_references(corpus, [k]), 2.0)
            for k in range(most)
        ]
    return handlings


def _handlings_for(metric: Metric, corpus: Corpus) -> list[GoldHandling]:
    """The handlings that make a difference: some metrics use texts alone, or no references."""
    found = gold_handlings(corpus)
    if metric.needs_references == "none":
        return found[:1]
    if metric.needs_references == "text":
        return [each for each in found if each.name != _EXTRACTED]
    return found


def _with_references(corpus: Corpus, places: Sequence[int]) -> Corpus:
    """The references at some places; a missing one is the source."""
    references = tuple(
        tuple(own[place] if place < len(own) else source for place in places)
        for source, own in zip(corpus.sources, corpus.references, strict=True)
    )
    gold = corpus.gold and tuple(
        tuple(own[place] if place < len(own) else Annotation(place, ()) for place in places)
        for own in corpus.gold
    )
    return Corpus(corpus.sources, references, gold)


def _changes(
    metric: Metric, kept: frozenset[str], most_changes: int
) -> Iterator[Mapping[str, object]]:
    """Other values for up to `most_changes` parameters that the user did not give."""
    usual = type(metric)()
    options = {
        each.name: [
            value for value in _values(type(metric), each) if value != getattr(usual, each.name)
        ]
        for each in dataclasses.fields(metric)
        if each.name not in kept
    }
    names = [name for name, values in options.items() if values]
    for number in range(most_changes + 1):
        for changed in combinations(names, number):
            for values in product(*(options[name] for name in changed)):
                yield dict(zip(changed, values, strict=True))


def _values(metric_class: type[Metric], parameter: dataclasses.Field[object]) -> Sequence[object]:
    if parameter.name in LISTED_VALUES:
        return LISTED_VALUES[parameter.name]
    return spec.finite_values(metric_class, parameter.name)


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
    """Try the settings of metrics until all are tried or the time is over."""
    search = _SettingsSearch(
        number, systems, time.monotonic() + seconds, threads or default_threads()
    )
    queues = {}
    for metric in metrics:
        try:
            metric.check_installed()
            check_references(metric, corpus)
        except CorrigendaError as error:
            search.skipped.append(f"{metric}: {error.problem}")
            continue
        queues[str(metric)] = _settings(metric, _handlings_for(metric, corpus), most_changes)
    search.run(queues, lambda metric: _expected_delay(metric, corpus, systems[0]))
    return search.result()


def _expected_delay(metric: Metric, corpus: Corpus, system: Hypotheses) -> float:
    """How long the metric waits for others: by its time on a few sentences, if that is known."""
    if metric.needs_model or metric.needs_service or metric.needs_all_systems:
        return 2.0
    few = min(_TRIED_SENTENCES, len(corpus))
    began = time.monotonic()
    metric.statistics(corpus[:few], system[:few], threads=1)
    expected = (time.monotonic() - began) * len(corpus) / max(1, few)
    return expected / _SECONDS_PER_DISTANCE


def _settings(
    metric: Metric, golds: Sequence[GoldHandling], most_changes: int
) -> list[_SearchSetting]:
    """The settings of a metric, the usual ones first."""
    kept = _SearchSetting(metric, {}, golds[0], 0.0).kept
    found = [
        _SearchSetting(metric, changes, gold, gold.distance + len(changes))
        for changes in _changes(metric, kept, most_changes)
        for gold in golds
        if gold.distance + len(changes) <= most_changes
    ]
    return sorted(found, key=lambda each: each.distance)


class _SettingsSearch:
    def __init__(
        self, number: PublishedNumber, systems: Sequence[Hypotheses], end: float, threads: int
    ) -> None:
        self.number, self.systems, self.end, self.threads = number, systems, end, threads
        self.values: list[_GivenValue] = []
        self._seen: set[object] = set()
        self.skipped: list[str] = []
        self.left = 0
        self._counted: dict[tuple[Metric, str, str], Statistics] = {}

    def run(
        self, queues: Mapping[str, list[_SearchSetting]], head_start: Callable[[Metric], float]
    ) -> None:
        """Take the setting with the smallest distance; a metric that took long waits."""
        waiting = {name: list(reversed(queue)) for name, queue in queues.items() if queue}
        delay = {name: head_start(queue[-1].metric) for name, queue in waiting.items()}
        total = sum(map(len, waiting.values()))
        done = 0
        while waiting and time.monotonic() < self.end:
            name = min(waiting, key=lambda each: waiting[each][-1].distance + delay[each])
            setting = waiting[name].pop()
            if not waiting[name]:
                del waiting[name]
            metric = setting.built()
            done += 1
            if metric is None or self._is_known(metric, setting.gold):
                continue
            progress.report("settings tried", done, total, metric.name)
            began = time.monotonic()
            try:
                self._try(metric, setting)
            except CorrigendaError as error:
                self.skipped.append(f"{metric}: {error.problem}")
                if setting.distance == 0:
                    waiting.pop(name, None)
            delay[name] += (time.monotonic() - began) / _SECONDS_PER_DISTANCE
        self.left = sum(map(len, waiting.values()))
        progress.report("settings tried", total - self.left, total)

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

    def _try(self, metric: Metric, setting: _SearchSetting) -> None:
        counting = _counting(metric)
        for system in self.systems:
            key = (counting, setting.gold.name, system.name)
            if key not in self._counted:
                # Counts of another metric are not needed again soon: keep the memory bounded.
                if len(self._counted) > 64:
                    self._counted.clear()
                corpus = setting.gold.corpus
                counting.prepare(corpus, self.systems, threads=self.threads)
                self._counted[key] = counting.statistics(corpus, system, threads=self.threads)
            scored = Scored(metric, self._counted[key])
            for level in LEVELS:
                self._note(metric, setting, system.name, level, scored)

    def _note(
        self, metric: Metric, setting: _SearchSetting, system: str, level: Level, scored: Scored
    ) -> None:
        for path, value in scored.measures(level).leaves().items():
            measure = ".".join(path)
            extra = 0.0 if measure == "score" else _COSTS.get(measure, _OTHER_MEASURE)
            extra += 0.0 if level == "corpus" else _COSTS["level"]
            self.values.append(
                _GivenValue(
                    system, metric, level, setting.gold.name, measure, value,
                    setting.distance + extra,
                )
            )  # fmt: skip

    def result(self) -> Investigation:
        """The settings that give the number, and how likely that is by chance."""
        number = self.number
        found = [each for each in self.values if number.equals(each.value)]
        near = [each for each in self.values if number.off(each.value) <= 50]
        usual = [each for each in self.values if each.distance <= 1 and each.measure == "score"]
        closest = sorted(usual, key=lambda each: number.off(each.value))[:_CLOSEST]
        return Investigation(
            number,
            [each.suspect() for each in sorted(found, key=lambda each: each.distance)],
            [] if found else [each.suspect() for each in closest],
            tried=len(self.values),
            left=self.left,
            by_chance=(len(near) - len(found)) / 100,
            skipped=list(dict.fromkeys(self.skipped)),
        )


def _counting(metric: Metric) -> Metric:
    """The metric of the same counts, with usual values for what changes only the score."""
    given = spec.split(str(metric))[1]
    free = {spec.public_name(name) for name in metric.scoring_parameters}
    return spec.build(
        type(metric), {name: value for name, value in given.items() if name not in free}
    )
