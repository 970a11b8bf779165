"""The mergers give the edits of the errant package on CoNLL-2014, edit by edit.

`any` needs no parser, so it aligns by Levenshtein: its edits are those of errant's option `-lev`.
`en` aligns with linguistic costs, as errant does without that option.
"""

from __future__ import annotations

import re
from functools import cache as cache_of
from pathlib import Path

import pytest

from corrigenda.annotation.edit_source import EditSource
from corrigenda.formats import read_hypotheses, read_text
from errant_model import cache, errant_ready, model  # noqa: F401
from public_data import full

pytestmark = [pytest.mark.model("errant", "spacy"), pytest.mark.slow]
MERGERS = ("all-split", "all-merge", "all-equal")
SYSTEMS = ("AMU", "CAMB", "RAC")


class Errant:
    """The errant package: each pair is aligned once, for all mergers."""

    def __init__(self, annotator, parse, *, lev: bool) -> None:
        self.annotator = annotator
        self._parse = cache_of(parse)
        self._align = cache_of(
            lambda source, target: annotator.align(self._parse(source), self._parse(target), lev)
        )

    def edits(self, source: str, target: str, merger: str):
        return self.annotator.merge(self._align(source, target), merger)


def texts(conll_folder: Path, part: slice):
    corpus = read_text(conll_folder / "source.txt", [conll_folder / "ref0.txt"])[part]
    names = [conll_folder / "systems" / f"{name}.txt" for name in SYSTEMS]
    return corpus, [read_hypotheses(name)[part] for name in names]


def check_any(conll_folder: Path, part: slice) -> None:
    import errant
    import spacy
    from spacy.tokens import Doc

    corpus, systems = texts(conll_folder, part)
    vocabulary = spacy.blank("en").vocab
    annotator = errant.annotator.Annotator("en")
    package = Errant(annotator, lambda text: Doc(vocabulary, text.split()), lev=True)
    compared = 0
    for merger in MERGERS:
        source = EditSource("extracted", edits="any", merger=merger)
        golds = [edits for (edits,) in source.gold_edits(corpus, threads=1)]
        references = [reference for (reference,) in corpus.references]
        found = [(references, golds)]
        found += [
            (system.sentences, source.system_edits(corpus, system, threads=1)) for system in systems
        ]
        for outputs, edits in found:
            for before, after, ours in zip(corpus.sources, outputs, edits, strict=True):
                theirs = package.edits(before, after, merger)
                assert [(edit.start, edit.end, edit.type, edit.correction) for edit in ours] == [
                    (
                        edit.o_start,
                        edit.o_end,
                        "M" if not edit.o_toks else "U" if not edit.c_toks else "R",
                        " ".join(token.text for token in edit.c_toks),
                    )
                    for edit in theirs
                ]
                compared += len(ours)
    assert compared > 500


def test_any_on_every_twentieth_sentence(conll_folder):
    check_any(conll_folder, slice(None, None, 20))


@full
def test_any_on_all_sentences(conll_folder):
    check_any(conll_folder, slice(None))


def test_english_with_each_merger(conll_folder, errant_ready):  # noqa: F811
    import errant
    import spacy

    corpus, systems = texts(conll_folder, slice(None, None, 80))
    nlp = spacy.load(errant_ready)
    annotator = errant.load("en", nlp)
    package = Errant(annotator, annotator.parse, lev=False)
    for merger in MERGERS:
        source = EditSource("extracted", edits="en", merger=merger)
        for system in systems:
            found = source.system_edits(corpus, system, threads=1)
            for before, after, ours in zip(corpus.sources, system.sentences, found, strict=True):
                theirs = [annotator.classify(edit) for edit in package.edits(before, after, merger)]
                assert [(edit.start, edit.end, edit.type, edit.correction) for edit in ours] == [
                    (edit.o_start, edit.o_end, edit.type, " ".join(t.text for t in edit.c_toks))
                    for edit in theirs
                ]
                assert all(re.match("[MRU]:|UNK", edit.type) for edit in theirs)
