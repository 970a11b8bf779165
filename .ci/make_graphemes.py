"""Writes src/corrigenda/text/graphemes.txt: the classes of characters that UAX 29 names.

    pip install regex && python .ci/make_graphemes.py

The package `regex` carries the tables of the Unicode Character Database. Syllables of Hangul are
not listed, because their classes follow from their numbers.
"""

from __future__ import annotations

import sys
from pathlib import Path

import regex

TABLE = Path(__file__).parents[1] / "src" / "corrigenda" / "text" / "graphemes.txt"
CLASSES = {
    "Prepend": "GCB=Prepend",
    "Control": "GCB=Control",
    "Extend": "GCB=Extend",
    "SpacingMark": "GCB=SpacingMark",
    "L": "GCB=L",
    "V": "GCB=V",
    "T": "GCB=T",
    "RegionalIndicator": "GCB=Regional_Indicator",
    "Pictographic": "Extended_Pictographic",
    "Consonant": "InCB=Consonant",
    "Linker": "InCB=Linker",
    "Joining": "InCB=Extend",
}


def ranges(name: str) -> str:
    """The first and the last character of each range, as hexadecimal numbers."""
    is_member = regex.compile(rf"\p{{{name}}}").match
    found: list[list[int]] = []
    for number in range(sys.maxunicode + 1):
        if not 0xD800 <= number < 0xE000 and is_member(chr(number)):
            if found and found[-1][1] == number - 1:
                found[-1][1] = number
            else:
                found.append([number, number])
    return " ".join(f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in found)


def main() -> None:
    """Write the table."""
    lines = [f"{name} {ranges(where)}\n" for name, where in CLASSES.items()]
    TABLE.write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
