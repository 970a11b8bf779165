"""Runs the real program, as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from corrigenda.data import SAMPLE

SOURCE = str(SAMPLE / "source.txt")
REFS = [str(SAMPLE / "ref0.txt"), str(SAMPLE / "ref1.txt")]
GOLD = str(SAMPLE / "gold.m2")
TEXT_CORPUS = ["--source", SOURCE, "--refs", *REFS]


def system(name: str) -> str:
    """The file of one of the sample's systems."""
    return str(SAMPLE / f"{name}.txt")


def run(
    *arguments: str | Path,
    stdin: bytes = b"",
    folder: Path | None = None,
    program: tuple[str, ...] = (sys.executable, "-m", "corrigenda"),
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """What the program printed, and its exit code; output is UTF-8."""
    finished = subprocess.run(
        [*program, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=folder,
        timeout=120,
        check=False,
        env=None if environment is None else {**os.environ, **environment},
    )
    return subprocess.CompletedProcess(
        finished.args,
        finished.returncode,
        finished.stdout.decode("utf-8"),
        finished.stderr.decode("utf-8"),
    )


def output_of(*arguments: str | Path, **options) -> str:
    """The standard output of a run that must go well and say nothing else."""
    finished = run(*arguments, **options)
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    return finished.stdout
