"""Health beside GREEN: generated sentences in blocks, in process. It must cost at most a tenth."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from corrigenda.core.evaluate import BLOCK_SENTENCES, Block, evaluate_blocks
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import text
from corrigenda.health import Examination
from corrigenda.metrics import metric
from generate import Files, write_files
from measuring import Row, best_time


def run(quick: bool) -> list[Row]:
    size = 2_000 if quick else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder) / "health", size, references=1, systems=1)
        green = best_time(lambda: _green(files), 1)
        both = best_time(lambda: _green(files, health=True), 1)
        reading = best_time(lambda: list(map(len, _lengths(files))), 1)
        health = best_time(lambda: _health(files), 1)
    note = f"reading alone {reading.processor:.2f} s; GREEN with health {both.processor:.2f} s"
    what = f"Health with reading, beside GREEN with reading, {size:,} sentences, 1 reference"
    return [Row(what, health, green, "GREEN without health", note)]


def _blocks(files: Files) -> Iterator[Block]:
    paths = [files.source, files.references[0], files.hypotheses[0]]
    for source, reference, hypothesis in text.read_blocks(paths, BLOCK_SENTENCES):
        corpus = Corpus(source, tuple((line,) for line in reference))
        yield Block(corpus, [Hypotheses("ours", hypothesis)])


def _green(files: Files, *, health: bool = False) -> None:
    evaluate_blocks(_blocks(files), [metric("green")], keep_statistics=False, health=health)


def _lengths(files: Files) -> Iterator[Corpus]:
    for block in _blocks(files):
        yield block.corpus


def _health(files: Files) -> None:
    examination = Examination()
    for block in _blocks(files):
        examination.add(block.corpus, block.systems)
    if examination.findings():
        raise AssertionError("generated sentences have findings")
