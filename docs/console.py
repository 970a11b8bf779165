"""Runs the ```console blocks of the documentation, so that they show what really happens.

    python docs/console.py            # say which pages are out of date
    python docs/console.py --write    # update them, and the picture of the leaderboard

In a block, a line that begins with `$ ` is a command. It runs in a copy of the bundled sample. The
lines below it are its output.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from corrigenda.data import SAMPLE

DOCS = Path(__file__).parent
PICTURE = DOCS / "images" / "leaderboard.svg"
_ONLY_ON_SLOW_MACHINES = "corrigenda: note: found "
"""A long search tells what it finds as it finds it; on a quick machine it is not long."""
_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def pages() -> Iterator[Path]:
    """The README, and every page with a console block."""
    yield DOCS.parent / "README.md"
    yield from sorted(
        path for path in DOCS.rglob("*.md") if "```console\n" in path.read_text(encoding="utf-8")
    )


def refreshed(page: str) -> str:
    """The page with the current output of every command."""
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "sample"
        shutil.copytree(SAMPLE, sample)
        return _BLOCK.sub(lambda block: "\n".join(_run_block(block[0], sample)) + "\n", page)


def _run_block(block: str, folder: Path) -> Iterator[str]:
    for line in block.splitlines():
        if line.startswith("$ "):
            yield line
            yield from _output(line.removeprefix("$ "), folder)


def _output(command: str, folder: Path, **variables: str) -> list[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", **variables}
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    printed = (done.stdout + done.stderr).replace(str(SAMPLE), "…/corrigenda/data/sample")
    lines = (line.rstrip() for line in printed.strip("\n").splitlines())
    return [line for line in lines if not line.startswith(_ONLY_ON_SLOW_MACHINES)]


def picture() -> str:
    """The leaderboard of `corrigenda demo` in colours, as SVG that loads nothing else."""
    import io

    import rich.console
    from rich.terminal_theme import MONOKAI
    from rich.text import Text

    with tempfile.TemporaryDirectory() as folder:
        lines = _output("corrigenda demo", Path(folder), FORCE_COLOR="1", TERM="xterm-256color")
    table = itertools.takewhile(lambda line: "green|" not in line, lines)
    console = rich.console.Console(record=True, width=80, file=io.StringIO())
    console.print("$ corrigenda demo")
    console.print(Text.from_ansi("\n".join(table)))
    without_fonts = re.sub(
        r"@font-face \{\{.*?\}\}\s*", "", rich.console.CONSOLE_SVG_FORMAT, flags=re.DOTALL
    )
    without_fonts = without_fonts.replace("Fira Code, monospace", "monospace")
    return console.export_svg(
        title="corrigenda", theme=MONOKAI, code_format=without_fonts, unique_id="leaderboard"
    )


def main() -> int:
    """Check or write the pages; the exit code of a check is 1 if a page is out of date."""
    arguments = argparse.ArgumentParser(
        description="Check or refresh the examples of the documentation."
    )
    arguments.add_argument(
        "--write", action="store_true", help="write the current output into the pages"
    )
    args = arguments.parse_args()
    outdated = 0
    for path in pages():
        page = path.read_text(encoding="utf-8")
        now = refreshed(page)
        if now != page:
            outdated += 1
            print(
                f"{path.relative_to(DOCS.parent)}: {'refreshed' if args.write else 'out of date'}"
            )
            if args.write:
                path.write_text(now, encoding="utf-8")
    if args.write:
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_text(picture(), encoding="utf-8")
    return int(bool(outdated) and not args.write)


if __name__ == "__main__":
    sys.exit(main())
