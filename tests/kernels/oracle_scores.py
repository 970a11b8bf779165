"""GREEN and GLEU from their definitions: one sentence, n-gram size and reference at a time."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from oracle_ngrams import counts, ngrams

Units = Sequence[str]
Regions = list[Counter]  # for n = 1..N


def regions(source: Units, reference: Units, hypothesis: Units, order: int) -> Regions:
    return [
        Counter(counts(source, ngrams(reference, n), hypothesis, n)) for n in range(1, order + 1)
    ]


def green(of_n: Regions, beta: float) -> float:
    """F of the geometric means of precision and recall over all n given."""
    precision = recall = 1.0
    for count in of_n:
        right = count["tk"] + count["td"] + count["ti"]
        proposed, wanted = right + count["od"] + count["oi"], right + count["ud"] + count["ui"]
        precision *= right / proposed if proposed else 1.0
        recall *= right / wanted if wanted else 0.0
    precision, recall = precision ** (1 / len(of_n)), recall ** (1 / len(of_n))
    if precision == 0 or recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def green_choice(candidates: Sequence[Regions], beta: float) -> int:
    """The best score of 1..N; ties by that of 1..N-1, and so on; then the earlier reference."""
    best = 0
    for index in range(1, len(candidates)):
        for n in range(len(candidates[0]), 0, -1):
            difference = green(candidates[index][:n], beta) - green(candidates[best][:n], beta)
            if abs(difference) > 1e-12:
                best = index if difference > 0 else best
                break
    return best


@dataclass(frozen=True)
class GleuCounts:
    """What GLEU adds up: numerators and denominators of n = 1..N, and the two lengths."""

    numerators: tuple[float, ...]
    denominators: tuple[float, ...]
    hypothesis_length: float
    reference_length: float

    def __add__(self, other: GleuCounts) -> GleuCounts:
        return GleuCounts(
            tuple(a + b for a, b in zip(self.numerators, other.numerators, strict=True)),
            tuple(a + b for a, b in zip(self.denominators, other.denominators, strict=True)),
            self.hypothesis_length + other.hypothesis_length,
            self.reference_length + other.reference_length,
        )

    def smoothed(self) -> GleuCounts:
        """Every zero becomes 1."""
        return GleuCounts(
            tuple(value or 1 for value in self.numerators),
            tuple(value or 1 for value in self.denominators),
            self.hypothesis_length or 1,
            self.reference_length or 1,
        )


def gleu_counts(
    source: Units, reference: Units, hypothesis: Units, order: int, variant: str
) -> GleuCounts:
    numerators, denominators = [], []
    for n in range(1, order + 1):
        s, r, c = ngrams(source, n), ngrams(reference, n), ngrams(hypothesis, n)
        if variant == "official":
            source_alone = Counter({ngram: count for ngram, count in s.items() if ngram not in r})
            numerators.append(max(0, (c & r).total() - (c & source_alone).total()))
            denominators.append(max(0, len(hypothesis) - n + 1))
        else:
            region = counts(source, r, hypothesis, n)
            numerators.append(max(0, region["ti"] + region["tk"] - region["ud"]))
            denominators.append(region["ti"] + region["tk"] + region["oi"] + region["ud"])
    return GleuCounts(tuple(numerators), tuple(denominators), len(hypothesis), len(reference))


def gleu(counted: GleuCounts, *, without_ngrams: float = 0.0) -> float:
    """The geometric mean of the precisions times the brevity penalty."""
    pairs = zip(counted.numerators, counted.denominators, strict=True)
    precisions = [a / b if b else without_ngrams for a, b in pairs]
    c, r = counted.hypothesis_length, counted.reference_length
    penalty = 1.0 if c >= r else math.exp(1 - r / c) if c else 0.0
    return penalty * math.prod(precisions) ** (1 / len(precisions))


def gleu_sampled(candidates: Sequence[Sequence[GleuCounts]], draws: int) -> float:
    """The mean corpus score over draws of one reference per sentence, with Python 2's `random`."""
    scores = []
    for draw in range(draws):
        generator = random.Random(draw * 101)
        drawn = [references[int(generator.random() * len(references))] for references in candidates]
        total = drawn[0]
        for counted in drawn[1:]:
            total = total + counted
        scores.append(gleu(total))
    return sum(scores) / draws


def gleu_sentence(counted: GleuCounts, *, smooth: bool) -> float:
    return gleu(counted.smoothed()) if smooth else gleu(counted, without_ngrams=1.0)
