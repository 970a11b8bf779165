"""The whole command line from a cold start: a new process each time."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import corpora
from measuring import Row, Time, if_installed, shortest, time_of_process

_PEER_GREEN = """\
import sys
from gec_metrics.metrics import GREEN
texts = [open(path, encoding="utf-8").read().splitlines() for path in sys.argv[1:]]
print(GREEN().score_corpus(texts[0], texts[3], texts[1:3]))
"""


SMALL = 20
"""The sentences of a small file: with them, nearly all of the time is the start."""


def run(quick: bool) -> list[Row]:
    text = corpora.load()
    texts = {"source": text.source, "ref0": text.references[0], "ref1": text.references[1]}
    texts["system"] = text.first_system
    with tempfile.TemporaryDirectory() as folder:
        whole = _written(Path(folder) / "whole", texts, None)
        small = _written(Path(folder) / "small", texts, SMALL)
        return _measure(whole, small, text.name, 5 if quick else 20)


def _written(folder: Path, texts: dict[str, list[str]], lines: int | None) -> list[str]:
    folder.mkdir()
    for name, sentences in texts.items():
        content = "".join(f"{sentence}\n" for sentence in sentences[:lines])
        (folder / f"{name}.txt").write_text(content, encoding="utf-8")
    return [str(folder / f"{name}.txt") for name in texts]


def _measure(whole: list[str], small: list[str], text: str, repeats: int) -> list[Row]:
    commands = {
        "`python -c pass`": [sys.executable, "-c", "pass"],
        "`import numpy`": [sys.executable, "-c", "import numpy"],
        "`corrigenda --version`": [_script("corrigenda"), "--version"],
        f"`corrigenda score … --metrics green`, {SMALL} sentences": _score(small, "green"),
        f"`corrigenda score … --metrics green`, {text}": _score(whole, "green"),
        f"`corrigenda score … --metrics gleu`, {text}": _score(whole, "gleu"),
    }
    python, *others = _best(list(commands.values()), repeats)
    source, reference_0, reference_1, system = whole
    gleu = [_script("gleu"), "-f", "-s", source, "-r", reference_0, reference_1, "-o", system]
    peers = {
        "green": ("a script with gec-metrics", "gec-metrics", [sys.executable, "-c", _PEER_GREEN]),
        "gleu": ("the command `gleu -f`", "gleu", gleu),
    }
    peers["green"][2].extend(whole)
    rows = [Row("`python -c pass`", python, note="the whole process")]
    for what, ours in zip(list(commands)[1:], others, strict=True):
        rows.append(_row(what, ours - python, text, peers, python))
    return rows


def _row(
    what: str, ours: Time, text: str, peers: dict[str, tuple[str, str, list[str]]], python: Time
) -> Row:
    """A row; the whole text is also scored by the peer."""
    note = "beyond `python -c pass`"
    for metric, (name, package, command) in peers.items():
        if what.endswith(f"{metric}`, {text}"):
            module = package.replace("-", "_")
            theirs = if_installed(module, lambda: _best([command], 1)[0] - python)  # noqa: B023
            return Row(what, ours, theirs, name, note, package)
    return Row(what, ours, note=note)


def _score(files: list[str], metric: str) -> list[str]:
    source, reference_0, reference_1, system = files
    texts = ["--source", source, "--refs", reference_0, reference_1, "--hyps", system]
    return [_script("corrigenda"), "score", *texts, "--metrics", metric]


def _script(name: str) -> str:
    """The path of a command that is installed beside this Python."""
    return str(Path(sys.executable).parent / name)


def _best(commands: list[list[str]], repeats: int) -> list[Time]:
    """The shortest time of each command. They run in turn, so that they meet the same machine."""
    # The first run is not measured. It brings files and compiled modules into the system's cache.
    times: list[list[Time]] = [[] for _ in commands]
    for number in range(repeats + 1):
        for found, command in zip(times, commands, strict=True):
            taken = time_of_process(command)[0]
            if number:
                found.append(taken)
    return [shortest(found) for found in times]
