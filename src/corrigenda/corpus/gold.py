"""The gold edits of a corpus: annotated, or extracted from its reference texts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from textwrap import shorten
from typing import Literal

from corrigenda.corpus import Corpus
from corrigenda.corpus.packed import numbered
from corrigenda.edits import Annotation, Edit, edits_of_spans
from corrigenda.edits.edit_clusters import gold_sentence
from corrigenda.edits.gold_errors import GoldSentence
from corrigenda.errors import FormatError
from corrigenda.kernels import default_threads
from corrigenda.kernels.minimal_edits import ReferenceEdits, minimal_edits
from corrigenda.kernels.numbered_words import NumberedWords


def gold_origin(corpus: Corpus) -> Literal["annotated", "extracted"]:
    """Whether gold edits were annotated, or must be extracted from reference texts."""
    return "extracted" if corpus.gold is None else "annotated"


def gold_annotations(corpus: Corpus) -> tuple[tuple[Annotation, ...], ...]:
    """The annotations of each sentence.

    If none were given, they are extracted from the references by minimal alignment.
    """
    if corpus.gold is not None:
        return corpus.gold
    return corpus.once("extracted gold", lambda: _extracted(corpus))


def extracted_edits(
    corpus: Corpus, *, threads: int, words: NumberedWords | None = None
) -> ReferenceEdits:
    """The edits of every reference. `words` are those of the corpus, if they are known."""

    def extract() -> ReferenceEdits:
        known = words or numbered(corpus, None, threads=threads)
        return minimal_edits(
            known.sources, known.references, known.references_of_sentence, threads=threads
        )

    return corpus.once("extracted edits", extract)


def _extracted(corpus: Corpus) -> tuple[tuple[Annotation, ...], ...]:
    found = extracted_edits(corpus, threads=default_threads())
    spans = found.spans.tolist()
    bounds = itertools.pairwise(found.offsets.tolist())
    return tuple(
        tuple(
            Annotation(annotator, edits_of_spans(spans[slice(*next(bounds))], reference.split()))
            for annotator, reference in enumerate(references)
        )
        for references in corpus.references
    )


def gold_sentences(
    corpus: Corpus, *, first: int = 0, first_only: bool = False
) -> Iterator[GoldSentence]:
    """The gold errors of each sentence: as given, or made from the edits of its annotators.

    They are made one by one and not kept: short edits may accept thousands of combinations.
    `first` is the sentence to begin with. `first_only`: of the corrections that an edit accepts,
    only the first is used.
    """
    if corpus.errors is not None:
        return itertools.islice(corpus.errors, first, None)
    return _clustered(corpus, first, first_only)


def _clustered(corpus: Corpus, first: int, first_only: bool) -> Iterator[GoldSentence]:
    def used(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        if not first_only:
            return edits
        return tuple(replace(edit, corrections=edit.corrections[:1]) for edit in edits)

    annotations = gold_annotations(corpus)
    for index in range(first, len(corpus)):
        edits = {each.annotator: used(each.edits) for each in annotations[index]}
        source = corpus.sources[index]
        try:
            made = gold_sentence(tuple(source.split()), edits)
        except FormatError as error:
            # The message shows the sentence, because its number here is only its place in a block.
            shown = shorten(source, 60, placeholder=" …")
            raise FormatError(f"{error.problem}, in: {shown}", remedy=error.remedy) from error
        yield made
