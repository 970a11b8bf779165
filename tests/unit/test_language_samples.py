"""The multilingual sample: invented text in seven languages and five scripts."""

from __future__ import annotations

import unicodedata

import pytest

from corrigenda import evaluate
from corrigenda.data import language_corpus, language_names, language_systems

SCRIPTS = {
    "ar": "ARABIC",
    "cs": "LATIN",
    "de": "LATIN",
    "es": "LATIN",
    "ja": "HIRAGANA",
    "uk": "CYRILLIC",
    "zh": "CJK",
}
WITHOUT_BLANKS = ("ja", "zh")


def test_the_languages_are_these() -> None:
    assert language_names() == sorted(SCRIPTS)


@pytest.mark.parametrize("language", sorted(SCRIPTS))
def test_a_dozen_sentences_with_two_references_and_two_systems(language: str) -> None:
    corpus, systems = language_corpus(language), language_systems(language)
    assert len(corpus) == 12
    assert corpus.reference_range == (2, 2)
    assert [len(system) for system in systems] == [12, 12]
    texts = [*corpus.sources, *(text for of_one in corpus.references for text in of_one)]
    assert all(unicodedata.is_normalized("NFC", text) for text in texts)
    in_script = [any(SCRIPTS[language] in unicodedata.name(c, "") for c in t) for t in texts]
    assert all(in_script)
    assert all((" " in text) != (language in WITHOUT_BLANKS) for text in texts)
    unchanged = [source in references for source, references in
                 zip(corpus.sources, corpus.references, strict=True)]  # fmt: skip
    assert 1 <= sum(unchanged) <= 4, "some sentences are right as they are"


@pytest.mark.parametrize("language", sorted(SCRIPTS))
def test_both_systems_are_better_than_nothing(language: str) -> None:
    corpus = language_corpus(language)
    unit = "char" if language in WITHOUT_BLANKS else "word"
    named = {system.name: system.sentences for system in language_systems(language)}
    results = evaluate(corpus, {"unchanged": corpus.sources} | named, [f"green:unit={unit}"])
    nothing, *others = (result.score for result in results)
    assert min(others) > nothing
