"""IMPARA: a model that learnt to tell better from worse corrections (Maeda et al. 2022)."""

from __future__ import annotations

import math
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
from corrigenda.errors import MetricError
from corrigenda.metrics.without_references import Answers, Question, RatedByModels, mean_of
from corrigenda.neural.model_source import find
from corrigenda.neural.pooled import Similarities
from corrigenda.neural.regressor import Pooling, Ratings
from corrigenda.neural.types import pair

COUNTS = ("score", "too_different", "sentences")
DEFAULT_MODEL = "gotutiyan/IMPARA-QE"
DEFAULT_SIMILARITY_MODEL = "bert-base-cased"
NO_SIMILARITY = "none"


@dataclass(frozen=True, repr=False)
class Impara(RatedByModels):
    """A model's rating of the output, or 0 if the output is too different from the source.

    Statistics [sentences, 3]: the score, 1 if it is too different, and 1 for the sentence.
    """

    name = "impara"
    title = "IMPARA: a trained rating of the output"
    citation = (
        "Maeda, Kaneko, Okazaki (2022). IMPARA: Impact-Based Metric for GEC Using Parallel Data. "
        "COLING."
    )

    model: str = parameter("", "regressor, by name or folder", shown=DEFAULT_MODEL)
    similarity_model: str = parameter(
        "",
        "encoder that compares output and source, by name or folder; none: do not compare",
        shown=DEFAULT_SIMILARITY_MODEL,
    )
    threshold: float = parameter(0.9, "an output counts if its similarity is above this")
    pooling: Pooling = parameter(
        "model", "what the regressor's last layer reads; mean: as in IMPARA-GED"
    )
    max_length: int = parameter(128, "tokens that the models read of a sentence")

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, max_length=3, threshold=-1)
        spec.check_at_most(self, threshold=1)
        if not self._compares and self.threshold != 0.9:
            raise MetricError(
                "impara: threshold has no effect with similarity_model=none",
                remedy="Leave out threshold or similarity_model.",
            )

    @property
    def _compares(self) -> bool:
        return self.similarity_model != NO_SIMILARITY

    def questions(self) -> Sequence[Question]:
        """The rating of the output and, unless it is left out, its similarity to the source."""
        source = find(self.model or DEFAULT_MODEL)
        ratings = Ratings(source, self.max_length, "hypothesis", self.pooling)
        asked = [Question(ratings, lambda source, hypothesis: pair(hypothesis, ""))]
        if self._compares:
            encoder = find(self.similarity_model or DEFAULT_SIMILARITY_MODEL)
            similarities = Similarities(encoder, self.max_length)
            asked.append(
                Question(similarities, lambda source, hypothesis: pair(hypothesis, source))
            )
        return asked

    def row(self, source: str, hypothesis: str, answers: Answers) -> Sequence[float]:
        """The score, and whether the output is too different."""
        assert answers[0] is not None
        if self._compares and answers[1] is not None and answers[1][0] <= self.threshold:
            return 0.0, 1.0, 1.0
        return _sigmoid(answers[0][0]), 0.0, 1.0

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The mean score, and the share of outputs that are too different."""
        return Measures(mean_of(totals, 0), more={"too_different": mean_of(totals, 1)})

    def named_counts(self, counts: Array) -> NamedCounts:
        """The sum of the scores, the outputs that are too different, and the sentences."""
        return dict(zip(COUNTS, np.asarray(counts).tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """Rating and similarity."""
        corpus, hypotheses = self.read_corpus(corpus), self.read_output(hypotheses)
        (answers,) = self.answers(corpus, hypotheses, threads=1)
        assert answers[0] is not None
        rows = [("rating of the output", f"{_sigmoid(answers[0][0]):.4f}")]
        if self._compares and answers[1] is not None:
            rows += [
                ("similarity to the source", f"{answers[1][0]:.4f}"),
                ("needed: the similarity is above", f"{self.threshold:g}"),
            ]
        cells = tuple((ExplainedCell(name), ExplainedCell(value)) for name, value in rows)
        return [Explanation("what decides", ("number", "value"), cells)]

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The models with their revisions, and the parameters."""
        fields: dict[str, object] = {**find(self.model or DEFAULT_MODEL).signature_fields()}
        if self._compares:
            encoder = find(self.similarity_model or DEFAULT_SIMILARITY_MODEL)
            fields |= {
                "similarity_model": encoder.name,
                "similarity_revision": encoder.revision[:12],
                "threshold": self.threshold,
            }
        else:
            fields["similarity_model"] = NO_SIMILARITY
        fields |= {"pooling": self.pooling, "max_length": self.max_length}
        return {**fields, **self.text_fields()}


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
