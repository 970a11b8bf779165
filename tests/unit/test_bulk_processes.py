"""Worker processes on this machine: results, errors, and processes that die."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from corrigenda.bulk import processes
from corrigenda.bulk.processes import OnProcesses
from corrigenda.errors import CorrigendaError

pytestmark = pytest.mark.slow


@pytest.fixture
def two() -> Iterator[OnProcesses]:
    made = OnProcesses(2)
    yield made
    made.kill()


def halved(number: int, least: int) -> int:
    if number < least:
        raise CorrigendaError(f"{number} is too small", remedy="Take a larger one.")
    return number // 2


class StrangeError(Exception):
    """An error that cannot be made again from its message."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def strange(number: int) -> None:
    raise StrangeError(number, number)


def die(number: int, folder: Path, times: int) -> int:
    """Die so often, over this number alone."""
    for attempt in range(times):
        try:
            (folder / f"{number}-{attempt}").touch(exist_ok=False)
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def number_of_process(_: int) -> int:
    time.sleep(0.2)
    return os.getpid()


def die_at_start(_connection: object) -> None:
    os._exit(1)


def test_results_and_errors(two: OnProcesses) -> None:
    found = dict(two.apply(halved, range(50), 3))
    assert len(found) == 50
    for number, result in found.items():
        if number < 3:
            assert isinstance(result, CorrigendaError)
            assert result.problem == f"{number} is too small"
        else:
            assert result == number // 2
    assert dict(two.apply(halved, [], 3)) == {}
    assert dict(two.apply(halved, [8], 3)) == {8: 4}
    (error,) = dict(two.apply(strange, [1])).values()
    assert str(error) == "StrangeError: 1 and 1"


def test_tasks_go_to_all_processes(two: OnProcesses) -> None:
    assert len(set(dict(two.apply(number_of_process, range(6))).values())) == 2


def test_a_task_gets_another_process(two: OnProcesses, tmp_path: Path) -> None:
    found = dict(two.apply(die, range(4), tmp_path, 2))
    assert found == {number: number for number in range(4)}
    assert len(list(tmp_path.iterdir())) == 8


def test_a_task_that_kills_every_process(two: OnProcesses, tmp_path: Path) -> None:
    found = dict(two.apply(die, [5], tmp_path, 100))
    assert "several workers died" in str(found[5])
    assert len(list(tmp_path.iterdir())) == 3
    assert dict(two.apply(halved, [8], 3)) == {8: 4}, "the others go on"


def test_work_that_is_given_up(two: OnProcesses) -> None:
    for _ in two.apply(halved, range(100), 0):
        break
    assert dict(two.apply(halved, [8], 3)) == {8: 4}


def test_processes_that_never_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_serve", die_at_start)
    made = OnProcesses(2)
    with pytest.raises(CorrigendaError, match="the 2 worker processes cannot be started"):
        list(made.apply(halved, [8], 3))


def test_no_room_for_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process is started by a thread, which the system may not allow."""

    def full(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(processes, "_started", full)
    with pytest.raises(CorrigendaError, match="cannot be started: can't start new thread"):
        list(OnProcesses(2).apply(halved, [8], 3))


def test_processes_end_with_their_work() -> None:
    made = OnProcesses(2)
    list(made.apply(halved, range(4), 0))
    children = psutil.Process().children()
    assert len(children) >= 2
    made.stop()
    left = [each for each in psutil.Process().children() if "spawn_main" in str(each.cmdline())]
    assert left == []
