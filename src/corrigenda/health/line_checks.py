"""Checks that look at single lines: a line of a text beside the same line of the source.

Each check marks lines. A finding is made where it marks a larger share of the lines than systems
and annotators do. docs/health.md lists the shares and how they were chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from corrigenda.health.cuts import FEWEST_MISSING, SENTENCE_ENDS, lacks_beginning, lacks_end
from corrigenda.health.finding import Code
from corrigenda.health.losses import lacks_capitals, lacks_quotes, masks_digits
from corrigenda.health.tally import DEVIATIONS
from corrigenda.kernels.line_traits import SCRIPTS, LineTraits, Mask, Numbers

_SENTENCE_ENDS = tuple(map(ord, SENTENCE_ENDS))
_MARKDOWN_STARTS = tuple(map(ord, "#*>"))
_OPENING = tuple(map(ord, "\"'“‘«„[(<"))
_CLOSING = tuple(map(ord, "\"'”’»“])>"))
_AROUND_LINES = tuple((ord(begin), ord(end)) for begin, end in ("{}", "[]", "__"))
_FEWEST_REPEATS = 4
_LONGER = 1.5
_FEWEST_LETTERS = 10
_SAME_LETTERS = 0.1
_LETTERS_LEFT = 0.1
_OTHER_WORDS = 0.6
FEWEST_FOR_UNCHANGED = 20
"""A short text may well be correct."""
_FEWEST_CAPITALS = 4
"""`OK` and `USA` are words as they should be."""
_TITLE_PART = 0.9
_WITHOUT_BLANKS = [
    SCRIPTS.index(name)
    for name in ("Chinese or Japanese", "Thai", "Lao", "Tibetan", "Burmese", "Khmer")
]
_CHINESE = SCRIPTS.index("Chinese or Japanese")
_FEWEST_BLANKS = 4
_FEWEST_CUTS = 3
_CUT_WORDS = 0.1
"""Of the words of a line, so many are cut; a correction joins or cuts one or two."""
_SHORT_WORD = 6
"""In scripts without blanks: a text whose words have this many letters on average is tokenised."""


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
    usual: float = 0.0
    """The largest share on real outputs, if it matters: chance makes more of a few lines."""
    deviations: float = DEVIATIONS
    """How far beyond the usual number the count must be, in standard deviations."""
    fewest_of_few: int = 0
    """If it is not 0: so many lines are enough where they are a tenth of the lines."""
    confirms: Callable[[str, str], bool] | None = None
    """A closer look at a marked line beside its source."""
    of_source: float = 0.0
    """The same share for the source beside reference 1; 0 if it is not examined so."""
    source_message: str = ""
    unless_references: bool = False
    """Corrections may look like this: there is no finding where the references do the same."""


def _is_one_of(values: Numbers, wanted: Sequence[int]) -> Mask:
    return np.isin(values, wanted, kind="table")


def _empty(source: LineTraits, text: LineTraits) -> Mask:
    """A source without letters and digits, such as a lone quote, may be deleted."""
    return np.asarray((source.letters + source.digits > 0) & (text.words == 0))


def _unchanged(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.words > 0) & (source.hashes[:, 0] == text.hashes[:, 0]))


def _other_blanks(source: LineTraits, text: LineTraits) -> Mask:
    """The same characters with other blanks beside marks.

    Blanks between letters are a matter of spelling ("alot"), and so are all in scripts without
    blanks between words. Hyphens have a check of their own.
    """
    same = source.hashes == text.hashes
    found = (text.words > 0) & ~same[:, 0] & same[:, 2] & _has_blanks(source)
    return np.asarray(found & ~_other_hyphens(source, text))


def _has_blanks(source: LineTraits) -> Mask:
    """Whether the script of the source has blanks between words."""
    return ~_is_one_of(source.script, _WITHOUT_BLANKS)


def _cut_words(source: LineTraits, text: LineTraits) -> Mask:
    """The letters of the source in more pieces, or in fewer, than a correction makes of them."""
    more = text.runs - source.runs
    # New words have new letters. A cut has none.
    new = np.abs(text.letters - source.letters)
    many = np.abs(more) >= np.maximum(_FEWEST_CUTS, _CUT_WORDS * source.runs)
    return np.asarray(many & (2 * new <= np.abs(more)) & _has_blanks(source))


def _other_word_lengths(source: LineTraits, text: LineTraits) -> Mask:
    """About the same letters in far fewer words, or in far more."""
    same = np.abs(text.letters - source.letters) <= _SAME_LETTERS * source.letters
    fewer = text.words < _OTHER_WORDS * source.words
    more = source.words < _OTHER_WORDS * text.words
    found = same & (fewer | more) & (source.letters >= _FEWEST_LETTERS)
    # In scripts without blanks, people correct a blank or two. A tokeniser sets them everywhere.
    many = np.abs(text.words - source.words) >= _FEWEST_BLANKS
    short = text.letters <= _SHORT_WORD * np.maximum(text.words, source.words)
    return np.asarray(found & (_has_blanks(source) | (many & short)))


def _other_hyphens(source: LineTraits, text: LineTraits) -> Mask:
    """`well - known` for `well-known`, or the other way round."""
    inner = text.inner_hyphens - source.inner_hyphens
    free = text.free_hyphens - source.free_hyphens
    return ((inner < 0) & (free > 0)) | ((inner > 0) & (free < 0))


def _glued(source: LineTraits, text: LineTraits) -> Mask:
    """Punctuation or contractions that are words of the source are parts of words here."""
    glued = (text.glued - source.glued) + (text.glued_contractions - source.glued_contractions)
    free = (text.free - source.free) + (text.free_contractions - source.free_contractions)
    return (glued > 0) & (free < 0)


def _split(source: LineTraits, text: LineTraits) -> Mask:
    return _glued(text, source)


def _tokenised_differently(source: LineTraits, text: LineTraits) -> Mask:
    glued = _glued(source, text) | _split(source, text)
    pieces = _other_word_lengths(source, text) | _cut_words(source, text)
    return _other_blanks(source, text) | pieces | glued


def _other_contractions(source: LineTraits, text: LineTraits) -> Mask:
    """`isn't` for `is n't` or `isn 't`, or the other way round; other words are tokenised alike."""
    changes = [
        text.glued_contractions - source.glued_contractions,
        text.free_contractions - source.free_contractions,
        text.cut_contractions - source.cut_contractions,
    ]
    more = np.logical_or.reduce([each > 0 for each in changes])
    return np.asarray(more & np.logical_or.reduce([each < 0 for each in changes]))


def _with_contractions(source: LineTraits) -> Mask:
    return (source.free_contractions + source.glued_contractions + source.cut_contractions) > 0


def _subwords(source: LineTraits, text: LineTraits) -> Mask:
    more = text.sentencepiece > source.sentencepiece
    return (text.bpe > source.bpe) | (text.wordpiece > source.wordpiece) | more


def _markup(source: LineTraits, text: LineTraits) -> Mask:
    tags = (text.tags > source.tags) | (text.entities > source.entities)
    tags |= text.emphasis > source.emphasis
    markdown = _is_one_of(text.first, _MARKDOWN_STARTS)
    around = np.logical_or.reduce(
        [(text.first == begin) & (text.last == end) for begin, end in _AROUND_LINES]
    )
    added = (markdown | around) & (text.first != source.first) & (text.words > 0)
    return np.asarray(tags | added)


def _wrapped(source: LineTraits, text: LineTraits) -> Mask:
    """In quotes or brackets from its beginning to its end, unlike its source."""
    here = _is_one_of(text.first, _OPENING) & _is_one_of(text.last, _CLOSING) & (text.words > 1)
    there = _is_one_of(source.first, _OPENING) | _is_one_of(source.last, _CLOSING)
    return np.asarray(here & ~there)


def _unknown(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray(text.unknown > source.unknown)


def _no_digits(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.words > 0) & (text.digits == 0))


def _with_digits(source: LineTraits) -> Mask:
    return np.asarray(source.digits > 0)


def _cut_off(source: LineTraits, text: LineTraits) -> Mask:
    shorter = (text.words > 0) & (text.characters + FEWEST_MISSING <= source.characters)
    no_end = ~_is_one_of(text.last, _SENTENCE_ENDS)
    return np.asarray(shorter & no_end & (text.last_word != source.last_word))


def _begun_late(source: LineTraits, text: LineTraits) -> Mask:
    shorter = (text.words > 0) & (text.characters + FEWEST_MISSING <= source.characters)
    return np.asarray(shorter & (text.first_word != source.first_word))


def _longer(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray(text.letters > _LONGER * source.letters)


def _with_letters(source: LineTraits) -> Mask:
    return np.asarray(source.letters >= _FEWEST_LETTERS)


def _no_marks(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.words > 0) & (text.marks == 0))


def _with_marks(source: LineTraits) -> Mask:
    return np.asarray(source.marks >= 2)


def _no_final_mark(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.words > 0) & ~_is_one_of(text.last, _SENTENCE_ENDS))


def _two_final_marks(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray(text.final_marks > source.final_marks)


def _with_final_mark(source: LineTraits) -> Mask:
    return np.asarray(source.final_marks > 0)


def _no_commas(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.words > 0) & (text.commas == 0))


def _with_commas(source: LineTraits) -> Mask:
    return np.asarray(source.commas >= 2)


def _no_quotes(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.words > 0) & (text.curly + text.straight == 0))


def _other_width(source: LineTraits, text: LineTraits) -> Mask:
    wide = text.wide_marks - source.wide_marks
    narrow = text.marks - source.marks - wide
    # In Chinese and Japanese, wide marks are the right ones.
    widened = (wide > 0) & (narrow < 0) & (source.script != _CHINESE)
    return np.asarray(widened | ((wide < 0) & (narrow > 0)))


def _with_a_mark(source: LineTraits) -> Mask:
    return np.asarray(source.marks > 0)


def _broken(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray(text.broken > source.broken)


def _no_letters(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.words > 0) & (_LETTERS_LEFT * source.letters > text.letters))


def _repeated(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.repeats >= _FEWEST_REPEATS) & (text.repeats >= source.repeats + 2))


def _no_capitals(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.upper > 0) & (text.upper == 0) & (text.lower > 0))


def _only_capitals(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.lower > 0) & (text.lower == 0) & (text.upper >= _FEWEST_CAPITALS))


def _small_first_letter(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((source.first_case == 1) & (text.first_case == 2))


def _one_capital(source: LineTraits, text: LineTraits) -> Mask:
    return np.asarray((text.upper == 1) & (text.first_case == 1) & (text.lower > 0))


def _with_capitals(source: LineTraits) -> Mask:
    return np.asarray((source.upper > 1) & (source.lower > source.upper))


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
_MARKS = "Check whether punctuation was removed: metrics count every missing mark as an edit."
_CASE = "Metrics compare words with their case: give the text in its true case."
LINE_CHECKS = (
    LineCheck("empty", _empty, 0.01, "are empty and their source is not.",
              "Check whether the system failed on them.", of="outputs", usual=0.001,
              of_source=0.01, source_message="are empty and reference 1 is not."),
    LineCheck("missing-references", _empty, 0.01,
              "are empty and their source is not; each counts as the reference that deletes all.",
              "If an empty line means that there is no reference, add --missing-refs none.",
              of="references", fewest=3, fewest_of_few=1),
    LineCheck("unchanged", _unchanged, 0.997, "are equal to the source.",
              "Check whether the source was given as the output of the system.",
              of="outputs", fewest=FEWEST_FOR_UNCHANGED),
    LineCheck("tokenised-differently", _tokenised_differently, 0.08,
              "differ from their source in blanks, or in punctuation that is one with a word.",
              _SAME_TOKENS, usual=0.035),
    LineCheck("tokenised-differently", _other_contractions, 0.25,
              "with contractions have other blanks in them than their source (isn't for is n't).",
              _SAME_TOKENS, among=_with_contractions, fewest=5, usual=0.026),
    LineCheck("tokenised-differently", _other_hyphens, 0.12,
              "have other blanks around hyphens than their source (well - known for well-known).",
              _SAME_TOKENS, usual=0.062, deviations=6),
    LineCheck("subword-marks", _subwords, 0.01, "have marks of subwords (@@, ▁, ##).",
              "Join the subwords to words.", usual=0.001),
    LineCheck("placeholders", _unknown, 0.25,
              "have marks for words that the system does not know (<unk>).",
              "Check the system's vocabulary, or put the words of the source back.", usual=0.116),
    LineCheck("placeholders", _no_digits, 0.5,
              "with numbers in their source have marks for digits (# or 0).",
              "Put the numbers of the source back.",
              of="outputs", among=_with_digits, fewest=5, confirms=masks_digits),
    LineCheck("markup", _markup, 0.01, "have tags, entities, Markdown or JSON.",
              "Remove what is not a part of the sentence.", usual=0.002, of_source=0.5),
    LineCheck("constant-affix", _wrapped, 0.03,
              "are in quotes or brackets, and their source is not.",
              "Remove what is not a part of the sentence.",
              of="outputs", fewest=3, unless_references=True),
    LineCheck("encoding", _broken, 0.01,
              "have characters of a wrong encoding (Ã©, â€™, �, or ? in a word).",
              "Read and write all texts as UTF-8."),
    LineCheck("encoding", _no_letters, 0.02,
              "have hardly any letters, but their source has (???).",
              "Read and write all texts as UTF-8.", among=_with_letters, fewest=3,
              of_source=0.05,
              source_message="have hardly any letters, but reference 1 has (???)."),
    LineCheck("truncated", _cut_off, 0.03, "end early: the end of their source is missing.",
              "Check the limit of the output's length.", confirms=lacks_end, fewest=3,
              usual=0.007, of_source=0.1,
              source_message="end early: the end of reference 1 is missing."),
    LineCheck("truncated", _begun_late, 0.2,
              "begin late: the beginning of their source is missing.",
              "Check how the beginning of each line was made.",
              of="outputs", fewest=5, usual=0.03, confirms=lacks_beginning,
              unless_references=True),
    LineCheck("too-long", _longer, 0.1, "are more than half as long again as their source.",
              "Check whether they have explanations, or the source beside its correction.",
              of="outputs", among=_with_letters, fewest=5, unless_references=True),
    LineCheck("punctuation", _no_marks, 0.2,
              "with commas, full stops or other marks in their source have none.", _MARKS,
              among=_with_marks, fewest=5),
    LineCheck("punctuation", _no_final_mark, 0.2,
              "have no full stop or other mark at their end, but their source has.", _MARKS,
              of="outputs", among=_with_final_mark, fewest=5, unless_references=True),
    LineCheck("punctuation", _no_commas, 0.3,
              "with two commas or more in their source have none.", _MARKS,
              of="outputs", among=_with_commas, fewest=5, unless_references=True),
    LineCheck("punctuation", _no_quotes, 0.6,
              "with quotes or apostrophes in their source have none.", _MARKS,
              of="outputs", among=_with_quotes, fewest=5, confirms=lacks_quotes,
              unless_references=True),
    LineCheck("punctuation", _two_final_marks, 0.2,
              "have more marks at their end than their source.",
              "Check whether a full stop was added to each line.",
              of="outputs", among=_with_final_mark, fewest=5, unless_references=True),
    LineCheck("repeated", _repeated, 0.01, "repeat the same words again and again.",
              "Check the decoding of the system.", usual=0.004, of_source=0.05),
    LineCheck("case", _no_capitals, 0.2, "have no capital letters, but their source has.", _CASE,
              usual=0.012),
    LineCheck("case", _only_capitals, 0.05, "have only capital letters.", _CASE),
    LineCheck("case", _small_first_letter, 0.2,
              "begin with a small letter, but their source begins with a capital.", _CASE,
              usual=0.014),
    LineCheck("case", _one_capital, 0.3,
              "with several capitals in their source have none but the first letter.", _CASE,
              of="outputs", among=_with_capitals, fewest=5, confirms=lacks_capitals,
              unless_references=True),
    LineCheck("case", _capital_words, 0.2, "have a capital letter in every word.", _CASE),
    LineCheck("invisible-characters", _invisible, 0.01,
              "have characters that nobody sees, such as zero-width blanks or soft hyphens.",
              "Remove them: they make equal words different.", of_source=0.05),
    LineCheck("invisible-characters", _mixed_scripts, 0.01,
              "have words with letters of two scripts, or hyphens, that look alike (homoglyphs).",
              "Write each word in one script, and `-`: equal looks are not equal words.",
              of_source=0.05),
    LineCheck("invisible-characters", _other_quotes, 0.05,
              "with quotes or apostrophes have others than their source (’ for ').",
              "Write them as the source does: they make equal words different.",
              among=_with_quotes),
    LineCheck("invisible-characters", _other_width, 0.2,
              "with punctuation have it in another width than their source (， for ,).",
              "Write it as the source does: it makes equal words different.",
              of="outputs", among=_with_a_mark, fewest=5, unless_references=True),
    LineCheck("script", _other_script, 0.02, "are in another script than their source.",
              "Check whether the file is in the right language."),
)  # fmt: skip
