"""The edits of systems beside the gold edits. A sentence without references has no gold edits."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence

ComparedSystem = Sequence[ComparedSentence]
"""The sentences of one system."""


def judged_comparisons(sentence: ComparedSentence) -> tuple[AnnotatorComparison, ...]:
    """One comparison per reference; none without references."""
    # Without references there is one comparison, which has no annotator.
    found = sentence.comparisons
    return found if found and found[0].annotator is not None else ()


def counted_comparison(sentence: ComparedSentence) -> AnnotatorComparison | None:
    """The comparison with the reference that the extractor chose; None without references."""
    return sentence.comparisons[sentence.chosen] if judged_comparisons(sentence) else None
