"""The edits of gold and systems: given in a file, or made by the annotator of their language.

An edit source is a value. A metric makes one from its parameters and asks it for edits and for the
signature's fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from corrigenda.annotation.annotator import Annotations, Annotator, AnnotatorChoice, Merger
from corrigenda.annotation.registry import DEFAULT, annotator_class, check_choice, find_annotator
from corrigenda.annotation.request import Request, Span, request
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Annotation, Edit
from corrigenda.errors import MetricError

GoldEdits = Literal["auto", "annotated", "retyped", "extracted"]
Origin = Literal["annotated", "retyped", "re-extracted", "extracted"]
"""Where gold edits come from.

- annotated: as they stand in the M2 file.
- retyped: the spans of the M2 file, with new types from the annotator.
- re-extracted: from the corrected text that the annotation of the M2 file makes.
- extracted: from reference text.
"""
SentenceEdits = tuple[Edit, ...]

# The types of errors that were marked but not corrected, in CoNLL-2014 and in ERRANT.
_DETECTION_TYPES = ("Um", "UNK")


@dataclass(frozen=True)
class EditSource:
    """How a metric gets its edits: which gold edits it uses, and which annotator makes others."""

    gold: GoldEdits = "auto"
    spacy_model: str = ""
    edits: str = DEFAULT
    """The name of the annotator."""
    merger: Merger = "auto"

    def annotator(self) -> Annotator:
        """The annotator that makes edits."""
        return find_annotator(self.edits, self._choice)

    @property
    def _choice(self) -> AnnotatorChoice:
        return AnnotatorChoice(self.merger, self.spacy_model)

    def check(self) -> None:
        """Refuse an annotator or a merger that does not exist. It loads no model."""
        check_choice(self.edits, self._choice)

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages that the annotator needs."""
        return annotator_class(self.edits).packages

    def origin(self, corpus: Corpus) -> Origin:
        """Where the gold edits of this corpus come from."""
        if corpus.gold is None:
            if self.gold in ("annotated", "retyped"):
                raise MetricError(
                    f"gold={self.gold} needs annotated edits, but this corpus has none",
                    remedy="Give the corpus as an M2 file (--gold), or use gold=auto.",
                )
            return "extracted"
        if self.gold == "retyped":
            return "retyped"
        return "re-extracted" if self.gold == "extracted" else "annotated"

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Annotate gold and all systems together, so that no sentence is parsed twice."""
        outputs = [_system_requests(corpus, system) for system in systems if system.edits is None]
        wanted = list(chain(self._gold_requests(corpus), *outputs))
        if wanted:
            self._annotated(corpus, wanted, threads)

    def gold_edits(self, corpus: Corpus, *, threads: int) -> tuple[tuple[SentenceEdits, ...], ...]:
        """The edits of each reference of each sentence."""
        origin = self.origin(corpus)
        if not any(corpus.references):
            # There is nothing to annotate, so no model is needed.
            return ((),) * len(corpus)
        key = ("gold edits", origin, self._model_key(origin))
        return corpus.once(key, lambda: self._gold_edits(corpus, threads))

    def system_edits(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> tuple[SentenceEdits, ...]:
        """The edits of each sentence of a system."""
        if hypotheses.edits is not None:
            return hypotheses.edits
        requests = _system_requests(corpus, hypotheses)
        annotations = self._annotated(corpus, requests, threads)
        return tuple(annotations[wanted] for wanted in requests)

    def fields(self, corpus: Corpus, hypotheses: Hypotheses | None = None) -> dict[str, object]:
        """The signature's fields about the gold edits, and about the edits of a given system."""
        fields: dict[str, object] = {"gold": self.origin(corpus)}
        if fields["gold"] != "annotated":
            fields.update(self._annotator_fields())
        if hypotheses is not None and hypotheses.edits is not None:
            fields["edits"] = "given"
        elif hypotheses is not None:
            fields.update(edits="extracted", **self._annotator_fields())
        return fields

    def _annotator_fields(self) -> dict[str, object]:
        # The versions of the default annotator name it already.
        name = {} if self.edits == DEFAULT else {"annotator": self.edits}
        return {**name, **self.annotator().signature_fields()}

    def _model_key(self, origin: Origin) -> str:
        return "" if origin == "annotated" else self.annotator().key

    def _annotated(self, corpus: Corpus, requests: Iterable[Request], threads: int) -> Annotations:
        annotator = self.annotator()
        known = _known(corpus).setdefault(annotator.key, {})
        missing = [wanted for wanted in requests if wanted not in known]
        if missing:
            known.update(annotator.annotate(missing, threads=threads))
        return known

    def _gold_requests(self, corpus: Corpus) -> Iterator[Request]:
        origin = self.origin(corpus)
        if origin == "extracted":
            for source, references in zip(corpus.sources, corpus.references, strict=True):
                for reference in references:
                    yield request(source, reference)
        elif origin != "annotated":
            for source, annotation in _annotations(corpus):
                yield _Applied(source, annotation).request(keep_spans=origin == "retyped")

    def _gold_edits(self, corpus: Corpus, threads: int) -> tuple[tuple[SentenceEdits, ...], ...]:
        origin = self.origin(corpus)
        if corpus.gold is not None and origin == "annotated":
            return tuple(
                tuple(annotation.edits for annotation in sentence) for sentence in corpus.gold
            )
        requests = list(self._gold_requests(corpus))
        annotations = self._annotated(corpus, requests, threads)
        found = [annotations[wanted] for wanted in requests]
        if origin != "extracted":
            applied = (_Applied(source, annotation) for source, annotation in _annotations(corpus))
            found = [
                item.with_detections(edits, keep_spans=origin == "retyped")
                for item, edits in zip(applied, found, strict=True)
            ]
        rest = iter(found)
        return tuple(tuple(next(rest) for _ in references) for references in corpus.references)


def _known(corpus: Corpus) -> dict[str, Annotations]:
    """The annotations of a corpus so far, by the key of the annotator."""
    found: dict[str, Annotations] = corpus.once("annotations", dict)
    return found


def share_annotations(corpora: Sequence[Corpus]) -> None:
    """Let corpora of the same sentences use one another's annotations. Call it before scoring."""
    for corpus in corpora[1:]:
        corpus.once("annotations", lambda: _known(corpora[0]))


def _system_requests(corpus: Corpus, hypotheses: Hypotheses) -> list[Request]:
    return [
        request(source, output)
        for source, output in zip(corpus.sources, hypotheses.sentences, strict=True)
    ]


def _annotations(corpus: Corpus) -> Iterator[tuple[str, Annotation]]:
    for source, sentence in zip(corpus.sources, corpus.gold or (), strict=True):
        for annotation in sentence:
            yield source, annotation


class _Applied:
    """An annotator's edits applied to a source, with the span of each edit in the new text.

    An error that was marked but not corrected does not change the text. It is set aside, and
    `with_detections` adds it again. The errant package reads M2 files in the same way.
    """

    def __init__(self, source: str, annotation: Annotation) -> None:
        words = source.split()
        self.source = " ".join(words)
        self.edits = sorted(annotation.edits, key=lambda edit: (edit.start, edit.end))
        self.spans: list[Span] = []
        target: list[str] = []
        position = 0
        for edit in self.edits:
            target += words[position : edit.start]
            correction = (
                words[edit.start : edit.end] if _is_detection(edit) else edit.correction.split()
            )
            begin = len(target)
            target += correction
            self.spans.append((edit.start, edit.end, begin, len(target)))
            position = edit.end
        self.target = " ".join([*target, *words[position:]])

    def request(self, *, keep_spans: bool) -> Request:
        """A request for the types of the spans, or for the edits between the two texts."""
        if not keep_spans:
            return Request(self.source, self.target)
        corrected = zip(self.edits, self.spans, strict=True)
        return Request(
            self.source,
            self.target,
            tuple(span for edit, span in corrected if not _is_detection(edit)),
        )

    def with_detections(self, found: SentenceEdits, *, keep_spans: bool) -> SentenceEdits:
        """The found edits and the errors that were only marked, sorted by position."""
        if keep_spans:
            rest = iter(found)
            return tuple(
                _marked(edit) if _is_detection(edit) else next(rest) for edit in self.edits
            )
        marked = [_marked(edit) for edit in self.edits if _is_detection(edit)]
        return tuple(sorted([*marked, *found], key=lambda edit: (edit.start, edit.end)))


def _is_detection(edit: Edit) -> bool:
    return edit.type in _DETECTION_TYPES


def _marked(edit: Edit) -> Edit:
    return Edit(edit.start, edit.end, (edit.correction,), "UNK")
