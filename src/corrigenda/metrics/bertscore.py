"""BERTScore: how near the tokens of hypothesis and reference are in a pretrained model (Zhang et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from corrigenda.core.choice import BestLocal, Choice
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric, Scope
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.neural.baselines import Baseline, read_baseline
from corrigenda.neural.layers import chosen_layer
from corrigenda.neural.model_source import find
from corrigenda.neural.pair_scores import pair_scores
from corrigenda.neural.scorers import DEFAULT_ENCODER, MEASURES, Measure, bert_scorer, scorer_fields
from corrigenda.neural.types import Pair, Scores, pair

COUNTS = (*MEASURES, "sentences")


@dataclass(frozen=True, repr=False)
class BertScore(Metric):
    """The mean over sentences of precision, recall and F1 of tokens matched by their embeddings.

    Statistics [rows, 4]: precision, recall, F1, and 1 for the sentence.
    """

    name = "bertscore"
    title = "BERTScore: similarity of contextual embeddings"
    citation = "Zhang, Kishore, Wu, Weinberger, Artzi (2020). BERTScore: Evaluating Text Generation with BERT. ICLR."
    extra = "neural"
    modules = ("torch", "transformers")
    needs_model = True
    offers = frozenset({"precision-recall"})

    model: str = parameter("", "encoder, by name or folder", shown=DEFAULT_ENCODER)
    layer: int | None = parameter(
        None, "layer of the encoder", shown="the best known one of the model, else its last"
    )
    idf: bool = parameter(False, "weigh rare tokens more, by their frequency in the references")
    measure: Measure = parameter("f1", "which of the three is the score")
    baseline: str = parameter(
        "", "rescale: a number, or a file of `corrigenda baseline`", shown="no rescaling"
    )

    @property
    def scope(self) -> Scope:
        """The frequencies of idf are those of all references."""
        return "corpus" if self.idf else "sentence"

    @property
    def scope_remedy(self) -> str:
        """Without idf a sentence stands alone."""
        return "The frequencies of idf come from all references: leave idf out."

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Score all systems against all references at once."""
        self._scores(
            corpus, list(chain.from_iterable(_pairs(corpus, system) for system in systems)), threads
        )

    def _scores(self, corpus: Corpus, pairs: Sequence[Pair], threads: int) -> dict[Pair, Scores]:
        scorer = bert_scorer(corpus, self.model, self.layer, idf=self.idf)
        return pair_scores(corpus, scorer, pairs, threads=threads)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """Precision, recall and F1 against each reference."""
        pairs = _pairs(corpus, hypotheses)
        known = self._scores(corpus, pairs, threads)
        values = np.array([known[each] for each in pairs], np.float64).reshape(-1, 3)
        base = np.array(self._baseline())
        counts = np.column_stack([(values - base) / (1 - base), np.ones(len(values))])
        return Statistics(counts, np.cumsum([0, *map(len, corpus.references)], dtype=np.int64))

    def _baseline(self) -> Baseline:
        if not self.baseline:
            return Baseline(0.0, 0.0, 0.0)
        return read_baseline(
            self.baseline, chosen_layer(find(self.model or DEFAULT_ENCODER), self.layer)
        )

    def policy(self, level: Level) -> Choice:
        """Per sentence the reference with the best score."""
        return BestLocal(lambda counts: [self.measures(counts, level).score])

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The means of precision, recall and F1; one of them is the score."""
        totals = np.asarray(totals)
        means = {
            name: ratio(totals[..., place], totals[..., 3], undefined=0.0)
            for place, name in enumerate(MEASURES)
        }
        return Measures(
            means[self.measure], means["precision"], means["recall"], {"f1": means["f1"]}
        )

    def named_counts(self, counts: Array) -> NamedCounts:
        """The sums of the three, and the number of sentences."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The model with its revision, and the parameters."""
        fields = scorer_fields(
            "bertscore", self.model, self.layer, idf=self.idf, measure=self.measure
        )
        base = (
            ",".join(f"{value:.6g}" for value in dict.fromkeys(self._baseline()))
            if self.baseline
            else "none"
        )
        return {**fields, "baseline": base}


def _pairs(corpus: Corpus, hypotheses: Hypotheses) -> list[Pair]:
    return [
        pair(hypothesis, reference)
        for hypothesis, references in zip(hypotheses.sentences, corpus.references, strict=True)
        for reference in references
    ]
