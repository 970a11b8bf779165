"""Output with styles, by rich."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from corrigenda.cli.display import printable_lines
from corrigenda.cli.terminal import Line, note_lines, terminal_width


def console() -> Console:
    """Standard output, as wide as the terminal."""
    return _PlainConsole(width=terminal_width(), highlight=False)


class _PlainConsole(Console):
    """Shows control characters of the text as their codes; the styles come after that."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of what is printed."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text == "\n":
                yield segment
            else:
                yield Segment(printable_lines(segment.text), segment.style)


def text_of(line: Line) -> Text:
    """The line for rich."""
    return Text.assemble(*line.parts)


def print_note(out: Console, note: str, style: str = "dim", *, indent: str = "") -> None:
    """Print a remark, folded at blanks; every line is indented."""
    for line in note_lines(note, out.width - len(indent)):
        out.print(Text(indent + line), style=style, soft_wrap=True)
