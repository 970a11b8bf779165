"""GREEN's seven regions as sums of weights of n-grams.

Every unit (word or character) of every text has a weight. The weight of an occurrence of an n-gram
is the mean of the weights of its units. The weight of an n-gram is the mean over its occurrences in
source and reference; of an n-gram that only the hypothesis has, over those in the hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corrigenda.core.f_scores import ratio
from corrigenda.kernels import Ragged

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

SOURCE, REFERENCE, HYPOTHESIS = range(3)


@dataclass(frozen=True)
class WeightedText:
    """One text per row: its units as ids, their weights, and how much of each unit is matched.

    `matched` of a unit is 1 if hypothesis and reference share it, and less if they have two similar
    units instead. The source has none.
    """

    units: Ragged
    weights: Floats
    matched: Floats


@dataclass(frozen=True)
class SizedNgrams:
    """All occurrences of n-grams of one size, and their distinct n-grams.

    `numbers` has the n-gram of each occurrence, `sides` its text, `rows` the row of each n-gram,
    and `counts` [3, n-grams] how often each text has it.
    """

    starts: Integers
    numbers: Integers
    sides: Integers
    rows: Integers
    counts: Integers

    def sums(self, values: Floats) -> Floats:
        """The sums [3, n-grams] over the occurrences in each text."""
        distinct = len(self.rows)
        found = np.bincount(self.sides * distinct + self.numbers, values, 3 * distinct)
        return np.asarray(found.reshape(3, distinct), np.float64)

    def means(self, values: Floats) -> Floats:
        """The means [3, n-grams] over the occurrences in each text; 0 where there are none."""
        return ratio(self.sums(values), self.counts, undefined=0.0)

    def weights(self, values: Floats) -> Floats:
        """The weight of each n-gram from the weights of its occurrences."""
        sums = self.sums(values)
        alone = ratio(sums[HYPOTHESIS], self.counts[HYPOTHESIS], undefined=0.0)
        known = slice(SOURCE, HYPOTHESIS)
        return ratio(sums[known].sum(axis=0), self.counts[known].sum(axis=0), undefined=alone)


def weighted_regions(
    source: WeightedText,
    reference: WeightedText,
    hypothesis: WeightedText,
    order: int,
    *,
    soft: bool,
) -> Floats:
    """The regions tk, td, ti, od, oi, ud, ui as sums of weights: [rows, n - 1, 7].

    With `soft`, n-grams that only the hypothesis has are matched with n-grams of the reference that
    it lacks, as far as their units are matched.
    """
    texts = (source, reference, hypothesis)
    rows = len(source.units)
    weights = np.concatenate([text.weights for text in texts])
    matched = np.concatenate([text.matched for text in texts])
    found = np.zeros((rows, order, 7))
    sums, shared = np.zeros(len(weights)), np.zeros(len(weights))
    for n, sized in enumerate(_sizes(texts, order), 1):
        # Running sums stay exact for weights of 1, unlike differences of long sums of floats.
        ends = sized.starts + (n - 1)
        sums[sized.starts] += weights[ends]
        shared[sized.starts] += matched[ends]
        of_ngrams = sized.weights(sums[sized.starts] / n)
        regions = np.stack(_regions(*sized.counts)) * of_ngrams
        totals = _by_row(regions, sized.rows, rows)
        if soft:
            _move(totals, regions, sized, sums[sized.starts] / n, shared[sized.starts] / n)
        found[:, n - 1] = totals.T
    return found


def _regions(source: Integers, reference: Integers, hypothesis: Integers) -> list[Integers]:
    """The seven regions of n-grams with these multiplicities."""
    least, most, none = np.minimum, np.maximum, 0
    return [
        least(least(source, reference), hypothesis),
        most(none, source - most(reference, hypothesis)),
        most(none, least(reference, hypothesis) - source),
        most(none, least(source, reference) - hypothesis),
        most(none, hypothesis - most(source, reference)),
        most(none, least(source, hypothesis) - reference),
        most(none, reference - most(source, hypothesis)),
    ]


_TK, _TD, _TI, _OD, _OI, _UD, _UI = range(7)


def _by_row(values: Floats, row_of: Integers, rows: int) -> Floats:
    """Sums [k, rows] of values [k, n-grams]."""
    return np.stack([np.bincount(row_of, each, rows) for each in values])


def _move(
    totals: Floats, regions: Floats, sized: SizedNgrams, weights: Floats, matched: Floats
) -> None:
    """Move what is matched softly: inserted n-grams become right, missing ones are found.

    n-grams of the hypothesis alone are taken occurrence by occurrence: words that no source and no
    reference has share one id, so their means would mix different words.
    """
    rows = totals.shape[1]
    shares = sized.means(matched)
    known = sized.counts[SOURCE] + sized.counts[REFERENCE] > 0
    alone = sized.sums(weights * matched)[HYPOTHESIS]
    inserted_shares = np.where(known, regions[_OI] * shares[HYPOTHESIS], alone)
    ours = np.bincount(sized.rows, inserted_shares, rows)
    theirs = _by_row(regions[[_OD, _UI]] * shares[REFERENCE], sized.rows, rows)
    moved = np.minimum(ours, theirs.sum(axis=0))
    kept, inserted = theirs * ratio(moved, theirs.sum(axis=0), undefined=0.0)
    for region, change in (
        (_OI, -moved), (_OD, -kept), (_UI, -inserted), (_TK, kept), (_TI, inserted),
    ):  # fmt: skip
        totals[region] = np.maximum(totals[region] + change, 0.0)


def _sizes(texts: tuple[WeightedText, ...], order: int) -> Iterator[SizedNgrams]:
    """The n-grams of size 1, 2, … order. An n-gram belongs to its row."""
    lengths = [text.units.lengths for text in texts]
    row = np.concatenate([np.repeat(np.arange(len(each)), each) for each in lengths])
    side = np.repeat(np.arange(3), [int(each.sum()) for each in lengths])
    left = np.concatenate([_left(text.units) for text in texts])
    ids = np.concatenate([text.units.ids for text in texts]).astype(np.int64)
    # A word that is in no source and no reference has the id -1.
    single = _numbered(row * (int(ids.max(initial=0)) + 2) + ids + 1)
    distinct = int(single.max(initial=-1)) + 1
    starts, numbers = np.arange(len(ids)), single
    for n in range(1, order + 1):
        if n > 1:
            longer = left[starts] >= n
            starts = starts[longer]
            numbers = _numbered(numbers[longer] * distinct + single[starts + (n - 1)])
        yield _sized(starts, numbers, side, row)


def _sized(starts: Integers, numbers: Integers, side: Integers, row: Integers) -> SizedNgrams:
    distinct = int(numbers.max(initial=-1)) + 1
    rows = np.zeros(distinct, np.int64)
    rows[numbers] = row[starts]
    sides = side[starts]
    counts = np.bincount(sides * distinct + numbers, minlength=3 * distinct).reshape(3, distinct)
    return SizedNgrams(starts, numbers, sides, rows, counts)


def _numbered(keys: Integers) -> Integers:
    """Numbers 0, 1, … for distinct keys."""
    return np.asarray(np.unique(keys, return_inverse=True)[1], np.int64)


def _left(units: Ragged) -> Integers:
    """The number of units from each unit to the end of its text."""
    ends = np.repeat(units.offsets[1:], units.lengths)
    return np.asarray(ends - np.arange(len(ends)))
