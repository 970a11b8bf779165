"""Where commands write to. Outputs are checked before the work; none overwrites an input."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from corrigenda import writing
from corrigenda.cli.display import data_output
from corrigenda.errors import CorrigendaError, UsageError

_OF_DATABASES = ("-wal", "-journal")
"""The ends of the names of files beside an SQLite database that hold a part of it."""


@dataclass(frozen=True)
class GivenFile:
    """A file that a command reads, or a folder of such files, and the option that names it."""

    option: str
    path: str | Path


def check_file(option: str, path: str | Path | None, inputs: Iterable[GivenFile]) -> None:
    """Refuse a file that is an input or cannot be written. None and `-` are standard output."""
    if is_standard_output(path) or path is None:
        return
    if not str(path):
        raise UsageError(f"{option} has no value", remedy=f"Give a file: {option} FILE.")
    if str(path).endswith("/"):
        # `Path` would leave the slash out.
        raise UsageError(f"{option} names a folder: {path}", remedy=f"Give a file: {option} FILE.")
    _refuse_inputs(option, [Path(path)], inputs)
    if (problem := _file_problem(Path(path))) is not None:
        raise CorrigendaError(
            f"cannot write {path}: {problem}", remedy=f"Give another file: {option} FILE."
        )


def check_folder(
    option: str, folder: str | Path, files: Iterable[str], inputs: Iterable[GivenFile]
) -> None:
    """Refuse a folder that cannot be made, or in which one of `files` is an input."""
    if not str(folder):
        raise UsageError(f"{option} has no value", remedy=f"Give a folder: {option} FOLDER.")
    place = Path(folder)
    targets = [place / name for name in files]
    _refuse_inputs(option, targets, inputs)
    problems = [_folder_problem(place), *map(_file_problem, filter(Path.exists, targets))]
    if (problem := next(filter(None, problems), None)) is not None:
        raise CorrigendaError(
            f"cannot write into {folder}: {problem}",
            remedy=f"Give another folder: {option} FOLDER.",
        )


def is_standard_output(path: str | Path | None) -> bool:
    """Whether it stands for standard output."""
    return path is None or str(path) == "-"


def _refuse_inputs(option: str, targets: Iterable[Path], inputs: Iterable[GivenFile]) -> None:
    by_identity = {_identity(file): given for given in inputs for file in _files(Path(given.path))}
    for target in targets:
        identity = _identity(target)
        if identity is not None and identity in by_identity:
            raise UsageError(
                f"{option} would overwrite {target}, the file of {by_identity[identity].option}",
                remedy=f"Give {option} another name. Nothing was written.",
            )


def _files(given: Path) -> Iterable[Path]:
    if given.is_dir():
        return given.glob("*")
    return [given, *(given.with_name(given.name + end) for end in _OF_DATABASES)]


def _identity(path: Path) -> tuple[int, int] | None:
    """The same for all names and links of one file. Devices such as /dev/null have none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _file_problem(path: Path) -> str | None:
    """The reason a file cannot be written, or None."""
    if path.is_dir():
        return "it is a folder"
    if path.exists() and not os.access(path, os.W_OK):
        return "there is no permission to change it"
    if writing.is_stream(path):
        return None
    # The file is written beside its target and renamed; a link is written at its end.
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        return f"the folder {folder} does not exist" if not folder.exists() else _no_folder(folder)
    return None if os.access(folder, os.W_OK | os.X_OK) else _no_permission(folder)


def _folder_problem(path: Path) -> str | None:
    """The reason files cannot be written into a folder, which may have to be made, or None."""
    existing = path
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        return _no_folder(existing)
    return None if os.access(existing, os.W_OK | os.X_OK) else _no_permission(existing)


def _no_folder(path: Path) -> str:
    return f"{path} is not a folder"


def _no_permission(folder: Path) -> str:
    return f"there is no permission to write into {folder}"


@contextmanager
def open_output(path: str | Path | None) -> Iterator[TextIO]:
    """The file to write, or standard output for None and `-`."""
    with open_together(make_folders=False) as opened, opened(path) as file:
        yield file


@contextmanager
def open_together(
    *, make_folders: bool = True
) -> Iterator[Callable[[str | Path | None], AbstractContextManager[TextIO]]]:
    """A function that opens outputs; the files appear together when the block ends."""
    with writing.together(make_folders=make_folders) as batch:

        def opened(path: str | Path | None) -> AbstractContextManager[TextIO]:
            if is_standard_output(path) or path is None:
                return nullcontext(data_output())
            return batch.text_file(path)

        yield opened


def file_of_system(system: str, suffix: str) -> str:
    """The file name of a system; it must not lead out of its folder."""
    if Path(system).name != system or system in (".", "..") or "\\" in system:
        raise UsageError(
            f"the system {system!r} cannot be the name of a file",
            remedy="Give it another name: --hyps NAME=FILE.",
        )
    return f"{system}{suffix}"
