"""The bundled sample: invented sentences, references, systems and judgments."""

from __future__ import annotations

from pathlib import Path

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import read_hypotheses, read_m2

SAMPLE = Path(__file__).parent / "sample"
SAMPLE_SYSTEMS = ("strong", "cautious", "eager", "unchanged", "empty")


def sample_corpus() -> Corpus:
    """The sample corpus; each sentence has references of two or three annotators."""
    return read_m2(SAMPLE / "gold.m2")


def sample_systems() -> list[Hypotheses]:
    """The outputs of the five invented systems."""
    return [read_hypotheses(SAMPLE / f"{name}.txt") for name in SAMPLE_SYSTEMS]
