"""Unicode's normal forms, in time that grows with the text.

`unicodedata` puts the marks of a character in order by moving each past those before it. A
character with n marks takes n² steps: 100 kB of marks take 40 seconds. Here, long runs of marks are
put in order first; then there is nothing to move.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import Literal

Form = Literal["NFC", "NFD"]

_LONG = 64
_MAY_BE_MARKS = re.compile(
    # Without the blocks of letters that have no marks: most texts have no match.
    f"[^\\x00-\u02ff\u3030-\u3098\u309b-\ua66e\uac00-\ud7ff\uf900-\ufb1d]{{{_LONG},}}"
)


def normal_form(text: str, form: Form) -> str:
    """The text in a normal form."""
    return unicodedata.normalize(form, _in_order(text))


def is_normal(text: str, form: Form) -> bool:
    """Whether the text is in a normal form: then its marks are in order, too."""
    return _in_order(text) == text and unicodedata.is_normalized(form, text)


def _in_order(text: str) -> str:
    """The text with long runs of marks decomposed and in canonical order."""
    if text.isascii():
        return text
    return _MAY_BE_MARKS.sub(lambda found: "".join(map(_ordered, _runs(found[0]))), text)


def _runs(text: str) -> list[str]:
    """The text in pieces of marks alone and of other characters alone."""
    return ["".join(run) for _, run in groupby(text, key=lambda each: bool(_marks(each)))]


def _ordered(run: str) -> str:
    if len(run) < _LONG or not _marks(run[0]):
        return run
    return "".join(sorted("".join(map(_marks, run)), key=unicodedata.combining))


@lru_cache(maxsize=4096)
def _marks(character: str) -> str:
    """The marks that a character is made of; nothing if it begins with a letter."""
    parts = unicodedata.normalize("NFD", character)
    return parts if unicodedata.combining(parts[0]) else ""
