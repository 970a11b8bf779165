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


def run(quick: bool) -> list[Row]:
    text = corpora.load()
    repeats = 5 if quick else 20
    with tempfile.TemporaryDirectory() as folder:
        files = {"source": text.source, "ref0": text.references[0], "ref1": text.references[1]}
        files["system"] = text.first_system
        for name, sentences in files.items():
            (Path(folder) / f"{name}.txt").write_text(
                "".join(f"{s}\n" for s in sentences), encoding="utf-8"
            )
        return _measure([str(Path(folder) / f"{name}.txt") for name in files], text.name, repeats)


def _measure(files: list[str], text: str, repeats: int) -> list[Row]:
    python = _best([sys.executable, "-c", "pass"], repeats)
    source, reference_0, reference_1, system = files
    corrigenda = _script("corrigenda")
    score = [
        corrigenda,
        "score",
        "--source",
        source,
        "--refs",
        reference_0,
        reference_1,
        "--hyps",
        system,
    ]
    peer_green = [sys.executable, "-c", _PEER_GREEN, *files]
    peer_gleu = [_script("gleu"), "-f", "-s", source, "-r", reference_0, reference_1, "-o", system]
    beyond = "beyond `python -c pass`"

    def row(metric: str, peer: list[str], peer_name: str, package: str) -> Row:
        ours = _best([*score, "--metrics", metric], repeats)
        theirs = if_installed(package.replace("-", "_"), lambda: _best(peer, 1) - python)
        what = f"`corrigenda score … --metrics {metric}`, 1 system, {text}"
        return Row(what, ours - python, theirs, peer_name, beyond, package)

    return [
        Row("`python -c pass`", python, note="the whole process"),
        Row(
            "`corrigenda --version`",
            _best([corrigenda, "--version"], repeats) - python,
            note=beyond,
        ),
        row("green", peer_green, "a script with gec-metrics", "gec-metrics"),
        row("gleu", peer_gleu, "the command `gleu -f`", "gleu"),
    ]


def _script(name: str) -> str:
    """The path of a command that is installed beside this Python."""
    return str(Path(sys.executable).parent / name)


def _best(command: list[str], repeats: int) -> Time:
    # The first run is not measured. It brings files and compiled modules into the system's cache.
    time_of_process(command)
    return shortest([time_of_process(command)[0] for _ in range(repeats)])
