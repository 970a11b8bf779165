"""Any language: a minimal alignment of words, and the operations M, R and U as types.

The edits are those of `errant_parallel -lev` with the same merger, up to their types. The errant
package and spaCy are not needed.
"""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.request import Span
from corrigenda.annotation.steps import WordAligner, merged
from corrigenda.annotation.text_annotator import TextAnnotator
from corrigenda.kernels.errant_align import ErrantAligner


class AnyLanguageAnnotator(TextAnnotator):
    """Words that differ, joined by a merger."""

    version = "1"
    mergers = ("all-merge", "all-split", "all-equal")

    def __init__(self, merger: Merger) -> None:
        super().__init__(merger)
        self._aligner = WordAligner(ErrantAligner(costs="levenshtein"))

    def spans(self, source: Sequence[str], target: Sequence[str]) -> list[Span]:
        """The edits between two sentences."""
        return merged(self._aligner.steps(source, target), self.merger)

    def type_of(self, source: Sequence[str], target: Sequence[str]) -> str:
        """M for a missing text, U for an unnecessary one, R for a replacement."""
        return "M" if not source else "U" if not target else "R"
