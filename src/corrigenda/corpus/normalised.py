"""Unicode's normal form C: the same letters have the same code points, however they were typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Annotation, Edit
from corrigenda.errors import UsageError
from corrigenda.text.normal_form import normal_form

NAME = "nfc"


def in_normal_form(
    corpus: Corpus, systems: Sequence[Hypotheses] = ()
) -> tuple[Corpus, list[Hypotheses]]:
    """The corpus and the systems in normal form C; signatures say `tok:nfc`.

    No word is added or lost, so gold edits keep their places.
    """
    if corpus.errors is not None:
        raise UsageError(
            "--normalise does not go with the I-measure's XML",
            remedy="Give the gold edits as M2 (--gold).",
        )
    gold = corpus.gold
    made = replace(
        corpus,
        sources=tuple(map(_normal, corpus.sources)),
        references=tuple(tuple(map(_normal, each)) for each in corpus.references),
        gold=None if gold is None else tuple(tuple(map(_annotation, each)) for each in gold),
        tokens=NAME if corpus.tokens is None else f"{NAME}+{corpus.tokens}",
        _workspace={},
    )
    return made, [_system(each) for each in systems]


def _system(system: Hypotheses) -> Hypotheses:
    edits = system.edits
    return replace(
        system,
        sentences=tuple(map(_normal, system.sentences)),
        edits=None if edits is None else tuple(tuple(map(_edit, each)) for each in edits),
    )


def _annotation(annotation: Annotation) -> Annotation:
    return replace(annotation, edits=tuple(map(_edit, annotation.edits)))


def _edit(edit: Edit) -> Edit:
    return replace(edit, corrections=tuple(map(_normal, edit.corrections)))


def _normal(text: str) -> str:
    return normal_form(text, "NFC")
