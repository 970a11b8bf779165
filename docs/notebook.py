"""Runs pages that read like a notebook, so that they show what really happens.

    python docs/notebook.py            # say which pages are out of date
    python docs/notebook.py --write    # update them

The ```python and ```sh blocks of such a page are its cells. They run one after the other in a copy
of the bundled sample: Python in one namespace, commands in one shell. A ```text block below a cell
is its output.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from corrigenda.data import SAMPLE

DOCS = Path(__file__).parent
PAGES = [DOCS / "bulk.md"]
_CELL = re.compile(
    r"^```(python|sh)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL
)
_END = "the end of the cell"


def refreshed(page: str) -> str:
    """The page with the current output of every cell."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "sample"
        shutil.copytree(SAMPLE, folder)
        with _Session(folder) as session:
            return _CELL.sub(lambda cell: _shown(cell, session.run(cell[1], cell[2])), page)


def _shown(cell: re.Match[str], output: str) -> str:
    code = f"```{cell[1]}\n{cell[2]}```\n"
    return f"{code}\n```text\n{output}```\n" if output else code


class _Session:
    """One shell and one namespace for a whole page."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[str, Any] = {"__name__": "notebook"}

    def __enter__(self) -> _Session:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        self._shell = subprocess.Popen(
            ["bash"],
            cwd=self._folder,
            env={**os.environ, "PATH": path, "COLUMNS": "100"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        """End every process that the page started."""
        assert self._shell.stdin is not None
        self._shell.stdin.write("kill $(jobs -p) 2>/dev/null; wait\n")
        self._shell.stdin.close()
        self._shell.wait(60)

    def run(self, language: str, code: str) -> str:
        lines = (self._python(code) if language == "python" else self._commands(code)).splitlines()
        return "".join(f"{line.rstrip()}\n" for line in lines).strip("\n") + "\n" if lines else ""

    def _python(self, code: str) -> str:
        printed = io.StringIO()
        with contextlib.chdir(self._folder), contextlib.redirect_stdout(printed):
            exec(compile(code, "<page>", "exec"), self._names)
        return printed.getvalue()

    def _commands(self, code: str) -> str:
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(f"{code}\necho; echo '{_END}'\n")
        self._shell.stdin.flush()
        lines = []
        for line in self._shell.stdout:
            if line.strip() == _END:
                return "".join(lines).strip("\n")
            lines.append(line)
        raise RuntimeError(f"the shell ended: {''.join(lines)}")


def main() -> int:
    """Check or write the pages; the exit code of a check is 1 if a page is out of date."""
    arguments = argparse.ArgumentParser(
        description="Check or refresh pages that read like a notebook."
    )
    arguments.add_argument(
        "--write", action="store_true", help="write the current output into the pages"
    )
    args = arguments.parse_args()
    outdated = [
        path
        for path in PAGES
        if refreshed(path.read_text(encoding="utf-8")) != path.read_text(encoding="utf-8")
    ]
    for path in outdated:
        print(f"{path.relative_to(DOCS.parent)}: {'refreshed' if args.write else 'out of date'}")
        if args.write:
            path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
    return int(bool(outdated) and not args.write)


if __name__ == "__main__":
    sys.exit(main())
