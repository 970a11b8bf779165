"""BERTScore: how similar the tokens of hypothesis and reference are (Zhang et al. 2020)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corrigenda.core import spec
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Scope
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import reference_offsets
from corrigenda.metrics.sentence_pairs import IDF_REMEDY, PairMetric
from corrigenda.neural.baselines import Baseline, read_baseline
from corrigenda.neural.layers import chosen_layer
from corrigenda.neural.model_source import find
from corrigenda.neural.pair_scores import PairScorer
from corrigenda.neural.scorers import DEFAULT_ENCODER, MEASURES, Measure, bert_scorer, scorer_fields
from corrigenda.neural.types import Pair, pair

COUNTS = (*MEASURES, "sentences")


@dataclass(frozen=True, repr=False)
class BertScore(PairMetric):
    """Precision, recall and F1 of tokens, matched by their embeddings; the mean over sentences.

    Statistics [rows, 4]: precision, recall, F1, and 1 for the sentence.
    """

    name = "bertscore"
    title = "BERTScore: similarity of contextual embeddings"
    citation = (
        "Zhang, Kishore, Wu, Weinberger, Artzi (2020). BERTScore: Evaluating Text Generation with "
        "BERT. ICLR."
    )
    offers = frozenset({"precision-recall"})

    model: str = parameter("", "encoder, by name or folder", shown=DEFAULT_ENCODER)
    layer: int | None = parameter(
        None, "layer of the encoder", shown="the best known layer of the model, else the last"
    )
    idf: bool = parameter(False, "give tokens that are rare in the references a higher weight")
    measure: Measure = parameter("f1", "which of the three measures is the score")
    baseline: str = parameter(
        "",
        "rescale scores by a number, or by a file from `corrigenda baseline`",
        shown="no rescaling",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, layer=0)

    @property
    def scope(self) -> Scope:
        """With idf, weights depend on the token frequencies in all references."""
        return "corpus" if self.idf else "sentence"

    @property
    def scope_remedy(self) -> str:
        """Without idf each sentence is scored alone."""
        return IDF_REMEDY

    def scorer(self, corpus: Corpus) -> PairScorer:
        """The encoder, with the weights of the corpus if idf is on."""
        return bert_scorer(corpus, self.model, self.layer, idf=self.idf)

    def pair(self, hypothesis: str, reference: str) -> Pair:
        """The hypothesis is the candidate."""
        return pair(hypothesis, reference)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """Precision, recall and F1 against each reference."""
        scores = self.model_scores(corpus, hypotheses, threads=threads)
        values = np.array(scores, np.float64).reshape(-1, 4)[:, :3]
        base = np.array(self._baseline())
        counts = np.column_stack([(values - base) / (1 - base), np.ones(len(values))])
        remarks = self.remarks(corpus, hypotheses, scores)
        return Statistics(counts, reference_offsets(corpus), remarks)

    def _baseline(self) -> Baseline:
        if not self.baseline:
            return Baseline(0.0, 0.0, 0.0)
        return read_baseline(
            self.baseline, chosen_layer(find(self.model or DEFAULT_ENCODER), self.layer)
        )

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
        """The sums of the three measures, and the number of sentences."""
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
        return {**fields, "baseline": base, **self.text_fields()}
