"""The settings that are tried: values of parameters, and what is made of the gold."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from corrigenda.annotation.edit_source import share_annotations
from corrigenda.core import spec
from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus
from corrigenda.edits import Annotation
from corrigenda.errors import MetricError

LISTED_VALUES: Mapping[str, tuple[object, ...]] = {
    "beta": (0.5, 1.0, 2.0),
    "n": (1, 2, 3, 4, 5, 6),
    "lambda_": tuple(round(0.1 * step, 1) for step in range(11)),
    "max_unchanged_words": (0, 1, 2, 3, 4),
    "w": (1.0, 2.0, 3.0),
}
"""The values that are tried for numbers. Choices and switches are tried with all their values."""
MOST_CHANGES = 3
_UNUSUAL: Mapping[str, float] = {"merger": 2.0}
"""Parameters that papers hardly ever change; another value of others counts 1."""
_EXTRACTED = "edits extracted from the reference texts"


@dataclass(frozen=True)
class GoldHandling:
    """What is made of the gold before scoring; `distance` says how unusual that is."""

    name: str
    corpus: Corpus = field(repr=False)
    distance: float


@dataclass(frozen=True)
class SearchSetting:
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
    # No pair of sentences is parsed twice.
    share_annotations([each.corpus for each in handlings])
    return handlings


def reference_texts(golds: Sequence[GoldHandling]) -> Corpus:
    """The handling with most texts: all references, without annotated edits."""
    return next((each for each in golds if each.name == _EXTRACTED), golds[0]).corpus


def handlings_for(metric: Metric, golds: Sequence[GoldHandling]) -> Sequence[GoldHandling]:
    """The handlings that make a difference: some metrics use texts alone, or no references."""
    if metric.needs_references == "none":
        return golds[:1]
    if metric.needs_references == "text":
        return [each for each in golds if each.name != _EXTRACTED]
    return golds


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


def settings_of(
    metric: Metric, golds: Sequence[GoldHandling], most_changes: int
) -> list[SearchSetting]:
    """The settings of a metric, the usual ones first."""
    kept = SearchSetting(metric, {}, golds[0], 0.0).kept
    found = [
        SearchSetting(metric, changes, gold, gold.distance + _distance(changes))
        for changes in _changes(metric, kept, most_changes)
        for gold in golds
        if gold.distance + _distance(changes) <= most_changes
    ]
    return sorted(found, key=lambda each: each.distance)


def _distance(changes: Mapping[str, object]) -> float:
    return sum(_UNUSUAL.get(name, 1.0) for name in changes)


def counting_metric(metric: Metric) -> Metric:
    """The metric of the same counts, with usual values for what changes only the score."""
    given = spec.split(str(metric))[1]
    free = {spec.public_name(name) for name in metric.scoring_parameters}
    return spec.build(
        type(metric), {name: value for name, value in given.items() if name not in free}
    )
