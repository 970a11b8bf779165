"""Checks that look at single lines: a line of a text beside the same line of the source.

Each check marks lines. A finding is made where it marks a larger share of the lines than systems
and annotators do. docs/health.md lists the shares and how they were chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.health.finding import Code
from corrigenda.kernels.line_traits import LineTraits

Mask = npt.NDArray[np.bool_]

_SENTENCE_ENDS = tuple(map(ord, ".?!\"')。？！”’…"))
_MARKDOWN_STARTS = tuple(map(ord, "`#*>"))
_JSON_PAIRS = ((ord("{"), ord("}")), (ord("["), ord("]")))
_FEWEST_REPEATS = 4
_KEPT_PART = 0.8
FEWEST_FOR_UNCHANGED = 20
"""A short text may well be correct."""
_TITLE_PART = 0.9


@dataclass(frozen=True)
class LineCheck:
    """`marks(source, text)` says for each line whether it is suspicious."""

    code: Code
    marks: Callable[[LineTraits, LineTraits], Mask]
    least: float
    """The smallest share of lines that makes a finding."""
    message: str
    """What was seen, after `12 of 60 lines (20 %)`."""
    remedy: str
    of: Literal["outputs", "references"] | None = None
    """The texts that it is for, if not for all."""
    among: Callable[[LineTraits], Mask] | None = None
    """The lines of the source that count, if not all do."""
    fewest: int = 2
    """The smallest number of lines that makes a finding."""


def _empty(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.words > 0) & (text.words == 0))


def _unchanged(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.words > 0) & (source.hashes[:, 0] == text.hashes[:, 0]))


def _other_blanks(source: LineTraits, text: LineTraits) -> Mask:
    """The same characters with other blanks between them."""
    same, other = source.hashes, text.hashes
    other_words = (text.words > 0) & (same[:, 0] != other[:, 0])
    return np.asarray(other_words & (same[:, 1] == other[:, 1]))


def _glued(source: LineTraits, text: LineTraits) -> Mask:
    """Punctuation or contractions that are words of the source are parts of words here."""
    glued = (text.glued - source.glued) + (text.glued_contractions - source.glued_contractions)
    free = (text.free - source.free) + (text.free_contractions - source.free_contractions)
    return (glued > 0) & (free < 0)


def _split(source: LineTraits, text: LineTraits) -> Mask:
    return _glued(text, source)


def _tokenised_differently(source: LineTraits, text: LineTraits) -> Mask:
    return _other_blanks(source, text) | _glued(source, text) | _split(source, text)


def _other_contractions(source: LineTraits, text: LineTraits) -> Mask:
    """`isn't` for `is n't`, or the other way round; other words are tokenised alike."""
    glued = text.glued_contractions - source.glued_contractions
    free = text.free_contractions - source.free_contractions
    return ((glued > 0) & (free < 0)) | ((glued < 0) & (free > 0))


def _with_contractions(source: LineTraits) -> Mask:
    return (source.free_contractions + source.glued_contractions) > 0


def _subwords(source: LineTraits, text: LineTraits) -> Mask:
    more = text.sentencepiece > source.sentencepiece
    return (text.bpe > source.bpe) | (text.wordpiece > source.wordpiece) | more


def _markup(source: LineTraits, text: LineTraits) -> Mask:
    tags = (text.tags > source.tags) | (text.entities > source.entities)
    markdown = np.isin(text.first, _MARKDOWN_STARTS)
    json = np.logical_or.reduce(
        [(text.first == begin) & (text.last == end) for begin, end in _JSON_PAIRS]
    )
    added = (markdown | json) & (text.first != source.first) & (text.words > 0)
    return np.asarray(tags | added)


def _cut_off(source: LineTraits, text: LineTraits) -> Mask:
    shorter = (text.words > 0) & (text.characters < _KEPT_PART * source.characters)
    ends = np.isin(source.last, _SENTENCE_ENDS) & ~np.isin(text.last, _SENTENCE_ENDS)
    return np.asarray(shorter & ends)


def _repeated(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.repeats >= _FEWEST_REPEATS) & (text.repeats >= source.repeats + 2))


def _no_capitals(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.upper > 0) & (text.upper == 0) & (text.lower > 0))


def _only_capitals(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.lower > 0) & (text.lower == 0) & (text.upper > 1))


def _small_first_letter(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.first_case == 1) & (text.first_case == 2))


def _capital_words(source: LineTraits, text: LineTraits) -> Mask:
    many = (text.cased_words >= 4) & (text.lower > 0)
    here = text.capitalised >= _TITLE_PART * text.cased_words
    return np.asarray(many & here & (source.capitalised < _TITLE_PART * source.cased_words))


def _invisible(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray(text.invisible > source.invisible)


def _mixed_scripts(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray(text.mixed_words > source.mixed_words)


def _other_quotes(source: LineTraits, text: LineTraits) -> Mask:
    curled = (text.curly > source.curly) & (text.straight < source.straight)
    return curled | ((text.curly < source.curly) & (text.straight > source.straight))


def _with_quotes(source: LineTraits) -> Mask:
    return np.asarray(source.curly + source.straight > 0)


def _other_script(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.script > 0) & (text.script > 0) & (source.script != text.script))


_SAME_TOKENS = (
    "Word metrics count such differences as edits: tokenise the text as the source is, or add "
    "--tokenise auto."
)
_CASE = "Metrics compare words with their case: give the text in its true case."
LINE_CHECKS = (
    LineCheck("empty", _empty, 0.01, "are empty and their source is not.",
              "Check whether the system failed on them.", of="outputs"),
    LineCheck("missing-references", _empty, 0.01,
              "are empty and their source is not; each counts as the reference that deletes all.",
              "If an empty line means that there is no reference, add --missing-refs none.",
              of="references"),
    LineCheck("unchanged", _unchanged, 0.995, "are equal to the source.",
              "Check whether the source was given as the output of the system.",
              of="outputs", fewest=FEWEST_FOR_UNCHANGED),
    LineCheck("tokenised-differently", _tokenised_differently, 0.08,
              "differ from their source in blanks, or in punctuation that is one with a word.",
              _SAME_TOKENS),
    LineCheck("tokenised-differently", _other_contractions, 0.25,
              "with contractions have other blanks in them than their source (isn't for is n't).",
              _SAME_TOKENS, among=_with_contractions, fewest=5),
    LineCheck("subword-marks", _subwords, 0.01, "have marks of subwords (@@, ▁, ##).",
              "Join the subwords to words."),
    LineCheck("markup", _markup, 0.01, "have tags, entities, Markdown or JSON.",
              "Remove what is not a part of the sentence."),
    LineCheck("truncated", _cut_off, 0.03, "end early: the end of their source is missing.",
              "Check the limit of the output's length."),
    LineCheck("repeated", _repeated, 0.01, "repeat the same words again and again.",
              "Check the decoding of the system."),
    LineCheck("case", _no_capitals, 0.2, "have no capital letters, but their source has.", _CASE),
    LineCheck("case", _only_capitals, 0.05, "have only capital letters.", _CASE),
    LineCheck("case", _small_first_letter, 0.2,
              "begin with a small letter, but their source begins with a capital.", _CASE),
    LineCheck("case", _capital_words, 0.2, "have a capital letter in every word.", _CASE),
    LineCheck("invisible-characters", _invisible, 0.01,
              "have characters that nobody sees, such as zero-width blanks or soft hyphens.",
              "Remove them: they make equal words different."),
    LineCheck("invisible-characters", _mixed_scripts, 0.01,
              "have words with letters of two scripts that look alike (homoglyphs).",
              "Write each word in one script: equal looks are not equal words."),
    LineCheck("invisible-characters", _other_quotes, 0.05,
              "with quotes or apostrophes have others than their source (’ for ').",
              "Write them as the source does: they make equal words different.",
              among=_with_quotes),
    LineCheck("script", _other_script, 0.02, "are in another script than their source.",
              "Check whether the file is in the right language."),
)  # fmt: skip
