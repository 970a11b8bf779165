"""Plain text: one tokenised sentence a line.

A line ends at LF or CRLF and nothing else ends it; an empty line is a sentence of no words. The last
line may lack its end. Files are UTF-8; a byte-order mark is skipped.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from os import PathLike
from pathlib import Path as FilePath
from typing import IO

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError, Location
from corrigenda.text.sentences import Path

STANDARD_INPUT = "-"


def stem(path: Path) -> str:
    """A system's name: the file's name without folder and last suffix."""
    return "stdin" if str(path) == STANDARD_INPUT else FilePath(path).stem


def shown(path: Path) -> str:
    """A file's name in messages."""
    return "<stdin>" if str(path) == STANDARD_INPUT else str(path)


def open_binary(path: Path, stack: ExitStack) -> IO[bytes]:
    """The file, or standard input for `-`; a file that cannot be opened is the user's error."""
    if str(path) == STANDARD_INPUT:
        return sys.stdin.buffer
    try:
        return stack.enter_context(FilePath(path).open("rb"))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CorrigendaError(
            f"cannot read it: {reason}",
            at=Location(shown(path)),
            remedy="Check the path and its permissions.",
        ) from error


def lines(file: Iterable[bytes], name: str) -> Iterator[str]:
    """The decoded lines of a file, without their ends."""
    for number, raw in enumerate(file, 1):
        if number == 1 and raw.startswith(codecs.BOM_UTF8):
            raw = raw[len(codecs.BOM_UTF8) :]
            if not raw:
                return
        if raw.endswith(b"\n"):
            raw = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
        if b"\x00" in raw:
            raise FormatError(
                "the line contains a NUL byte",
                at=Location(name, number),
                remedy="Is this a text file? Save it as UTF-8 (not UTF-16) and remove NUL bytes.",
            )
        try:
            yield raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FormatError(
                f"byte {error.start + 1} of the line is not UTF-8",
                at=Location(name, number),
                remedy="Convert the file, e.g. iconv -f latin1 -t utf-8.",
            ) from error


def read(path: Path) -> tuple[str, ...]:
    """All sentences of a file."""
    with ExitStack() as stack:
        return tuple(lines(open_binary(path, stack), shown(path)))


def read_aligned(paths: Sequence[Path]) -> list[tuple[str, ...]]:
    """All sentences of files that must have equally many."""
    texts = [read(path) for path in paths]
    check_counts(paths, [len(text) for text in texts])
    return texts


def read_corpus(source: Path, references: Sequence[Path] = ()) -> Corpus:
    """A source file and one file per reference; without references the corpus has sources alone."""
    if isinstance(references, str | bytes | PathLike):
        raise FormatError(
            "references must be a list of files, not a single path",
            remedy=f"Write [{str(references)!r}].",
        )
    texts = read_aligned([source, *references])
    return Corpus.from_lists(texts[0], texts[1:], references_by="text")


def read_hypotheses(path: Path, *, name: str | None = None) -> Hypotheses:
    """A system's output; the name is the file's stem unless it is given."""
    return Hypotheses(name or stem(path), read(path))


def check_counts(paths: Sequence[Path], counts: Sequence[int]) -> None:
    """Refuse files that do not line up, naming each with its number of sentences."""
    if len(set(counts)) > 1:
        listing = "".join(
            f"\n    {count:>9}  {shown(path)}" for path, count in zip(paths, counts, strict=True)
        )
        raise AlignmentError(
            f"the files do not have the same number of sentences:{listing}",
            remedy="Line i of every file must belong to sentence i; an empty output is an empty line.",
        )


def read_blocks(paths: Sequence[Path], size: int) -> Iterator[list[tuple[str, ...]]]:
    """The files side by side, at most `size` sentences of each at a time.

    Files of unequal length are an error, raised when the shortest ends.
    """
    with ExitStack() as stack:
        streams = [lines(open_binary(path, stack), shown(path)) for path in paths]
        done = 0
        while True:
            block = [tuple(islice(stream, size)) for stream in streams]
            counts = [len(sentences) for sentences in block]
            if len(set(counts)) > 1:
                rest = [sum(1 for _ in stream) for stream in streams]
                check_counts(
                    paths, [done + here + later for here, later in zip(counts, rest, strict=True)]
                )
            if counts[0]:
                yield block
            done += counts[0]
            if counts[0] < size:
                return


def write(path: Path, sentences: Iterable[str]) -> None:
    """One sentence a line, each with its LF."""
    with FilePath(path).open("w", encoding="utf-8", newline="\n") as file:
        for number, sentence in enumerate(sentences, 1):
            if sentence.endswith("\r"):
                raise FormatError(
                    f"sentence {number} ends in a carriage return, which text would take for its line end",
                    at=Location(str(path)),
                    remedy="Remove it, or write JSON lines.",
                )
            file.write(f"{sentence}\n")
