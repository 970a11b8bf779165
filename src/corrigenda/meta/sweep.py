"""Scores for many values of β from one pass over the statistics.

The counts do not depend on β; the choice of references does, and is made anew for each value. GREEN's and M²'s
are made for all values together, exactly as the metrics themselves make them (tests hold the two equal).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from corrigenda.core.choice import BestLocal
from corrigenda.core.metric import Level, Metric, f_score, ratio
from corrigenda.core.statistics import Array, Statistics
from corrigenda.errors import MetricError
from corrigenda.meta.scores import Scored
from corrigenda.metrics.green import Green
from corrigenda.metrics.m2 import M2

Floats = npt.NDArray[np.float64]
# A reference whose precision and recall are both better by this is chosen whatever β is, in spite of rounding.
_CLEAR = 1e-9


def has_beta(metric: Metric) -> bool:
    """Whether the metric weighs recall against precision by a β."""
    return any(field.name == "beta" for field in dataclasses.fields(metric))


def sweep_beta(scored: Scored, betas: Sequence[float], level: Level = "corpus") -> Floats:
    """Scores [betas, systems], each equal to that of the metric with that β."""
    metric = scored.metric
    if not has_beta(metric):
        raise MetricError(
            f"{metric} has no β", remedy="A sweep needs a metric with a parameter beta."
        )
    variants = [_with_beta(metric, beta) for beta in betas]
    if isinstance(metric, Green):
        return _GreenSweep(scored, metric).scores(variants, level)
    if isinstance(metric.policy(level), BestLocal):
        return _one_by_one(variants, _joined(scored.statistics), len(scored.systems), level)
    if isinstance(metric, M2):
        return _greedy_f_scores(scored.statistics, np.asarray(betas, np.float64))
    return np.array(
        [[_score(variant, each, level) for each in scored.statistics] for variant in variants]
    )


def _with_beta(metric: Metric, beta: float) -> Metric:
    changed: Metric = dataclasses.replace(metric, beta=float(beta))  # type: ignore[call-arg]
    return changed


def _score(metric: Metric, statistics: Statistics, level: Level) -> float:
    chosen = metric.policy(level).start()(statistics)
    if level == "corpus":
        return float(np.mean(metric.score(chosen.totals()[0])))
    return float(chosen.per_sentence(metric.sentence_score).mean())


def _joined(parts: Sequence[Statistics]) -> Statistics:
    """The statistics of all systems one after the other, as if they were one long corpus."""
    starts = np.cumsum([0, *(len(part.counts) for part in parts)])
    offsets = [part.offsets[:-1] + start for part, start in zip(parts, starts[:-1], strict=True)]
    return Statistics(
        np.concatenate([part.counts for part in parts]), np.concatenate([*offsets, starts[-1:]])
    )


def _one_by_one(
    variants: Sequence[Metric], joined: Statistics, systems: int, level: Level
) -> Floats:
    """For choices that look at one sentence at a time: all systems at once, β after β."""
    scores = np.empty((len(variants), systems))
    for row, variant in enumerate(variants):
        chosen = variant.policy(level).start()(joined).values(0)
        by_system = chosen.reshape(systems, -1, chosen.shape[-1])
        scores[row] = _scored(variant, by_system, level)
    return scores


def _scored(metric: Metric, chosen: Array, level: Level) -> Floats:
    """Scores [systems] of the chosen counts [systems, sentences, K]."""
    if level == "corpus":
        return metric.score(chosen.sum(axis=1))
    return np.asarray(metric.sentence_score(chosen).mean(axis=-1))


def _greedy_f_scores(parts: Sequence[Statistics], betas: Floats) -> Floats:
    """M² at corpus level: the fold over the sentences, for all values of β and all systems side by side."""
    squares = (betas * betas)[:, np.newaxis]
    counts = np.stack([part.counts for part in parts]).astype(np.float64)  # [systems, rows, 3]
    totals = np.zeros((3, len(betas), len(parts)))
    offsets = parts[0].offsets.tolist()
    for begin, end in itertools.pairwise(offsets):
        best = totals + counts[:, begin].T[:, np.newaxis]
        for row in range(begin + 1, end):
            best = _better(best, totals + counts[:, row].T[:, np.newaxis], squares)
        totals = best
    return _f_score(totals, squares)


def _f_score(totals: Array, squares: Floats) -> Floats:
    correct, proposed, gold = totals
    burden = proposed + squares * gold
    # As the metric has it: 1 where there was nothing to find and nothing was proposed.
    return np.where(burden == 0, gold == 0, ratio((1 + squares) * correct, burden, undefined=0.0))


def _better(best: Array, other: Array, squares: Floats) -> Array:
    """Where the other annotator has the larger F, or as large a one with more correct, or with less burden."""
    score, other_score = _f_score(best, squares), _f_score(other, squares)
    lighter = other[1] + squares * other[2] < best[1] + squares * best[2]
    more = (other[0] > best[0]) | ((other[0] == best[0]) & lighter)
    return np.where((other_score > score) | ((other_score == score) & more), other, best)


class _GreenSweep:
    """GREEN: precisions and recalls once; for each β only the sentences whose choice may depend on it."""

    def __init__(self, scored: Scored, metric: Green) -> None:
        self._metric = metric
        self._systems = len(scored.systems)
        joined = _joined(scored.statistics)
        self._counts = joined.counts
        precision, recall = metric._cumulative_means(joined.counts)
        # Columns from the full score to the shortest n-grams: the order in which ties are broken.
        self._precision = np.ascontiguousarray(precision.T[::-1])
        self._recall = np.ascontiguousarray(recall.T[::-1])
        self._firsts = joined.offsets[:-1]
        self._references = joined.references
        self._fixed, self._open = self._decided()
        self._fixed_totals = self._totals(self._fixed)

    def _decided(self) -> tuple[Array, Array]:
        """The rows chosen for every β (-1 where it depends), and the sentences that stay open."""
        precision, recall = self._precision[0], self._recall[0]
        row = np.arange(len(precision))
        sentence = np.repeat(np.arange(len(self._firsts)), self._references)
        best = np.lexsort((row, -recall, -precision, sentence))[self._firsts]
        behind = (precision < precision[best][sentence] - _CLEAR) & (
            recall < recall[best][sentence] - _CLEAR
        )
        same = self._same_as_first(sentence)
        clear = np.logical_and.reduceat(behind | (row == best[sentence]), self._firsts)
        clear &= (precision[best] > _CLEAR) & (recall[best] > _CLEAR)
        equal = np.logical_and.reduceat(same, self._firsts)
        fixed = np.where(equal, self._firsts, np.where(clear, best, -1))
        return fixed, np.flatnonzero(fixed < 0)

    def _same_as_first(self, sentence: Array) -> Array:
        first = self._firsts[sentence]
        return np.asarray(
            (self._precision == self._precision[:, first]).all(axis=0)
            & (self._recall == self._recall[:, first]).all(axis=0)
        )

    def _totals(self, rows: Array) -> Array:
        """Sums [systems, K] of the counts of chosen rows [systems * sentences]; -1 adds nothing."""
        chosen = np.where((rows >= 0)[:, np.newaxis], self._counts[rows], 0)
        return np.asarray(chosen.reshape(self._systems, -1, chosen.shape[-1]).sum(axis=1))

    def scores(self, variants: Sequence[Metric], level: Level) -> Floats:
        """Scores [variants, systems]."""
        open_rows = _OpenRows(self._firsts[self._open], self._references[self._open])
        precision, recall = self._precision[:, open_rows.rows], self._recall[:, open_rows.rows]
        sentences_of_system = len(self._firsts) // self._systems
        systems, starts = np.unique(self._open // sentences_of_system, return_index=True)
        scores = np.empty((len(variants), self._systems))
        for index, variant in enumerate(variants):
            beta = variant.beta  # type: ignore[attr-defined]
            picks = open_rows.picked(precision, recall, beta)
            if level == "corpus":
                totals = self._fixed_totals.copy()
                if len(picks):
                    totals[systems] += np.add.reduceat(self._counts[picks], starts, axis=0)
                scores[index] = variant.score(totals)
            else:
                rows = self._fixed.copy()
                rows[self._open] = picks
                of_sentence = f_score(self._precision[0][rows], self._recall[0][rows], beta)
                scores[index] = of_sentence.reshape(self._systems, -1).mean(axis=1)
        return scores


class _OpenRows:
    """The rows of the sentences whose choice depends on β."""

    def __init__(self, firsts: Array, references: Array) -> None:
        self.starts = np.cumsum(references) - references
        self.references = references
        within = np.arange(int(references.sum())) - np.repeat(self.starts, references)
        self.rows = np.repeat(firsts, references) + within

    def picked(self, precision: Floats, recall: Floats, beta: float) -> Array:
        """For each sentence the row with the best score; ties by shorter n-grams, then the earlier."""
        if not len(self.rows):
            return np.zeros(0, np.int64)
        best = np.ones(len(self.rows), bool)
        for of_precision, of_recall in zip(precision, recall, strict=True):
            # Rounded as the metric rounds, so that the same scores are ties.
            key = np.where(best, np.round(f_score(of_precision, of_recall, beta), 12), -np.inf)
            best &= key == np.repeat(np.maximum.reduceat(key, self.starts), self.references)
            if best.sum() == len(self.starts):
                return np.asarray(self.rows[best])
        candidates = np.where(best, self.rows, np.iinfo(np.int64).max)
        return np.asarray(np.minimum.reduceat(candidates, self.starts))
