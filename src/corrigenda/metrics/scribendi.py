"""Scribendi score: is the output likelier than the source, and close to it? (Islam 2021)"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

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
from corrigenda.neural.model_source import find
from corrigenda.neural.perplexity import Perplexities
from corrigenda.neural.types import Pair, pair

COUNTS = ("better", "worse", "sentences")
DEFAULT_MODEL = "gpt2"
_LATIN1 = dict.fromkeys(range(0x80, 0x100))
"""What fuzzywuzzy takes for "not ASCII" and removes. Curly quotes are not among it: blanks."""


@dataclass(frozen=True, repr=False)
class Scribendi(RatedByModels):
    """1 for an output that is likelier than the source and close to it, 0 for no change, else −1.

    Statistics [sentences, 3]: better, worse, and 1 for the sentence.
    """

    name = "scribendi"
    title = "Scribendi score: likelier than the source, and close"
    citation = (
        "Islam, Magnani (2021). Is this the end of the gold standard? A straightforward "
        "reference-less grammatical error correction metric. EMNLP."
    )

    model: str = parameter("", "causal language model, by name or folder", shown=DEFAULT_MODEL)
    threshold: float = parameter(0.8, "how close the output must be to the source, from 0 to 1")
    aggregate: Literal["sum", "mean"] = parameter(
        "sum", "the corpus score: the sum over sentences, as published, or their mean"
    )
    drop_latin1: bool = parameter(
        True, "leave out the characters from U+0080 to U+00FF when words are compared, as published"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, threshold=0)
        spec.check_at_most(self, threshold=1)

    def questions(self) -> Sequence[Question]:
        """The perplexities of source and hypothesis, where they differ."""
        scorer = Perplexities(find(self.model or DEFAULT_MODEL))
        return (Question(scorer, _source), Question(scorer, _hypothesis))

    def row(self, source: str, hypothesis: str, answers: Answers) -> Sequence[float]:
        """Better or worse."""
        verdict = self._verdict(source, hypothesis, answers)
        return float(verdict > 0), float(verdict < 0), 1.0

    def _verdict(self, source: str, hypothesis: str, answers: Answers) -> int:
        of_source, of_hypothesis = answers
        if of_source is None or of_hypothesis is None:
            return 0
        if of_source[0] <= of_hypothesis[0]:
            return -1
        return 1 if max(self._ratios(source, hypothesis)) >= self.threshold else -1

    def _ratios(self, source: str, hypothesis: str) -> tuple[float, float]:
        """The token sort ratio and the Levenshtein distance ratio."""
        texts = _plain(source), _plain(hypothesis)
        return (
            token_sort_ratio(*texts, drop_latin1=self.drop_latin1),
            distance_ratio(*texts),
        )

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """At corpus level the sum, or the mean, of 1, 0 and −1; also the shares of each."""
        totals = np.asarray(totals, np.float64)
        difference = totals[..., 0] - totals[..., 1]
        better, worse = (mean_of(totals, place) for place in (0, 1))
        score = difference
        if level == "corpus" and self.aggregate == "mean":
            score = better - worse
        return Measures(score, more={"better": better, "worse": worse})

    def named_counts(self, counts: Array) -> NamedCounts:
        """The numbers of better and worse sentences, and of all."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """Perplexities and ratios."""
        corpus, hypotheses = self.read_corpus(corpus), self.read_output(hypotheses)
        (answers,) = self.answers(corpus, hypotheses, threads=1)
        source, hypothesis = corpus.sources[0], hypotheses.sentences[0]
        if answers[0] is None or answers[1] is None:
            rows = [("output and source are equal", "")]
        else:
            sort, distance = self._ratios(source, hypothesis)
            rows = [
                ("perplexity of the source", f"{answers[0][0]:.4g}"),
                ("perplexity of the output", f"{answers[1][0]:.4g}"),
                ("token sort ratio", f"{sort:.2f}"),
                ("Levenshtein distance ratio", f"{distance:.4f}"),
                ("needed: the larger ratio is at least", f"{self.threshold:g}"),
            ]
        cells = tuple((ExplainedCell(name), ExplainedCell(value)) for name, value in rows)
        return [Explanation("what decides", ("number", "value"), cells)]

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The model with its revision, and the parameters."""
        return {
            **find(self.model or DEFAULT_MODEL).signature_fields(),
            "threshold": self.threshold,
            "aggregate": self.aggregate,
            "drop_latin1": self.drop_latin1,
            **self.text_fields(),
        }


def _plain(text: str) -> str:
    return " ".join(text.split())


def _source(source: str, hypothesis: str) -> Pair | None:
    return None if _plain(source) == _plain(hypothesis) else pair(source, "")


def _hypothesis(source: str, hypothesis: str) -> Pair | None:
    return None if _plain(source) == _plain(hypothesis) else pair(hypothesis, "")


def distance_ratio(one: str, other: str) -> float:
    """1 − d / (|one| + |other|), where a substitution costs as much as a deletion and an insertion.

    Two empty texts are equal: 1.
    """
    total = len(one) + len(other)
    if not total:
        return 1.0
    return 1.0 - (total - 2 * _common_subsequence(one, other)) / total


def token_sort_ratio(one: str, other: str, *, drop_latin1: bool) -> float:
    """The distance ratio of the sorted words, in hundredths: punctuation and case do not matter."""
    ratio = distance_ratio(_sorted_words(one, drop_latin1), _sorted_words(other, drop_latin1))
    return round(100 * ratio) / 100


def _sorted_words(text: str, drop_latin1: bool) -> str:
    if drop_latin1:
        text = text.translate(_LATIN1)
    return " ".join(sorted(re.sub(r"\W", " ", text).lower().split()))


def _common_subsequence(one: str, other: str) -> int:
    """The length of the longest common subsequence.

    Bit i of `unmatched` is 0 if the best subsequence gets longer at character i of `one`. One
    addition of large whole numbers per character of `other` updates all bits (Hyyrö 2004).
    """
    places: dict[str, int] = {}
    for place, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << place
    every = (1 << len(one)) - 1
    unmatched = every
    for character in other:
        matched = unmatched & places.get(character, 0)
        unmatched = ((unmatched + matched) | (unmatched - matched)) & every
    return len(one) - unmatched.bit_count()
