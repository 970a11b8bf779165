"""Shows how far long work has come: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from corrigenda.cli import last_net
from corrigenda.cli.display import printable, printable_lines

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

SECONDS_BETWEEN_LINES = 30.0
SECONDS_BEFORE_BARS = 0.5
"""Work that takes less time is not worth a bar."""
_BAR = 10
_WIDE = 72


@contextmanager
def showing_progress() -> Iterator[None]:
    """Show what is reported inside. Print afterwards: output would land among the bars."""
    from corrigenda.progress import listening

    shown: _Shown = _Bars() if sys.stderr.isatty() else _Lines()
    try:
        with listening(shown), _warnings_as_notes(shown):
            yield
    finally:
        shown.stop()


@contextmanager
def _warnings_as_notes(shown: _Shown) -> Iterator[None]:
    """Warnings stand above the bars; what is written past them would leave half a bar behind."""
    before = warnings.showwarning
    warnings.showwarning = lambda message, *_, **__: shown.note(str(message))
    try:
        yield
    finally:
        warnings.showwarning = before


class _Shown(Protocol):
    def report(self, what: str, done: int, total: int | None, detail: str) -> None: ...
    def note(self, text: str) -> None: ...
    def stop(self) -> None: ...


@dataclass
class Work:
    """One kind of work: how much is done, how long it took, and how long the rest will take."""

    what: str
    done: int
    total: int | None
    detail: str = ""
    began: float = field(default_factory=lambda: time.monotonic())
    at_first: int = 0
    """What was done before the first report: it says nothing about the speed."""

    def __post_init__(self) -> None:
        self.at_first = self.done

    @property
    def elapsed(self) -> float:
        """Seconds since the first report."""
        return time.monotonic() - self.began

    @property
    def left(self) -> float | None:
        """Seconds until the end at the speed so far; None where nobody can know."""
        made = self.done - self.at_first
        if self.total is None or made <= 0:
            return None
        return self.elapsed * max(0, self.total - self.done) / made

    @property
    def finished(self) -> bool:
        """Whether all of it is done."""
        return self.total is not None and self.done >= self.total

    def amount(self) -> str:
        """`1,200 of 5,000`."""
        return f"{self.done:,}" if self.total is None else f"{self.done:,} of {self.total:,}"

    def time(self) -> str:
        """`0:01:20, 0:03:05 left`."""
        left = "" if self.left is None else f", {_clock(self.left)} left"
        return f"{_clock(self.elapsed)}{left}"


def _clock(seconds: float) -> str:
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}"


class _Works:
    """The kinds of work under way. A kind that begins again has a new clock."""

    def __init__(self) -> None:
        self._by_name: dict[str, Work] = {}

    def updated(self, what: str, done: int, total: int | None, detail: str) -> Work:
        work = self._by_name.get(what)
        if work is None or done < work.done:
            work = self._by_name[what] = Work(what, done, total, detail)
        work.done, work.total, work.detail = done, total, detail
        return work

    def unfinished(self) -> list[Work]:
        return [work for work in list(self._by_name.values()) if not work.finished]


class _Lines:
    """For logs: a line after half a minute, and then at most one every half a minute."""

    def __init__(self) -> None:
        self._works = _Works()
        self._told = time.monotonic()

    def report(self, what: str, done: int, total: int | None, detail: str) -> None:
        work = self._works.updated(what, done, total, detail)
        if time.monotonic() - self._told < SECONDS_BETWEEN_LINES:
            return
        self._told = time.monotonic()
        now = f" ({detail})" if detail else ""
        _say(f"{what}: {work.amount()}{now}, {work.time()}")

    def note(self, text: str) -> None:
        _say(f"note: {text}")

    def stop(self) -> None:
        """Nothing is left to be taken away."""


def _say(text: str) -> None:
    last_net.tell(text)


class _Bars:
    """One line per kind of work; rich is loaded at the first report, and finished lines go away."""

    def __init__(self) -> None:
        self._works = _Works()
        self._live: Live | None = None
        self._began = time.monotonic()

    def report(self, what: str, done: int, total: int | None, detail: str) -> None:
        self._works.updated(what, done, total, printable(detail))
        self._started()

    def note(self, text: str) -> None:
        out = self._started().console
        out.print(
            f"corrigenda: note: {printable_lines(text)}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )

    def stop(self) -> None:
        if self._live is not None:
            self._live.stop()

    def _started(self) -> Live:
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True),
                get_renderable=self._lines,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        return self._live

    def _lines(self) -> Text:
        from rich.text import Text

        if self._live is None or time.monotonic() - self._began < SECONDS_BEFORE_BARS:
            return Text()
        width = self._live.console.width
        works = self._works.unfinished()
        return Text("\n", no_wrap=True).join(Text(line(work, width)) for work in works)


def line(work: Work, width: int) -> str:
    """A bar, the work, how much is done, what is done now, and the time, in one line.

    The amount and the time are always whole. Where space is short the bar is left out, then the
    detail is cut, then the name of the work.
    """
    amount, clock = f": {work.amount()}", f" {work.time()}"
    what = _cut(work.what, width - len(amount) - len(clock))
    room = width - len(what) - len(amount) - len(clock)
    bar = f"{_bar(work)} " if work.total and width >= _WIDE and room > _BAR else ""
    detail = _cut(work.detail, room - len(bar) - len("  "))
    front = f"{bar}{what}{amount}" + (f"  {detail}" if detail else "")
    return f"{front.ljust(width - len(clock))}{clock}"


def _cut(text: str, room: int) -> str:
    """The text, or as much of it as there is room for."""
    if len(text) <= room:
        return text
    return f"{text[: room - 1]}…" if room > 1 else ""


def _bar(work: Work) -> str:
    filled = _BAR * work.done // max(1, work.total or 0)
    return "━" * filled + "─" * (_BAR - filled)
