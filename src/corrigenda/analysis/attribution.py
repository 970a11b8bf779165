"""What each edit did to the score of its sentence.

The score of a sentence depends on all its edits together. The Shapley value shares it out: the
value of an edit is the mean, over all orders in which the edits could be applied one by one, of
what the score gains when this edit is applied. The values add up to the score of the output minus
the score of the source.

All partly corrected sentences of a corpus go through the metric together.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from corrigenda.analysis.extraction import compare_system
from corrigenda.core.evaluate import prepare_metrics
from corrigenda.core.metric import Metric
from corrigenda.core.scored import Scored
from corrigenda.core.statistics import Array
from corrigenda.core.survey import give
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import UNKNOWN_TYPE, Edit, apply_edits
from corrigenda.errors import CorrigendaError, MetricError, UsageError
from corrigenda.kernels import threads_of

Attribution = Literal["shapley", "add", "remove"]
"""`shapley`: as above. `add`: the gain of the edit alone over the source. `remove`: the loss of the
output without the edit."""
ATTRIBUTIONS: tuple[Attribution, ...] = ("shapley", "add", "remove")
MOST_EDITS = 8
"""Up to this many edits, Shapley values are exact. A sentence with n edits has 2ⁿ versions."""
MOST_SAMPLED_EDITS = 200
"""A sentence with more edits is refused: its versions grow with the square of the edits."""
PERMUTATIONS = 64
"""With more edits, this many random orders are tried, each also backwards."""
_ROWS_AT_ONCE = 50_000

EditChoice = frozenset[int]
"""The edits of a sentence that are applied, by their places."""


class PlainAttributedEdit(TypedDict):
    """An edit and its value, ready for JSON."""

    start: int
    end: int
    source: str
    correction: str
    type: str
    value: float


@dataclass(frozen=True)
class AttributedEdit:
    """An edit of the output, and what it did to the score."""

    edit: Edit
    value: float


@dataclass(frozen=True)
class AttributedSentence:
    """The edits of one sentence with their values.

    `before` is the score of the source, `after` that of the output. `exact` is False if the values
    come from random orders of the edits.
    """

    source: str
    hypothesis: str
    before: float
    after: float
    edits: tuple[AttributedEdit, ...]
    exact: bool

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        words = self.source.split()
        edits: list[PlainAttributedEdit] = [
            {
                "start": each.edit.start,
                "end": each.edit.end,
                "source": " ".join(words[each.edit.start : each.edit.end]),
                "correction": each.edit.correction,
                "type": each.edit.type,
                "value": each.value,
            }
            for each in self.edits
        ]
        return {
            "source": self.source,
            "hypothesis": self.hypothesis,
            "before": self.before,
            "after": self.after,
            "exact": self.exact,
            "edits": edits,
        }


def attribute(
    corpus: Corpus,
    hypotheses: Hypotheses,
    metric: Metric,
    *,
    method: Attribution = "shapley",
    extractor: str = "m2",
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    threads: int | None = None,
) -> list[AttributedSentence]:
    """The value of each edit of a system for the sentence score of a metric.

    `extractor` names the metric that finds the edits. `permutations` and `seed` matter only for
    sentences with more than `MOST_EDITS` edits.
    """
    _check(metric, method, permutations)
    threads = threads_of(threads)
    compared = compare_system(corpus, hypotheses, extractor=extractor, threads=threads)
    edits = [
        tuple(matched.edit for matched in sentence.comparisons[sentence.chosen].edits)
        for sentence in compared
    ]
    return attribute_edits(
        corpus,
        hypotheses,
        edits,
        metric,
        method=method,
        permutations=permutations,
        seed=seed,
        threads=threads,
    )


def attribute_edits(
    corpus: Corpus,
    hypotheses: Hypotheses,
    edits: Sequence[tuple[Edit, ...]],
    metric: Metric,
    *,
    method: Attribution = "shapley",
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    threads: int = 1,
) -> list[AttributedSentence]:
    """The same as `attribute`, for edits that are known already."""
    _check(metric, method, permutations)
    if method == "shapley":
        _check_number(edits)
    plans = [
        _Plan(len(of_sentence), method, permutations, (seed, number))
        for number, of_sentence in enumerate(edits)
    ]
    scores = _Scores(corpus, hypotheses, edits, metric, threads)
    found = []
    for number, values in enumerate(scores.of(plans)):
        plan, source = plans[number], corpus.sources[number]
        everything = frozenset(range(plan.edits))
        attributed = zip(edits[number], plan.values(values), strict=True)
        found.append(
            AttributedSentence(
                source,
                hypotheses.sentences[number],
                values[frozenset()],
                values[everything],
                tuple(AttributedEdit(edit, value) for edit, value in attributed),
                plan.exact,
            )
        )
    return found


def _check(metric: Metric, method: str, permutations: int) -> None:
    if method not in ATTRIBUTIONS:
        raise UsageError(
            f"there is no attribution {method!r}", remedy=f"It takes: {', '.join(ATTRIBUTIONS)}."
        )
    if permutations < 1:
        raise UsageError(
            f"permutations is {permutations}", remedy="It takes a whole number of 1 or more."
        )
    check_metric(metric)


class ManyEditsError(UsageError):
    """A sentence has too many edits for Shapley values."""

    def __init__(self, edits: int, sentence: int) -> None:
        super().__init__(
            f"sentence {sentence + 1} has {edits:,} edits; Shapley values are computed for at most "
            f"{MOST_SAMPLED_EDITS}",
            remedy="Split the line into sentences, or use the attribution add or remove.",
        )
        self._edits, self._sentence = edits, sentence

    def after(self, sentences: int) -> ManyEditsError:
        """The same error in a text that has this many sentences before."""
        return ManyEditsError(self._edits, self._sentence + sentences)


def _check_number(edits: Sequence[tuple[Edit, ...]]) -> None:
    for number, of_sentence in enumerate(edits):
        if len(of_sentence) > MOST_SAMPLED_EDITS:
            raise ManyEditsError(len(of_sentence), number)


def check_metric(metric: Metric) -> None:
    """Refuse a metric that has no score of a sentence alone."""
    if metric.needs_all_systems:
        raise MetricError(
            f"{metric} compares all systems with each other, so its score has no parts by edit",
            remedy="Choose another metric.",
        )
    if metric.scope == "corpus":
        raise MetricError(
            f"{metric} needs the whole corpus, so its score has no parts by edit",
            remedy=metric.scope_remedy,
        )


class _Plan:
    """Which edits of a sentence must be applied together, and how values follow from scores."""

    def __init__(
        self, edits: int, method: Attribution, permutations: int, seed: tuple[int, int]
    ) -> None:
        self.edits = edits
        self._method = method
        self.exact = method != "shapley" or edits <= MOST_EDITS
        self._orders = [] if self.exact else _orders(edits, permutations, seed)

    def needed(self) -> Iterator[EditChoice]:
        """The choices of edits that must be scored."""
        everything = frozenset(range(self.edits))
        yield frozenset()
        yield everything
        if self._method == "add":
            yield from (frozenset({place}) for place in everything)
        elif self._method == "remove":
            yield from (everything - {place} for place in everything)
        elif self.exact:
            yield from map(frozenset, _subsets(self.edits))
        else:
            for order in self._orders:
                yield from (frozenset(order[:size]) for size in range(1, self.edits))

    def values(self, scores: Mapping[EditChoice, float]) -> list[float]:
        """The value of each edit."""
        everything = frozenset(range(self.edits))
        if self._method == "add":
            return [scores[frozenset({place})] - scores[frozenset()] for place in everything]
        if self._method == "remove":
            return [scores[everything] - scores[everything - {place}] for place in everything]
        return self._exact_values(scores) if self.exact else self._sampled_values(scores)

    def _exact_values(self, scores: Mapping[EditChoice, float]) -> list[float]:
        number = self.edits
        weights = [
            1 / (number * math.comb(number - 1, size)) for size in range(number)
        ]  # of an edit that comes after `size` others
        gains: list[list[float]] = [[] for _ in range(number)]
        for chosen in map(frozenset, _subsets(number)):
            for place in range(number):
                if place not in chosen:
                    gain = scores[chosen | {place}] - scores[chosen]
                    gains[place].append(weights[len(chosen)] * gain)
        return [math.fsum(of_edit) for of_edit in gains]

    def _sampled_values(self, scores: Mapping[EditChoice, float]) -> list[float]:
        gains: list[list[float]] = [[] for _ in range(self.edits)]
        for order in self._orders:
            for size, place in enumerate(order):
                before = frozenset(order[:size])
                gains[place].append(scores[before | {place}] - scores[before])
        return [math.fsum(of_edit) / len(self._orders) for of_edit in gains]


def _subsets(number: int) -> Iterator[tuple[int, ...]]:
    for size in range(number + 1):
        yield from itertools.combinations(range(number), size)


def _orders(edits: int, permutations: int, seed: tuple[int, int]) -> list[tuple[int, ...]]:
    """Random orders of the edits, each also backwards: what is early in one is late in the other.

    The orders depend on the seed and the sentence, not on other sentences.
    """
    generator = np.random.default_rng(seed)
    found: list[tuple[int, ...]] = []
    for _ in range(permutations):
        order = tuple(generator.permutation(edits).tolist())
        found += [order, order[::-1]]
    return found


@dataclass(frozen=True)
class _Scores:
    """The scores of partly corrected sentences."""

    corpus: Corpus
    hypotheses: Hypotheses
    edits: Sequence[tuple[Edit, ...]]
    metric: Metric
    threads: int

    def of(self, plans: Sequence[_Plan]) -> Iterator[dict[EditChoice, float]]:
        """Sentence by sentence, the score of each choice of edits."""
        begin = 0
        texts: list[dict[EditChoice, str]] = []
        rows = 0
        for number, plan in enumerate(plans):
            texts.append({chosen: self._text(number, chosen) for chosen in plan.needed()})
            self._check_complete(number, texts[-1])
            rows += len(set(texts[-1].values()))
            if rows >= _ROWS_AT_ONCE or number + 1 == len(plans):
                yield from self._scored(begin, texts)
                begin, texts, rows = number + 1, [], 0

    def _text(self, number: int, chosen: EditChoice) -> str:
        words, edits = self.corpus.sources[number].split(), self.edits[number]
        return " ".join(apply_edits(words, [edits[place] for place in sorted(chosen)]))

    def _check_complete(self, number: int, texts: Mapping[EditChoice, str]) -> None:
        whole = texts[frozenset(range(len(self.edits[number])))]
        if whole.split() != self.hypotheses.sentences[number].split():
            raise CorrigendaError(
                f"the edits of sentence {number + 1} of {self.hypotheses.name} do not make its "
                f"output: they make {whole!r}",
                remedy="Give edits that do not overlap and turn the source into the output.",
            )

    def _scored(
        self, begin: int, texts: Sequence[dict[EditChoice, str]]
    ) -> Iterator[dict[EditChoice, float]]:
        """The scores of consecutive sentences, each distinct text once per sentence."""
        distinct = [list(dict.fromkeys(of_sentence.values())) for of_sentence in texts]
        places = [begin + i for i, of_sentence in enumerate(distinct) for _ in of_sentence]
        rows = self.corpus.at(places)
        outputs = Hypotheses(self.hypotheses.name, tuple(itertools.chain.from_iterable(distinct)))
        scores = iter(self._sentence_scores(rows, outputs).tolist())
        for of_sentence, wanted in zip(distinct, texts, strict=True):
            known = {text: next(scores) for text in of_sentence}
            yield {chosen: known[text] for chosen, text in wanted.items()}

    def _sentence_scores(self, corpus: Corpus, hypotheses: Hypotheses) -> Array:
        metric = self.metric
        prepare_metrics([metric], corpus, [hypotheses], threads=self.threads)
        if metric.scope == "survey":
            # The numbers of the whole corpus are those of the real output.
            survey = metric.survey(self.corpus, self.hypotheses, threads=self.threads)
            give(metric, corpus, hypotheses, survey)
        statistics = metric.statistics(corpus, hypotheses, threads=self.threads)
        return Scored(metric, statistics).sentences


@dataclass(frozen=True)
class TypeValues:
    """The edits of one type: how many, how many helped or hurt, and the mean of their values."""

    type: str
    edits: int
    helped: int
    hurt: int
    mean: float


def values_by_type(sentences: Sequence[AttributedSentence]) -> list[TypeValues]:
    """A summary of the edits of each type, the most frequent type first.

    If some edits have no type, all are grouped by their operation: M (missing), R (replacement) or
    U (unnecessary).
    """
    every = [each for sentence in sentences for each in sentence.edits]
    typed = all(each.edit.type != UNKNOWN_TYPE for each in every)
    values: dict[str, list[float]] = {}
    for each in every:
        name = each.edit.type if typed else _operation(each.edit)
        values.setdefault(name, []).append(each.value)
    found = [
        TypeValues(
            name,
            len(of_type),
            sum(value > 0 for value in of_type),
            sum(value < 0 for value in of_type),
            math.fsum(of_type) / len(of_type),
        )
        for name, of_type in values.items()
    ]
    return sorted(found, key=lambda each: (-each.edits, each.type))


def _operation(edit: Edit) -> str:
    if edit.is_insertion:
        return "M"
    return "R" if edit.correction else "U"
