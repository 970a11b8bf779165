"""The aligner takes the same path as the errant package.

The words repeat, change case and change places.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.kernels.errant_align import ErrantAligner, ParsedSentence, parsed_sentence

spacy = pytest.importorskip("spacy")
alignment = pytest.importorskip("errant.alignment")

from spacy.attrs import LEMMA, LOWER, ORTH, POS  # noqa: E402
from spacy.tokens import Doc  # noqa: E402

VOCABULARY = spacy.blank("en").vocab
OPEN = [spacy.parts_of_speech.IDS[name] for name in ("ADJ", "ADV", "NOUN", "VERB")]
ALIGNER = ErrantAligner(OPEN)
WORDS = st.sampled_from(
    ["a", "A", "b", "ab", "Ab", "ba", "abc", "été", "😀", "中文", "running", "run"]
)
TOKENS = st.tuples(
    WORDS, st.sampled_from(["x", "y"]), st.sampled_from(["NOUN", "VERB", "DET", "PUNCT"])
)
SENTENCES = st.lists(TOKENS, max_size=9)


def document(tokens: list[tuple[str, str, str]]) -> Doc:
    words, lemmas, classes = (
        (list(column) for column in zip(*tokens, strict=True)) if tokens else ([], [], [])
    )
    return Doc(VOCABULARY, words=words, lemmas=lemmas, pos=classes)


def packed(parsed: Doc) -> ParsedSentence:
    numbers = parsed.to_array([ORTH, LOWER, LEMMA, POS])
    return parsed_sentence([token.text for token in parsed], numbers)


def path(source: Doc, target: Doc) -> list[tuple[str, int, int, int, int]]:
    steps = ALIGNER.align(packed(source), packed(target)).tolist()
    return [
        ("MSID"[step] if step < 4 else f"T{end - start}", start, end, *rest)
        for step, start, end, *rest in steps
    ]


@settings(max_examples=400)
@given(SENTENCES, SENTENCES)
def test_same_path_as_errant(source, target):
    source, target = document(source), document(target)
    assert path(source, target) == alignment.Alignment(source, target).align_seq


@settings(max_examples=200)
@given(SENTENCES, st.randoms())
def test_same_path_where_words_only_change_places(source, randomness):
    target = list(source)
    randomness.shuffle(target)
    first, second = document(source), document(target)
    assert path(first, second) == alignment.Alignment(first, second).align_seq


def test_words_and_letters_must_agree():
    with pytest.raises(ValueError, match="do not agree"):
        parsed_sentence(["a b"], np.zeros((1, 4), np.uint64))


@pytest.mark.parametrize("shape", [(2, 4), (1, 3), (4,), (0, 4)])
def test_every_word_needs_four_numbers(shape):
    with pytest.raises(ValueError, match="for 1 words"):
        parsed_sentence(["a"], np.zeros(shape, np.uint64))
