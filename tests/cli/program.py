"""Runs the real program, as a user does."""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from corrigenda.data import SAMPLE

SOURCE = str(SAMPLE / "source.txt")
REFS = [str(SAMPLE / "ref0.txt"), str(SAMPLE / "ref1.txt")]
GOLD = str(SAMPLE / "gold.m2")
TEXT_CORPUS = ["--source", SOURCE, "--refs", *REFS]


def system(name: str) -> str:
    """The file of one of the sample's systems."""
    return str(SAMPLE / f"{name}.txt")


SAMPLE_FINDINGS = (
    "corrigenda: health: unchanged: unchanged: ",
    "corrigenda: health: empty: empty: ",
)


WHICH_WEIGHTS = "the weights are those of its safetensors"
"""What a note says about each model that was read."""


PROGRESS = re.compile(r"corrigenda: .+: [\d,]+ of [\d,]+.*, \d+:\d\d:\d\d.*")
"""What is printed every 30 seconds; on a busy machine even a short run may take so long."""


NEEDS_A_NEW_PYTHON = ("PYTHON", "LANG", "LC_")
"""Variables that begin with these change how Python itself starts."""


def run(
    *arguments: str | Path,
    stdin: bytes = b"",
    folder: Path | None = None,
    program: tuple[str, ...] | None = None,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """What the program printed, and its exit code; output is UTF-8.

    It runs in a process of its own. Unless a program is given, or the variables need a new Python,
    the process is a fork of one that has loaded the modules.
    """
    command, given = list(map(str, arguments)), environment or {}
    if program is None and not any(name.startswith(NEEDS_A_NEW_PYTHON) for name in given):
        return _forked(command, stdin, folder, {**os.environ, **given})
    finished = subprocess.run(
        [*(program or (sys.executable, "-m", "corrigenda")), *command],
        input=stdin,
        capture_output=True,
        cwd=folder,
        timeout=120,
        check=False,
        env={**os.environ, **given},
    )
    return subprocess.CompletedProcess(
        finished.args,
        finished.returncode,
        finished.stdout.decode("utf-8"),
        finished.stderr.decode("utf-8"),
    )


@cache
def _server() -> subprocess.Popen[str]:
    command = [sys.executable, str(Path(__file__).with_name("fork_server.py"))]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    return server


def _forked(
    arguments: list[str], stdin: bytes, folder: Path | None, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    server = _server()
    with tempfile.TemporaryDirectory() as files:
        paths = [Path(files) / name for name in ("stdin", "stdout", "stderr")]
        paths[0].write_bytes(stdin)
        request = {
            "arguments": arguments,
            "folder": str(folder or Path.cwd()),
            "environment": environment,
            "files": list(map(str, paths)),
        }
        assert server.stdin is not None
        assert server.stdout is not None
        print(json.dumps(request), file=server.stdin, flush=True)
        code = int(server.stdout.readline())
        printed, errors = (path.read_text(encoding="utf-8") for path in paths[1:])
    return subprocess.CompletedProcess(["corrigenda", *arguments], code, printed, errors)


def output_of(*arguments: str | Path, **options) -> str:
    """The standard output of a run that must go well and say nothing else.

    The sample has a system that changes nothing and one that is empty: health says so. A note says
    which weights of a model were read.
    """
    finished = run(*arguments, **options)
    assert finished.returncode == 0, finished.stderr
    said = finished.stderr.splitlines()
    told = [line for line in said if not (line.endswith(WHICH_WEIGHTS) or PROGRESS.match(line))]
    assert all(line.startswith(SAMPLE_FINDINGS) for line in told), finished.stderr
    return finished.stdout
