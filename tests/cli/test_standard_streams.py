"""Standard streams that fail change nothing but what is printed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from program import GOLD, system

STRONG = system("strong")
PROGRAM = [sys.executable, "-m", "corrigenda"]
GATE = ["compare", STRONG, system("eager"), "--gold", GOLD, "-m", "green", "--resamples", "20"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["metrics"], 0),
        (["explain", "--text", "a", "--reference", "b", "--hypothesis", "b"], 0),
        ([*GATE, "--fail-if-worse", "--junit", "junit.xml"], 3),
    ],
    ids=lambda value: str(value[0]) if isinstance(value, list) else "",
)
def test_a_reader_that_goes_away_changes_nothing_else(
    tmp_path: Path, arguments: list[str], code: int
) -> None:
    """`| head`: the files are written, and the exit code says what was found."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    os.close(writer)
    assert done.returncode == code, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [
        name for name in arguments if name == "junit.xml"
    ]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this platform has no /dev/full")
@pytest.mark.parametrize("mode", ["w", "r"])
def test_notes_that_cannot_be_shown(tmp_path: Path, mode: str) -> None:
    """Standard error is full, or cannot be written: `bulk` prints its speed there."""
    pytest.importorskip("dask")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"source": "a b", "hypothesis": "a c", "references": ["a c"]}\n')
    arguments = [
        "bulk",
        str(rows),
        "-m",
        "green",
        "--workers",
        "0",
        "--output",
        str(tmp_path / "o"),
    ]
    with Path("/dev/full").open(mode) as full:
        done = subprocess.run([*PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=full)
    assert done.returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes of this platform always block")
def test_a_pipe_that_does_not_block(tmp_path: Path) -> None:
    """Another program of the same terminal or job may have made it so."""
    text = tmp_path / "x.m2"
    text.write_text("".join(f"S a b {number}\n\n" for number in range(20_000)))
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    filled = os.write(writer, bytes(1 << 20))
    started = subprocess.Popen(
        [*PROGRAM, "m2", "apply", str(text), "--fill-missing", "source"],
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    time.sleep(2)
    with os.fdopen(reader, "rb") as file:
        lines = file.read()[filled:].splitlines()
    _, message = started.communicate(timeout=60)
    assert (started.returncode, message) == (0, b"")
    assert lines == [f"a b {number}".encode() for number in range(20_000)]
