"""Pairs of systems: how often, and how surely, a metric orders them as people do.

Pairwise accuracy (Kocmi et al. 2021) is the share of pairs of systems in the same order. Soft
pairwise accuracy (Thompson et al. 2024) compares how sure people and a metric are of each order: 1
minus the mean of |p_h - p_m| over the pairs, where p is the one-sided p-value of a paired
permutation test over sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.permutation import (
    MASKS_AT_ONCE,
    exchange_masks,
    exchanged_differences,
    thinned,
)
from corrigenda.judgments import Pairs
from corrigenda.meta.scores import ScoredSystems

Floats = npt.NDArray[np.float64]
_ROUNDING = 1e-9
_DRAWS = 5
"""How many draws of references (GLEU has 500) the p-values of corpus scores use."""


_CELLS_AT_ONCE = 4_000_000
"""How many numbers of pairs and sentences, or of pairs and resamples, are in memory."""


@dataclass(frozen=True)
class Differences:
    """For each pair of systems and each sentence: how much better the first system is.

    Pairs times sentences may be too many for the memory, so they are made block by block.
    """

    pairs: int
    sentences: int
    some: Callable[[slice], Floats]
    """The differences [some pairs, sentences] of consecutive pairs."""

    @classmethod
    def of_scores(cls, scores: Floats) -> Differences:
        """Those of scores [systems, sentences], for every i < j."""
        rows, columns = np.triu_indices(len(scores), k=1)
        return cls(
            len(rows), scores.shape[1], lambda part: scores[rows[part]] - scores[columns[part]]
        )

    def blocks(self, resamples: int) -> Iterator[slice]:
        """Consecutive pairs, few enough for the memory."""
        masks = min(resamples, max(1, MASKS_AT_ONCE // max(1, self.sentences)))
        size = max(1, _CELLS_AT_ONCE // max(1, self.sentences, masks))
        return (slice(begin, begin + size) for begin in range(0, self.pairs, size))


@dataclass(frozen=True)
class PairwiseAccuracy:
    """Both accuracies, and what they are by chance."""

    accuracy: float
    soft: float | None
    soft_chance: float | None
    """The soft accuracy of a metric that is never sure: all its p-values are ½."""
    chance: float = 0.5


def pairwise_accuracy(metric: Floats, human: Floats) -> float:
    """The share of pairs of systems that the metric orders as people do; a tie is half right."""
    first, second = np.triu_indices(len(human), k=1)
    ours = np.sign(metric[first] - metric[second])
    theirs = np.sign(human[first] - human[second])
    return float(np.where(ours == theirs, 1.0, np.where(ours * theirs == 0, 0.5, 0.0)).mean())


def net_wins(
    pairs: Pairs, places: npt.NDArray[np.int64], names: tuple[str, ...], sentences: int
) -> Differences:
    """How often i won against j minus how often it lost, for every i < j.

    `places` has the sentence of each ranking.
    """
    place = np.full(len(pairs.systems), -1)
    for index, name in enumerate(names):
        place[pairs.systems.index(name)] = index
    first, second = place[pairs.first], place[pairs.second]
    wanted = (first >= 0) & (second >= 0)
    first, second, outcome = first[wanted], second[wanted], pairs.outcome[wanted]
    turned = first > second
    outcome = np.where(turned, -outcome, outcome)
    low, high = np.minimum(first, second), np.maximum(first, second)
    number = np.full((len(names), len(names)), -1)
    rows, columns = np.triu_indices(len(names), k=1)
    number[rows, columns] = np.arange(len(rows))
    pair, sentence = number[low, high], places[pairs.ranking[wanted]]
    order = np.argsort(pair, kind="stable")
    pair, sentence, outcome = pair[order], sentence[order], outcome[order]

    def some(part: slice) -> Floats:
        begin, end, _ = part.indices(len(rows))
        own = slice(*np.searchsorted(pair, [begin, end]))
        net = np.zeros((end - begin, sentences))
        np.add.at(net, (pair[own] - begin, sentence[own]), outcome[own])
        return net

    return Differences(len(rows), sentences, some)


def one_sided_p_values(differences: Differences, *, resamples: int, seed: int) -> Floats:
    """For each pair: how often flipped signs give as large a sum.

    A sum that equals the observed one counts half, so that p(i, j) = 1 - p(j, i).
    """
    blocks = list(differences.blocks(resamples))
    is_used = np.zeros(differences.sentences, bool)
    for part in blocks:
        is_used |= differences.some(part).any(axis=0)
    used = np.flatnonzero(is_used)
    above, equal = np.zeros((2, differences.pairs))
    for part in blocks:
        kept = differences.some(part)[:, used]
        observed = kept.sum(axis=1)
        slack = _ROUNDING * np.maximum(1e-6, np.abs(kept).sum(axis=1))
        for masks in exchange_masks(len(used), resamples, seed):
            sums = (1 - 2 * masks) @ kept.T
            above[part] += (sums > observed + slack).sum(axis=0)
            equal[part] += (np.abs(sums - observed) <= slack).sum(axis=0)
    return np.asarray((above + equal / 2) / resamples)


def metric_p_values(scored: ScoredSystems, how: str, *, resamples: int, seed: int) -> Floats | None:
    """One-sided p-values of every pair i < j by a metric; None where scores are ranked."""
    if how == "mean":
        differences = Differences.of_scores(scored.sentences)
        return one_sided_p_values(differences, resamples=resamples, seed=seed)
    if how != "corpus":
        return None
    rows, columns = np.triu_indices(len(scored.systems), k=1)
    selections = [thinned(system.at("corpus"), _DRAWS) for system in scored.scored]
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    totals = {place: selection.sums() for place, selection in enumerate(selections)}
    scores = np.array([selection.score for selection in selections])
    observed = (scores[rows] - scores[columns])[:, np.newaxis]
    slack = _ROUNDING * np.maximum(1e-6, np.abs(observed))
    above, equal = np.zeros((2, len(rows)))
    for masks in exchange_masks(len(selections[0]), resamples, seed):
        sums = {place: selection.sums(masks) for place, selection in enumerate(selections)}
        for part, changed in exchanged_differences(selections[0], totals, sums, pairs):
            above[part] += (changed > observed[part] + slack[part]).sum(axis=1)
            equal[part] += (np.abs(changed - observed[part]) <= slack[part]).sum(axis=1)
    return np.asarray((above + equal / 2) / resamples)


def soft_accuracy(human: Floats, metric: Floats) -> float:
    """1 minus the mean distance of the p-values of people and of a metric."""
    return float(1 - np.abs(human - metric).mean())
