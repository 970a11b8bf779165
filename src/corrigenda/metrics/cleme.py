"""CLEME: F-score of chunks, against one reference or all of them at once (Ye et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import GoldEdits
from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative, Pooled, Totals
from corrigenda.core.f_scores import Amount, f_score, greedy_typed_edit_keys, ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import LEVELS, Level, Scope
from corrigenda.core.optimal import CorpusChoice, Optimal, corpus_choice
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.core.survey import Survey, taken
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import MetricError
from corrigenda.metrics.cleme_counts import (
    COUNTS,
    FP,
    TN,
    ChunkCounts,
    ChunkedSentence,
    Weights,
    chunked,
    corrected_chunks,
    mean_length,
)
from corrigenda.metrics.errant import amounts
from corrigenda.metrics.typed_edits import (
    TypedEditMetric,
    edits_parameter,
    gold_parameter,
    merger_parameter,
    spacy_model_parameter,
)

Assumption = Literal["dependent", "independent"]
"""`dependent`: against one reference. `independent`: against all references at once."""
_CORPUS = Weights(2.0, ((0.75, 1.25),) * 3)
_SENTENCE_DEPENDENT = Weights(10.0, ((1.0, 10.0), (0.25, 1.0), (1.0, 1.0)))
_SENTENCE_INDEPENDENT = Weights(10.0, ((2.5, 10.0), (0.25, 1.0), (1.0, 1.0)))


class ChunkMetric(TypedEditMetric):
    """A metric of chunks: pieces of the source in which a system or a reference has edits."""

    assumption: Assumption
    weighting: str

    @property
    def scope(self) -> Scope:
        """Weights depend on the mean length of all corrected chunks of the corpus."""
        return "survey" if self.weighting == "length" else "sentence"

    def survey(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Survey:
        """The number of corrected chunks, and the number of their words."""
        return corrected_chunks(self._chunked(corpus, hypotheses, threads))

    def _chunked(
        self, corpus: Corpus, hypotheses: Hypotheses, threads: int
    ) -> list[ChunkedSentence]:
        gold = self.edit_source.gold_edits(corpus, threads=threads)
        system = self.edit_source.system_edits(corpus, hypotheses, threads=threads)
        return list(map(chunked, corpus.sources, system, gold, corpus.references))

    def _counted(self, sentences: Sequence[ChunkedSentence], counts: ChunkCounts) -> ChunkCounts:
        """The counts, with those of these sentences."""
        for sentence in sentences:
            if self.assumption == "independent":
                counts.add_independent(sentence)
            else:
                counts.add_dependent(sentence)
        return counts


@dataclass(frozen=True, repr=False)
class Cleme(ChunkMetric):
    """F_0.5 of chunks. All versions of a sentence are cut into chunks at the same positions.

    Statistics [rows, 8]: tp, fp, fn, tn with the weights of the corpus level, then with those of
    the sentence level. One row per reference (dependent), or one for all references (independent).
    """

    name = "cleme"
    title = "CLEME: F-score of chunks, weighted by length"
    citation = (
        "Ye, Li, Zhou, Li, Ma, Zheng, Shen (2023). CLEME: Debiasing Multi-reference Evaluation for "
        "Grammatical Error Correction. EMNLP."
    )
    extra = "errant"
    modules = ("errant", "spacy")
    needs_model = True
    offers = frozenset({"precision-recall", "beta"})
    shows_precision_recall = True

    assumption: Assumption = parameter(
        "dependent", "the corrections of a sentence depend on each other, or each counts alone"
    )
    weighting: Literal["length", "none"] = parameter(
        "length", "weight of a chunk: by its length, or 1"
    )
    beta: float = parameter(0.5, "weight of recall against precision")
    choice: CorpusChoice = corpus_choice("reference")
    gold: GoldEdits = gold_parameter()
    alpha: float | None = parameter(None, "slope of the weights", shown="2; 10 at sentence level")
    tp_min: float | None = parameter(
        None, "smallest weight of a right chunk", shown="0.75; 1 or 2.5 at sentence level"
    )
    tp_max: float | None = parameter(
        None, "largest weight of a right chunk", shown="1.25; 10 at sentence level"
    )
    fp_min: float | None = parameter(
        None, "smallest weight of a wrong chunk", shown="0.75; 0.25 at sentence level"
    )
    fp_max: float | None = parameter(
        None, "largest weight of a wrong chunk", shown="1.25; 1 at sentence level"
    )
    fn_min: float | None = parameter(
        None, "smallest weight of a missed chunk", shown="0.75; 1 at sentence level"
    )
    fn_max: float | None = parameter(
        None, "largest weight of a missed chunk", shown="1.25; 1 at sentence level"
    )
    spacy_model: str = spacy_model_parameter()
    edits: str = edits_parameter()
    merger: Merger = merger_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.edit_source.check()
        spec.check_at_least(self, beta=0, alpha=1)
        if self.assumption == "independent" and self.choice != "published":
            raise MetricError(
                "cleme: with assumption=independent all references count at once, so there is "
                "nothing to choose",
                remedy="Leave out choice or assumption.",
            )
        for level in LEVELS:
            bounds = self._published_or_given(level).bounds
            for kind, (low, high) in zip(("tp", "fp", "fn"), bounds, strict=True):
                if not 0 <= low <= high:
                    raise MetricError(
                        f"cleme: {kind}_min is {low} and {kind}_max is {high} at {level} level",
                        remedy=f"Give 0 ≤ {kind}_min ≤ {kind}_max.",
                    )

    def _weights(self, level: Level) -> Weights | None:
        return None if self.weighting == "none" else self._published_or_given(level)

    def _published_or_given(self, level: Level) -> Weights:
        published = published_weights(self.assumption, level)
        given = ((self.tp_min, self.tp_max), (self.fp_min, self.fp_max), (self.fn_min, self.fn_max))
        tp, fp, fn = (
            (default[0] if low is None else low, default[1] if high is None else high)
            for (low, high), default in zip(given, published.bounds, strict=True)
        )
        return Weights(published.alpha if self.alpha is None else self.alpha, (tp, fp, fn))

    @property
    def scope_remedy(self) -> str:
        """Without weights each sentence is counted alone."""
        return (
            "The weights of CLEME depend on the mean length of chunks in the corpus: "
            "use cleme:weighting=none."
        )

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The weighted chunks of each kind."""
        sentences = self._chunked(corpus, hypotheses, threads)
        tally = self._counted(sentences, ChunkCounts())
        corrected = taken(self, corpus, hypotheses, lambda: corrected_chunks(sentences))
        mean = mean_length(corrected)
        levels = [tally.weighted(self._weights(level), mean) for level in LEVELS]
        return Statistics(np.concatenate(levels, axis=1), tally.sentence_offsets())

    def policy(self, level: Level) -> Choice:
        """At corpus level, in corpus order, the reference with the best score so far.

        At sentence level, the best reference of each sentence. With assumption=independent there is
        nothing to choose.
        """
        if self.assumption == "independent":
            return Pooled()
        if level == "sentence":
            return BestLocal(self._keys)
        if self.choice == "optimal":
            return Optimal(self.beta, amounts)
        return GreedyCumulative(_greedy_key, self.beta)

    def _keys(self, counts: Array) -> Sequence[Array]:
        measures = self.measures(counts, "sentence")
        assert measures.precision is not None
        assert measures.recall is not None
        takes_part = np.isfinite(counts[:, FP])
        # The last tie goes to the lower accuracy: the original program reports it.
        accuracy = _accuracy(np.asarray(counts)[..., len(COUNTS) :])
        return [takes_part, measures.score, measures.precision, measures.recall, -accuracy]

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """F_β, precision, recall and accuracy.

        Precision is 1 if no chunk is wrong. Recall is 1 if no chunk is missed.
        """
        totals = np.asarray(totals)
        counts = totals[..., : len(COUNTS)] if level == "corpus" else totals[..., len(COUNTS) :]
        right, wrong, missed, _ = np.moveaxis(counts, -1, 0)
        precision = np.where(wrong == 0, 1.0, ratio(right, right + wrong, undefined=1.0))
        recall = np.where(missed == 0, 1.0, ratio(right, right + missed, undefined=1.0))
        score = f_score(precision, recall, self.beta)
        return Measures(score, precision, recall, {"accuracy": _accuracy(counts)})

    def named_counts(self, counts: Array) -> NamedCounts:
        """Weighted chunks at corpus level; under "sentence", with the weights of that level."""
        values = counts.tolist()
        return {
            **dict(zip(COUNTS, values[: len(COUNTS)], strict=True)),
            "sentence": dict(zip(COUNTS, values[len(COUNTS) :], strict=True)),
        }

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, and where the edits come from; with versions if ERRANT made any."""
        names = ("alpha", "tp_min", "tp_max", "fp_min", "fp_max", "fn_min", "fn_max")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        return {
            "assumption": self.assumption,
            "weighting": self.weighting,
            "beta": self.beta,
            "choice": self.choice,
            **(given if self.weighting == "length" else {}),
            **self.edit_source.fields(corpus, hypotheses),
        }


def published_weights(assumption: Assumption, level: Level) -> Weights:
    """The weights by length as they were published."""
    if level == "corpus":
        return _CORPUS
    return _SENTENCE_DEPENDENT if assumption == "dependent" else _SENTENCE_INDEPENDENT


def _accuracy(counts: Array) -> Array:
    right, wrong, missed, untouched = np.moveaxis(counts, -1, 0)
    return ratio(right + untouched, right + wrong + missed + untouched, undefined=1.0)


def _greedy_key(totals: Totals, beta: Amount) -> Totals:
    """ERRANT's keys at corpus level; the last tie goes to more untouched chunks."""
    return *greedy_typed_edit_keys(totals, beta), totals[TN]
