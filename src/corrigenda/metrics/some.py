"""SOME: grammaticality, fluency and meaning, each rated by a model (Yoshimura et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corrigenda.core import spec
from corrigenda.core.explanation import ExplainedCell, Explanation
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.without_references import Answers, Question, RatedByModels, mean_of
from corrigenda.neural.model_source import ModelSource, find
from corrigenda.neural.regressor import Ratings
from corrigenda.neural.types import pair

ASPECTS = ("grammaticality", "fluency", "meaning")
COUNTS = (*ASPECTS, "sentences")
_LOWEST, _HIGHEST = 1, 4
"""The scale on which people rated the sentences that the models learnt from."""


@dataclass(frozen=True, repr=False)
class Some(RatedByModels):
    """A weighted mean of three ratings.

    Statistics [sentences, 4]: the three ratings, and 1 for the sentence.
    """

    name = "some"
    title = "SOME: grammaticality, fluency and meaning by models"
    citation = (
        "Yoshimura, Kaneko, Kajiwara, Komachi (2020). SOME: Reference-less Sub-Metrics Optimized "
        "for Manual Evaluations of Grammatical Error Correction. COLING."
    )

    grammaticality: str = parameter("gfm-models/grammer", "regressor that reads the output")
    fluency: str = parameter("gfm-models/fluency", "regressor that reads the output")
    meaning: str = parameter("gfm-models/meaning", "regressor that reads source and output")
    weight_g: float = parameter(0.55, "weight of grammaticality")
    weight_f: float = parameter(0.43, "weight of fluency")
    weight_m: float = parameter(0.02, "weight of meaning")
    max_length: int = parameter(128, "tokens that the models read")

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, max_length=3, weight_g=0, weight_f=0, weight_m=0)

    def _models(self) -> tuple[ModelSource, ...]:
        return tuple(find(name) for name in (self.grammaticality, self.fluency, self.meaning))

    def questions(self) -> Sequence[Question]:
        """The three ratings."""
        grammaticality, fluency, meaning = self._models()
        return (
            Question(Ratings(grammaticality, self.max_length), lambda s, h: pair(h, "")),
            Question(Ratings(fluency, self.max_length), lambda s, h: pair(h, "")),
            Question(Ratings(meaning, self.max_length, "both"), lambda s, h: pair(h, s)),
        )

    def row(self, source: str, hypothesis: str, answers: Answers) -> Sequence[float]:
        """The ratings on a scale from 0 to 1. A model may rate outside its scale."""
        ratings = (each[0] for each in answers if each is not None)
        return *((x - _LOWEST) / (_HIGHEST - _LOWEST) for x in ratings), 1.0

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The score and the means of the three ratings."""
        g, f, m = (mean_of(totals, place) for place in range(3))
        score = self.weight_g * g + self.weight_f * f + self.weight_m * m
        return Measures(score, more=dict(zip(ASPECTS, (g, f, m), strict=True)))

    def named_counts(self, counts: Array) -> NamedCounts:
        """The sums of the ratings, and the number of sentences."""
        return dict(zip(COUNTS, np.asarray(counts).tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The three ratings and their weights."""
        corpus, hypotheses = self.read_corpus(corpus), self.read_output(hypotheses)
        (answers,) = self.answers(corpus, hypotheses, threads=1)
        ratings = self.row(corpus.sources[0], hypotheses.sentences[0], answers)
        weights = (self.weight_g, self.weight_f, self.weight_m)
        rows = tuple(
            (ExplainedCell(name), ExplainedCell(f"{rating:.4f}"), ExplainedCell(f"{weight:g}"))
            for name, rating, weight in zip(ASPECTS, ratings[:3], weights, strict=True)
        )
        return [Explanation("ratings", ("aspect", "rating", "weight"), rows)]

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The models with their revisions, and the parameters."""
        models = {
            aspect: f"{found.name}@{found.revision[:12]}"
            for aspect, found in zip(ASPECTS, self._models(), strict=True)
        }
        weights = {"weight_g": self.weight_g, "weight_f": self.weight_f, "weight_m": self.weight_m}
        return {**models, **weights, "max_length": self.max_length, **self.text_fields()}
