"""The files of CoNLL-2014 are read correctly, also where they are unusual."""

from __future__ import annotations

import warnings

import pytest

from corrigenda.formats import m2, read_m2
from public_data import CONLL_SYSTEMS

SENTENCES = 1312


def words(sentences) -> list[list[str]]:
    return [sentence.split() for sentence in sentences]


@pytest.mark.parametrize("system", CONLL_SYSTEMS)
def test_every_file_has_1312_sentences_without_line_ends(conll_systems, system):
    sentences = conll_systems[system].sentences
    assert len(sentences) == SENTENCES
    assert not any(line.endswith(("\r", "\n")) for line in sentences)


def test_empty_lines_are_sentences(conll, conll_systems):
    assert [i for i, line in enumerate(conll_systems["POST"].sentences) if not line.split()] == [23]
    assert [i for i, refs in enumerate(conll.references) if not refs[1].split()] == [23, 537, 573]
    assert all(refs[0].split() for refs in conll.references)


def test_input_is_the_source_but_for_blanks(conll, conll_systems):
    assert words(conll_systems["INPUT"].sentences) == words(conll.sources)


def test_applying_the_official_edits_gives_the_reference_texts(conll, conll_folder):
    """Where annotator 1 is missing, both made the same edits; so says the file's own readme."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus = read_m2(conll_folder / "official-2014.combined.m2")
    assert words(corpus.sources) == words(conll.sources)
    for annotator in (0, 1):
        applied = [refs[min(annotator, len(refs) - 1)] for refs in corpus.references]
        assert words(applied) == words(refs[annotator] for refs in conll.references)


@pytest.mark.parametrize("name", ["official-2014.combined.m2", "official-2014.combined-withalt.m2"])
def test_gold_survives_writing_and_reading(conll_folder, tmp_path, name):
    sentences = m2.read(conll_folder / name)
    with (tmp_path / name).open("w", encoding="utf-8", newline="\n") as file:
        m2.write(sentences, file)
    again = m2.read(tmp_path / name)
    assert [(s.words, s.annotations) for s in again] == [
        (s.words, s.annotations) for s in sentences
    ]


def test_annotators_of_the_combined_gold(conll_folder):
    sentences = m2.read(conll_folder / "official-2014.combined.m2")
    assert len(sentences) == SENTENCES
    assert {annotation.annotator for s in sentences for annotation in s.annotations} == {0, 1}
