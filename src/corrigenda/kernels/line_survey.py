"""A quick look at many lines; see cpp/line_survey.hpp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.lines import as_texts


@dataclass(frozen=True)
class LineSurvey:
    """Lengths in bytes and hashes of all lines, and how often bytes come in each chunk."""

    lengths: npt.NDArray[np.int32]
    hashes: npt.NDArray[np.uint64]
    byte_counts: npt.NDArray[np.int64]
    """[chunks, 256]; only each eighth line counts, because that is quicker."""


def line_survey(lines: Sequence[str], *, chunk: int, threads: int) -> LineSurvey:
    """The survey of the lines, in chunks of so many lines."""
    if chunk < 1:
        raise ValueError("a chunk has at least one line")
    return LineSurvey(*_kernels.line_survey(as_texts(lines), chunk, threads))
