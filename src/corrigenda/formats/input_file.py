"""Files to read: standard input, packed files, and the names of files."""

from __future__ import annotations

import io
import sys
from contextlib import ExitStack
from pathlib import Path as FilePath
from typing import IO

from corrigenda.errors import CorrigendaError, Location
from corrigenda.formats import packed
from corrigenda.text.sentences import Path

STANDARD_INPUT = "-"
MOST_SYSTEMS = 1_000
"""The most systems of one file; their number can be far larger than a file of that size shows."""


def stem(path: Path) -> str:
    """The name of a system: the file name without its folder and its last suffix."""
    if str(path) == STANDARD_INPUT:
        return "stdin"
    name = FilePath(path)
    return name.stem if packed.of_name(name.name) is None else FilePath(name.stem).stem


def shown(path: Path) -> str:
    """The name of a file in messages."""
    return "<stdin>" if str(path) == STANDARD_INPUT else str(path)


def open_binary(path: Path, stack: ExitStack) -> IO[bytes]:
    """The open file, or standard input for `-`. A packed file is unpacked while it is read."""
    return unpacked(_open(path, stack), shown(path), stack)


def unpacked(file: IO[bytes], name: str, stack: ExitStack) -> IO[bytes]:
    """The content of a file: it is unpacked if it begins as packed files do."""
    if isinstance(file, io.RawIOBase):
        file = io.BufferedReader(file)
    if not isinstance(file, io.BufferedReader):
        return file
    try:
        begin = file.peek(packed.BEGIN)
    except OSError:  # a folder: its error comes when lines are read
        return file
    packing = packed.of_begin(begin) if begin else packed.of_name(name)
    return file if packing is None else packed.unpacked(file, packing, name, stack)


def _open(path: Path, stack: ExitStack) -> IO[bytes]:
    if str(path) == STANDARD_INPUT:
        if sys.stdin is None:
            raise CorrigendaError("standard input is closed", remedy="Open it, or give a file.")
        return sys.stdin.buffer
    try:
        return stack.enter_context(FilePath(path).open("rb"))
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        reason = str(getattr(error, "strerror", None) or error).lower()
        raise CorrigendaError(
            f"cannot read it: {reason}",
            at=Location(shown(path)),
            remedy="Check the path and its permissions.",
        ) from error
