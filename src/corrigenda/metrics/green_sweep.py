"""GREEN's choice of references for many values of β at once.

Precisions and recalls do not depend on β. If a reference has clearly the largest precision and the
largest recall of its sentence, it is the best for every β. Only the other sentences are checked for
each β.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from corrigenda.core.f_scores import f_score
from corrigenda.core.statistics import Array, Statistics

# A reference that is better by this much in precision and recall wins for every β, even after
# rounding.
_CLEAR = 1e-9


def picks_for_betas(
    precision: Array, recall: Array, statistics: Statistics, betas: Sequence[float]
) -> Iterator[Array]:
    """The chosen rows [sentences] for each β, from the precision and recall [rows, n] of 1..n."""
    # Ties are broken in this order: from all n-grams to the shortest ones.
    precision = np.ascontiguousarray(precision.T[::-1])
    recall = np.ascontiguousarray(recall.T[::-1])
    fixed = _decided(precision, recall, statistics)
    unclear = np.flatnonzero(fixed < 0)
    rows = _OpenRows(statistics.offsets[:-1][unclear], statistics.rows[unclear])
    open_precision, open_recall = precision[:, rows.rows], recall[:, rows.rows]
    for beta in betas:
        picks = fixed.copy()
        picks[unclear] = rows.picked(open_precision, open_recall, beta)
        yield picks


def _decided(precision: Array, recall: Array, statistics: Statistics) -> Array:
    """The row chosen for every β, or -1 where the choice depends on β."""
    firsts = statistics.offsets[:-1]
    row = np.arange(precision.shape[1])
    sentence = np.repeat(np.arange(len(firsts)), statistics.rows)
    best = np.lexsort((row, -recall[0], -precision[0], sentence))[firsts]
    behind = (precision[0] < precision[0][best][sentence] - _CLEAR) & (
        recall[0] < recall[0][best][sentence] - _CLEAR
    )
    clear = np.logical_and.reduceat(behind | (row == best[sentence]), firsts)
    clear &= (precision[0][best] > _CLEAR) & (recall[0][best] > _CLEAR)
    first = firsts[sentence]
    same = (precision == precision[:, first]).all(axis=0) & (recall == recall[:, first]).all(axis=0)
    equal = np.logical_and.reduceat(same, firsts)
    return np.where(equal, firsts, np.where(clear, best, -1))


class _OpenRows:
    """The rows of the sentences whose choice depends on β."""

    def __init__(self, firsts: Array, references: Array) -> None:
        self.starts = np.cumsum(references) - references
        self.references = references
        within = np.arange(int(references.sum())) - np.repeat(self.starts, references)
        self.rows = np.repeat(firsts, references) + within

    def picked(self, precision: Array, recall: Array, beta: float) -> Array:
        """The best row of each sentence; ties go to shorter n-grams, then to the first row."""
        if not len(self.rows):
            return np.zeros(0, np.int64)
        best = np.ones(len(self.rows), bool)
        for of_precision, of_recall in zip(precision, recall, strict=True):
            # It is rounded as in the metric, so that the same scores are ties.
            key = np.where(best, np.round(f_score(of_precision, of_recall, beta), 12), -np.inf)
            best &= key == np.repeat(np.maximum.reduceat(key, self.starts), self.references)
            if best.sum() == len(self.starts):
                return np.asarray(self.rows[best])
        candidates = np.where(best, self.rows, np.iinfo(np.int64).max)
        return np.asarray(np.minimum.reduceat(candidates, self.starts))
