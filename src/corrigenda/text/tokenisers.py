"""Tokenisers: a raw sentence in, its words out. None of them changes, adds or drops a character."""

from __future__ import annotations

import functools
import importlib.util
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from corrigenda.errors import MissingExtraError, UsageError

Tokeniser = Callable[[str], list[str]]

TOKENISERS = ("intl", "char", "zh", "spacy")
_WHOLE_CHARACTERS = ((0x2E80, 0x3000), (0x3040, 0xA000), (0xAC00, 0xD7B0), (0xF900, 0xFB00),
                     (0x20000, 0x32000))  # fmt: skip

_CLITIC = re.compile(r"(?<=[^\W\d_])(n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)


def tokeniser(name: str) -> Tokeniser:
    """The tokeniser of this name: `intl`, `char`, `zh`, `spacy` or `spacy:MODEL`."""
    kind, _, model = name.partition(":")
    if kind == "spacy":
        return _spacy(model)
    if name not in TOKENISERS:
        raise UsageError(
            f"there is no tokeniser {name!r}",
            remedy=f"The tokenisers are: {', '.join(TOKENISERS)}, spacy:MODEL.",
        )
    return {"intl": international, "char": characters, "zh": chinese}[name]


@functools.cache
def _kind(character: str) -> str:
    """The first letter of the Unicode category: L letter, N number, P punctuation, S symbol, …"""
    return unicodedata.category(character)[0]


def international(text: str) -> list[str]:
    """Punctuation and symbols are words of their own; punctuation between two numbers is not.

    The rules are those of mteval-v14's international tokenisation, with the ends of the text
    treated as blanks.
    """
    return [part for word in text.split() for part in _international_word(word)]


def _international_word(word: str) -> list[str]:
    if word.isalnum():
        return [word]
    parts: list[str] = []
    begin = 0
    for place, character in enumerate(word):
        kind = _kind(character)
        if kind == "S" or (kind == "P" and not _between_numbers(word, place)):
            parts += [word[begin:place], character]
            begin = place + 1
    return [part for part in (*parts, word[begin:]) if part]


def international_at_edges(text: str) -> list[str]:
    """The same at the edges of words; inside, only clitics such as `n't` and `'s` are cut off.

    It is for raw text, where blanks are what people wrote: `his/her` and `his / her` differ, and so
    do `end,but` and `end, but`. Texts without blanks between words are cut as in `international`.
    """
    return [part for word in text.split() for part in _with_a_whole_middle(word)]


def _with_a_whole_middle(word: str) -> list[str]:
    parts = _international_word(word)
    if len(parts) == 1 or any(map(_is_whole, word)):
        return parts
    of_words = [place for place, part in enumerate(parts) if _kind(part[0]) not in "PS"]
    if not of_words:
        return parts
    first, last = of_words[0], of_words[-1] + 1
    middle = _CLITIC.sub(r" \1", "".join(parts[first:last])).split()
    return [*parts[:first], *middle, *parts[last:]]


def _between_numbers(word: str, place: int) -> bool:
    inside = 0 < place < len(word) - 1
    return inside and _kind(word[place - 1]) == "N" == _kind(word[place + 1])


def characters(text: str) -> list[str]:
    """Every character is a word."""
    return list("".join(text.split()))


def _is_whole(character: str) -> bool:
    """Whether it is a character of a script without blanks between words."""
    return any(low <= ord(character) < high for low, high in _WHOLE_CHARACTERS)


def chinese(text: str) -> list[str]:
    """Characters of Chinese, Japanese and Korean are words; the rest is as in `international`."""
    parts: list[str] = []
    for word in international(text):
        begin = 0
        for place, character in enumerate(word):
            if _is_whole(character):
                parts += [word[begin:place], character]
                begin = place + 1
        parts.append(word[begin:])
    return [part for part in parts if part]


@functools.cache
def _spacy(model: str) -> Tokeniser:
    """spaCy's tokeniser: of an installed model, of a folder, or the plain one of a language."""
    if importlib.util.find_spec("spacy") is None:
        raise MissingExtraError(
            "the tokeniser spacy needs the package spacy",
            remedy="pip install 'corrigenda[errant]'.",
        )
    import spacy

    try:
        pipeline: Any = spacy.blank(model or "en") if len(model) < 4 else spacy.load(model)
    except (OSError, ImportError) as error:
        raise UsageError(
            f"spaCy cannot load {model!r}",
            remedy="Name an installed model, a folder, or a language such as en: spacy:en.",
        ) from error

    def tokenise(text: str) -> list[str]:
        tokens = (token.text for token in pipeline.tokenizer(" ".join(text.split())))
        return [token for token in tokens if not token.isspace()]

    return tokenise
