"""What counts as a sentence, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from corrigenda.errors import FormatError

Path = str | PathLike[str]

LINE_END_OR_NUL = "a sentence contains a line end or a NUL character"
LONE_SURROGATE = "a sentence contains half of a character (a lone surrogate)"


def problem_of(sentence: str) -> str | None:
    """The reason a text is not a valid sentence, or None."""
    if "\n" in sentence or "\x00" in sentence:
        return LINE_END_OR_NUL
    try:
        sentence.encode()
    except UnicodeEncodeError:
        return LONE_SURROGATE
    return None


def checked_sentences(sentences: Sequence[str], what: str) -> tuple[str, ...]:
    """The sentences as a tuple, if they are a sequence of strings without line ends."""
    if isinstance(sentences, str | bytes):
        raise FormatError(
            f"{what} must be a list of sentences, not one string",
            remedy=f"Write {what}=[…] even for a single sentence.",
        )
    checked = tuple(sentences)
    for number, sentence in enumerate(checked, 1):
        if not isinstance(sentence, str):
            raise FormatError(
                f"{what}: sentence {number} is {type(sentence).__name__}, not a string"
            )
        if "\n" in sentence or "\x00" in sentence:
            raise FormatError(
                f"{what}: sentence {number} contains a line end or a NUL character",
                remedy="Give one sentence per item, without line ends.",
            )
    return checked
