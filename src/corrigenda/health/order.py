"""Are the lines of a text in step with the source? Shifted, shuffled, or of another text.

A line is compared with its source by the letter n-grams of both. A line that shares few of them
with its own source is compared with other lines: with its neighbours, and, for a sample, with all
lines of the block.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corrigenda.health.finding import SHOWN_LINES
from corrigenda.health.tally import LineTally
from corrigenda.kernels.line_traits import LineTraits, Rows, nearest, shared_bits

Likeness = npt.NDArray[np.float64]

IN_STEP = 0.4
"""A line that has at least this share of n-grams in common with its source belongs to it."""
FITS_BETTER = 0.3
"""How much more it must share with another line."""
SURE = 0.7
"""What it must share with that line at least."""
FEWEST_GRAMS = 10
"""Shorter lines say too little."""
NEIGHBOURS = 16
SAMPLE = 256
LEAST_MOVED = 0.01
_USUALLY_MOVED = 0.005
"""Systems exchange a few lines now and then: one of CoNLL-2014 does so on 0.5 % of its lines."""
SHORTEST_RUN = 5
"""This many lines with one shift, without many others between them, are no accident."""
LEAST_UNRELATED = 0.25
_SAME_SHIFT = 0.8
_NEAR = 4
CONTROLS = 3
"""A strange line is compared with this many sources of other lines. By chance, one strange line in
four is more like its own source than like all of them."""


@dataclass
class Order:
    """What is known so far about the order of a text's lines."""

    compared: float = 0
    unrelated: float = 0
    """Lines that share little with their own source."""
    like_their_own: float = 0
    """Those of them that are still more like their own source than like some other lines."""
    unrelated_lines: list[int] = field(default_factory=list)
    moved: list[tuple[int, int]] = field(default_factory=list)
    """Lines that belong to another line of the source, each with its shift."""
    moved_count: float = 0
    """The same, with the lines that they stand for."""
    in_step_since: int = 0
    """Lines that belong to their own source, after the last line that belongs to another one."""
    is_estimate: bool = False

    def add(
        self, source: LineTraits, text: LineTraits, numbers: Rows, threads: int, weight: float
    ) -> npt.NDArray[np.bool_]:
        """Look at consecutive lines; which of them share little with their own source?"""
        long = (source.sizes >= FEWEST_GRAMS) & (text.sizes >= FEWEST_GRAMS)
        own = likeness(source, text, np.arange(len(text)), np.arange(len(text)))
        strange = np.flatnonzero(long & (own < IN_STEP))
        self.compared += weight * int(long.sum())
        self.unrelated += weight * len(strange)
        self.is_estimate = self.is_estimate or (weight > 1 and len(strange) > 0)
        self.unrelated_lines += numbers[strange[:SHOWN_LINES]].tolist()
        self.like_their_own += weight * _like_their_own(source, text, strange, own)
        before = len(self.moved)
        if len(strange):
            shifts = _shifts(source, text, strange, own, threads)
            self._add_moved(source, text, strange, shifts, numbers)
            # Of many strange lines, a sample is compared with all lines.
            found = shifts != 0
            estimate = len(strange) * float(found[_sample(len(strange))].mean())
            self.moved_count += weight * max(estimate, len(self.moved) - before)
        in_step = numbers[long & (own >= IN_STEP)]
        if len(self.moved) > before:
            self.in_step_since = 0
            in_step = in_step[in_step > self.moved[-1][0]]
        self.in_step_since += len(in_step)
        # A short line beside a long source says enough here.
        return (source.sizes >= FEWEST_GRAMS) & (own < IN_STEP)

    def _add_moved(
        self, source: LineTraits, text: LineTraits, strange: Rows, shifts: Rows, numbers: Rows
    ) -> None:
        moved = shifts != 0
        found = list(zip(strange[moved].tolist(), shifts[moved].tolist(), strict=True))
        if not found:
            return
        start = _start_of_run(found) or (None if self.moved else found[0])
        if start is not None:
            known = {row for row, _ in found}
            earlier = _earlier(source, text, *start)
            found += [(row, start[1]) for row in earlier if row not in known]
        self.moved += sorted((int(numbers[row]), shift) for row, shift in found)

    def start(self, shift: int) -> int:
        """The first line of a run with this shift; else the first line that has it.

        Systems exchange a few lines now and then, and such a line is no beginning.
        """
        lines = [(line, each) for line, each in self.moved if each == shift]
        return (_start_of_run(lines) or lines[0])[0]

    @property
    def is_over(self) -> bool:
        """Whether lines are in step again after those that belong to other lines."""
        return self.in_step_since >= SHORTEST_RUN

    @property
    def is_unrelated(self) -> bool:
        """Whether many lines share no more with their source than with any other line.

        A system that rewrites everything shares little, but that is not by chance.
        """
        are_many = self.unrelated >= max(2, LEAST_UNRELATED * self.compared)
        return are_many and 2 * self.like_their_own <= self.unrelated

    def is_moved(self, lines: float) -> bool:
        """Whether lines belong to other lines."""
        tally = LineTally(self.moved_count)
        return tally.exceeds(LEAST_MOVED, lines, usual=_USUALLY_MOVED) or self._has_run()

    def _has_run(self) -> bool:
        """Whether one shift holds for a run of lines."""
        if not self.moved:
            return False
        shift, count = Counter(shift for _, shift in self.moved).most_common(1)[0]
        shifted = [line for line, each in self.moved if each == shift]
        return count >= SHORTEST_RUN and 2 * count > shifted[-1] - shifted[0]

    def common_shifts(self) -> list[int]:
        """The shifts of nearly all moved lines, in the order of lines; empty if they vary."""
        often = Counter(shift for _, shift in self.moved).most_common(3)
        if sum(count for _, count in often) < _SAME_SHIFT * len(self.moved):
            return []
        # Three lines that were exchanged also have few shifts, but no run of lines has the same.
        if not often or (often[0][1] < 3 and len(often) > 1):
            return []
        shifts = {shift for shift, count in often if count >= 0.05 * len(self.moved)}
        # Pairs of lines that were exchanged have two shifts in turn.
        in_turn = [shift for _, shift in self.moved if shift in shifts]
        runs = sum(1 for _ in itertools.groupby(in_turn))
        if runs > len(shifts) and SHORTEST_RUN * runs > len(in_turn):
            return []
        return list(dict.fromkeys(in_turn))


def likeness(source: LineTraits, text: LineTraits, rows: Rows, source_rows: Rows) -> Likeness:
    """The share of n-grams, of the shorter line, that lines of the text have in common."""
    shared = shared_bits(text.sketches, source.sketches, rows, source_rows)
    smaller = np.minimum(text.sizes[rows], source.sizes[source_rows])
    return shared / np.maximum(smaller, 1)


def _like_their_own(source: LineTraits, text: LineTraits, rows: Rows, own: Likeness) -> int:
    """How many of the lines are more like their own source than like those of other lines."""
    lines = len(source)
    if lines <= CONTROLS or not len(rows):
        return len(rows)
    most = np.zeros(len(rows))
    for control in range(1, CONTROLS + 1):
        others = (rows + control * lines // (CONTROLS + 1)) % lines
        differ = source.hashes[others, 1] != source.hashes[rows, 1]
        most = np.maximum(most, differ * likeness(source, text, rows, others))
    return int(np.count_nonzero(own[rows] > most))


def _shifts(
    source: LineTraits, text: LineTraits, strange: Rows, own: Likeness, threads: int
) -> Rows:
    """How far each of the strange lines is from its place; 0 where no line fits better."""
    best = np.maximum(own[strange] + FITS_BETTER, SURE)
    shifts = np.zeros(len(strange), np.int64)
    sampled = strange[_sample(len(strange))]
    found, alike = nearest(text.sketches, source.sketches, sampled, threads=threads)
    distances = (sampled - found)[alike >= SURE]
    far = [shift for shift, count in Counter(distances.tolist()).most_common(3) if count > 1]
    near = [sign * size for size in range(1, NEIGHBOURS + 1) for sign in (1, -1)]
    for shift in dict.fromkeys([*far, *near]):
        _try(source, text, strange, shift, best, shifts)
    here = {row: place for place, row in enumerate(strange.tolist())}
    for row, other, share in zip(sampled.tolist(), found.tolist(), alike.tolist(), strict=True):
        if other >= 0 and share > best[here[row]]:
            best[here[row]], shifts[here[row]] = share, row - other
    return shifts


def _sample(lines: int) -> Rows:
    """The places of a sample of this many lines."""
    return np.arange(0, lines, max(1, lines // SAMPLE))[:SAMPLE]


def _try(
    source: LineTraits, text: LineTraits, rows: Rows, shift: int, best: Likeness, shifts: Rows
) -> None:
    """Where lines fit better with this shift, take it."""
    others = rows - shift
    inside = np.flatnonzero((others >= 0) & (others < len(source)))
    long = source.sizes[others[inside]] >= FEWEST_GRAMS
    inside = inside[long]
    share = likeness(source, text, rows[inside], others[inside])
    better = share > best[inside]
    best[inside[better]], shifts[inside[better]] = share[better], shift


def _start_of_run(moved: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The first of several lines near one another that have the same shift, with the shift."""
    by_shift: dict[int, list[int]] = {}
    for line, shift in moved:
        by_shift.setdefault(shift, []).append(line)
    starts = [
        (first, shift)
        for shift, lines in by_shift.items()
        for first, last in zip(lines, lines[SHORTEST_RUN - 1 :], strict=False)
        if last - first < _NEAR * SHORTEST_RUN
    ]
    return min(starts, default=None)


def _earlier(source: LineTraits, text: LineTraits, first: int, shift: int) -> list[int]:
    """The lines just before the first moved line that do not belong to their own source either."""
    found: list[int] = []
    for row in range(first - 1, -1, -1):
        # This many lines were inserted; they need not belong to any line of the source.
        may_be_inserted = first - row <= shift
        if not _out_of_step(source, text, row, shift, may_be_inserted=may_be_inserted):
            break
        found.insert(0, row)
    return found


def _out_of_step(
    source: LineTraits, text: LineTraits, row: int, shift: int, *, may_be_inserted: bool
) -> bool:
    if text.hashes[row, 0] == source.hashes[row, 0]:
        return False
    if text.words[row] == 0 and source.words[row] > 0:
        return True
    rows = np.array([row])
    own = likeness(source, text, rows, rows)[0]
    is_outside = not 0 <= row - shift < len(source)
    if own < IN_STEP and (may_be_inserted or is_outside):
        return True
    if is_outside:
        return False
    if text.hashes[row, 0] == source.hashes[row - shift, 0]:
        return True
    return bool(likeness(source, text, rows, rows - shift)[0] > max(own, IN_STEP))
