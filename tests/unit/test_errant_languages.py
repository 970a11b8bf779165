"""An annotator is one class and one line in the registry, or one entry point."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from corrigenda import Corpus, evaluate
from corrigenda.annotation import find_annotator, registry, spacy_annotator, workers
from corrigenda.annotation.annotator import Annotator, AnnotatorChoice, Merger
from corrigenda.annotation.request import Request
from corrigenda.annotation.spacy_annotator import SpacyAnnotator
from corrigenda.annotation.spacy_model import find_spacy_model
from corrigenda.edits import Edit
from corrigenda.errors import CorrigendaError
from errant_model import cache  # noqa: F401


class WordAnnotator(SpacyAnnotator):
    """A made-up language: each word that differs is an edit."""

    scheme = "Words"
    packages = ()

    @classmethod
    def load(cls, model_folder: Path, merger: Merger) -> WordAnnotator.Edits:
        return cls.Edits()

    def versions(self) -> dict[str, str]:
        return {"word_rules": "1"}

    class Edits:
        def edits(self, requests: Sequence[Request]) -> list[list[Edit]]:
            return [
                [
                    Edit(place, place + 1, (after,), "R:WORD")
                    for place, (before, after) in enumerate(
                        zip(request.source.split(), request.target.split(), strict=True)
                    )
                    if before != after
                ]
                for request in requests
            ]


def model_of(language: str, folder: Path) -> str:
    """A folder that looks like a spaCy model and holds no data."""
    folder.mkdir()
    meta = {"lang": language, "name": "tiny", "version": "1.0"}
    (folder / "meta.json").write_text(json.dumps(meta))
    (folder / "config.cfg").write_text("")
    return str(folder)


@pytest.fixture
def german(tmp_path: Path) -> str:
    return model_of("de", tmp_path / "model")


@pytest.fixture
def registered(german: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The model for an annotator that the registry knows."""
    monkeypatch.setitem(registry.ANNOTATORS, "words", f"{__name__}:WordAnnotator")
    yield german
    registry._found.cache_clear()
    spacy_annotator.loaded.cache_clear()


@pytest.mark.parametrize("metric", ["errant", "cleme"])
def test_a_model_of_a_language_without_annotator_is_refused(german, metric):
    corpus = Corpus.from_lists(["Das sind es ."], [["Das ist es ."]])
    with pytest.raises(CorrigendaError) as error:
        evaluate(corpus, {"system": ["Das ist es ."]}, [f"{metric}:spacy_model={german}"])
    assert "the spaCy model de_tiny-1.0 is for the language 'de'" in str(error.value)
    assert "Write edits=ud" in str(error.value)


def test_it_is_refused_before_anything_is_loaded(german):
    program = f"""
import sys
from corrigenda.annotation import AnnotatorChoice, find_annotator
try:
    find_annotator("en", AnnotatorChoice(spacy_model={german!r}))
except Exception as error:
    print(type(error).__name__)
print(sorted({{"spacy", "errant"}} & sys.modules.keys()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout == "CorrigendaError\n[]\n"


def test_the_language_is_that_of_the_model_not_of_its_name(tmp_path):
    folder = model_of("de", tmp_path / "en_core_web_sm")
    with pytest.raises(CorrigendaError, match="language 'de'"):
        find_annotator("en", AnnotatorChoice(spacy_model=folder))


def test_a_model_without_a_language_is_refused(tmp_path):
    with pytest.raises(CorrigendaError, match="language ''"):
        find_annotator("en", AnnotatorChoice(spacy_model=model_of("", tmp_path / "model")))


def test_one_class_and_one_line_are_a_language(registered, cache):  # noqa: F811
    corpus = Corpus.from_lists(["Das sind es .", "Ja ."], [["Das ist es .", "Ja !"]])
    outputs = {"system": ["Das ist er .", "Ja ."]}
    # The second run reads the annotations from the cache.
    for _ in range(2):
        (result,) = evaluate(corpus, outputs, [f"errant:edits=words,spacy_model={registered}"])
        assert result.counts == {"tp": 1, "fp": 1, "fn": 1}
        assert "|annotator:words|word_rules:1|spacy_model:de_tiny-1.0|" in result.signature
        corpus = Corpus(corpus.sources, corpus.references)


def test_an_annotator_has_what_the_protocol_asks_for(registered, cache):  # noqa: F811
    choice = AnnotatorChoice(spacy_model=registered)
    annotator: Annotator = find_annotator("words", choice)
    assert find_annotator("words", choice) is annotator
    assert annotator.signature_fields() == {"word_rules": "1", "spacy_model": "de_tiny-1.0"}
    assert len(annotator.key) == 32
    same, changed = Request("a b", "a b"), Request("a b", "a c")
    assert annotator.annotate([same, changed, same], threads=1) == {
        same: (),
        changed: (Edit(1, 2, ("c",), "R:WORD"),),
    }


@pytest.mark.cluster
def test_a_worker_loads_the_annotator_of_the_language(german):
    chunk = [Request(f"word {i}", f"other {i}") for i in range(3)]
    annotator = (f"{__name__}:WordAnnotator", str(find_spacy_model(german).folder), "rules")
    ((answered, edits),) = workers.annotate_chunks([chunk], annotator, 1)
    assert answered == chunk
    assert edits == [(Edit(0, 1, ("other",), "R:WORD"),)] * 3
