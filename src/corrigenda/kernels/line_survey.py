"""A quick look at many lines; see cpp/line_survey.hpp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.lines import as_texts

EQUAL, EMPTY = 1, 2
ByteCounts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LineSurvey:
    """What each line is beside its source, and how often bytes come in each chunk."""

    marks: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.int64]
    """[chunks, 3]: lines that are equal to their source, empty, and far from it in length."""
    byte_counts: ByteCounts
    """[chunks, 256]; only each 16th line counts, because that is quicker."""

    @property
    def equal(self) -> npt.NDArray[np.bool_]:
        """Which lines are equal to their source."""
        return (self.marks & EQUAL) > 0

    @property
    def empty(self) -> npt.NDArray[np.bool_]:
        """Which lines are empty, and their source is not."""
        return (self.marks & EMPTY) > 0


def byte_survey(lines: Sequence[str], *, chunk: int) -> ByteCounts:
    """How often each byte comes in each chunk: [chunks, 256]; only each 16th line counts."""
    if chunk < 1:
        raise ValueError("a chunk has at least one line")
    counts: ByteCounts = _kernels.byte_survey(as_texts(lines), chunk)
    return counts


def line_survey(sources: Sequence[str], lines: Sequence[str], *, chunk: int) -> LineSurvey:
    """The survey of lines beside their sources, in chunks of this many lines."""
    if len(sources) != len(lines):
        raise ValueError("each line needs a source")
    byte_counts = byte_survey(lines, chunk=chunk)
    marks, counts = _kernels.line_survey(as_texts(sources), as_texts(lines), chunk)
    return LineSurvey(marks, counts, byte_counts)


def long_lines(lines: Sequence[str], *, longest: int) -> npt.NDArray[np.int64]:
    """The places of the lines that have more bytes than `longest`."""
    places: npt.NDArray[np.int64] = _kernels.long_lines(as_texts(lines), longest).view(np.int64)
    return places
