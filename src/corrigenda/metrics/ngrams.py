"""The n-gram counts that GREEN, GLEU and BLEU share. Each is counted once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Metric, TargetCounter
from corrigenda.core.statistics import Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import numbered, shares_numbers
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.kernels import NGRAM_COUNTS
from corrigenda.kernels.prepared import PreparedSentence, count_prepared, prepare
from corrigenda.kernels.text_ngrams import count_numbered_ngrams, count_text_ngrams
from corrigenda.text.sentences import one_line
from corrigenda.text.units import Unit, Whitespace, keep_blanks, normalise

Short = Literal["published", "available"]
"""Sizes of n-grams that a sentence is too short for: count them as published, or leave them out."""
WordBlanks = Literal["unicode", "ascii"]
"""The blanks that separate words: all of Unicode, or those of ASCII alone."""
SHORT_EXPLANATION = (
    "n-grams that a sentence is too short for: as published (they make the score 0), or left out"
)
_PUBLISHED_ORDERS: dict[Unit, int] = {"word": 4, "char": 6, "grapheme": 6}
LARGEST_ORDER = 100
"""Longer n-grams have no use, and would only fill the memory."""
KIND = {name: index for index, name in enumerate(NGRAM_COUNTS)}


def published_order(unit: Unit) -> int:
    """The largest n-gram size as published.

    It is any number for a wrong unit. The check of the parameters names the unit then, not n.
    """
    return _PUBLISHED_ORDERS[unit] if unit in tuple(_PUBLISHED_ORDERS) else 1


@dataclass(frozen=True)
class Counting:
    """Which n-grams a metric counts. `pooled`: all references of a sentence share one row.

    `types`: whether it needs the counts of n-grams that a text has not at all.
    """

    unit: Unit
    order: int
    whitespace: Whitespace = "normalise"
    words: WordBlanks = "unicode"
    pooled: bool = False
    types: bool = field(default=False, compare=False)

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for counts that metrics can share, except for `types`."""
        return "ngram counts", *self._of_texts, self.order, self.pooled

    @property
    def _of_texts(self) -> tuple[str, str]:
        """Equal for metrics that count the same units of a text."""
        return self.unit, self.words if self.unit == "word" else self.whitespace

    @property
    def kernel_unit(self) -> str:
        """What compiled code counts: words, or characters with blanks as they are or single."""
        if self.unit == "word":
            return "word"
        return "raw" if self.unit == "grapheme" or self.whitespace == "raw" else "char"

    @property
    def in_units(self) -> Callable[[str], str] | None:
        """Changes a text so that compiled code finds the units; None if it finds them in any."""
        if self.unit == "word":
            return keep_blanks if self.words == "ascii" else None
        if self.unit == "char":
            return None

        from corrigenda.text.graphemes import STAND_INS

        if self.whitespace == "raw":
            return STAND_INS.replace
        return lambda text: STAND_INS.replace(normalise(text))

    def texts(self, corpus: Corpus, hypotheses: Hypotheses) -> tuple[Corpus, Sequence[str]]:
        """The texts that compiled code counts."""
        change = self.in_units
        if change is None:
            return corpus, hypotheses.sentences

        def changed(texts: Sequence[str]) -> tuple[str, ...]:
            return tuple(map(change, texts))

        made = corpus.once(
            ("texts in units", *self._of_texts),
            lambda: Corpus(changed(corpus.sources), tuple(map(changed, corpus.references))),
        )
        return made, changed(hypotheses.sentences)


@dataclass(frozen=True)
class NgramCounts:
    """n-gram counts [row, n - 1, kind] of hypotheses, and the lengths of the sentences.

    The references of sentence i are `offsets[i]` up to `offsets[i + 1]`. Its rows are the same,
    unless the references are pooled.
    """

    counts: npt.NDArray[np.int64]
    hypothesis_lengths: npt.NDArray[np.int64]
    reference_lengths: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]

    def kind(self, *names: str) -> npt.NDArray[np.int64]:
        """The sum [row, n - 1] of the named counts."""
        return np.asarray(self.counts[:, :, [KIND[name] for name in names]].sum(axis=2))


@dataclass(frozen=True, repr=False)
class NgramMetric(Metric):
    """A metric of n-grams: it says what to count, and makes its statistics from these counts."""

    @property
    @abstractmethod
    def counting(self) -> Counting:
        """What to count."""

    @abstractmethod
    def from_counts(self, counted: NgramCounts) -> Statistics:
        """The statistics of sentences from their n-gram counts."""

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Other metrics that count the same n-grams share the counts with types."""
        if self.counting.types:
            corpus.once((*self.counting.key, "with types"), lambda: True)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The counts of every sentence against each of its references, or against all at once."""
        return self.from_counts(ngram_counts(corpus, hypotheses, self.counting, threads=threads))

    def target_counter(self) -> TargetCounter:
        """The n-grams of a source and its references are counted once."""
        return NgramTargets(self)


def ngram_counts(
    corpus: Corpus, hypotheses: Hypotheses, counting: Counting, *, threads: int
) -> NgramCounts:
    """The n-gram counts of a system. They are made once for all its metrics."""
    types = counting.types or corpus.has((*counting.key, "with types"))

    def count() -> NgramCounts:
        if counting.kernel_unit == "word" and not counting.in_units and shares_numbers(corpus):
            words = numbered(corpus, hypotheses, threads=threads)
            return NgramCounts(
                *count_numbered_ngrams(
                    words, order=counting.order, pooled=counting.pooled, types=types,
                    threads=threads,
                )
            )  # fmt: skip
        texts, outputs = counting.texts(corpus, hypotheses)
        given = texts.references
        by_text = isinstance(given, ReferenceTexts)
        references = given.texts if isinstance(given, ReferenceTexts) else given
        return NgramCounts(
            *count_text_ngrams(
                texts.sources, references, outputs, by_text=by_text,
                unit=counting.kernel_unit,
                order=counting.order, pooled=counting.pooled, types=types, threads=threads,
            )
        )  # fmt: skip

    return corpus.latest((*counting.key, types), hypotheses, count)


@dataclass(frozen=True)
class NgramTargets:
    """Counts hypotheses against prepared targets: each becomes one compiled object."""

    metric: NgramMetric

    def prepare(self, source: str, references: tuple[str, ...]) -> object:
        """The compiled object of a source with its references."""
        counting = self.metric.counting
        if change := counting.in_units:
            source, references = change(source), tuple(map(change, references))
        return prepare(
            source, references,
            unit=counting.kernel_unit, order=counting.order, pooled=counting.pooled,
        )  # fmt: skip

    def statistics(
        self, prepared: Sequence[object], hypotheses: Sequence[str], *, threads: int
    ) -> Statistics:
        """The same counts as from an index of a corpus, computed in another way."""
        if change := self.metric.counting.in_units:
            hypotheses = [change(one_line(sentence)) for sentence in hypotheses]
        targets = cast("Sequence[PreparedSentence]", prepared)
        counted = count_prepared(targets, hypotheses, threads=threads)
        return self.metric.from_counts(NgramCounts(*counted))


def relevant_fields(parameters: Mapping[str, object], unit: Unit) -> dict[str, object]:
    """The parameters that change the score.

    `whitespace` has no effect if words are counted. `short` is shown where it is not as published.
    """
    left_out = {"short"} if parameters.get("short") == "published" else set()
    if unit == "word":
        left_out.add("whitespace")
    return {name: value for name, value in parameters.items() if name not in left_out}
