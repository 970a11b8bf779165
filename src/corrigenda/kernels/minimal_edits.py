"""Edits between sources and references; cpp/minimal_edits.hpp explains how they are found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.limits import bounded
from corrigenda.kernels.ragged import Ragged, check_offsets

Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ReferenceEdits:
    """The edits of each reference against its source.

    The edits of reference r are `spans[offsets[r]:offsets[r + 1]]`, from left to right. Each edit
    is a row of start and end in the source, begin and finish in the reference.
    """

    spans: npt.NDArray[np.int32]
    offsets: Offsets

    def corrections(self, references: Ragged) -> Ragged:
        """The reference words of each edit, which replace the source words."""
        starts = np.repeat(references.offsets[:-1], np.diff(self.offsets)) + self.spans[:, 2]
        lengths = (self.spans[:, 3] - self.spans[:, 2]).astype(np.int64)
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return Ragged(references.ids[places], offsets)


def minimal_edits(
    sources: Ragged, references: Ragged, references_of_sentence: Offsets, *, threads: int
) -> ReferenceEdits:
    """The edits of a minimal word alignment of every reference with its source."""
    check_offsets(references_of_sentence, len(sources), len(references), "references_of_sentence")
    with bounded():
        return ReferenceEdits(
            *_kernels.minimal_edits(
                sources.ids,
                sources.offsets,
                references.ids,
                references.offsets,
                references_of_sentence,
                threads,
            )
        )
