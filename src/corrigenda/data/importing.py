"""Imports data sets from a folder of the user: files are recognised by their checksums.

Archives (*.tar.gz) in the folder are searched, but never unpacked as a whole. Only the wanted files
are read, and they are written under the names of our own layout.
"""

from __future__ import annotations

import hashlib
import os
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from corrigenda import writing
from corrigenda.data.sets import DATA_SETS, DataSet
from corrigenda.errors import CorrigendaError, Location
from corrigenda.formats import read_m2

_LARGEST_FILE = 64 << 20
_MOST_FILES = 20_000
_ARCHIVES = (".tar.gz", ".tgz", ".tar")


@dataclass(frozen=True)
class Candidate:
    """A file that may belong to a set: a file in a folder, or a member of an archive there."""

    name: str
    path: Path
    member: str | None
    size: int

    def read(self) -> bytes:
        """The bytes of the file."""
        if self.member is None:
            return self.path.read_bytes()
        with tarfile.open(self.path) as archive:
            extracted = archive.extractfile(self.member)
            if extracted is None:  # pragma: no cover - only plain files become candidates
                raise CorrigendaError(f"{self.member} is not a file", at=Location(str(self.path)))
            return extracted.read(_LARGEST_FILE + 1)


@dataclass(frozen=True)
class Imported:
    """The result for one data set: its files by what happened to them.

    `changed` are files with the expected name, but not the expected checksum.
    """

    data_set: DataSet
    taken: tuple[str, ...]
    changed: tuple[str, ...]
    missing: tuple[str, ...]


def candidates(folder: Path) -> Iterator[Candidate]:
    """Every file under a folder and in its archives; too many files are an error."""
    if not folder.is_dir():
        raise CorrigendaError(
            "it is not a folder", at=Location(str(folder)), remedy="Give a folder with the data."
        )
    count = 0
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(root) / name
            for candidate in _of_file(path, path.relative_to(folder).as_posix()):
                count += 1
                if count > _MOST_FILES:
                    raise CorrigendaError(
                        f"the folder has more than {_MOST_FILES:,} files",
                        at=Location(str(folder)),
                        remedy="Give the folder of the data set itself.",
                    )
                yield candidate


def _of_file(path: Path, name: str) -> Iterator[Candidate]:
    if name.endswith(_ARCHIVES):
        yield from _of_archive(path)
    elif path.is_file() and path.stat().st_size <= _LARGEST_FILE:
        yield Candidate(name, path, None, path.stat().st_size)


def _of_archive(path: Path) -> Iterator[Candidate]:
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile() and member.size <= _LARGEST_FILE:
                    yield Candidate(member.name, path, member.name, member.size)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise CorrigendaError(
            f"not a readable archive: {' '.join(str(error).split())}",
            at=Location(str(path)),
            remedy="Delete it and download it again.",
        ) from error


def import_folder(
    folder: Path, home: Path, *, only: Iterable[str] | None = None, accept_changed: bool = False
) -> list[Imported]:
    """Copy the files of known data sets into `home`; one result per set with any file found."""
    wanted = [entry for entry in DATA_SETS if only is None or entry.name in set(only)]
    found = list(candidates(folder))
    names = _NameIndex(found)
    digests = _digests(found, wanted)
    results = [_import_set(entry, digests, names, home, accept_changed) for entry in wanted]
    return [result for result in results if result.taken or result.changed]


def _digests(found: Iterable[Candidate], wanted: Iterable[DataSet]) -> dict[str, Candidate]:
    """The candidates by their checksums.

    Reading every file of a large folder would be slow. So only files with an expected name are
    read; the suffix may differ.
    """
    expected = {PurePosixPath(path).stem for entry in wanted for path in entry.files}
    digests: dict[str, Candidate] = {}
    for candidate in found:
        name = PurePosixPath(candidate.name)
        if name.stem in expected or name.name in expected:
            digests.setdefault(_digest(candidate), candidate)
    return digests


def _digest(candidate: Candidate) -> str:
    return hashlib.sha256(candidate.read()).hexdigest()


class _NameIndex:
    """Finds candidates by the end of their path, for files whose checksum is not known."""

    def __init__(self, found: list[Candidate]) -> None:
        self._found = found

    def get(self, path: str) -> Candidate | None:
        """The file with this path, or with this name without a suffix, as in official archives."""
        parts = PurePosixPath(path).parts
        stem = PurePosixPath(path).stem
        by_path = (
            each for each in self._found if PurePosixPath(each.name).parts[-len(parts) :] == parts
        )
        by_stem = (each for each in self._found if PurePosixPath(each.name).name == stem)
        return next(by_path, None) or next(by_stem, None)


def _import_set(
    entry: DataSet,
    digests: dict[str, Candidate],
    names: _NameIndex,
    home: Path,
    accept_changed: bool,
) -> Imported:
    taken, changed, missing = [], [], []
    for path, digest in entry.files.items():
        candidate = digests.get(digest)
        if candidate is None:
            candidate = names.get(path)
            if candidate is None:
                missing.append(path)
                continue
            changed.append(path)
            if not accept_changed:
                continue
        else:
            taken.append(path)
        target = home / entry.name / path
        writing.write_bytes(target, candidate.read(), make_folders=True)
    if not missing and (accept_changed or not changed):
        _derive(entry, home / entry.name)
    return Imported(entry, tuple(taken), tuple(changed), tuple(missing))


def _derive(entry: DataSet, folder: Path) -> None:
    """Make the source and reference texts of CoNLL-2014 from the official annotation.

    The system INPUT is the source.
    """
    if entry.name != "conll14":
        return
    corpus = read_m2(folder / "official-2014.combined.m2")
    texts = {"source.txt": corpus.sources, "systems/INPUT.txt": corpus.sources}
    for number in range(2):
        # If a sentence has only one annotation, both annotators agreed on it.
        texts[f"ref{number}.txt"] = tuple(
            references[min(number, len(references) - 1)] for references in corpus.references
        )
    for path, sentences in texts.items():
        if not (folder / path).is_file():
            content = "".join(f"{sentence}\n" for sentence in sentences)
            writing.write_bytes(folder / path, content.encode(), make_folders=True)
