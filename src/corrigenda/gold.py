"""The gold edits of a corpus: as annotated, or taken from its reference texts."""

from __future__ import annotations

from typing import Literal

from corrigenda.corpus import Corpus
from corrigenda.edits import Annotation, extract_edits


def gold_origin(corpus: Corpus) -> Literal["annotated", "extracted"]:
    """Whether gold edits were annotated, or have to be extracted from reference texts."""
    return "extracted" if corpus.gold is None else "annotated"


def gold_annotations(corpus: Corpus) -> tuple[tuple[Annotation, ...], ...]:
    """For each sentence its annotations; from references by minimal alignment where none were given."""
    if corpus.gold is not None:
        return corpus.gold
    return corpus.once("extracted gold", lambda: _extracted(corpus))


def _extracted(corpus: Corpus) -> tuple[tuple[Annotation, ...], ...]:
    return tuple(
        tuple(
            Annotation(annotator, extract_edits(source.split(), reference.split()))
            for annotator, reference in enumerate(references)
        )
        for source, references in zip(corpus.sources, corpus.references, strict=True)
    )
