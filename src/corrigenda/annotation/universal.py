"""Universal parts of speech as types, from any spaCy model that gives them, in any language.

An edit is an operation and a part of speech, e.g. `M:DET`. `R:NOUN:FORM` is another form of the
same lemma, `R:ORTH` another case or other blanks, `R:WO` another order of the same words.
`OTHER` is everything else: the words of the edit have several parts of speech.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.request import Request, Span
from corrigenda.annotation.spacy_annotator import SpacyAnnotator
from corrigenda.annotation.spacy_types import Document, Pipeline, Token
from corrigenda.annotation.steps import edit_of, merged, minimised, steps_of
from corrigenda.annotation.windows import share_windows
from corrigenda.edits import Edit
from corrigenda.errors import CorrigendaError
from corrigenda.kernels.errant_align import ErrantAligner, ParsedSentence, parsed_sentence

_SENTENCES_AT_ONCE = 64
_OPEN = ("ADJ", "ADV", "NOUN", "VERB")


class UniversalAnnotator(SpacyAnnotator):
    """Types by part of speech."""

    scheme = "universal parts of speech"
    mergers = ("all-split", "all-merge", "all-equal")

    @classmethod
    def load(cls, model_folder: Path, merger: Merger) -> UniversalEditMaker:
        """Load the model."""
        return UniversalEditMaker(model_folder, merger)

    def versions(self) -> dict[str, str]:
        """The version of the rules below, of spaCy, and the merger."""
        return {"rules": "1", "merger": self.merger, **super().versions()}


class UniversalEditMaker:
    """A loaded model. The edits of a sentence do not depend on the other sentences of a batch."""

    def __init__(self, model_folder: Path, merger: Merger) -> None:
        spacy, parts_of_speech, attributes = map(
            import_module, ("spacy", "spacy.parts_of_speech", "spacy.attrs")
        )
        self._nlp: Pipeline = spacy.load(model_folder, exclude=["ner", "senter"])
        share_windows(self._nlp)
        self._merger = merger
        self._attributes = [getattr(attributes, name) for name in ("ORTH", "LOWER", "LEMMA", "POS")]
        self._aligner = ErrantAligner([getattr(parts_of_speech, name) for name in _OPEN])

    def edits(self, requests: Sequence[Request]) -> list[list[Edit]]:
        """The edits of each request."""
        parsed = self._parse(
            {text for request in requests for text in (request.source, request.target)}
        )
        return [
            self._edits_of_pair(parsed[request.source], parsed[request.target], request)
            for request in requests
        ]

    def _parse(self, texts: set[str]) -> dict[str, Document]:
        make_document = import_module("spacy.tokens").Doc
        ordered = sorted(texts)
        documents = (make_document(self._nlp.vocab, text.split()) for text in ordered)
        parsed = list(self._nlp.pipe(documents, batch_size=_SENTENCES_AT_ONCE))
        if not any(token.pos_ for document in parsed for token in document):
            raise CorrigendaError(
                f"the spaCy model {self._nlp.meta['lang']}_{self._nlp.meta['name']} gives no "
                "parts of speech",
                remedy="Choose a model with a tagger or a morphologizer, or write edits=any.",
            )
        return dict(zip(ordered, parsed, strict=True))

    def _edits_of_pair(self, source: Document, target: Document, request: Request) -> list[Edit]:
        words, others = ([token.text for token in side] for side in (source, target))
        if request.spans is None:
            path = self._aligner.align(self._packed(source), self._packed(target))
            spans: Sequence[Span] = merged(steps_of(path), self._merger)
        else:
            spans = [minimised(span, words, others) for span in request.spans]
        return [
            edit_of(span, others, _type(source[span[0] : span[1]], target[span[2] : span[3]]))
            for span in spans
        ]

    def _packed(self, document: Document) -> ParsedSentence:
        numbers = document.to_array(self._attributes)
        if not numbers[:, 2].any():
            # The model gives no lemmas: a word is its own lemma.
            numbers[:, 2] = numbers[:, 1]
        return parsed_sentence([token.text for token in document], numbers)


def _type(source: Document, target: Document) -> str:
    """The type of an edit that replaces some words by others."""
    before, after = list(source), list(target)
    if not before:
        return f"M:{_part_of_speech(after)}"
    if not after:
        return f"U:{_part_of_speech(before)}"
    if _letters(before) == _letters(after):
        return "R:ORTH"
    if sorted(token.lower for token in before) == sorted(token.lower for token in after):
        return "R:WO"
    kind = _part_of_speech([*before, *after])
    if len(before) == len(after) == 1 and kind != "OTHER" and before[0].lemma_:
        return f"R:{kind}:FORM" if before[0].lemma_ == after[0].lemma_ else f"R:{kind}"
    return f"R:{kind}"


def _letters(tokens: Sequence[Token]) -> str:
    return "".join(token.lower_ for token in tokens)


def _part_of_speech(tokens: Sequence[Token]) -> str:
    """The part of speech of all tokens, or OTHER."""
    kinds = {token.pos_ for token in tokens}
    return (kinds.pop() or "OTHER") if len(kinds) == 1 else "OTHER"
