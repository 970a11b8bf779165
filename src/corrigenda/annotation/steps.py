"""The steps of an alignment, and the mergers that make edits of them without any language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.request import Span
from corrigenda.edits import Edit
from corrigenda.kernels.errant_align import ErrantAligner, ParsedSentence, parsed_sentence

Step = tuple[str, int, int, int, int]
"""(operation, start, end, begin, finish): source words start to end became target words begin to
finish. The operation is M, S, I, D, or T with a number."""

_STEPS = "MSIDT"


def steps_of(path: npt.NDArray[np.int32]) -> list[Step]:
    """The steps of a path of the aligner."""
    return [
        (_STEPS[step] if step < 4 else f"T{end - start}", start, end, begin, finish)
        for step, start, end, begin, finish in path.tolist()
    ]


def merged(steps: Sequence[Step], merger: Merger) -> list[Span]:
    """The spans of the edits, by one of the mergers all-split, all-merge and all-equal."""
    if merger == "all-split":
        return [step[1:] for step in steps if step[0] != "M"]
    same: Callable[[Step], object] = _operation if merger == "all-equal" else _is_change
    groups = (list(group) for _, group in groupby(steps, same))
    return [joined(group) for group in groups if _is_change(group[0])]


def joined(steps: Sequence[Step]) -> Span:
    """The span of neighbouring steps."""
    return steps[0][1], steps[-1][2], steps[0][3], steps[-1][4]


def minimised(span: Span, source: Sequence[str], target: Sequence[str]) -> Span:
    """The span without words that are the same at both ends."""
    start, end, begin, finish = span
    while start < end and begin < finish and source[start] == target[begin]:
        start, begin = start + 1, begin + 1
    while start < end and begin < finish and source[end - 1] == target[finish - 1]:
        end, finish = end - 1, finish - 1
    return start, end, begin, finish


def edit_of(span: Span, target: Sequence[str], kind: str) -> Edit:
    """An edit of this type that writes the target words of the span."""
    start, end, begin, finish = span
    return Edit(start, end, (" ".join(target[begin:finish]),), kind)


class WordAligner:
    """Aligns words without a parser: all that matters is which words are equal.

    `kind_of` gives each word a small number, where the costs of the aligner use one.
    """

    def __init__(
        self, aligner: ErrantAligner, kind_of: Callable[[str], int] = lambda word: 0
    ) -> None:
        self._aligner = aligner
        self._kind_of = kind_of

    def steps(self, source: Sequence[str], target: Sequence[str]) -> list[Step]:
        """The steps from the source to the target."""
        ids: dict[str, int] = {}
        before, after = (self._numbered(words, ids) for words in (source, target))
        return steps_of(self._aligner.align(before, after))

    def _numbered(self, words: Sequence[str], ids: dict[str, int]) -> ParsedSentence:
        numbers = np.zeros((len(words), 4), np.uint64)
        if words:
            numbers[:, :3] = np.array([ids.setdefault(word, len(ids)) for word in words])[:, None]
            numbers[:, 3] = [self._kind_of(word) for word in words]
        return parsed_sentence(words, numbers)


def _operation(step: Step) -> str:
    return step[0]


def _is_change(step: Step) -> bool:
    return step[0] != "M"
