"""The edits themselves: spaCy parses, our kernel aligns, errant merges and classifies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from corrigenda import _kernels
from corrigenda.annotation.merging import LONG, Step, merged_long
from corrigenda.annotation.request import Request, Span
from corrigenda.annotation.ruler import remember_matches
from corrigenda.edits import Edit

# Larger batches are no faster, and hold more in memory.
_SENTENCES_AT_ONCE = 64
_STEPS = "MSIDT"


class Annotator:
    """A loaded model. What it gives for a sentence does not depend on the sentences beside it."""

    def __init__(self, model_folder: Path) -> None:
        # By name, as the extra may be absent where types are checked.
        errant, spacy, parts_of_speech, attributes = map(
            import_module, ("errant", "spacy", "spacy.parts_of_speech", "spacy.attrs")
        )
        # Named entities and sentence ends play no part in edits; the parser does.
        self._nlp = spacy.load(model_folder, exclude=["ner", "senter"])
        remember_matches(self._nlp)
        self._errant = errant.load("en", self._nlp)
        self._make_edit = import_module("errant.edit").Edit
        self._attributes = [getattr(attributes, name) for name in ("ORTH", "LOWER", "LEMMA", "POS")]
        open_classes = [getattr(parts_of_speech, name) for name in ("ADJ", "ADV", "NOUN", "VERB")]
        self._aligner = _kernels.ErrantAligner(np.array(open_classes, np.uint64))

    def annotate(self, requests: Sequence[Request]) -> list[list[Edit]]:
        """The edits of each request."""
        sentences = self._parse(
            {text for request in requests for text in (request.source, request.target)}
        )
        return [
            self._edits(sentences[request.source], sentences[request.target], request)
            for request in requests
        ]

    def _parse(self, texts: set[str]) -> dict[str, _Sentence]:
        make_document = import_module("spacy.tokens").Doc
        # In a fixed order: a set's differs from run to run.
        ordered = sorted(texts)
        documents = (make_document(self._nlp.vocab, text.split()) for text in ordered)
        parsed = self._nlp.pipe(documents, batch_size=_SENTENCES_AT_ONCE)
        return {
            text: _Sentence(document, self._attributes)
            for text, document in zip(ordered, parsed, strict=True)
        }

    def _edits(self, source: _Sentence, target: _Sentence, request: Request) -> list[Edit]:
        if request.spans is not None:
            return [self._typed(source, target, span) for span in request.spans]
        path = self._aligner.align(source.packed, target.packed)
        found = self._merged(_Alignment(source.document, target.document, path))
        return [_as_edit(self._errant.classify(edit)) for edit in found]

    def _merged(self, alignment: _Alignment) -> list[Any]:
        """Neighbouring changes as one edit where errant's rules say so."""
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
        return [self._make_edit(alignment.orig, alignment.cor, span[1:]) for span in spans]

    def _typed(self, source: _Sentence, target: _Sentence, span: Span) -> Edit:
        return _as_edit(self._errant.import_edit(source.document, target.document, list(span)))


class _Sentence:
    """A parsed sentence, for errant and for the kernel."""

    def __init__(self, document: Any, attributes: list[int]) -> None:
        self.document = document
        letters = " ".join([token.text for token in document]).encode("utf-32-le", "surrogatepass")
        words = np.ascontiguousarray(document.to_array(attributes), np.uint64)
        self.packed = _kernels.ParsedSentence(
            words.reshape(-1, 4), np.frombuffer(letters, np.uint32)
        )


class _Alignment:
    """What errant's merger looks at in an alignment."""

    def __init__(self, source: Any, target: Any, path: np.ndarray[Any, np.dtype[np.int32]]) -> None:
        self.orig = source
        self.cor = target
        self.align_seq = [
            (_STEPS[step] if step < 4 else f"T{end - start}", start, end, begin, finish)
            for step, start, end, begin, finish in path.tolist()
        ]


def _kind_of_step(step: Step) -> str:
    """Matches and transpositions (T with a number) stand alone; all other steps are changes."""
    return step[0][0] if step[0][0] in "MT" else ""


def _as_edit(edit: Any) -> Edit:
    return Edit(
        edit.o_start, edit.o_end, (" ".join([token.text for token in edit.c_toks]),), edit.type
    )


@lru_cache(maxsize=1)
def loaded(model_folder: Path) -> Annotator:
    """The annotator of a model in this process, loaded once."""
    return Annotator(model_folder)
