"""English: spaCy parses, our kernel aligns, errant merges and classifies."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.merging import LONG, merged_long
from corrigenda.annotation.request import Request, Span
from corrigenda.annotation.ruler import remember_matches
from corrigenda.annotation.spacy_annotator import SpacyAnnotator
from corrigenda.annotation.spacy_types import Document, ErrantEdit, ErrantPackage, Pipeline
from corrigenda.annotation.steps import Step, merged, steps_of
from corrigenda.annotation.windows import share_windows
from corrigenda.edits import Edit
from corrigenda.kernels.errant_align import ErrantAligner, parsed_sentence

# Larger batches share no more windows, because outputs for one source come together.
_SENTENCES_AT_ONCE = 128


class EnglishAnnotator(SpacyAnnotator):
    """ERRANT's edits and types."""

    scheme = "ERRANT"
    packages = ("errant", "spacy")
    mergers = ("rules", "all-split", "all-merge", "all-equal")
    language = "en"

    @classmethod
    def load(cls, model_folder: Path, merger: Merger) -> ErrantEditMaker:
        """Load the model for errant."""
        return ErrantEditMaker(model_folder, merger)

    def versions(self) -> dict[str, str]:
        """The versions of errant and spaCy; the merger, if it is not errant's own rules."""
        merger = {} if self.merger == "rules" else {"merger": self.merger}
        return {**super().versions(), **merger}


class ErrantEditMaker:
    """A loaded model. The edits of a sentence do not depend on the other sentences of a batch."""

    def __init__(self, model_folder: Path, merger: Merger) -> None:
        self._merger = merger
        # Imported by name, because the type checker may run without the extra.
        errant, spacy, parts_of_speech, attributes = map(
            import_module, ("errant", "spacy", "spacy.parts_of_speech", "spacy.attrs")
        )
        # Edits use the parser, but not named entities or sentence boundaries.
        self._nlp: Pipeline = spacy.load(model_folder, exclude=["ner", "senter"])
        remember_matches(self._nlp)
        share_windows(self._nlp)
        self._errant: ErrantPackage = errant.load("en", self._nlp)
        self._make_edit = import_module("errant.edit").Edit
        self._attributes = [getattr(attributes, name) for name in ("ORTH", "LOWER", "LEMMA", "POS")]
        open_classes = [getattr(parts_of_speech, name) for name in ("ADJ", "ADV", "NOUN", "VERB")]
        self._aligner = ErrantAligner(open_classes)

    def edits(self, requests: Sequence[Request]) -> list[list[Edit]]:
        """The edits of each request."""
        sentences = self._parse(
            {text for request in requests for text in (request.source, request.target)}
        )
        return [
            self._edits_of_pair(sentences[request.source], sentences[request.target], request)
            for request in requests
        ]

    def _parse(self, texts: set[str]) -> dict[str, _ParsedSentence]:
        make_document = import_module("spacy.tokens").Doc
        # Sorted, because the order of a set differs from run to run.
        ordered = sorted(texts)
        documents = (make_document(self._nlp.vocab, text.split()) for text in ordered)
        # The parser divides its batches by four, so that their sentences have similar lengths.
        parsed = self._nlp.pipe(
            documents,
            batch_size=_SENTENCES_AT_ONCE,
            component_cfg={"parser": {"batch_size": 4 * _SENTENCES_AT_ONCE}},
        )
        return {
            text: _ParsedSentence(document, self._attributes)
            for text, document in zip(ordered, parsed, strict=True)
        }

    def _edits_of_pair(
        self, source: _ParsedSentence, target: _ParsedSentence, request: Request
    ) -> list[Edit]:
        if request.spans is not None:
            return [self._typed(source, target, span) for span in request.spans]
        path = self._aligner.align(source.packed, target.packed)
        found = self._merged(_Alignment(source.document, target.document, path))
        return [_as_edit(self._errant.classify(edit)) for edit in found]

    def _merged(self, alignment: _Alignment) -> list[ErrantEdit]:
        """Join neighbouring changes into one edit where the merger says so."""
        if self._merger == "rules":
            spans = [step[1:] for step in self._merged_by_rules(alignment)]
        else:
            spans = merged(alignment.align_seq, self._merger)
        return [self._make_edit(alignment.orig, alignment.cor, span) for span in spans]

    def _merged_by_rules(self, alignment: _Alignment) -> list[Step]:
        merger = self._errant.merger
        spans: list[Step] = []
        for kind, group in groupby(alignment.align_seq, _kind_of_step):
            steps = list(group)
            if kind == "T":
                spans += steps
            elif kind != "M":
                spans += (
                    merger.process_seq(steps, alignment)
                    if len(steps) <= LONG
                    else merged_long(steps, alignment.orig, alignment.cor, merger.char_cost)
                )
        return spans

    def _typed(self, source: _ParsedSentence, target: _ParsedSentence, span: Span) -> Edit:
        return _as_edit(self._errant.import_edit(source.document, target.document, list(span)))


class _ParsedSentence:
    """A parsed sentence in two forms: for errant and for the kernel."""

    def __init__(self, document: Document, attributes: Sequence[int]) -> None:
        self.document = document
        words = [token.text for token in document]
        self.packed = parsed_sentence(words, document.to_array(attributes))


class _Alignment:
    """The parts of errant's `Alignment` that its merger reads."""

    def __init__(self, source: Document, target: Document, path: npt.NDArray[np.int32]) -> None:
        self.orig = source
        self.cor = target
        self.align_seq = steps_of(path)


def _kind_of_step(step: Step) -> str:
    """M for a match, T for a transposition (T with a number), and "" for every other change."""
    return step[0][0] if step[0][0] in "MT" else ""


def _as_edit(edit: ErrantEdit) -> Edit:
    correction = " ".join([token.text for token in edit.c_toks])
    return Edit(edit.o_start, edit.o_end, (correction,), edit.type)
