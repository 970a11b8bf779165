"""Where commands write to: standard output, a file, or a folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from corrigenda.errors import CorrigendaError, UsageError


@contextmanager
def open_output(path: str | Path | None) -> Iterator[TextIO]:
    """The file to write, or standard output for None and `-`."""
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    try:
        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as error:
        raise CorrigendaError(f"cannot write {path}: {error.strerror}") from error


def make_folder(path: str | Path) -> Path:
    """The folder, made if it is not there."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CorrigendaError(f"cannot make the folder {path}: {error.strerror}") from error
    return Path(path)


def file_of_system(folder: Path, system: str, suffix: str) -> Path:
    """A system's file in a folder; its name must not lead out of it."""
    if Path(system).name != system or system in (".", ".."):
        raise UsageError(
            f"the system {system!r} cannot be a file's name",
            remedy="Give it another: --hyps NAME=FILE.",
        )
    return folder / f"{system}{suffix}"
