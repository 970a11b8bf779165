"""Reads a submission that nobody has checked: its files may be anything.

The folder is not trusted. Links are refused, because one could point to the references. Sizes are
looked at before anything is read. Only one file is read: the one with the right name, or the only
text file.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from corrigenda.corpus import Hypotheses
from corrigenda.errors import CorrigendaError
from corrigenda.formats import packed, read_hypotheses

MOST_FILES = 100
# Archives of some systems add these. They are not part of a submission.
_IGNORED = ("__MACOSX", ".DS_Store", "metadata", "metadata.yaml")


class SubmissionError(CorrigendaError):
    """A submission that cannot be scored; it gets no rank."""


def read_submission(
    folder: Path, *, name: str, largest_bytes: int, sentences: int, system: str
) -> Hypotheses:
    """The output of a submission, with one sentence per source sentence."""
    if not folder.is_dir():
        raise SubmissionError("there is no submission", remedy=f"Submit an archive with {name}.")
    path = _find(folder, name)
    _check_size(path, largest_bytes)
    _check_plain(path)
    output = read_hypotheses(path, name=system)
    if len(output) != sentences:
        raise SubmissionError(
            f"{path.name} has {len(output)} lines, but the test set has {sentences}",
            remedy="Give one line per source line; an empty output is an empty line.",
        )
    return output


def _find(folder: Path, name: str) -> Path:
    files = _regular_files(folder)
    named = [path for path in files if path.name == name]
    texts = named or [path for path in files if path.suffix == ".txt"]
    if len(texts) == 1:
        return texts[0]
    found = ", ".join(ascii(path.name) for path in files[:5]) or "nothing"
    raise SubmissionError(
        f"the submission must have one file {name}; it has {found}",
        remedy=f"Put {name} at the top of the archive, and no other text file.",
    )


def _regular_files(folder: Path) -> list[Path]:
    """The files of a folder and of the folders in it. Anything else is refused."""
    found: list[Path] = []
    pending = [folder]
    seen = 0
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name in _IGNORED:
                    continue
                seen += 1
                if seen > MOST_FILES:
                    raise SubmissionError(
                        f"the submission has more than {MOST_FILES} files",
                        remedy="Submit the output alone.",
                    )
                mode = entry.stat(follow_symlinks=False).st_mode
                if stat.S_ISDIR(mode):
                    pending.append(Path(entry.path))
                elif stat.S_ISREG(mode):
                    found.append(Path(entry.path))
                else:
                    raise SubmissionError(
                        f"{entry.name!a} is not a plain file",
                        remedy="Submit a plain file: no links, pipes or devices.",
                    )
    return sorted(found)


def _check_plain(path: Path) -> None:
    """Refuse a file that is packed by itself: its size says little about its text."""
    with path.open("rb") as file:
        begin = file.read(packed.BEGIN)
    if packed.of_begin(begin) is not None:
        raise SubmissionError(
            f"{path.name!a} is packed by itself", remedy="Submit a ZIP archive with plain text."
        )


def _check_size(path: Path, largest_bytes: int) -> None:
    size = path.stat().st_size
    if size > largest_bytes:
        raise SubmissionError(
            f"{path.name!a} has {size:,} bytes; the limit is {largest_bytes:,}",
            remedy="Submit one corrected sentence per line, and nothing else.",
        )
