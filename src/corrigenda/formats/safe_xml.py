"""XML from untrusted files: elements with their lines, and nothing that an attacker could use.

A document type declaration is refused, so no entities exist except the five of XML itself. No other
file is opened, no address is requested, and no text expands. The depth is bounded. Every problem is
a `FormatError` with its line.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from corrigenda.errors import FormatError, Location
from corrigenda.formats import input_file
from corrigenda.text.sentences import Path

MAXIMUM_DEPTH = 64
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that no XML file can hold."""
_CHUNK_BYTES = 1 << 16


@dataclass
class Element:
    """An element; `text` is its own text, without the text of its children."""

    name: str
    attributes: dict[str, str]
    location: Location
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def named(self, name: str) -> Iterator[Element]:
        """The children with this name."""
        return (child for child in self.children if child.name == name)

    def only(self, name: str) -> Element:
        """The only child with this name. If there is none, or more than one, it is an error."""
        found = list(self.named(name))
        if len(found) != 1:
            raise self.error(f"<{self.name}> has {len(found)} <{name}> elements, not one")
        return found[0]

    def attribute(self, name: str, *, remedy: str | None = None) -> str:
        """A required attribute."""
        if name not in self.attributes:
            raise self.error(f"<{self.name}> has no attribute {name!r}", remedy=remedy)
        return self.attributes[name]

    def whole_number(self, name: str, *, least: int | None = None) -> int:
        """A required attribute that is a whole number of at least `least`."""
        value = self.attribute(name)
        # `int` alone would also accept "1_0", " 1 " and the digits of other scripts.
        digits = value.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
            raise self.error(f"{name}={value!r} of <{self.name}> is not a whole number")
        number = int(value)
        if least is not None and number < least:
            raise self.error(f"{name}={value!r} of <{self.name}> is smaller than {least}")
        return number

    def error(self, problem: str, *, remedy: str | None = None) -> FormatError:
        """An error at this element."""
        return FormatError(problem, at=self.location, remedy=remedy)


def read(path: Path, *, maximum_depth: int = MAXIMUM_DEPTH) -> Element:
    """The root element of the whole document; `-` is standard input."""
    builder = _Builder(input_file.shown(path), maximum_depth, wanted=None)
    for _ in _fed(path, builder):
        pass
    return builder.root()


def stream(path: Path, name: str, *, maximum_depth: int = MAXIMUM_DEPTH) -> Iterator[Element]:
    """Every element with this name, as soon as it ends.

    The elements are not kept, so a large file needs little memory.
    """
    builder = _Builder(input_file.shown(path), maximum_depth, wanted=name)
    yield from _fed(path, builder)
    builder.root()


def _fed(path: Path, builder: _Builder) -> Iterator[Element]:
    with ExitStack() as stack:
        file = input_file.open_binary(path, stack)
        while chunk := file.read(_CHUNK_BYTES):
            builder.feed(chunk)
            yield from builder.finished()
        builder.feed(b"", final=True)
        yield from builder.finished()


class _Builder:
    """Builds elements from the events of the expat parser."""

    def __init__(self, file: str, maximum_depth: int, wanted: str | None) -> None:
        self._file = file
        self._maximum_depth = maximum_depth
        self._wanted = wanted
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._inside_wanted = 0
        self._root: Element | None = None
        self._ready: deque[Element] = deque()
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse_declarations
        self._parser.EntityDeclHandler = self._refuse_declarations
        self._parser.ExternalEntityRefHandler = self._refuse_declarations
        self._parser.SkippedEntityHandler = self._refuse_declarations

    def feed(self, chunk: bytes, *, final: bool = False) -> None:
        """Parse the next bytes of the document."""
        try:
            self._parser.Parse(chunk, final)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code) or "malformed"
            raise FormatError(
                f"not well-formed XML: {what} (column {error.offset + 1})",
                at=Location(self._file, error.lineno),
                remedy="Is this the right file? Check it with xmllint --noout FILE.",
            ) from error
        except (LookupError, ValueError) as error:
            raise FormatError(
                f"the encoding of the file cannot be read: {error}",
                at=Location(self._file, 1),
                remedy="Save the file as UTF-8.",
            ) from error

    def finished(self) -> Iterator[Element]:
        """The wanted elements that have ended since the last call."""
        while self._ready:
            yield self._ready.popleft()

    def root(self) -> Element:
        """The outermost element of the document."""
        if self._root is None:  # pragma: no cover - expat refuses a document without elements
            raise FormatError("there is no element", at=Location(self._file))
        return self._root

    def _here(self) -> Location:
        return Location(self._file, self._parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= self._maximum_depth:
            raise FormatError(
                f"elements are nested more than {self._maximum_depth} deep",
                at=self._here(),
                remedy="No supported format needs that depth. The file is damaged or malicious.",
            )
        element = Element(name, attributes, self._here())
        if self._open and (self._wanted is None or self._inside_wanted):
            self._open[-1].children.append(element)
        self._inside_wanted += name == self._wanted
        self._open.append(element)
        self._texts.append([])

    def _end(self, name: str) -> None:
        element = self._open.pop()
        element.text = "".join(self._texts.pop())
        if name == self._wanted:
            self._inside_wanted -= 1
            self._ready.append(element)
        if not self._open:
            self._root = element

    def _characters(self, characters: str) -> None:
        # The text between the wanted elements is not needed and would only use memory.
        if self._wanted is None or self._inside_wanted:
            self._texts[-1].append(characters)

    def _refuse_declarations(self, *_: object) -> NoReturn:
        raise FormatError(
            "document type and entity declarations are not read",
            at=self._here(),
            remedy="Delete the <!DOCTYPE …> part. Only the entities &amp; &lt; &gt; &quot; &apos; "
            "may be used.",
        )
