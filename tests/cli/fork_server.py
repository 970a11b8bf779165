"""Runs the program many times without loading Python and all modules each time.

The server loads them once. For each request it forks a child, which runs the command with its own
files, folder and environment, and ends like a real program. `program.py` starts the server.
"""

from __future__ import annotations

import atexit
import importlib
import io
import json
import os
import pkgutil
import sys
import traceback
from contextlib import suppress

# As the commands themselves do before they load numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from corrigenda.cli import main

ROOMS = ("cli", "core", "formats", "metrics", "analysis", "human", "meta", "report")


def load() -> None:
    """Load the modules that commands load when they need them, and what these import."""
    for room in map(importlib.import_module, [f"corrigenda.{name}" for name in ROOMS]):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(found.name)
    with suppress(ImportError):
        importlib.import_module("scipy.stats")


def become(request: dict) -> None:
    """Take on the arguments, folder, environment and files of the request."""
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["corrigenda", *request["arguments"]]
    modes = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, os.O_WRONLY | os.O_CREAT)
    for number, (path, mode) in enumerate(zip(request["files"], modes, strict=True)):
        os.dup2(os.open(path, mode), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w")), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(
        io.FileIO(2, "w"), encoding="utf-8", errors="backslashreplace", write_through=True
    )


def exit_code() -> int:
    """Run the command. Help and wrong usage end it early; an error that it missed has code 1."""
    try:
        return main()
    except SystemExit as ended:
        return int(ended.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1


def end(code: int) -> None:
    """End as Python does, but without freeing what was loaded, which takes long."""
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(code)


def serve() -> None:
    """Answer each line, a request, with the exit code of its child."""
    load()
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            answers.close()
            become(json.loads(line))
            end(exit_code())
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


if __name__ == "__main__":
    serve()
