"""The bundled samples: invented sentences, references, systems and judgments."""

from __future__ import annotations

from pathlib import Path

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import read_hypotheses, read_m2, read_text

SAMPLE = Path(__file__).parent / "sample"
SAMPLE_SYSTEMS = ("strong", "cautious", "eager", "unchanged", "empty")


def sample_corpus() -> Corpus:
    """The sample corpus; each sentence has references of two or three annotators."""
    return read_m2(SAMPLE / "gold.m2")


def sample_systems() -> list[Hypotheses]:
    """The outputs of the five invented systems."""
    return [read_hypotheses(SAMPLE / f"{name}.txt") for name in SAMPLE_SYSTEMS]


LANGUAGES = Path(__file__).parent / "languages"
"""A folder per language: ar, cs, de, es, ja, uk, zh."""
LANGUAGE_SYSTEMS = ("careful", "eager")


def language_names() -> list[str]:
    """The languages of the multilingual sample."""
    return sorted(folder.name for folder in LANGUAGES.iterdir())


def language_corpus(language: str) -> Corpus:
    """A dozen invented sentences of a language, each with two references."""
    folder = LANGUAGES / language
    return read_text(folder / "source.txt", [folder / "ref0.txt", folder / "ref1.txt"])


def language_systems(language: str) -> list[Hypotheses]:
    """The outputs of two invented systems: one changes little, one rewrites freely."""
    return [read_hypotheses(LANGUAGES / language / f"{name}.txt") for name in LANGUAGE_SYSTEMS]
