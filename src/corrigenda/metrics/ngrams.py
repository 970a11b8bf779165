"""The n-gram counts that GREEN, GLEU and BLEU share. Each is counted once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Metric
from corrigenda.core.statistics import Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.kernels import NGRAM_COUNTS
from corrigenda.kernels.text_ngrams import count_text_ngrams
from corrigenda.text.units import Unit, Whitespace, keep_blanks, normalise

Short = Literal["published", "available"]
"""Sizes of n-grams that a sentence is too short for: count them as published, or leave them out."""
SHORT_EXPLANATION = (
    "n-grams that a sentence is too short for: as published (they make the score 0), or left out"
)
PUBLISHED_ORDER: dict[Unit, int] = {"word": 4, "char": 6, "grapheme": 6}
LARGEST_ORDER = 100
"""Longer n-grams have no use, and would only fill the memory."""
KIND = {name: index for index, name in enumerate(NGRAM_COUNTS)}


@dataclass(frozen=True)
class Counting:
    """Which n-grams a metric counts. `pooled`: all references of a sentence share one row.

    `types`: whether it needs the counts of n-grams that a text has not at all.
    """

    unit: Unit
    order: int
    whitespace: Whitespace = "normalise"
    pooled: bool = False
    types: bool = field(default=False, compare=False)

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for counts that metrics can share, but for `types`."""
        whitespace = None if self.unit == "word" else self.whitespace
        return "ngram counts", self.unit, whitespace, self.order, self.pooled


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


def ngram_counts(
    corpus: Corpus, hypotheses: Hypotheses, counting: Counting, *, threads: int
) -> NgramCounts:
    """The n-gram counts of a system. They are made once for all its metrics."""
    types = counting.types or corpus.has((*counting.key, "with types"))

    def count() -> NgramCounts:
        unit, texts, outputs = _in_units(corpus, hypotheses, counting)
        given = texts.references
        by_text = isinstance(given, ReferenceTexts)
        references = given.texts if isinstance(given, ReferenceTexts) else given
        return NgramCounts(
            *count_text_ngrams(
                texts.sources, references, outputs, by_text=by_text, unit=unit,
                order=counting.order, pooled=counting.pooled, types=types, threads=threads,
            )
        )  # fmt: skip

    return corpus.latest((*counting.key, types), hypotheses, count)


def _in_units(
    corpus: Corpus, hypotheses: Hypotheses, counting: Counting
) -> tuple[str, Corpus, Sequence[str]]:
    """The unit that the kernel counts, and the texts in it."""
    if counting.unit == "word":
        return "word", corpus, hypotheses.sentences
    is_raw = counting.whitespace == "raw"
    if counting.unit == "char":
        return "raw" if is_raw else "char", corpus, hypotheses.sentences

    from corrigenda.text.graphemes import STAND_INS

    def stand_ins(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(STAND_INS.replace(text if is_raw else normalise(text)) for text in texts)

    made = corpus.once(
        ("stand-ins of graphemes", counting.whitespace),
        lambda: Corpus(stand_ins(corpus.sources), tuple(map(stand_ins, corpus.references))),
    )
    return "raw", made, stand_ins(hypotheses.sentences)


def in_ascii_words(corpus: Corpus, hypotheses: Hypotheses) -> tuple[Corpus, Hypotheses]:
    """The texts with other blanks than those of ASCII as parts of words."""

    def make() -> Corpus:
        return Corpus(
            tuple(map(keep_blanks, corpus.sources)),
            tuple(tuple(map(keep_blanks, texts)) for texts in corpus.references),
        )

    changed = corpus.once("texts in ASCII words", make)
    return changed, Hypotheses(hypotheses.name, tuple(map(keep_blanks, hypotheses.sentences)))


def relevant_fields(parameters: Mapping[str, object], unit: Unit) -> dict[str, object]:
    """The parameters that change the score.

    `whitespace` has no effect if words are counted. `short` is shown where it is not as published.
    """
    left_out = {"short"} if parameters.get("short") == "published" else set()
    if unit == "word":
        left_out.add("whitespace")
    return {name: value for name, value in parameters.items() if name not in left_out}
