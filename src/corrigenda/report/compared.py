"""The edits of systems beside the gold edits. A sentence without references has no gold edits."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence

ComparedSystem = Sequence[ComparedSentence]
"""The sentences of one system."""


def judged_comparisons(sentence: ComparedSentence) -> tuple[AnnotatorComparison, ...]:
    """One comparison per reference; none without references."""
    return tuple(found for found in sentence.comparisons if found.annotator is not None)


def counted_comparison(sentence: ComparedSentence) -> AnnotatorComparison | None:
    """The comparison with the reference that the extractor chose; None without references."""
    return sentence.comparisons[sentence.chosen] if judged_comparisons(sentence) else None
