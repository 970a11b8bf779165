"""PT-GREEN: GREEN with n-grams that a pretrained model weighs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal

import numpy as np

from corrigenda.core import spec
from corrigenda.core.explanation import Explanation
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import encode, offsets_of, pack, reference_offsets
from corrigenda.errors import MetricError
from corrigenda.kernels import Ragged
from corrigenda.metrics.compared_words import (
    SMALL_ENCODER,
    Floats,
    Integers,
    compare_all,
    compared_words,
    word_scorer,
)
from corrigenda.metrics.green_formula import GreenFormula
from corrigenda.metrics.weighted_ngrams import WeightedText, weighted_regions
from corrigenda.metrics.word_weights import (
    EditedRow,
    RowWeights,
    TextWeights,
    edited_rows,
    weights_by_edits,
    weights_by_vectors,
    word_places,
)
from corrigenda.neural import truncation
from corrigenda.neural.scorers import EditScorer, edit_scorer

NgramWeights = Literal["one", "words", "edits"]
"""What gives n-grams their weights."""
Match = Literal["exact", "soft"]
"""Whether an inserted n-gram must equal one of the reference, or may only be similar to it."""
DEFAULT_FLOORS: dict[str, float] = {"one": 1.0, "words": 0.1, "edits": 0.01}


_SIMILAR = 0.7


@dataclass(frozen=True, repr=False)
class PtGreen(GreenFormula):
    """GREEN over sums of weights instead of counts.

    Statistics [rows, 7N]: the weights of the n-grams of the seven regions for n = 1..N.
    """

    name = "pt-green"
    title = "PT-GREEN: GREEN with weighed n-grams"
    citation = (
        "GREEN: Koyama and others (2024), who name it as future work. "
        "docs/research/fluent-edits.md has the study."
    )
    experimental = True
    extra = "neural"
    modules = ("torch", "transformers")
    needs_model = True

    weights: NgramWeights = parameter(
        "words",
        "what gives n-grams their weights: nothing (one: as GREEN), the vectors of their words, "
        "or the edits that change them",
    )
    floor: float | None = parameter(
        None, "the smallest weight of a word", shown="0.1 for words, 0.01 for edits"
    )
    match: Match = parameter(
        "exact", "soft: inserted n-grams match n-grams of the reference that are similar"
    )
    similar: float = parameter(
        _SIMILAR, "the smallest cosine of words that are similar (match=soft)"
    )
    model: str = parameter("", "encoder, by name or folder", shown=SMALL_ENCODER)
    layer: int | None = parameter(
        None, "layer of the encoder", shown="the best known layer of the model, else the last"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, floor=0, similar=-1, layer=0)
        spec.check_at_most(self, similar=1)
        if self.match == "exact" and self.similar != _SIMILAR:
            raise MetricError(
                "pt-green: similar has no effect with match=exact",
                remedy="Leave out similar, or use match=soft.",
            )
        if self.weights == "one" and self.floor is not None:
            raise MetricError(
                "pt-green: floor has no effect with weights=one", remedy="Leave out floor."
            )
        if not self._uses_model and (self.model or self.layer is not None):
            raise MetricError(
                "pt-green: weights=one with match=exact takes no model",
                remedy="Leave out model and layer, or choose other weights.",
            )

    @property
    def _uses_model(self) -> bool:
        return self.weights != "one" or self.match == "soft"

    @property
    def _compares_words(self) -> bool:
        return self.weights == "words" or self.match == "soft"

    @property
    def _floor(self) -> float:
        return DEFAULT_FLOORS[self.weights] if self.floor is None else self.floor

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """If every weight is 1, no pretrained model is needed."""
        return self.modules if self._uses_model else ()

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Encode what all systems need at once."""
        if self._compares_words:
            compare_all(corpus, systems, word_scorer(self.model, self.layer), threads=threads)
        if self.weights == "edits":
            rows = chain.from_iterable(edited_rows(corpus, system) for system in systems)
            wanted = dict.fromkeys(each for row in rows for each in row.pairs())
            self._edit_scorer(corpus)(list(wanted), threads=threads)

    def _edit_scorer(self, corpus: Corpus) -> EditScorer:
        model = self.model or SMALL_ENCODER
        return edit_scorer(corpus, "bertscore", model, self.layer, idf=False, measure="f1")

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The seven regions for n = 1..N as sums of weights, flattened to [rows, N * 7]."""
        texts, remarks = self.weighted(corpus, hypotheses, threads=threads)
        regions = weighted_regions(*texts, self.n, soft=self.match == "soft")
        rows = len(texts[0].units)
        return Statistics(regions.reshape(rows, -1), reference_offsets(corpus), remarks)

    def weighted(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> tuple[tuple[WeightedText, WeightedText, WeightedText], Mapping[str, int]]:
        """Source, reference and hypothesis of each row with their weights, and remarks."""
        units = self._units(corpus, hypotheses)
        weights = [np.ones(len(each.ids)) for each in units]
        matched = [np.zeros(len(each.ids)) for each in units]
        remarks: Mapping[str, int] = {}
        if self._uses_model:
            places = self._places(corpus, hypotheses)
        if self._compares_words:
            scorer = word_scorer(self.model, self.layer)
            words = compared_words(corpus, hypotheses, scorer, self.name, threads=threads)
            remarks = words.remarks
        if self.weights == "words":
            weights = _of_units(weights_by_vectors(words, self._floor), places, self._floor)
        elif self.weights == "edits":
            rows = edited_rows(corpus, hypotheses)
            scorers = self._edit_scorer(corpus)
            found = weights_by_edits(rows, scorers, self._floor, threads=threads)
            weights = _of_units(found, places, self._floor)
            remarks = remarks or self._remarks(corpus, hypotheses, rows, scorers, threads)
        if self.match == "soft":
            shares = RowWeights(
                TextWeights(np.zeros(int(words.source[-1])), words.source),
                TextWeights(self._share(words.reference_to_hypothesis.left), words.reference),
                TextWeights(self._share(words.hypothesis_to_reference.left), words.hypothesis),
            )
            matched = _of_units(shares, places, 0.0)
        first, second, third = map(WeightedText, units, weights, matched)
        return (first, second, third), remarks

    def _share(self, cosines: Floats) -> Floats:
        return np.where(cosines < self.similar, 0.0, cosines)

    def _remarks(
        self,
        corpus: Corpus,
        hypotheses: Hypotheses,
        rows: Sequence[EditedRow],
        scorer: EditScorer,
        threads: int,
    ) -> Mapping[str, int]:
        """The number of sentences that are longer than the model reads."""
        known = scorer.scores([each for row in rows for each in row.pairs()], threads=threads)
        sentences = (
            [known[each] for row in rows[begin:end] for each in row.pairs()]
            for begin, end in pairwise(reference_offsets(corpus).tolist())
        )
        return truncation.remarks(self.name, hypotheses.name, sentences)

    def _units(self, corpus: Corpus, hypotheses: Hypotheses) -> tuple[Ragged, Ragged, Ragged]:
        """The units of source, reference and hypothesis of each row."""
        packed = pack(corpus, self.unit, self.whitespace)
        outputs = encode(corpus, hypotheses, self.unit, self.whitespace)
        sentences = _sentence_of_row(corpus)
        return _taken(packed.sources, sentences), packed.references, _taken(outputs, sentences)

    def _places(self, corpus: Corpus, hypotheses: Hypotheses) -> list[list[Array]]:
        """The word of each unit of source, reference and hypothesis of each row."""

        def of(texts: Sequence[str]) -> list[Array]:
            return [word_places(text, self.unit, self.whitespace) for text in texts]

        key = (self.unit, self.whitespace)
        sources = corpus.once(("word places of sources", key), lambda: of(corpus.sources))
        flat = list(chain.from_iterable(corpus.references))
        references = corpus.once(("word places of references", key), lambda: of(flat))
        outputs = of(hypotheses.sentences)
        rows = _sentence_of_row(corpus).tolist()
        return [[sources[row] for row in rows], references, [outputs[row] for row in rows]]

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The words with their weights, then the seven regions."""
        from corrigenda.metrics.pt_green_explanations import explain_pt_green

        return explain_pt_green(self, corpus, hypotheses, result)

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """All parameters that change the score, and the model if there is one."""
        fields = super().signature_fields(corpus, hypotheses)
        for name in ("floor", "similar", "model", "layer"):
            fields.pop(name, None)
        if self.weights != "one":
            fields["floor"] = self._floor
        if self.match == "soft":
            fields["similar"] = self.similar
        if self._uses_model:
            scorer = word_scorer(self.model, self.layer)
            fields |= {**scorer.source.signature_fields(), "layer": scorer.layer}
        return fields


def _sentence_of_row(corpus: Corpus) -> Integers:
    return np.repeat(np.arange(len(corpus)), np.diff(reference_offsets(corpus)))


def _taken(texts: Ragged, rows: Integers) -> Ragged:
    """Some of the texts, in this order."""
    lengths = texts.lengths[rows]
    offsets = offsets_of(lengths)
    places = np.arange(offsets[-1]) + np.repeat(texts.offsets[:-1][rows] - offsets[:-1], lengths)
    return Ragged(texts.ids[places], offsets)


def _of_units(
    weights: RowWeights, places: Sequence[Sequence[Array]], missing: float
) -> list[Floats]:
    """The weight of each unit: that of its word; `missing` where a text has no words."""
    found = []
    for text, of_rows in zip(weights, places, strict=True):
        sizes = [len(each) for each in of_rows]
        local = np.concatenate([np.zeros(0, np.int64), *of_rows]).astype(np.int64)
        flat = np.repeat(text.offsets[:-1], sizes) + local
        known = np.append(text.values, missing)
        found.append(known[np.where(local < 0, len(text.values), flat)])
    return found
