"""What PT-M² and PT-ERRANT share: a pretrained model gives edits their weights."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative
from corrigenda.core.explanation import Explanation
from corrigenda.core.f_scores import (
    edit_keys,
)
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric, Observed, Scope, WeighedEdit
from corrigenda.core.optimal import CorpusChoice, Optimal, corpus_choice
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import offsets_of
from corrigenda.errors import MetricError
from corrigenda.metrics.m2 import edit_measures
from corrigenda.metrics.pt_edits import (
    Judged,
    JudgedEdit,
    JudgedSentence,
)
from corrigenda.metrics.sentence_pairs import IDF_REMEDY
from corrigenda.neural import truncation
from corrigenda.neural.scorers import (
    EditScorer,
    Measure,
    ScorerName,
    edit_scorer,
    scorer_fields,
)
from corrigenda.neural.types import Pair

COUNTS = ("correct", "proposed", "gold", "correct_edits", "proposed_edits", "gold_edits")
PRETRAINED = ("torch", "transformers")
SMALLEST_WEIGHT = 1e-6
"""Smaller differences come from rounding; they make the weight 0."""
PairScores = Mapping[Pair, float]


class Weight(NamedTuple):
    """The weight of an edit, and the weight of the gold edit that it equals or misses.

    They differ if the system made another accepted correction than the first.
    """

    own: float
    gold: float


@dataclass(frozen=True, repr=False)
class WeighedEditMetric(Metric):
    """What PT-M² and PT-ERRANT share.

    The weight of an edit e is |score(source with e alone, reference) − score(source, reference)|.
    Statistics [rows, 6]: the weights of correct, proposed and gold edits, then their numbers.
    """

    citation = (
        "Gong, Liu, Huang, Zhang (2022). Revisiting Grammatical Error Correction Evaluation and "
        "Beyond. EMNLP."
    )
    extra = "neural"
    needs_model = True
    offers = frozenset({"precision-recall", "explain", "beta"})
    shows_precision_recall = True

    beta: float = parameter(0.5, "weight of recall against precision")
    scorer: ScorerName = parameter(
        "bertscore", "what gives edits their weights; self: every weight is 1"
    )
    model: str = parameter(
        "",
        "pretrained model, by name or folder",
        shown="bert-base-uncased; facebook/bart-large-cnn for bartscore",
    )
    layer: int | None = parameter(
        None,
        "layer of the encoder (bertscore)",
        shown="the best known layer of the model, else the last",
    )
    idf: bool = parameter(False, "give rare tokens a higher weight (bertscore)")
    measure: Measure = parameter("f1", "which measure gives the weights (bertscore)")
    inverse: bool = parameter(
        False, "weigh an edit by 1/w instead of w, to see what weights do; 0 stays 0"
    )
    choice: CorpusChoice = corpus_choice("reference")

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, beta=0, layer=0)
        if self.scorer == "self" and self.model:
            raise MetricError(
                f"{self.name}: scorer=self takes no model", remedy="Leave out model or scorer."
            )
        if self.scorer != "bertscore" and (
            self.layer is not None or self.idf or self.measure != "f1"
        ):
            raise MetricError(
                f"{self.name}: layer, idf and measure have no effect with scorer={self.scorer}",
                remedy="They belong to scorer=bertscore: use it, or leave them out.",
            )

    @property
    def scope(self) -> Scope:
        """With idf, weights depend on the token frequencies in all references."""
        return "corpus" if self.idf else "sentence"

    @property
    def scope_remedy(self) -> str:
        """Without idf each sentence is scored alone."""
        return IDF_REMEDY

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """If every weight is 1, no pretrained model is needed."""
        return () if self.scorer == "self" else self.modules

    @abstractmethod
    def judged(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Judged:
        """The edits of every sentence against each of its references."""

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Score at once all pairs that the edits of all systems and references need."""
        self._scorer_fields()  # raises an error before the long work if the model is not found
        sentences = [
            reference
            for system in systems
            for sentence in self.judged(corpus, system, threads=threads)
            for reference in sentence
        ]
        self._scored(corpus, sentences, threads)

    def _scored(
        self, corpus: Corpus, sentences: Sequence[JudgedSentence], threads: int
    ) -> PairScores:
        if self.scorer == "self":
            return {}
        wanted = dict.fromkeys(pair for sentence in sentences for pair in sentence.pairs())
        return self._edit_scorer(corpus)(list(wanted), threads=threads)

    def _edit_scorer(self, corpus: Corpus) -> EditScorer:
        return edit_scorer(
            corpus, self.scorer, self.model, self.layer, idf=self.idf, measure=self.measure
        )

    def _remarks(
        self, corpus: Corpus, hypotheses: Hypotheses, judged: Judged, threads: int
    ) -> Mapping[str, int]:
        """The number of sentences that are longer than the model reads."""
        if self.scorer == "self":
            return {}
        scorer = self._edit_scorer(corpus)
        asked = (
            [pair for reference in sentence for pair in reference.pairs()] for sentence in judged
        )
        answers = (scorer.scores(pairs, threads=threads).values() for pairs in asked)
        return truncation.remarks(self.name, hypotheses.name, answers)

    def weights(
        self, sentences: Sequence[JudgedSentence], corpus: Corpus, *, threads: int
    ) -> list[list[Weight]]:
        """The weight of every edit."""
        if self.scorer == "self":
            return [[Weight(1.0, 1.0)] * len(sentence.edits) for sentence in sentences]
        scored = self._scored(corpus, sentences, threads)

        def weight(sentence: JudgedSentence, edit: JudgedEdit) -> float:
            found = _weight(scored[sentence.after(edit)] - scored[sentence.before()])
            return 1 / found if self.inverse and found else found

        return [
            [
                Weight(weight(sentence, edit), weight(sentence, edit.of_gold))
                for edit in sentence.edits
            ]
            for sentence in sentences
        ]

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The weights and numbers of correct, proposed and gold edits."""
        judged = self.judged(corpus, hypotheses, threads=threads)
        flat = [reference for sentence in judged for reference in sentence]
        weights = self.weights(flat, corpus, threads=threads)
        rows = [_row(sentence, of_edits) for sentence, of_edits in zip(flat, weights, strict=True)]
        offsets = offsets_of([len(sentence) for sentence in judged])
        remarks = self._remarks(corpus, hypotheses, judged, threads)
        return Statistics(np.array(rows, np.float64).reshape(-1, len(COUNTS)), offsets, remarks)

    def observe(
        self, corpus: Corpus, hypotheses: Hypotheses, chosen: Chosen, *, sentences: bool
    ) -> Observed:
        """The edits against the chosen references, each with its weight."""
        if not sentences:
            return Observed()
        assert chosen.references is not None
        judged = self.judged(corpus, hypotheses, threads=1)
        picked = [
            sentence[reference]
            for sentence, reference in zip(judged, chosen.references.tolist(), strict=True)
        ]
        weights = self.weights(picked, corpus, threads=1)
        return Observed(
            edits=[
                tuple(
                    WeighedEdit(edit.start, edit.end, edit.correction, edit.verdict, weight.own)
                    for edit, weight in zip(sentence.edits, of_edits, strict=True)
                )
                for sentence, of_edits in zip(picked, weights, strict=True)
            ]
        )

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The edits with their weights."""
        from corrigenda.metrics.weight_explanations import explain_weights

        return explain_weights(corpus, hypotheses, result)

    def policy(self, level: Level) -> Choice:
        """At corpus level, in corpus order, the reference with the best score so far.

        At sentence level, the best reference of each sentence.
        """
        if level == "sentence":
            return BestLocal(self._keys)
        if self.choice == "optimal":
            return Optimal(self.beta, self._amounts)
        return GreedyCumulative(edit_keys, self.beta)

    def _amounts(self, counts: Array) -> Sequence[Array]:
        """The weights; they are whole numbers if every weight is 1."""
        weights = counts.T[:3]
        return tuple(weights.astype(np.int64) if self.scorer == "self" else weights)

    def _keys(self, counts: Array) -> Sequence[Array]:
        weights = _sentence_weights(counts)
        _, correct, burden = edit_keys(np.moveaxis(weights, -1, 0), self.beta)
        return [self._score(weights), correct, burden]

    def _score(self, weights: Array) -> Array:
        """F_β of the weights [..., 3], by the formula of the metric without weights."""
        return edit_measures(weights, self.beta).score

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """F_β, precision and recall of the weights.

        If all edits of a sentence have the weight 0, they get equal weights.
        """
        weights = np.asarray(totals)[..., :3] if level == "corpus" else _sentence_weights(totals)
        measures = edit_measures(weights, self.beta)
        return Measures(self._score(weights), measures.precision, measures.recall)

    def named_counts(self, counts: Array) -> NamedCounts:
        """The weights of correct, proposed and gold edits, then their numbers."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def _scorer_fields(self) -> dict[str, object]:
        return {
            "beta": self.beta,
            "scorer": self.scorer,
            **scorer_fields(
                self.scorer, self.model, self.layer, idf=self.idf, measure=self.measure
            ),
            **({"inverse": True} if self.inverse else {}),
            "choice": self.choice,
        }


def _weight(difference: float) -> float:
    return abs(difference) if abs(difference) >= SMALLEST_WEIGHT else 0.0


def _row(sentence: JudgedSentence, weights: Sequence[Weight]) -> list[float]:
    """The counts of a sentence: correct, proposed and gold weights, then numbers of edits."""
    row = [0.0] * len(COUNTS)
    for edit, weight in zip(sentence.edits, weights, strict=True):
        for place, of_one in enumerate((weight, Weight(1, 1))):
            correct, proposed, gold = range(3 * place, 3 * place + 3)
            if edit.verdict == "correct":
                row[correct] += edit.times * of_one.own
            if edit.verdict != "missed":
                row[proposed] += edit.times * of_one.own
            if edit.verdict != "wrong":
                row[gold] += edit.times * of_one.gold
    return row


def _sentence_weights(counts: Array) -> Array:
    """The weights [..., 3]; if all are 0, each of the n edits gets the weight 1/n."""
    counts = np.asarray(counts, np.float64)
    weights, numbers = counts[..., :3], counts[..., 3:]
    number = numbers[..., 1] + numbers[..., 2] - numbers[..., 0]
    weightless = (weights[..., 1] == 0) & (weights[..., 2] == 0)
    equal = numbers / np.maximum(number, 1)[..., np.newaxis]
    return np.where(weightless[..., np.newaxis], equal, weights)
