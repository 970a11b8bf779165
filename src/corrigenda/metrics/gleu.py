"""GLEU: n-gram precision with a penalty for missed changes (Napoles et al. 2015, 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, MeanOverReferences, Pooled, SeededDraws
from corrigenda.core.explanation import Explanation
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import MetricError
from corrigenda.kernels.seeded_draws import DrawsBy
from corrigenda.metrics.ngrams import (
    LARGEST_ORDER,
    SHORT_EXPLANATION,
    Counting,
    NgramCounts,
    NgramMetric,
    Short,
    WordBlanks,
    published_order,
    relevant_fields,
)
from corrigenda.text.units import Unit, Whitespace

_MOST_DRAWS = 100_000
_SEED_STEP = 101  # the authors' program seeds draw j with j * 101


@dataclass(frozen=True, repr=False)
class Gleu(NgramMetric):
    """The geometric mean of n-gram precisions, times a brevity penalty.

    Statistics [rows, 2N + 2]: numerators and denominators for n = 1..N, then the lengths of the
    hypothesis and of the reference.
    """

    name = "gleu"
    title = "GLEU: n-gram precision with a penalty for uncorrected n-grams"
    citation = (
        "Napoles, Sakaguchi, Post, Tetreault (2015). Ground Truth for Grammatical Error Correction "
        "Metrics. ACL; and (2016) GLEU Without Tuning. arXiv:1605.02592."
    )

    offers = frozenset({"explain"})
    scoring_parameters = frozenset({"references", "draws", "draws_by", "smooth", "brevity"})

    variant: Literal["official", "paper", "2015"] = parameter(
        "official",
        "the authors' program of 2016, the formula of their 2016 note, or their program of 2015",
    )
    n: int = parameter(None, "largest n-gram size", shown="4 for words, 6 for characters")
    unit: Unit = parameter("word", "what n-grams are made of")
    references: Literal["sampled", "best", "mean", "union"] | None = parameter(
        None, "how several references are used", shown="sampled; union for variant 2015"
    )
    draws: int = parameter(500, "number of draws of sampled references")
    draws_by: DrawsBy = parameter(
        "python2", "whose random numbers are drawn: those of the Python that runs the program"
    )
    short: Short = parameter("published", SHORT_EXPLANATION)
    words: WordBlanks = parameter(
        "unicode", "blanks that separate words: all of Unicode, or those of ASCII alone"
    )
    smooth: bool | None = parameter(
        None,
        "replace zeros by ones at sentence level (not with variant 2015)",
        shown="true for official, else false",
    )
    lambda_: float = parameter(0.0, "weight of the penalty (variant 2015 only)")
    denominator: Literal["corrected", "paper"] = parameter(
        "corrected",
        "denominator of variant 2015: as the authors corrected it, or as in their equation 1",
    )
    brevity: Literal["standard", "exchanged", "none"] | None = parameter(
        None,
        "brevity penalty: as in BLEU, with the two lengths exchanged, or none",
        shown="standard; exchanged for variant 2015",
    )
    whitespace: Whitespace = parameter(
        "normalise", "white space in character n-grams: single blanks, or as in the file"
    )

    def __post_init__(self) -> None:
        of_2015 = self.variant == "2015"
        defaults = {
            "n": published_order(self.unit),
            "references": "union" if of_2015 else "sampled",
            "smooth": self.variant == "official",
            "brevity": "exchanged" if of_2015 else "standard",
        }
        for name, value in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        super().__post_init__()
        spec.check_at_least(self, n=1, draws=1, lambda_=0)
        spec.check_at_most(self, n=LARGEST_ORDER, draws=_MOST_DRAWS)
        self._check(of_2015)

    def _check(self, of_2015: bool) -> None:
        if (self.references == "union") != of_2015:
            raise MetricError(
                f"gleu: references={self.references} does not go with variant={self.variant}",
                remedy="variant=2015 takes union; the other variants take sampled, best or mean.",
            )
        if not of_2015 and (self.lambda_ or self.denominator != "corrected"):
            raise MetricError(
                f"gleu: lambda and denominator have no effect with variant={self.variant}",
                remedy="They belong to variant=2015: add it, or leave them out.",
            )
        if self.unit != "word" and self.words == "ascii":
            raise MetricError(
                f"gleu: words=ascii has no effect with unit={self.unit}",
                remedy="Leave out words or unit.",
            )
        if of_2015 and self.smooth:
            raise MetricError(
                "gleu: smooth=true has no effect with variant=2015",
                remedy="smooth belongs to the other variants: leave it out with variant=2015.",
            )

    @property
    def counting(self) -> Counting:
        """n-grams against each reference; with variant=2015, against all references at once."""
        return Counting(
            self.unit, self.n, self.whitespace, self.words, self.variant == "2015", types=True
        )

    def from_counts(self, counted: NgramCounts) -> Statistics:
        """Numerators, denominators and lengths."""
        numerators, denominators = self._fractions(counted)
        if self.counting.pooled:
            lengths = closest_reference_lengths(counted)
            hypothesis_lengths = counted.hypothesis_lengths
            offsets = np.arange(len(hypothesis_lengths) + 1, dtype=np.int64)
        else:
            lengths = counted.reference_lengths
            offsets = counted.offsets
            hypothesis_lengths = np.repeat(counted.hypothesis_lengths, np.diff(offsets))
        return Statistics(
            np.column_stack([numerators, denominators, hypothesis_lengths, lengths]), offsets
        )

    def _fractions(self, counted: NgramCounts) -> tuple[Array, Array]:
        """Numerators and denominators [rows, N]. The numerator of a sentence is at least 0."""
        matched = counted.kind("ti", "tk")
        own_ngrams = counted.kind("ti", "tk", "oi", "ud")
        if self.variant == "official":
            return np.maximum(0, matched - counted.kind("source_only")), own_ngrams
        if self.variant == "paper":
            return np.maximum(0, matched - counted.kind("ud")), own_ngrams
        gained = counted.kind("reference_only")
        lost = counted.kind("source_only")
        expected = gained if self.denominator == "corrected" else counted.kind("ti", "ui")
        penalty = self.lambda_ * lost if self.lambda_ else np.zeros_like(lost)
        return gained + np.maximum(0, matched - penalty), own_ngrams + expected

    def policy(self, level: Level) -> Choice:
        """As `references` says. At sentence level `sampled` is the mean over all references."""
        if self.references == "union":
            return Pooled()
        if self.references == "best":
            return BestLocal(
                self._best_keys
                if level == "corpus"
                else lambda counts: [self._sentence_score(counts)]
            )
        if self.references == "mean" or level == "sentence":
            return MeanOverReferences()
        return SeededDraws(self.draws, _SEED_STEP, self.draws_by)

    def _best_keys(self, counts: Array) -> Sequence[Array]:
        """The score of a sentence, not smoothed.

        Ties go to the precision of n = N, N-1, … 1, each times the brevity penalty.
        """
        penalty, precisions = self._unsmoothed(counts)
        scores = [
            penalty * self._mean(precisions, counts),
            *(penalty * precisions[..., n] for n in reversed(range(self.n))),
        ]
        return [np.round(score, 12) for score in scores]

    def _parts(self, totals: Array) -> tuple[Array, Array, Array, Array]:
        totals = np.asarray(totals, np.float64)
        return (
            totals[..., : self.n],
            totals[..., self.n : 2 * self.n],
            totals[..., -2],
            totals[..., -1],
        )

    def _brevity_penalty(self, hypothesis_length: Array, reference_length: Array) -> Array:
        if self.brevity == "none":
            return np.ones_like(hypothesis_length)
        short, long = hypothesis_length, reference_length
        if self.brevity == "exchanged":
            short, long = long, short
        excess = 1 - ratio(long, short, undefined=np.inf)
        return np.where((short == 0) & (long == 0), 1.0, np.exp(np.minimum(0.0, excess)))

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The score, and the mean of the precisions before the brevity penalty."""
        penalty, precision = self._penalty_and_precision(totals)
        return Measures(self.score(totals, level), precision, None, {"brevity_penalty": penalty})

    def score(self, totals: Array, level: Level = "corpus") -> Array:
        """The mean of the precisions, times the brevity penalty."""
        if level == "sentence":
            return self._sentence_score(totals)
        penalty, precision = self._penalty_and_precision(totals)
        return penalty * precision

    def _penalty_and_precision(self, totals: Array) -> tuple[Array, Array]:
        """Brevity penalty and mean precision; the precision is 0 if any numerator is 0."""
        totals = _columns_apart(np.asarray(totals, np.float64))
        numerators, denominators, hypothesis_length, reference_length = self._parts(totals)
        absent = 0.0 if self.short == "published" else 1.0
        precisions = ratio(numerators, denominators, undefined=absent)
        penalty = self._brevity_penalty(hypothesis_length, reference_length)
        return penalty, self._mean(precisions, totals)

    def _mean(self, precisions: Array, totals: Array) -> Array:
        """The mean of the precisions of 1..N, or of the sizes that the hypotheses have."""
        if self.short == "published":
            return _geometric_mean(precisions)
        is_there = self._parts(totals)[1] > 0
        logarithms = np.where(is_there, _logarithm(precisions), 0.0).sum(axis=-1)
        mean = np.exp(logarithms / np.maximum(is_there.sum(axis=-1), 1))
        return np.where(is_there.any(axis=-1), mean, 0.0)

    def _sentence_score(self, counts: Array) -> Array:
        """The scores of single sentences, smoothed or not."""
        if self.variant == "2015":
            penalty, precision = self._penalty_and_precision(counts)
            return penalty * precision
        if self.smooth:
            numerators, denominators, *lengths = self._parts(
                np.where(np.asarray(counts) == 0, 1, counts)
            )
            precisions = ratio(numerators, denominators, undefined=0.0)
            return self._brevity_penalty(*lengths) * self._mean(precisions, counts)
        penalty, precisions = self._unsmoothed(counts)
        return penalty * self._mean(precisions, counts)

    def _unsmoothed(self, counts: Array) -> tuple[Array, Array]:
        """Brevity penalty and precisions of sentences; without n-grams of a size it is 1."""
        numerators, denominators, hypothesis_length, reference_length = self._parts(counts)
        penalty = self._brevity_penalty(hypothesis_length, reference_length)
        return penalty, ratio(numerators, denominators, undefined=1.0)

    def named_counts(self, counts: Array) -> NamedCounts:
        """Numerators and denominators as lists over n, and the two lengths."""
        return {
            "numerator": counts[: self.n].tolist(),
            "denominator": counts[self.n : 2 * self.n].tolist(),
            "hypothesis_length": counts[-2].item(),
            "reference_length": counts[-1].item(),
        }

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """Matches and penalties for each n."""
        from corrigenda.metrics.ngram_explanations import explain_gleu

        return explain_gleu(self, corpus, hypotheses, result)

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters that have an effect in this variant."""
        fields = relevant_fields(spec.parameters(self), self.unit)
        only_2015 = () if self.variant == "2015" else ("lambda", "denominator")
        not_drawn = () if self.references == "sampled" else ("draws", "draws_by")
        # Two additions of a later version are shown where they are not as they always were.
        usual = {"draws_by": "python2", "words": "unicode"}
        as_usual = tuple(name for name, value in usual.items() if fields[name] == value)
        left_out = (*only_2015, *not_drawn, *as_usual)
        return {name: value for name, value in fields.items() if name not in left_out}


def _columns_apart(totals: Array) -> Array:
    """The same totals; those of many resamples lie column by column in memory.

    numpy then works on long columns, not on a few numbers at a time.
    """
    if totals.ndim < 3:
        return totals
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(totals, -1, 0)), 0, -1)


def _geometric_mean(values: Array) -> Array:
    return np.asarray(np.exp(_logarithm(values).mean(axis=-1)))


def _logarithm(values: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(values))


def closest_reference_lengths(counted: NgramCounts, *, prefer_shorter: bool = False) -> Array:
    """The reference length of each sentence that is closest to the length of the hypothesis.

    Ties go to the first reference, or to the shorter length.
    """
    lengths, offsets = counted.reference_lengths, counted.offsets
    distances = np.abs(lengths - np.repeat(counted.hypothesis_lengths, np.diff(offsets)))

    def keys(values: Array) -> Sequence[Array]:
        return [-values[:, 0], -values[:, 1]] if prefer_shorter else [-values[:, 0]]

    chosen = BestLocal(keys).choose(Statistics(np.column_stack([distances, lengths]), offsets))
    return chosen.values(0)[:, 1]
