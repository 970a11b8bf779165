"""ERRANT's alignment of two parsed sentences; cpp/errant_align.hpp explains the costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NewType, get_args

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.limits import bounded

Costs = Literal["linguistic", "levenshtein", "characters"]
"""What a substitution costs, in the order of `AlignCosts` in cpp/errant_align.hpp."""
_COSTS: tuple[Costs, ...] = get_args(Costs)

ParsedSentence = NewType("ParsedSentence", object)
"""A compiled object: the words of a sentence as the aligner needs them."""


def parsed_sentence(words: Sequence[str], numbers: npt.NDArray[np.uint64]) -> ParsedSentence:
    """The words of a sentence; `numbers` has one row per word.

    A row holds the parser's numbers for the word, its lowercase form, its lemma and its part of
    speech. Equal numbers mean equal strings. The words contain no spaces.
    """
    if numbers.shape != (len(words), 4):
        raise ValueError(f"numbers of shape {numbers.shape} for {len(words)} words")
    letters = " ".join(words).encode("utf-32-le", "surrogatepass")
    rows = np.ascontiguousarray(numbers, np.uint64)
    return ParsedSentence(_kernels.ParsedSentence(rows, np.frombuffer(letters, np.uint32)))


class ErrantAligner:
    """Aligns one pair of sentences after another, and reuses its memory."""

    def __init__(
        self, open_parts_of_speech: Sequence[int] = (), costs: Costs = "linguistic"
    ) -> None:
        self._aligner = _kernels.ErrantAligner(
            np.array(open_parts_of_speech, np.uint64), _COSTS.index(costs)
        )

    def align(self, source: ParsedSentence, target: ParsedSentence) -> npt.NDArray[np.int32]:
        """The path as rows: step, start and end in the source, begin and finish in the target.

        The steps are 0 match, 1 substitution, 2 insertion, 3 deletion and 4 transposition.
        """
        with bounded():
            path: npt.NDArray[np.int32] = self._aligner.align(source, target)
        return path
