"""Scores of single edits against what judges said of them.

Whatever gives a number to an edit (attribution, a weight, a probability) can be measured here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.resolution import DEFAULT_CONFIDENCE, DEFAULT_RESAMPLES, alpha_of
from corrigenda.errors import UsageError
from corrigenda.formats.edit_labels import EditKey
from corrigenda.meta.correlation import ranks


@dataclass(frozen=True)
class EditAgreement:
    """How well scores tell right edits from wrong ones, with the level by chance."""

    edits: int
    right: int
    auc: float
    """The chance that a right edit has a higher score than a wrong one; ties count half."""
    accuracy: float
    """The share of edits on the side of the threshold where the majority of the judges is."""
    accuracy_chance: float
    """The accuracy of calling every edit what most edits are."""
    unscored: int
    """How many labelled edits have no score; they are left out."""
    auc_interval: tuple[float, float]
    """The interval of the AUC. Sentences are resampled, because edits of one sentence depend on
    each other."""

    @property
    def beats_chance(self) -> bool:
        """Whether the interval of the AUC excludes .5."""
        low, high = self.auc_interval
        return low > 0.5 or high < 0.5

    def to_dict(self) -> dict[str, object]:
        """All fields by name, for JSON."""
        return asdict(self)


def edit_agreement(
    scores: Mapping[EditKey, float],
    labels: Mapping[EditKey, bool],
    *,
    threshold: float = 0.0,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
) -> EditAgreement:
    """The agreement of scores with labels, e.g. of `EditLabels.majority()`.

    An edit with a score above the threshold is called right. Without resamples the interval of the
    AUC is not a number.
    """
    shared = [edit for edit in labels if edit in scores]
    if not shared:
        raise UsageError(
            "no labelled edit has a score",
            remedy="Give the edits by source, words and correction, as the labels do.",
        )
    values = np.array([scores[edit] for edit in shared], np.float64)
    right = np.array([labels[edit] for edit in shared], bool)
    numbers: dict[str, int] = {}
    sentences = np.array([numbers.setdefault(edit.source, len(numbers)) for edit in shared])
    samples = _resampled_auc(values, right, sentences, resamples, seed)
    return EditAgreement(
        len(shared),
        int(right.sum()),
        auc(values, right),
        float(((values > threshold) == right).mean()),
        float(max(right.mean(), 1 - right.mean())),
        len(labels) - len(shared),
        _interval(samples, confidence),
    )


def auc(values: npt.NDArray[np.float64], right: npt.NDArray[np.bool_]) -> float:
    """The area under the ROC curve, by the sum of ranks of Mann and Whitney; NaN for one class."""
    positive, negative = int(right.sum()), int((~right).sum())
    if not positive or not negative:
        return float("nan")
    summed = float(ranks(values)[right].sum())
    return (summed - positive * (positive + 1) / 2) / (positive * negative)


def _resampled_auc(
    values: npt.NDArray[np.float64],
    right: npt.NDArray[np.bool_],
    sentences: npt.NDArray[np.int64],
    resamples: int,
    seed: int,
) -> npt.NDArray[np.float64]:
    """The AUC of each resample of sentences; those with a single class are left out."""
    generator = np.random.default_rng(seed)
    count = int(sentences.max()) + 1
    _, places = np.unique(values, return_inverse=True)
    order = np.argsort(places, kind="stable")
    begins = np.flatnonzero(np.diff(places[order], prepend=-1))
    found = []
    for _ in range(resamples):
        drawn = np.bincount(generator.integers(0, count, count), minlength=count)
        weight = drawn[sentences][order].astype(np.float64)
        # By distinct value: how many right and wrong edits there are.
        positive = np.add.reduceat(weight * right[order], begins)
        negative = np.add.reduceat(weight * ~right[order], begins)
        below = np.cumsum(negative) - negative
        pairs = positive.sum() * negative.sum()
        if pairs:
            found.append(float((positive * (below + negative / 2)).sum() / pairs))
    return np.array(found)


def _interval(samples: npt.NDArray[np.float64], confidence: float) -> tuple[float, float]:
    if not samples.size:
        return float("nan"), float("nan")
    tail = alpha_of(confidence) / 2
    low, high = np.quantile(samples, [tail, 1 - tail]).tolist()
    return low, high
