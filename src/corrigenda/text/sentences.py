"""What a valid sentence is: one line of text that UTF-8 can hold. All formats share the checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike

from corrigenda.errors import FormatError, Location
from corrigenda.kernels.lines import Lines

Path = str | PathLike[str]

_AT_ONCE = 1024
"""So many sentences are joined to be checked."""
LINE_END_OR_NUL = "a sentence contains a line end or a NUL character"
LONE_SURROGATE = "a sentence contains half of a character (a lone surrogate)"
_REMEDIES = {
    LINE_END_OR_NUL: "Give one sentence per string, without line ends and NUL characters.",
    LONE_SURROGATE: "Write the character itself, or both halves (\\ud83d\\ude00).",
}


def problem_of(sentence: str) -> str | None:
    """The reason a text is not a valid sentence, or None."""
    if _has_line_end_or_nul(sentence):
        return LINE_END_OR_NUL
    try:
        sentence.encode()
    except UnicodeEncodeError:
        return LONE_SURROGATE
    return None


def check_sentence(sentence: str, at: Location) -> None:
    """Refuse a text that is not a valid sentence; `at` is its place in a file."""
    if (problem := problem_of(sentence)) is not None:
        raise FormatError(problem, at=at, remedy=_REMEDIES[problem])


def checked_sentences(sentences: Sequence[str], what: str) -> Sequence[str]:
    """The sentences as a tuple, if they are a sequence of strings without line ends.

    Lines of a file stay as they are. Strings in memory may contain lone surrogates, because every
    kernel can count them. Only files cannot hold them.
    """
    if isinstance(sentences, str | bytes):
        raise FormatError(
            f"{what} must be a list of sentences, not one string",
            remedy=f"Write {what}=[…] even for a single sentence.",
        )
    if isinstance(sentences, Lines):
        return sentences
    checked = tuple(sentences)
    if all(_are_plain(part) for part in _parts(checked)):
        return checked
    for number, sentence in enumerate(checked, 1):
        if not isinstance(sentence, str):
            raise FormatError(
                f"{what}: sentence {number} is {type(sentence).__name__}, not a string",
                remedy=f"Write {what}=[…] with one string per sentence.",
            )
        if _has_line_end_or_nul(sentence):
            raise FormatError(
                f"{what}: sentence {number} contains a line end or a NUL character",
                remedy=_REMEDIES[LINE_END_OR_NUL],
            )
    return checked


def _parts(sentences: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for begin in range(0, len(sentences), _AT_ONCE):
        yield sentences[begin : begin + _AT_ONCE]


def _are_plain(sentences: tuple[str, ...]) -> bool:
    """Whether these are strings without line ends. It is quick, and does not say which is wrong."""
    return set(map(type, sentences)) == {str} and not _has_line_end_or_nul("".join(sentences))


def _has_line_end_or_nul(sentence: str) -> bool:
    return "\n" in sentence or "\x00" in sentence


def one_line(hypothesis: str) -> str:
    """The hypothesis with blanks for line ends and NULs.

    A model may write anything, but a sentence cannot contain these two characters.
    """
    return hypothesis.replace("\n", " ").replace("\x00", " ")
