"""The n-gram counts straight from their formulas, one multiset at a time: slow and obvious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import or_

Units = Sequence[object]


def ngrams(units: Units, n: int) -> Counter[tuple[object, ...]]:
    """The multiset of n-grams."""
    return Counter(tuple(units[i : i + n]) for i in range(len(units) - n + 1))


def counts(source: Units, reference: Counter, hypothesis: Units, n: int) -> dict[str, int]:
    """All kinds of counts of one n, from the multiplicities s, r, c of every n-gram."""
    s_all, c_all = ngrams(source, n), ngrams(hypothesis, n)
    sums: Counter[str] = Counter()
    for ngram in s_all | reference | c_all:
        s, r, c = s_all[ngram], reference[ngram], c_all[ngram]
        sums["tk"] += min(s, r, c)
        sums["td"] += max(0, s - max(r, c))
        sums["ti"] += max(0, min(r, c) - s)
        sums["od"] += max(0, min(s, r) - c)
        sums["oi"] += max(0, c - max(s, r))
        sums["ud"] += max(0, min(s, c) - r)
        sums["ui"] += max(0, r - max(s, c))
        sums["source_only"] += min(s, c) if r == 0 else 0
        sums["reference_only"] += min(r, c) if s == 0 else 0
    return sums


def rows(
    source: Units, references: Sequence[Units], hypothesis: Units, order: int, *, pooled: bool
) -> list[list[dict[str, int]]]:
    """For each reference (or for their union) the counts of n = 1..order."""
    by_reference = [[ngrams(reference, n) for n in range(1, order + 1)] for reference in references]
    if pooled:
        # The union of multisets: each n-gram as often as in the reference that has it most.
        by_reference = [[reduce(or_, of_n, Counter()) for of_n in zip(*by_reference, strict=True)]]
    return [
        [counts(source, of_n, hypothesis, n) for n, of_n in enumerate(of_reference, 1)]
        for of_reference in by_reference
    ]
