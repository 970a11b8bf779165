"""PT-M² and PT-ERRANT: a pretrained model gives edits their weights (Gong et al. 2022)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import GoldEdits
from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative, Totals
from corrigenda.core.explanation import Explanation
from corrigenda.core.f_scores import (
    Amount,
    edit_keys,
    f_score,
    greedy_typed_edit_keys,
    typed_edit_keys,
)
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric, Observed, Scope, WeighedEdit
from corrigenda.core.optimal import CorpusChoice, Optimal, corpus_choice
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.gold import gold_origin
from corrigenda.corpus.packed import offsets_of
from corrigenda.errors import MetricError
from corrigenda.metrics.m2 import M2, edit_measures
from corrigenda.metrics.pt_edits import (
    Alternatives,
    Judged,
    JudgedEdit,
    JudgedSentence,
    judged_by_errant,
    judged_by_m2,
)
from corrigenda.metrics.sentence_pairs import IDF_REMEDY
from corrigenda.metrics.typed_edits import (
    TypedEditMetric,
    edits_parameter,
    gold_parameter,
    merger_parameter,
    spacy_model_parameter,
)
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
_PRETRAINED = ("torch", "transformers")
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
class _Weighed(Metric):
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


@dataclass(frozen=True, repr=False)
class PtM2(_Weighed):
    """M² with weights of edits."""

    name = "pt-m2"
    needs_references = "edits"
    title = "PT-M²: M² with edits weighed by a pretrained model"
    modules = ("torch", "transformers")

    max_unchanged_words: int = parameter(2, "how many unchanged words an edit may contain")
    alternatives: Alternatives = parameter(
        "first",
        "which accepted correction gives a gold edit its weight: always the first, "
        "or the one that the system made",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._plain()

    def _plain(self) -> M2:
        return M2(beta=self.beta, max_unchanged_words=self.max_unchanged_words)

    def judged(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Judged:
        """The edits on the best paths of M²."""
        return judged_by_m2(self._plain(), corpus, hypotheses, self.alternatives, threads=threads)

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, the model, and where the gold edits come from."""
        return {
            **self._scorer_fields(),
            "max_unchanged_words": self.max_unchanged_words,
            "alternatives": self.alternatives,
            "gold": gold_origin(corpus),
        }


@dataclass(frozen=True, repr=False)
class PtErrant(TypedEditMetric, _Weighed):
    """ERRANT with weights of edits."""

    name = "pt-errant"
    title = "PT-ERRANT: ERRANT with edits weighed by a pretrained model"
    extra = "neural,errant"
    modules = ("torch", "transformers", "errant", "spacy")

    gold: GoldEdits = gold_parameter()
    unk: Literal["keep", "drop"] = parameter(
        "drop", "errors that are marked but not corrected: keep or drop them"
    )
    spacy_model: str = spacy_model_parameter()
    edits: str = edits_parameter()
    merger: Merger = merger_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.edit_source.check()

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """The packages of the annotator, and those of a pretrained model if there is one."""
        pretrained = () if self.scorer == "self" else _PRETRAINED
        return (*pretrained, *self.edit_source.packages)

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Annotate all systems and references at once, then score the pairs of their edits."""
        self._scorer_fields()
        super().prepare(corpus, systems, threads=threads)

    def judged(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Judged:
        """ERRANT's edits."""
        return judged_by_errant(
            self.edit_source, corpus, hypotheses, keep_unknown=self.unk == "keep", threads=threads
        )

    def policy(self, level: Level) -> Choice:
        """As in M²; if every weight is 1, as in ERRANT, which rounds F before it compares."""
        if self.scorer != "self" or (level == "corpus" and self.choice == "optimal"):
            return super().policy(level)
        if level == "corpus":
            return GreedyCumulative(_greedy_typed_key, self.beta)
        return BestLocal(self._typed_keys)

    def _typed_keys(self, counts: Array) -> Sequence[Array]:
        return typed_edit_keys(_right_wrong_missed(*counts.T[:3]), self.beta)

    def _score(self, weights: Array) -> Array:
        """F_β computed from precision and recall, as in ERRANT."""
        measures = edit_measures(weights, self.beta)
        assert measures.precision is not None
        assert measures.recall is not None
        return f_score(measures.precision, measures.recall, self.beta)

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, the model, and where the edits come from."""
        source = self.edit_source.fields(corpus, hypotheses)
        return {**self._scorer_fields(), "unk": self.unk, **source}


def _greedy_typed_key(totals: Totals, beta: Amount) -> Totals:
    return greedy_typed_edit_keys(_right_wrong_missed(*totals[:3]), beta)


def _right_wrong_missed(
    correct: Amount, proposed: Amount, gold: Amount
) -> tuple[Amount, Amount, Amount]:
    """True positives, false positives and false negatives."""
    return correct, proposed - correct, gold - correct


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
