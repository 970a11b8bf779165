"""On a terminal, bars for what takes long: how much is done, and how much is left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class _Bars:
    """A bar for each kind of work; nothing is drawn, and nothing imported for it, before the first report."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def task(self, what: str) -> tuple[Progress, TaskID]:
        if self._progress is None:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
            )

            count = TextColumn("{task.completed:,.0f} {task.description}{task.fields[left]}")
            columns = (SpinnerColumn(), BarColumn(), count, TimeElapsedColumn())
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self._progress.start()
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=None, left="")
        return self._progress, self._tasks[what]

    def note(self, text: str) -> None:
        """Print a note above the bars."""
        progress, _ = self.task("")
        progress.console.print(f"corrigenda: note: {text}", markup=False, highlight=False)

    def report(self, what: str, done: int, total: int | None, detail: str) -> None:
        progress, task = self.task(what)
        progress.update(
            task,
            completed=done,
            total=total,
            left="" if total is None else f", {total - done:,} left",
        )

    def stop(self) -> None:
        if self._progress is not None:
            self._progress.stop()


@contextmanager
def bars() -> Iterator[_Bars | None]:
    """Show what is reported inside. What is printed inside would land among the bars: print afterwards."""
    if not sys.stderr.isatty():
        yield None
        return
    from corrigenda.progress import listening

    shown = _Bars()
    try:
        with listening(shown):
            yield shown
    finally:
        shown.stop()


@contextmanager
def counting_sentences() -> Iterator[Callable[[int], None] | None]:
    """Bars, and a count of sentences that are scored: takes how many more there are."""
    with bars() as shown:
        if shown is None:
            yield None
            return
        progress, task = shown.task("sentences scored")
        yield lambda sentences: progress.advance(task, sentences)
