"""Progress: a bar on a terminal, a line every half a minute in a log, and nothing else."""

from __future__ import annotations

import io
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from corrigenda import progress
from corrigenda.cli import progress_bar
from corrigenda.cli.progress_bar import Work, line, showing_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def on(stream: io.StringIO, columns: int = 100) -> Iterator[io.StringIO]:
    """Not by a fixture: pytest puts its own streams in place after those have run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", str(columns))
        patch.setattr(sys, "stderr", stream)
        patch.setattr(progress_bar, "SECONDS_BEFORE_BARS", 0)
        yield stream


class Clock:
    """A clock that the test turns."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress_bar.time, "monotonic", made)
    return made


# --- on a terminal --------------------------------------------------------------------------------


def test_what_is_done_of_how_much_and_which_system_and_metric():
    with on(Terminal()) as terminal, showing_progress():
        progress.report("scores", 7, 25, "strong, errant")
    shown = terminal.getvalue()
    assert "scores: 7 of 25" in shown
    assert "strong, errant" in shown
    assert re.search(r"\d:\d\d:\d\d", shown)


def test_several_kinds_of_work_have_a_line_each():
    with on(Terminal()) as terminal, showing_progress():
        progress.report("scores", 7, 25, "strong, errant")
        progress.report("sentences encoded", 1200, 5000)
    assert "scores: 7 of 25" in terminal.getvalue()
    assert "sentences encoded: 1,200 of 5,000" in terminal.getvalue()


def test_short_work_has_no_bar():
    with on(Terminal()) as terminal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress_bar, "SECONDS_BEFORE_BARS", 60)
        with showing_progress():
            progress.report("scores", 7, 25, "strong, errant")
            progress.note("a note")
    assert "scores" not in terminal.getvalue()
    assert "corrigenda: note: a note" in terminal.getvalue()


def test_a_note_is_printed_above_the_bars():
    with on(Terminal()) as terminal, showing_progress():
        progress.report("scores", 7, 25, "strong, errant")
        progress.note("the [file] is damaged")
    assert "corrigenda: note: the [file] is damaged" in terminal.getvalue()


@pytest.mark.filterwarnings("always")
def test_a_warning_is_a_note_above_the_bars():
    """Written past the bars, it would leave half a bar behind."""
    before = warnings.showwarning
    with on(Terminal()) as terminal, showing_progress():
        progress.report("scores", 7, 25, "strong, errant")
        warnings.warn("3 sentences are long", stacklevel=1)
    assert "corrigenda: note: 3 sentences are long" in terminal.getvalue()
    assert warnings.showwarning is before
    with on(io.StringIO()) as log, showing_progress():
        warnings.warn("3 sentences are long", stacklevel=1)
    assert log.getvalue() == "corrigenda: note: 3 sentences are long\n"


def test_nothing_is_shown_where_nothing_is_reported():
    with on(Terminal()) as terminal, showing_progress():
        pass
    assert terminal.getvalue() == ""


def test_the_bars_go_away_even_after_an_error():
    def fail() -> None:
        with showing_progress():
            progress.report("scores", 1, 2)
            raise ValueError("oops")

    with on(Terminal()) as terminal, pytest.raises(ValueError, match="oops"):
        fail()
    assert terminal.getvalue().endswith("\x1b[2K") or "\x1b[?25h" in terminal.getvalue()


# --- the line of a bar ----------------------------------------------------------------------------


def test_the_time_left_follows_from_the_speed(clock):
    work = Work("scores", 0, 100)
    clock.now += 30
    work.done = 25
    assert (work.elapsed, work.left) == (30, 90)
    assert work.time() == "0:00:30, 0:01:30 left"


def test_what_an_earlier_run_did_says_nothing_about_the_speed(clock):
    work = Work("rows scored", 900, 1000)
    clock.now += 10
    work.done = 950
    assert work.left == 10


@pytest.mark.parametrize(("done", "total"), [(0, 100), (50, None)])
def test_the_time_left_is_not_known(clock, done, total):
    work = Work("scores", 0, total)
    clock.now += 10
    work.done = done
    assert work.left is None
    assert work.time() == "0:00:10"


def test_hours():
    assert progress_bar._clock(3 * 3600 + 62) == "3:01:02"


@pytest.mark.parametrize("width", [60, 70, 80, 100])
def test_a_line_fits_and_its_numbers_are_whole(clock, width):
    work = Work("distinct sentences encoded", 0, 12_345, "a-system-with-a-long-name, bertscore")
    clock.now += 100
    work.done = 1_234
    shown = line(work, width)
    assert len(shown) == width
    assert ": 1,234 of 12,345 " in shown
    assert "distinct sentences" in shown
    assert shown.endswith(" 0:01:40, 0:15:00 left")


def test_the_detail_is_cut_and_the_bar_left_out_where_space_is_short(clock):
    work = Work("scores", 0, 25, "a-system-with-a-long-name, bertscore")
    work.done = 5
    wide, narrow = line(work, 120), line(work, 50)
    assert wide.startswith("━━──────── scores: 5 of 25  a-system")
    assert "a-system-with-a-long-name, bertscore" in wide
    assert narrow.startswith("scores: 5 of 25  a-sys")
    assert "…" in narrow
    assert "━" not in narrow


# --- in a log -------------------------------------------------------------------------------------


def test_a_log_has_nothing_of_short_work(clock):
    with on(io.StringIO()) as stream, showing_progress():
        for done in range(30):
            clock.now += 0.9
            progress.report("scores", done, 30, "strong, green")
    assert stream.getvalue() == ""


def test_a_log_has_a_line_after_half_a_minute_and_then_one_every_half_a_minute(clock):
    with on(io.StringIO()) as stream, showing_progress():
        for done in range(101):
            progress.report("scores", done, 100, "strong, errant")
            clock.now += 1
    lines = stream.getvalue().splitlines()
    assert lines == [
        "corrigenda: scores: 30 of 100 (strong, errant), 0:00:30, 0:01:10 left",
        "corrigenda: scores: 60 of 100 (strong, errant), 0:01:00, 0:00:40 left",
        "corrigenda: scores: 90 of 100 (strong, errant), 0:01:30, 0:00:10 left",
    ]


def test_a_log_has_every_note_at_once():
    with on(io.StringIO()) as stream, showing_progress():
        progress.note("an earlier run has scored 9 rows")
    assert stream.getvalue() == "corrigenda: note: an earlier run has scored 9 rows\n"


def test_work_that_begins_again_has_a_new_clock(clock):
    with on(io.StringIO()) as stream, showing_progress():
        progress.report("bytes fetched", 0, 100, "first")
        clock.now += 20
        progress.report("bytes fetched", 100, 100, "first")
        progress.report("bytes fetched", 0, 50, "second")
        clock.now += 10
        progress.report("bytes fetched", 10, 50, "second")
    assert stream.getvalue() == (
        "corrigenda: bytes fetched: 10 of 50 (second), 0:00:10, 0:00:40 left\n"
    )


def test_no_listener_outside_the_block():
    with on(io.StringIO()) as stream:
        progress.note("nothing")
        progress.report("scores", 1, 2)
    assert stream.getvalue() == ""
