"""Precision, recall and F as metrics share them, for plain numbers and for arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from corrigenda.core.statistics import Array

Amount = Any
"""A plain number or an array. Greedy choices use numbers; sweeps of β use arrays."""
Amounts = Sequence[Amount] | Array
"""Three amounts; more may follow and are ignored."""


def ratio(numerator: Array, denominator: Array, undefined: float | Array) -> Array:
    """`numerator / denominator`, and `undefined` where the denominator is 0."""
    if np.all(denominator):
        # The same quotients: a division without a mask takes a fraction of the time.
        return np.asarray(np.true_divide(numerator, denominator, dtype=np.float64))
    result = np.empty(np.broadcast(numerator, denominator).shape, np.float64)
    result[...] = undefined
    np.divide(numerator, denominator, out=result, where=np.not_equal(denominator, 0))
    return result


def quotient(numerator: Amount, denominator: Amount, undefined: Amount) -> Amount:
    """`ratio` for plain numbers and for arrays."""
    if isinstance(denominator, np.ndarray):
        return ratio(numerator, denominator, undefined)
    return numerator / denominator if denominator else undefined


def f_score(precision: Array, recall: Array, beta: float | Array) -> Array:
    """F_β of precision and recall; 0 where both are 0."""
    square = beta * beta
    return ratio((1 + square) * precision * recall, square * precision + recall, 0.0)


def f_name(beta: float) -> str:
    """`F0.5`."""
    return f"F{beta:g}"


def edit_f(amounts: Amounts, beta: Amount) -> Amount:
    """M²'s F_β of correct, proposed and gold edits; see `edit_keys`."""
    return edit_keys(amounts, beta)[0]


def edit_keys(amounts: Amounts, beta: Amount) -> tuple[Amount, ...]:
    """M²'s order of references: larger F_β first, then more correct edits, then a smaller burden.

    The burden is proposed + β²·gold. F_β is computed as one fraction, because rounded P and R would
    break exact ties. It is 1 if there are no gold edits and none were proposed. With β = 0 it is 0
    if there are gold edits and none were proposed.
    """
    correct, proposed, gold = amounts[:3]
    square = beta * beta
    burden = proposed + square * gold
    score = quotient((1 + square) * correct, burden, undefined=(gold == 0) * 1.0)
    return score, correct, -burden


def typed_edit_f(amounts: Amounts, beta: Amount) -> Amount:
    """ERRANT's F_β of right, wrong and missed edits, computed from P and R.

    P is 1 if nothing was proposed. R is 1 if there are no gold edits.
    """
    right, wrong, missed = amounts[:3]
    precision = quotient(right, right + wrong, undefined=1.0)
    recall = quotient(right, right + missed, undefined=1.0)
    square = beta * beta
    weighted = square * precision + recall
    return quotient((1 + square) * precision * recall, weighted, undefined=0.0)


def typed_edit_keys(amounts: Amounts, beta: Amount) -> tuple[Amount, ...]:
    """ERRANT's order of references: larger F_β first.

    Ties go to more right edits, then to fewer wrong ones, then to fewer missed ones.
    """
    right, wrong, missed = amounts[:3]
    return typed_edit_f(amounts, beta), right, -wrong, -missed


def greedy_typed_edit_keys(amounts: Amounts, beta: Amount) -> tuple[Amount, ...]:
    """The same order with F_β to four decimals, as ERRANT compares sums over sentences."""
    score, *ties = typed_edit_keys(amounts, beta)
    return rounded(score, 4), *ties


def rounded(value: Amount, decimals: int) -> Amount:
    """Rounded as Python rounds; numpy rounds some numbers close to a half differently."""
    if not isinstance(value, np.ndarray):
        return round(value, decimals)
    scaled = value * 10.0**decimals
    result = np.round(value, decimals)
    unclear = np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6
    result[unclear] = [round(float(each), decimals) for each in value[unclear]]
    return result
