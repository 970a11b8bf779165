"""Scores of single edits against what judges said of them.

Whatever gives a number to an edit (attribution, a weight, a probability) can be measured here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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


def edit_agreement(
    scores: Mapping[EditKey, float], labels: Mapping[EditKey, bool], *, threshold: float = 0.0
) -> EditAgreement:
    """The agreement of scores with labels, e.g. of `EditLabels.majority()`.

    An edit with a score above the threshold is called right.
    """
    shared = [edit for edit in labels if edit in scores]
    if not shared:
        raise UsageError(
            "no labelled edit has a score",
            remedy="Give the edits by source, words and correction, as the labels do.",
        )
    values = np.array([scores[edit] for edit in shared], np.float64)
    right = np.array([labels[edit] for edit in shared], bool)
    return EditAgreement(
        len(shared),
        int(right.sum()),
        auc(values, right),
        float(((values > threshold) == right).mean()),
        float(max(right.mean(), 1 - right.mean())),
        len(labels) - len(shared),
    )


def auc(values: npt.NDArray[np.float64], right: npt.NDArray[np.bool_]) -> float:
    """The area under the ROC curve, by the sum of ranks of Mann and Whitney; NaN for one class."""
    positive, negative = int(right.sum()), int((~right).sum())
    if not positive or not negative:
        return float("nan")
    summed = float(ranks(values)[right].sum())
    return (summed - positive * (positive + 1) / 2) / (positive * negative)
