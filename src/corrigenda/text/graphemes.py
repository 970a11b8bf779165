"""Graphemes: what readers see as one character (Unicode Standard Annex 29, extended clusters).

A letter with its accents, a flag, a family of emoji and a syllable of Hangul or Devanagari are one
grapheme each, though they may have many code points. `graphemes.txt` has the classes of
characters; `.ci/make_graphemes.py` writes it.
"""

from __future__ import annotations

import re
import threading
from functools import cache
from importlib.resources import files

from corrigenda.errors import CorrigendaError

_ZWJ = "\u200d"
_FIRST_STAND_IN = 0xF0000
_LAST_STAND_IN = 0x10FFFF
# Below this number only carriage returns and controls matter, and each is a grapheme of its own.
_FIRST_COMBINING = "\u0300"


def graphemes(text: str) -> list[str]:
    """The graphemes of a text; joined, they are the text again."""
    if not _may_join(text):
        return list(text)
    return _pattern().findall(text)


def _may_join(text: str) -> bool:
    """Whether some grapheme may have several code points."""
    return not text.isascii() and (
        max(text) >= _FIRST_COMBINING or "\xa9" in text or "\xae" in text
    )


@cache
def _pattern() -> re.Pattern[str]:
    """A grapheme as a regular expression: Table 1c of UAX 29.

    Possessive quantifiers (`*+`) keep the time linear. They change nothing, because the classes
    before and behind them have no character in common.
    """
    name = _classes()
    syllables = range(0xAC00, 0xD7A4)
    lv = f"[{''.join(chr(each) for each in syllables[::28])}]"
    lvt = f"(?:(?!{lv})[\uac00-\ud7a3])"
    hangul = (
        f"{name['L']}*+(?:{name['V']}++|{lv}{name['V']}*+|{lvt}){name['T']}*+"
        f"|{name['L']}++|{name['T']}++"
    )
    flag = name["RegionalIndicator"] * 2
    emoji = f"{name['Pictographic']}(?:{name['Extend']}*+{_ZWJ}{name['Pictographic']})*"
    either = f"(?:{name['Joining']}|{name['Linker']})"
    conjunct = (
        f"{name['Consonant']}(?:{name['Joining']}*+{name['Linker']}{either}*+{name['Consonant']})+"
    )
    core = f"(?:{hangul}|{flag}|{emoji}|{conjunct}|(?!{name['Control']})[^\r\n])"
    after = f"(?:{name['Extend']}|{_ZWJ}|{name['SpacingMark']})*+"
    return re.compile(f"\r\n|{name['Prepend']}*{core}{after}|[\\s\\S]")


def _classes() -> dict[str, str]:
    """The class of each name as a set of a regular expression."""
    table = files("corrigenda.text").joinpath("graphemes.txt").read_text(encoding="ascii")
    return {
        name: f"[{''.join(map(_range, ranges))}]"
        for name, *ranges in (line.split() for line in table.splitlines())
    }


def _range(text: str) -> str:
    return "-".join(f"\\U{int(number, 16):08x}" for number in text.split("-"))


class StandIns:
    """Graphemes as single characters, so that whatever counts characters can count graphemes.

    A grapheme of several code points gets a character of the planes for private use. The same
    grapheme always has the same stand-in.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._lock = threading.Lock()

    def replace(self, text: str) -> str:
        """The text with one character per grapheme."""
        if not _may_join(text):
            return text
        return "".join(
            each if len(each) == 1 and ord(each) < _FIRST_STAND_IN else self._of(each)
            for each in graphemes(text)
        )

    def _of(self, grapheme: str) -> str:
        found = self._known.get(grapheme)
        if found is None:
            with self._lock:
                number = _FIRST_STAND_IN + len(self._known)
                if number > _LAST_STAND_IN:
                    raise CorrigendaError(
                        "the text has too many different graphemes of several code points",
                        remedy="Is it text? Count code points instead: unit=char.",
                    )
                found = self._known.setdefault(grapheme, chr(number))
        return found


STAND_INS = StandIns()
"""The stand-ins of this process: all texts that are compared must share them."""
