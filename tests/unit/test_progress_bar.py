"""Bars appear on a terminal, when there is something to show, and nowhere else."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from corrigenda import progress
from corrigenda.cli import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def on_terminal(stream: io.StringIO) -> Iterator[io.StringIO]:
    """Not by a fixture: pytest puts its own streams in place after those have run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "100")
        patch.setattr(sys, "stderr", stream)
        yield stream


def test_what_is_done_and_what_is_left():
    with on_terminal(Terminal()) as terminal, progress_bar.bars():
        progress.report("distinct sentences encoded", 1200, 5000)
    assert "1,200 distinct sentences encoded, 3,800 left" in terminal.getvalue()


def test_sentences_are_counted_beside():
    with on_terminal(Terminal()) as terminal, progress_bar.counting_sentences() as count:
        count(1312)
        progress.report("distinct sentences encoded", 5, 5)
    assert "1,312 sentences scored" in terminal.getvalue()
    assert "5 distinct sentences encoded, 0 left" in terminal.getvalue()


def test_nothing_is_shown_where_nothing_is_reported():
    with on_terminal(Terminal()) as terminal, progress_bar.bars():
        pass
    assert terminal.getvalue() == ""


def test_nothing_is_shown_where_there_is_no_terminal():
    with (
        on_terminal(io.StringIO()) as stream,
        progress_bar.bars(),
        progress_bar.counting_sentences() as count,
    ):
        progress.report("distinct sentences encoded", 1, 2)
    assert count is None
    assert stream.getvalue() == ""
