"""The scorers of sentence pairs by name: BERTScore and BARTScore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from corrigenda.corpus import Corpus
from corrigenda.neural.bart_pairs import BartPairs
from corrigenda.neural.bert_pairs import BertPairs
from corrigenda.neural.idf import InverseFrequencies
from corrigenda.neural.layers import chosen_layer
from corrigenda.neural.model_source import find
from corrigenda.neural.pair_scores import PairScorer, pair_scores
from corrigenda.neural.types import Pair, Scores, pair

ScorerName = Literal["bertscore", "bartscore", "self"]
Measure = Literal["precision", "recall", "f1"]
MEASURES: tuple[Measure, ...] = ("precision", "recall", "f1")
DEFAULT_ENCODER = "bert-base-uncased"
DEFAULT_TRANSLATOR = "facebook/bart-large-cnn"


def bert_scorer(corpus: Corpus, model: str, layer: int | None, *, idf: bool) -> BertPairs:
    """BERTScore by this model. The idf weights come from the references of the corpus."""
    source = find(model or DEFAULT_ENCODER)
    frequencies = corpus.once("inverse frequencies", lambda: _frequencies(corpus)) if idf else None
    return BertPairs(source, chosen_layer(source, layer), frequencies)


def _frequencies(corpus: Corpus) -> InverseFrequencies:
    return InverseFrequencies(
        tuple(pair(text, "").candidate for text in chain.from_iterable(corpus.references))
    )


def bart_scorer(model: str) -> BartPairs:
    """BARTScore by this model."""
    return BartPairs(find(model or DEFAULT_TRANSLATOR))


@dataclass(frozen=True)
class EditScorer:
    """Gives one number per pair: the weight of an edit is the change of this number."""

    corpus: Corpus
    scorer: PairScorer
    place: int
    """The index of the score that is used."""
    swapped: bool
    """Whether the scorer gets the reference first."""

    def __call__(self, pairs: Sequence[Pair], *, threads: int) -> dict[Pair, float]:
        """The number of each pair."""
        found = self.scores(pairs, threads=threads)
        return {each: scores[self.place] for each, scores in found.items()}

    def scores(self, pairs: Sequence[Pair], *, threads: int) -> dict[Pair, Scores]:
        """All scores of each pair."""
        asked = [Pair(each.reference, each.candidate) for each in pairs] if self.swapped else pairs
        known = pair_scores(self.corpus, self.scorer, asked, threads=threads)
        return {each: known[query] for each, query in zip(pairs, asked, strict=True)}


def edit_scorer(
    corpus: Corpus, name: ScorerName, model: str, layer: int | None, *, idf: bool, measure: Measure
) -> EditScorer:
    """The scorer that weighs edits.

    BERTScore compares with the reference. BARTScore gives the likelihood given the reference.
    """
    if name == "bartscore":
        return EditScorer(corpus, bart_scorer(model), 0, swapped=True)
    return EditScorer(
        corpus, bert_scorer(corpus, model, layer, idf=idf), MEASURES.index(measure), swapped=False
    )


def scorer_fields(
    name: ScorerName, model: str, layer: int | None, *, idf: bool, measure: Measure
) -> dict[str, object]:
    """The signature's fields about a scorer."""
    if name == "self":
        return {}
    if name == "bartscore":
        return bart_scorer(model).source.signature_fields()
    source = find(model or DEFAULT_ENCODER)
    return {
        **source.signature_fields(),
        "layer": chosen_layer(source, layer),
        "idf": idf,
        "measure": measure,
    }
