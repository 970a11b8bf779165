"""The memory that the alignment of one pair or triple of sentences may take, or their n-grams.

`CORRIGENDA_MAX_MEMORY` gives it in megabytes (default: 256) per thread; the option `--max-memory`
sets it. A sentence that needs more is refused with its number.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.errors import SentenceError, UsageError, brief
from corrigenda.kernels.ragged import Ragged

VARIABLE = "CORRIGENDA_MAX_MEMORY"
DEFAULT_MEGABYTES = 256
MOST_MEGABYTES = 1_000_000
REMEDY = (
    "Split the line into sentences, or allow more memory: --max-memory MB, "
    f"or the variable {VARIABLE}."
)


def alignment_memory() -> int:
    """The limit in bytes."""
    given = os.environ.get(VARIABLE) or str(DEFAULT_MEGABYTES)
    if not re.fullmatch("[0-9]{1,7}", given) or not 1 <= int(given) <= MOST_MEGABYTES:
        raise UsageError(
            f"{VARIABLE} is {brief(given)}",
            remedy=f"Set it to a whole number of megabytes from 1 to {MOST_MEGABYTES:,}.",
        )
    return int(given) << 20


@contextmanager
def bounded() -> Iterator[None]:
    """Kernels in this block take no more memory per sentence than the limit."""
    _kernels.set_alignment_memory(alignment_memory())
    try:
        yield
    except _kernels.AlignmentTooLarge as error:
        raise too_large(str(error)) from error
    except MemoryError as error:
        raise too_large("there is not enough memory to compare a sentence") from error


class SentenceSizeError(SentenceError):
    """A sentence needs more memory than the limit allows."""

    def __init__(self, problem: str, sentence: int | None = None) -> None:
        shown = problem if sentence is None else f"sentence {sentence + 1}: {problem}"
        super().__init__(shown, remedy=REMEDY)
        self.reason, self._sentence = problem, sentence

    def of(self, sentence: int) -> SentenceSizeError:
        """The same error with the number of the sentence, if it has none yet."""
        return self if self._sentence is not None else SentenceSizeError(self.reason, sentence)

    def after(self, sentences: int) -> SentenceSizeError:
        """The same error in a text that has this many sentences before."""
        if self._sentence is None:
            return self
        return SentenceSizeError(self.reason, self._sentence + sentences)


def too_large(problem: str) -> SentenceSizeError:
    """The error for a sentence that needs too much memory; kernels name it by its number."""
    if named := re.match(r"sentence (\d+): ", problem):
        return SentenceSizeError(problem[named.end() :], int(named[1]))
    return SentenceSizeError(problem)


_LATTICE_BYTES = 16
"""What M² needs per cell: the steps of its lattice, the moves of its states, and its arcs."""
_MOVE_BYTES = 4


def check_lattices(sources: Ragged, hypotheses: Ragged, insertions: npt.NDArray[np.int64]) -> None:
    """Refuse a sentence for which M² would need too much memory.

    `insertions` is the number of gold insertions of each sentence: each may repeat a row.
    """
    limit = alignment_memory()
    place = _kernels.first_too_different(
        sources.ids,
        sources.offsets,
        hypotheses.ids,
        hypotheses.offsets,
        limit // _LATTICE_BYTES,
    )
    repeated = insertions * (np.diff(hypotheses.offsets) + 1) * _MOVE_BYTES
    if place < 0 and (repeated > limit).any():
        place = int(np.argmax(repeated > limit))
    if place >= 0:
        words = [
            int(each.offsets[place + 1] - each.offsets[place]) for each in (sources, hypotheses)
        ]
        raise too_large(
            f"sentence {place}: M² needs more than {limit >> 20} MB for a source of {words[0]:,} "
            f"words and a hypothesis of {words[1]:,} that differ in many words"
        )
