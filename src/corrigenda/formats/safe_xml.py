"""XML from untrusted files: elements with their lines, and nothing that an attacker could use.

A document type declaration is refused, so no entities exist except the five of XML itself. No other
file is opened, no address is requested, and no text expands. The depth is bounded, and so are the
length of a tag and the number of elements that are held at once. Every problem is a `FormatError`
with its line.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn
from xml.parsers import expat

from corrigenda.errors import FormatError, Location
from corrigenda.formats import input_file
from corrigenda.text.sentences import Path

MAXIMUM_DEPTH = 64
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that no XML file can hold."""
MOST_MARKUP_BYTES = 1 << 24
"""How long a tag with its attributes may be, a comment, or a processing instruction."""
MOST_TEXT = 1 << 26
"""The most characters of an element, as of a line of text."""
MOST_ELEMENTS = 5_000_000
"""The most elements that are held at once."""
_CHUNK_BYTES = 1 << 16
_NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})
_DAMAGED = "No supported format needs that. The file is damaged or malicious."


@dataclass(slots=True)
class Element:
    """An element; `text` is its own text, without the text of its children."""

    name: str
    attributes: Mapping[str, str]
    file: str
    line: int
    text: str = ""
    children: Sequence[Element] = ()

    @property
    def location(self) -> Location:
        """Where its tag begins."""
        return Location(self.file, self.line)

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


def stream(
    path: Path, name: str, *, remedy: str | None = None, maximum_depth: int = MAXIMUM_DEPTH
) -> Iterator[Element]:
    """Every element with this name, as soon as it ends. There must be one, or `remedy` is shown.

    The elements are not kept, so a large file needs little memory.
    """
    builder = _Builder(input_file.shown(path), maximum_depth, wanted=name)
    found = False
    for element in _fed(path, builder):
        found = True
        yield element
    if not found:
        raise builder.root().error(f"there is no <{name}> in the file", remedy=remedy)


def _fed(path: Path, builder: _Builder) -> Iterator[Element]:
    """The finished elements, while the parser gets the file.

    The parser starts a tag again with every chunk until it ends. So each chunk is as long as what
    was read of the tag: then the time grows with the length of the tag, not with its square.
    """
    with ExitStack() as stack:
        file = input_file.open_binary(path, stack)
        while chunk := file.read(max(_CHUNK_BYTES, builder.waiting)):
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
        self._text_sizes: list[int] = []
        self._inside_wanted = 0
        self._held = self._fed = 0
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
        self._fed += len(chunk)
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
        if self.waiting > MOST_MARKUP_BYTES:
            raise FormatError(
                "a tag, a comment or a processing instruction has more than "
                f"{MOST_MARKUP_BYTES >> 20} MB",
                at=self._here(),
                remedy=_DAMAGED,
            )

    @property
    def waiting(self) -> int:
        """How many bytes were read of a tag (or a comment, …) that has not ended."""
        return self._fed - max(0, self._parser.CurrentByteIndex)

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
                remedy=_DAMAGED,
            )
        line = self._parser.CurrentLineNumber
        element = Element(name, attributes or _NO_ATTRIBUTES, self._file, line)
        if self._root is None:
            self._root = element
        if self._open and (self._wanted is None or self._inside_wanted):
            self._hold(element)
        self._inside_wanted += name == self._wanted
        self._open.append(element)
        self._texts.append([])
        self._text_sizes.append(0)

    def _hold(self, element: Element) -> None:
        """Make an element a child of the open one."""
        self._held += 1
        if self._held > MOST_ELEMENTS:
            raise FormatError(
                f"there are more than {MOST_ELEMENTS:,} elements"
                + (f" in <{self._wanted}>" if self._wanted else ""),
                at=self._here(),
                remedy="Divide the file into several.",
            )
        siblings = self._open[-1].children
        if isinstance(siblings, list):
            siblings.append(element)
        else:
            self._open[-1].children = [element]

    def _end(self, name: str) -> None:
        element = self._open.pop()
        element.text = "".join(self._texts.pop())
        self._text_sizes.pop()
        if name == self._wanted:
            self._inside_wanted -= 1
            self._ready.append(element)
            if not self._inside_wanted:
                self._held = 0

    def _characters(self, characters: str) -> None:
        # The text between the wanted elements is not needed and would only use memory.
        if self._wanted is None or self._inside_wanted:
            self._texts[-1].append(characters)
            self._text_sizes[-1] += len(characters)
            if self._text_sizes[-1] > MOST_TEXT:
                raise FormatError(
                    f"<{self._open[-1].name}> has more than {MOST_TEXT >> 20} million characters",
                    at=self._here(),
                    remedy="Divide the text into sentences.",
                )

    def _refuse_declarations(self, *_: object) -> NoReturn:
        raise FormatError(
            "document type and entity declarations are not read",
            at=self._here(),
            remedy="Delete the <!DOCTYPE …> part. Only the entities &amp; &lt; &gt; &quot; &apos; "
            "may be used.",
        )
