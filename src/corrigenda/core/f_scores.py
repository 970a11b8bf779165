"""Precision, recall and F: the fractions that metrics share, for numbers and for arrays alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from corrigenda.core.statistics import Array

Amount = Any
"""A plain number or an array of them. Greedy choices work number by number, sweeps by arrays."""


def ratio(numerator: Array, denominator: Array, undefined: float | Array) -> Array:
    """`numerator / denominator`, and `undefined` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    result = np.empty(numerator.shape, np.float64)
    result[...] = undefined
    np.divide(numerator, denominator, out=result, where=denominator != 0)
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


def edit_f(correct: Amount, proposed: Amount, gold: Amount, beta: Amount) -> Amount:
    """M²'s F_β as one fraction: by way of rounded P and R, exact ties would break.

    It is 1 where there is nothing to find and nothing was proposed. With β = 0 it is 0 where gold
    edits exist and nothing was proposed.
    """
    square = beta * beta
    burden = proposed + square * gold
    return quotient((1 + square) * correct, burden, undefined=(gold == 0) * 1.0)


def edit_keys(correct: Amount, proposed: Amount, gold: Amount, beta: Amount) -> tuple[Amount, ...]:
    """M²'s order of references: the larger F_β, then more correct edits, then the lighter burden."""
    burden = proposed + beta * beta * gold
    return edit_f(correct, proposed, gold, beta), correct, -burden


def typed_edit_f(right: Amount, wrong: Amount, missed: Amount, beta: Amount) -> Amount:
    """ERRANT's F_β by way of P and R, each 1 where it has nothing to count."""
    precision = quotient(right, right + wrong, undefined=1.0)
    recall = quotient(right, right + missed, undefined=1.0)
    square = beta * beta
    weighted = square * precision + recall
    return quotient((1 + square) * precision * recall, weighted, undefined=0.0)


def typed_edit_keys(
    right: Amount, wrong: Amount, missed: Amount, beta: Amount
) -> tuple[Amount, ...]:
    """ERRANT's order of references: F_β to four decimals, then more right, fewer wrong and missed."""
    return rounded(typed_edit_f(right, wrong, missed, beta), 4), right, -wrong, -missed


def rounded(value: Amount, decimals: int) -> Amount:
    """Rounded as Python rounds: numpy rounds some numbers close to a half differently."""
    if not isinstance(value, np.ndarray):
        return round(value, decimals)
    scaled = value * 10.0**decimals
    result = np.round(value, decimals)
    unclear = np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6
    result[unclear] = [round(float(each), decimals) for each in value[unclear]]
    return result
