"""Edits: apply, extract and compare them, and cut a sentence into chunks at its edits."""

from corrigenda.edits.edit import (
    NOOP_TYPE,
    UNKNOWN_TYPE,
    AnnotatedSentence,
    Annotation,
    Edit,
    GrowingEdits,
    apply_edits,
    are_annotators,
    edits_of_spans,
    extract_edits,
    first_overlap,
)

__all__ = [
    "NOOP_TYPE",
    "UNKNOWN_TYPE",
    "AnnotatedSentence",
    "Annotation",
    "Edit",
    "GrowingEdits",
    "apply_edits",
    "are_annotators",
    "edits_of_spans",
    "extract_edits",
    "first_overlap",
]
