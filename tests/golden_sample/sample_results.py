"""What the original programs gave on the bundled sample; README.md here says how."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from corrigenda import Corpus, Result, evaluate
from corrigenda.core.metric import Level
from corrigenda.data import SAMPLE, SAMPLE_SYSTEMS, sample_corpus, sample_systems
from corrigenda.formats import read_text

FOLDER = Path(__file__).parent
SYSTEMS = SAMPLE_SYSTEMS


@functools.cache
def golden(name: str) -> Any:
    """A file of results."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@functools.cache
def texts(references: str = "ref0+ref1") -> Corpus:
    """The sample with plain references."""
    return read_text(
        SAMPLE / "source.txt", [SAMPLE / f"{name}.txt" for name in references.split("+")]
    )


@functools.cache
def annotated() -> Corpus:
    """The sample with the edits of its annotators."""
    return sample_corpus()


@functools.cache
def scored(corpus: Corpus, specification: str, level: Level = "corpus") -> dict[str, Result]:
    """The results of the five systems."""
    results = evaluate(corpus, sample_systems(), [specification], level=level, threads=1)
    return {result.system: result for result in results}
