"""Words become ids: equal words equal ids, and a word is what whitespace separates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.kernels import Vocabulary
from corrigenda.kernels.vocabulary import Similar

# Whitespace characters of `str.split`, without the line feed, which ends a sentence.
BLANKS = (
    "\t\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

words = st.text(st.sampled_from("abé中\U0001f600\u0301\u200b\ufeff"), min_size=1, max_size=3)
blanks = st.text(st.sampled_from(BLANKS), min_size=1, max_size=3)


@st.composite
def spaced_sentences(draw: st.DrawFn) -> str:
    """Words with odd spaces between, before and after."""
    parts = draw(st.lists(st.one_of(words, blanks), max_size=10))
    return "".join(parts)


texts = st.lists(spaced_sentences(), max_size=5)


def sentences_of(encoded) -> list[list[int]]:
    return [
        encoded.ids[a:b].tolist()
        for a, b in zip(encoded.offsets[:-1], encoded.offsets[1:], strict=True)
    ]


@given(texts)
def test_equal_words_have_equal_ids(text):
    vocabulary = Vocabulary()
    ids: dict[str, int] = {}
    expected = [[ids.setdefault(word, len(ids)) for word in sentence.split()] for sentence in text]
    assert sentences_of(vocabulary.add(text)) == expected
    assert len(vocabulary) == len(ids)


@given(texts, texts)
def test_unknown_words_are_all_minus_one(known, text):
    vocabulary = Vocabulary()
    vocabulary.add(known)
    ids: dict[str, int] = {}
    for sentence in known:
        for word in sentence.split():
            ids.setdefault(word, len(ids))
    assert sentences_of(vocabulary.encode(text)) == [
        [ids.get(w, -1) for w in s.split()] for s in text
    ]
    assert len(vocabulary) == len(ids)  # encoding adds nothing


@given(texts, texts)
def test_adding_in_two_steps_is_adding_at_once(first, second):
    steps, at_once = Vocabulary(), Vocabulary()
    parts = sentences_of(steps.add(first)) + sentences_of(steps.add(second))
    assert parts == sentences_of(at_once.add(first + second))


@pytest.mark.parametrize(
    "text", [[], [""], ["", ""], ["", "a", ""], [" \u3000 "], ["\x85"], ["a\u2028b"]]
)
def test_empty_and_odd_texts(text):
    encoded = Vocabulary().add(text)
    assert len(encoded) == len(text)
    assert encoded.lengths.tolist() == [len(sentence.split()) for sentence in text]
    assert (encoded.ids.dtype, encoded.offsets.dtype) == (np.int32, np.int64)
    assert len(Vocabulary().encode(text)) == len(text)


def test_words_are_not_normalised():
    """Composed and decomposed letters, other cases, and invisible characters make other words."""
    forms = ["é", "e\u0301", "E", "e", "e\u200b", "\ufeffe", "\ud800", "\udfff"]
    vocabulary = Vocabulary()
    assert vocabulary.add([" ".join(forms)]).ids.tolist() == list(range(len(forms)))


def test_many_words_keep_their_ids():
    """The table grows many times over, and the first words are still found."""
    many = [f"word{number}" for number in range(50_000)]
    vocabulary = Vocabulary()
    assert vocabulary.add([" ".join(many)]).ids.tolist() == list(range(50_000))
    assert vocabulary.encode(["word0 word49999 word50000"]).ids.tolist() == [0, 49999, -1]


@given(st.lists(st.tuples(spaced_sentences(), spaced_sentences(), spaced_sentences()), max_size=4))
def test_similar_sentences_change_no_id(rows):
    """Texts that begin like others, and texts that do not, have the ids of a plain look-up."""
    sources = [one for one, _, _ in rows]
    added = [f"{one} {two}" for one, two, _ in rows]
    other = [f"{two} {one} {three}" for one, two, three in rows]
    plain, fast = Vocabulary(), Vocabulary()
    words = fast.add(sources)
    assert sentences_of(words) == sentences_of(plain.add(sources))
    similar = Similar(sources, words)
    assert sentences_of(fast.add(added, similar)) == sentences_of(plain.add(added))
    assert sentences_of(fast.encode(other, similar)) == sentences_of(plain.encode(other))
    assert len(fast) == len(plain)
    with pytest.raises(ValueError, match="similar sentences for"):
        fast.encode([*other, ""], similar)
