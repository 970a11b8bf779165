"""Work in a thread beside the caller: reading the next block of files."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from corrigenda.beside import Beside
from corrigenda.errors import CorrigendaError, FormatError
from corrigenda.formats import text
from corrigenda.formats.read_ahead import read_ahead


@pytest.fixture(params=[True, False], ids=["a thread", "no thread"])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the system gives threads."""
    if not request.param:

        def refused(_: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        monkeypatch.setattr(threading.Thread, "start", refused)
    return request.param


def test_work_is_done_once_and_its_error_comes_with_the_result(threads: bool) -> None:
    here = threading.get_ident()
    with Beside[bool]() as beside:
        assert not beside.has_work
        beside.begin(lambda: threading.get_ident() != here)
        assert beside.has_work
        assert beside.take() is threads
        beside.begin(lambda: bool(1 // 0))
        with pytest.raises(ZeroDivisionError):
            beside.take()
        assert not beside.has_work


def test_a_result_is_taken_before_the_next_work_begins() -> None:
    with Beside[int]() as beside:
        with pytest.raises(RuntimeError, match="no work"):
            beside.take()
        beside.begin(lambda: 1)
        with pytest.raises(RuntimeError, match="to take first"):
            beside.begin(lambda: 2)
        assert beside.take() == 1


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7])
def test_items_and_errors_come_in_their_order(size: int, threads: bool) -> None:
    def items() -> Iterator[int]:
        yield from range(size)
        raise FormatError("the end")

    seen: list[int] = []
    with pytest.raises(FormatError, match="the end"):
        seen.extend(read_ahead(items()))
    assert seen == list(range(size))
    assert list(read_ahead(iter(range(size)))) == seen


def test_work_is_done_once_if_there_is_a_thread_only_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work for which there was no thread must not be done again by the thread of the next."""
    start = threading.Thread.start
    refusals = iter([True, True])

    def sometimes_refused(thread: threading.Thread) -> None:
        if next(refusals, False):
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", sometimes_refused)
    assert list(read_ahead(iter(range(9)))) == list(range(9))
    assert next(refusals, None) is None


def test_the_next_item_is_read_while_the_caller_works() -> None:
    asked = [threading.Event() for _ in range(5)]

    def items() -> Iterator[int]:
        for number, event in enumerate(asked):
            event.set()
            yield number

    for item in read_ahead(items()):
        if 1 <= item < 4:
            assert asked[item + 1].wait(30)


def test_a_reader_that_stops_early_leaves_no_thread() -> None:
    before = threading.active_count()
    for item in read_ahead(iter(range(9))):
        if item == 4:
            break
    assert threading.active_count() == before


def test_blocks_of_files_are_the_same_ahead(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("".join(f"line {number}\n" for number in range(23)))
    usual = [list(map(list, block)) for block in text.read_blocks([path, path], 5)]
    assert [list(map(list, block)) for block in text.read_blocks([path, path], 5, ahead=True)] == (
        usual
    )


def test_what_cannot_be_read_is_told_in_the_same_way(tmp_path: Path) -> None:
    """The system may refuse to say what it is."""
    with pytest.raises(CorrigendaError, match="cannot read it: file name too long"):
        list(text.read_blocks([tmp_path / ("a" * 300)], 5, ahead=True))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_read_ahead(tmp_path: Path) -> None:
    """Its writer may wait for what the caller does with the lines before."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    seen = threading.Semaphore(0)

    def write() -> None:
        with pipe.open("w") as file:
            for number in range(6):
                file.write(f"{number}\n")
                file.flush()
                if number:
                    assert seen.acquire(timeout=30)

    writer = threading.Thread(target=write)
    writer.start()
    lines = []
    for (line,) in text.read_blocks([pipe], 1, ahead=True):
        lines += list(line)
        seen.release()
    writer.join()
    assert lines == list("012345")
