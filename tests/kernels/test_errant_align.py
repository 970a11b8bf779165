"""The aligner takes the same path as the errant package.

The words repeat, change case and change places.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.kernels.errant_align import ErrantAligner, ParsedSentence, parsed_sentence
from examples import examples
from lazily import Lazily

pytestmark = pytest.mark.model
spacy, tokens, attributes = Lazily("spacy"), Lazily("spacy.tokens"), Lazily("spacy.attrs")
alignment = Lazily("errant.alignment")


@cache
def vocabulary():
    return spacy.blank("en").vocab


@cache
def aligner() -> ErrantAligner:
    names = ("ADJ", "ADV", "NOUN", "VERB")
    return ErrantAligner([spacy.parts_of_speech.IDS[name] for name in names])


COLUMNS = ("ORTH", "LOWER", "LEMMA", "POS")
WORDS = st.sampled_from(
    ["a", "A", "b", "ab", "Ab", "ba", "abc", "été", "😀", "中文", "running", "run"]
)
TOKENS = st.tuples(
    WORDS, st.sampled_from(["x", "y"]), st.sampled_from(["NOUN", "VERB", "DET", "PUNCT"])
)
SENTENCES = st.lists(TOKENS, max_size=9)


def document(parts: list[tuple[str, str, str]]) -> Any:
    words, lemmas, classes = (
        (list(column) for column in zip(*parts, strict=True)) if parts else ([], [], [])
    )
    return tokens.Doc(vocabulary(), words=words, lemmas=lemmas, pos=classes)


def packed(parsed: Any) -> ParsedSentence:
    numbers = parsed.to_array([getattr(attributes, name) for name in COLUMNS])
    return parsed_sentence([token.text for token in parsed], numbers)


def path(
    source: Any, target: Any, with_costs: ErrantAligner | None = None
) -> list[tuple[str, int, int, int, int]]:
    steps = (with_costs or aligner()).align(packed(source), packed(target)).tolist()
    return [
        ("MSID"[step] if step < 4 else f"T{end - start}", start, end, *rest)
        for step, start, end, *rest in steps
    ]


@settings(max_examples=examples(400))
@given(SENTENCES, SENTENCES)
def test_same_path_as_errant(source, target):
    source, target = document(source), document(target)
    assert path(source, target) == alignment.Alignment(source, target).align_seq


@settings(max_examples=examples(200))
@given(SENTENCES, st.randoms())
def test_same_path_where_words_only_change_places(source, randomness):
    target = list(source)
    randomness.shuffle(target)
    first, second = document(source), document(target)
    assert path(first, second) == alignment.Alignment(first, second).align_seq


@settings(max_examples=examples(200))
@given(SENTENCES, SENTENCES)
def test_same_path_as_errant_with_standard_levenshtein(source, target):
    source, target = document(source), document(target)
    found = path(source, target, ErrantAligner(costs="levenshtein"))
    assert found == alignment.Alignment(source, target, lev=True).align_seq


class OfCharacters:
    """errant's table with ChERRANT's cost of two characters that its dictionaries do not know."""

    def __new__(cls, source: Any, target: Any) -> Any:
        class Alignment(alignment.Alignment):
            def get_sub_cost(self, before: Any, after: Any) -> float:
                first, second = (token.pos_ == "PUNCT" for token in (before, after))
                kind = 0.499 if first != second else 0.0 if first else 0.25
                return 4 / 6 + 0.5 + kind

        return Alignment(source, target)


@settings(max_examples=examples(200))
@given(SENTENCES, SENTENCES)
def test_costs_of_characters(source, target):
    lower = [[(word.lower(), *rest) for word, *rest in side] for side in (source, target)]
    source, target = map(document, lower)

    def numbered(parsed: Any) -> ParsedSentence:
        numbers = parsed.to_array([getattr(attributes, name) for name in COLUMNS])
        numbers[:, 3] = [token.pos_ == "PUNCT" for token in parsed]
        return parsed_sentence([token.text for token in parsed], numbers)

    steps = ErrantAligner(costs="characters").align(numbered(source), numbered(target)).tolist()
    assert [
        ("MSID"[step] if step < 4 else f"T{end - start}", start, end, *rest)
        for step, start, end, *rest in steps
    ] == OfCharacters(source, target).align_seq


def test_words_and_letters_must_agree():
    with pytest.raises(ValueError, match="do not agree"):
        parsed_sentence(["a b"], np.zeros((1, 4), np.uint64))


@pytest.mark.parametrize("shape", [(2, 4), (1, 3), (4,), (0, 4)])
def test_every_word_needs_four_numbers(shape):
    with pytest.raises(ValueError, match="for 1 words"):
        parsed_sentence(["a"], np.zeros(shape, np.uint64))
