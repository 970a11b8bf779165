"""Plain text: one tokenised sentence per line.

Only LF or CRLF ends a line. An empty line is a sentence without words. The last line may lack its
line end. Files are UTF-8; a byte-order mark is skipped. `input_file` opens them.
"""

from __future__ import annotations

import codecs
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from os import PathLike
from pathlib import Path as FilePath
from typing import IO, TYPE_CHECKING, Literal, TextIO

from corrigenda import writing
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError, Location
from corrigenda.formats import input_file
from corrigenda.text.sentences import Path, check_sentence

if TYPE_CHECKING:
    from corrigenda.formats.line_reader import LineReader

LONGEST_LINE = 1 << 26
"""The most bytes of one line. A longer line would only fill the memory: /dev/zero has one."""
ReferenceFill = Literal["first", "source"]
"""What replaces a missing reference: the first reference of the sentence, or its source."""


def raw_lines(file: IO[bytes], name: str) -> Iterator[bytes]:
    """The lines of a file with their line ends, none longer than `LONGEST_LINE`."""
    number = 0
    try:
        for raw in bounded_lines(file, name):
            number += 1
            yield raw
    except (OSError, EOFError, zlib.error) as error:
        raise not_readable(error, name, number + 1) from error


def not_readable(error: Exception, name: str, number: int) -> FormatError:
    """The error for a line that cannot be read."""
    reason = str(getattr(error, "strerror", None) or error).lower()
    return FormatError(
        f"cannot read it: {reason}",
        at=Location(name, number),
        remedy="Check that it is a complete, readable file.",
    )


def bounded_lines(file: IO[bytes], name: str) -> Iterator[bytes]:
    """The same, but a file that cannot be read raises the error of its kind."""
    for number in count(1):
        raw = file.readline(LONGEST_LINE + 1)
        if len(raw) > LONGEST_LINE:
            raise line_too_long(name, number)
        if not raw:
            return
        yield raw


def line_too_long(name: str, number: int) -> FormatError:
    """The error for a line that would only fill the memory."""
    return FormatError(
        f"the line has more than {LONGEST_LINE >> 20} MB",
        at=Location(name, number),
        remedy="Give one sentence per line. Is this a text file?",
    )


def lines(file: IO[bytes], name: str) -> Iterator[str]:
    """The decoded lines of a file, without their line ends."""
    return decoded_lines(raw_lines(file, name), name)


def decoded_lines(raw_of_file: Iterable[bytes], name: str) -> Iterator[str]:
    """The same, from lines that are at hand."""
    for number, raw in enumerate(raw_of_file, 1):
        if number == 1 and raw.startswith(codecs.BOM_UTF8):
            raw = raw[len(codecs.BOM_UTF8) :]
            if not raw:
                return
        if number == 1:
            check_line_ends(raw, name)
        if raw.endswith(b"\n"):
            raw = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
        yield check_line(raw, name, number)


def check_line_ends(first: bytes, name: str) -> None:
    """Refuse a file whose lines end with CR alone: all of it is its first line."""
    if b"\n" not in first and first.count(b"\r") > 1:
        raise FormatError(
            "the lines end with CR alone, as on old Macs",
            at=Location(name),
            remedy="Convert the file, e.g. tr '\\r' '\\n' < FILE > NEW.",
        )


def check_line(raw: bytes, name: str, number: int) -> str:
    """The text of a line; it must be UTF-8 without NUL."""
    if b"\x00" in raw:
        raise FormatError(
            "the line contains a NUL byte",
            at=Location(name, number),
            remedy="Give a text file: save it as UTF-8 (not UTF-16) and remove NUL bytes.",
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"byte {error.start + 1} of the line is not UTF-8",
            at=Location(name, number),
            remedy="Convert the file, e.g. iconv -f cp1252 -t utf-8.",
        ) from error


def read(path: Path) -> Sequence[str]:
    """All sentences of a file. They behave like a tuple of strings."""
    with ExitStack() as stack:
        return _reader(path, stack).take(sys.maxsize)


def _reader(path: Path, stack: ExitStack) -> LineReader:
    from corrigenda.formats.line_reader import LineReader

    return LineReader(input_file.open_binary(path, stack), input_file.shown(path))


def read_aligned(paths: Sequence[Path]) -> list[Sequence[str]]:
    """All sentences of several files, which must have the same number of sentences."""
    texts = [read(path) for path in paths]
    check_counts(paths, [len(text) for text in texts])
    return texts


def read_corpus(source: Path, references: Sequence[Path] = ()) -> Corpus:
    """Read a corpus from text files, one sentence per line.

    Args:
        source: The file of source sentences.
        references: One file per reference; there may be none.

    Returns:
        The corpus.

    Example:
        >>> import corrigenda
        >>> from corrigenda.data import SAMPLE
        >>> len(corrigenda.read_text(SAMPLE / "source.txt", [SAMPLE / "ref0.txt"]))
        60
    """
    if isinstance(references, str | bytes | PathLike):
        raise FormatError(
            "references must be a list of files, not a single path",
            remedy=f"Write [{str(references)!r}].",
        )
    texts = read_aligned([source, *references])
    return Corpus.from_lists(texts[0], texts[1:], references_by="text")


def read_hypotheses(path: Path, *, name: str | None = None) -> Hypotheses:
    """Read the output of a system, one sentence per line.

    Args:
        path: The file.
        name: The name of the system; None takes the name of the file without its suffix.

    Returns:
        The output.

    Example:
        >>> import corrigenda
        >>> from corrigenda.data import SAMPLE
        >>> corrigenda.read_hypotheses(SAMPLE / "strong.txt").name
        'strong'
    """
    return Hypotheses(name or input_file.stem(path), read(path))


def check_counts(paths: Sequence[Path], counts: Sequence[int]) -> None:
    """Refuse files with different numbers of sentences; the message lists all the numbers."""
    if len(set(counts)) > 1:
        listing = "".join(
            f"\n    {count:>9}  {input_file.shown(path)}"
            for path, count in zip(paths, counts, strict=True)
        )
        raise AlignmentError(
            f"the files do not have the same number of sentences:{listing}",
            remedy="Line i of every file must belong to sentence i; an empty output is an "
            "empty line.",
        )


def read_blocks(
    paths: Sequence[Path], size: int, *, ahead: bool = False
) -> Iterator[list[Sequence[str]]]:
    """The files in parallel, in blocks of at most `size` sentences.

    Files of different lengths are an error, which is raised where the shortest file ends. With
    `ahead`, a thread reads the next block while the caller works on one.
    """
    blocks = _blocks(paths, size)
    # A pipe may let its reader wait for long, and a thread that waits cannot be stopped.
    if ahead and all(map(_is_regular, paths)):
        from corrigenda.formats.read_ahead import read_ahead

        blocks = read_ahead(blocks)
    return blocks


def _is_regular(path: Path) -> bool:
    """Whether it is a file on a disk."""
    try:
        return str(path) != input_file.STANDARD_INPUT and FilePath(path).is_file()
    except OSError:  # it cannot be opened, either: its error comes when it is read
        return False


def _blocks(paths: Sequence[Path], size: int) -> Iterator[list[Sequence[str]]]:
    with ExitStack() as stack:
        readers = [_reader(path, stack) for path in paths]
        done = 0
        while True:
            block = [reader.take(size) for reader in readers]
            counts = [len(sentences) for sentences in block]
            if len(set(counts)) > 1:
                rest = [len(reader.take(sys.maxsize)) for reader in readers]
                check_counts(
                    paths, [done + here + later for here, later in zip(counts, rest, strict=True)]
                )
            if counts[0]:
                yield [*block]
            done += counts[0]
            if counts[0] < size:
                return


def check_corpus(corpus: Corpus) -> None:
    """Refuse a corpus that was made in memory and has a sentence that no file can hold."""
    for number, of_sentence in enumerate(zip(corpus.sources, corpus.references, strict=True), 1):
        source, references = of_sentence
        for sentence in (source, *references):
            check_sentence(sentence, Location(f"sentence {number}"))


def write(file: TextIO, sentences: Iterable[str], name: str) -> None:
    """Write one sentence per line; every line ends with LF. Messages call the file `name`."""
    for number, sentence in enumerate(sentences, 1):
        check_sentence(sentence, Location(name, number))
        if number == 1 and sentence.startswith("\ufeff"):
            raise FormatError(
                "the first sentence begins with U+FEFF, which would be read as a byte-order mark",
                at=Location(name),
                remedy="Remove the character, or write JSON lines.",
            )
        if sentence.endswith("\r"):
            raise FormatError(
                f"sentence {number} ends with a carriage return, which would be read as part "
                "of the line end",
                at=Location(name),
                remedy="Remove the carriage return, or write JSON lines.",
            )
        file.write(f"{sentence}\n")


def corpus_texts(corpus: Corpus, *, fill: ReferenceFill | None = None) -> dict[str, Sequence[str]]:
    """The texts of a corpus by name: `source`, `ref0`, `ref1`, ….

    A corpus without references has only `source`. Text files need the same number of references
    for every sentence; `fill` says what replaces a missing one.
    """
    _, most = corpus.reference_range
    rows = [_filled(corpus, index, most, fill) for index in range(len(corpus))]
    references: dict[str, Sequence[str]]
    references = {f"ref{number}": tuple(row[number] for row in rows) for number in range(most)}
    return {"source": corpus.sources, **references}


def _filled(corpus: Corpus, index: int, most: int, fill: ReferenceFill | None) -> tuple[str, ...]:
    """The references of a sentence, filled up to `most` of them."""
    references = corpus.references[index]
    if len(references) == most:
        return references
    if fill is None or (fill == "first" and not references):
        remedy = "Say what replaces a missing reference: --fill-missing first or source."
        if fill == "first":
            remedy = "It has no first reference; use --fill-missing source."
        raise CorrigendaError(
            f"sentence {index + 1} has {len(references)} of {most} references, "
            "but text files need all of them",
            remedy=remedy,
        )
    stand_in = references[0] if fill == "first" else corpus.sources[index]
    return references + (stand_in,) * (most - len(references))


def write_folder(folder: Path, texts: Mapping[str, Iterable[str]]) -> None:
    """Write each text into the file `NAME.txt` of a folder, which is made if it does not exist.

    The files appear together, or none of them does.
    """
    with writing.together(make_folders=True) as batch:
        for name, sentences in texts.items():
            path = FilePath(folder) / f"{name}.txt"
            with batch.text_file(path) as file:
                write(file, sentences, str(path))
