"""What lines of text look like, in numbers; see cpp/line_traits.hpp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.lines import as_texts

TRAITS = (
    "words", "characters", "letters", "upper", "lower", "capitalised", "cased_words", "first_case",
    "glued", "free", "glued_contractions", "free_contractions", "bpe", "sentencepiece", "wordpiece",
    "tags", "entities", "invisible", "curly", "straight", "mixed_words", "repeats", "script",
    "first", "last", "width", "marks", "commas", "wide_marks", "final_marks", "broken", "emphasis",
    "first_word", "last_word", "unknown", "digits", "inner_hyphens", "free_hyphens",
    "runs", "cut_contractions",
)  # fmt: skip
SCRIPTS = (
    "none", "Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Arabic", "Indic", "Thai",
    "Lao", "Tibetan", "Burmese", "Khmer", "Georgian", "Hangul", "Chinese or Japanese",
    "full-width Latin", "other",
)  # fmt: skip
SKETCH_WORDS = 16

Numbers = npt.NDArray[np.int32]
Rows = npt.NDArray[np.int64]
Sketches = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]
_PLACES = {name: place for place, name in enumerate(TRAITS)}


@dataclass(frozen=True)
class LineTraits:
    """The traits of the lines of a text.

    `hashes[:, 0]` is equal for lines with equal words, `hashes[:, 1]` for lines that differ in
    blanks alone, `hashes[:, 2]` for lines that differ in blanks beside marks alone. `sketches`
    hold the letter n-grams of each line.
    """

    numbers: Numbers
    hashes: npt.NDArray[np.uint64]
    sketches: Sketches

    def __len__(self) -> int:
        return len(self.numbers)

    def __getattr__(self, name: str) -> Numbers:
        """One trait of all lines, e.g. `traits.words`."""
        if name not in _PLACES:
            raise AttributeError(name)
        return self.numbers[:, _PLACES[name]]

    def at(self, rows: Rows | slice) -> LineTraits:
        """Some of the lines."""
        return LineTraits(self.numbers[rows], self.hashes[rows], self.sketches[rows])

    @cached_property
    def sizes(self) -> Numbers:
        """The number of bits in each sketch."""
        return shared_bits(self.sketches, self.sketches)


def line_traits(lines: Sequence[str], *, threads: int) -> LineTraits:
    """The traits of each line."""
    if not lines:
        return LineTraits(
            np.zeros((0, len(TRAITS)), np.int32),
            np.zeros((0, 3), np.uint64),
            np.zeros((0, SKETCH_WORDS), np.uint64),
        )
    return LineTraits(*_kernels.line_traits(as_texts(lines), threads))


def shared_bits(
    ones: Sketches, others: Sketches, rows: Rows | None = None, other_rows: Rows | None = None
) -> Numbers:
    """The bits that sketches share: row by row, or of the given pairs of rows."""
    if rows is None or other_rows is None:
        rows = other_rows = np.arange(len(ones), dtype=np.int64)
    if len(rows) != len(other_rows):
        raise ValueError("each row needs another row")
    shared: Numbers = _kernels.shared_sketch_bits(
        ones, others, _checked_rows(rows, ones), _checked_rows(other_rows, others)
    )
    return shared


def nearest(
    ones: Sketches, others: Sketches, rows: Rows, *, threads: int
) -> tuple[Rows, npt.NDArray[np.float64]]:
    """For each of the rows the row of `others` that is most like it, and how much (0 to 1).

    Lines of very different lengths are not compared. A row that is like none has the row -1.
    """
    found: tuple[Rows, npt.NDArray[np.float64]] = _kernels.nearest_sketches(
        ones, others, _checked_rows(rows, ones), threads
    )
    return found


def _checked_rows(rows: Rows, sketches: Sketches) -> Rows:
    if len(rows) and not (rows.min() >= 0 and rows.max() < len(sketches)):
        raise ValueError(f"rows must be between 0 and {len(sketches) - 1}")
    return np.ascontiguousarray(rows, np.int64)
