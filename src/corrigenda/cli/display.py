"""Untrusted text for terminals and spreadsheets: shown, but never acted on.

Names, sentences, types and file names come from files. A control character or an escape sequence in
them could move the cursor, change the title of the window or hide text. It is shown as its code.
"""

from __future__ import annotations

import io
import os
import re
import sys
import unicodedata
from typing import TextIO, cast

# Control characters; characters that reorder text; line ends of Unicode; half characters; and
# characters that nobody sees, but for the joiners that some scripts need.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_UNPRINTABLE_DATA = re.compile(_UNPRINTABLE.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))
_USUAL_COLUMNS = 80
_COMMAND = re.compile(r"(?<=\A):(?=:)|(?<=\s):(?=:)|#(?=#\[)")
"""The beginning of what GitHub may take for a command if it stands at the begin of a line."""
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""Also after blanks, which some spreadsheets drop, and with the wide signs of East Asia."""


def terminal_columns() -> int:
    """The environment variable COLUMNS, else the terminal's width, else 80: as `shutil` says it.

    Loading `shutil` takes longer than all of this.
    """
    try:
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 0
    if columns > 0:
        return columns
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _USUAL_COLUMNS  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return _USUAL_COLUMNS


def printable(text: str) -> str:
    """The text in one line; unprintable characters are shown as `\\x1b` or `\\u202e`."""
    return _no_command(_UNPRINTABLE.sub(_shown_code, text))


def printable_lines(text: str) -> str:
    """The same for a message, which may have several lines."""
    return "\n".join(map(printable, text.split("\n")))


def say(*lines: object, end: str = "\n", file: TextIO | None = None, flush: bool = False) -> None:
    """Print lines. Names and texts of others in them are shown as `printable` shows them."""
    shown = "\n".join(_UNPRINTABLE_DATA.sub(_shown_code, str(line)) for line in lines)
    print("\n".join(map(_no_command, shown.split("\n"))), end=end, file=file, flush=flush)


def _no_command(text: str) -> str:
    """The text, which GitHub's log must not take for a command, such as `::add-mask::`."""
    if "GITHUB_ACTIONS" not in os.environ:
        return text
    return _COMMAND.sub(_shown_code, text)


class _Terminal(io.TextIOBase):
    """A terminal for data of others: only line ends and tabs act on it."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, data: str) -> int:
        """Write the data with unprintable characters shown."""
        self._file.write(_UNPRINTABLE_DATA.sub(_shown_code, data))
        return len(data)

    def flush(self) -> None:
        """Show what was written."""
        self._file.flush()


def data_output() -> TextIO:
    """Standard output for data: a file gets them as they are, a terminal escaped."""
    if not sys.stdout.isatty():
        return sys.stdout
    return cast("TextIO", _Terminal(sys.stdout))


def _shown_code(found: re.Match[str]) -> str:
    character = found[0]
    if character in "\t\n\r":
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}[character]
    code = ord(character)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def isolated(text: str) -> str:
    """The text of one cell: if it runs from right to left, the cells beside it stay in place."""
    if text.isascii() or not any(unicodedata.bidirectional(each) in ("R", "AL") for each in text):
        return text
    return f"\u2068{text}\u2069"


def no_formula(text: str) -> str:
    """The text for a cell of CSV: a spreadsheet does not take it for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text
