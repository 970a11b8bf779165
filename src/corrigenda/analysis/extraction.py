"""The edits that a system made, by one extractor or another."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits.comparison import ComparedSentence


@dataclass(frozen=True)
class Extractor:
    """Where the function of an extractor is, and the options that it takes beside corpus and hypotheses."""

    function: str
    options: tuple[str, ...]

    def load(self) -> Callable[..., list[ComparedSentence]]:
        """The function: corpus, hypotheses, threads=…, and the options by their names."""
        module, _, name = self.function.partition(":")
        loaded: Callable[..., list[ComparedSentence]] = getattr(
            importlib.import_module(module), name
        )
        return loaded


EXTRACTORS = {
    "m2": Extractor(
        "corrigenda.metrics.m2:compared_edits",
        ("beta", "max_unchanged_words", "ignore_case_whitespace"),
    ),
    "errant": Extractor("corrigenda.metrics.errant_matching:compared_edits", ("beta",)),
}
"""By name; an extractor is imported only when it is asked for."""


def compare(
    corpus: Corpus,
    hypotheses: Hypotheses,
    *,
    extractor: str = "m2",
    threads: int,
    **options: object,
) -> list[ComparedSentence]:
    """The system's edits of every sentence, found by the extractor."""
    return EXTRACTORS[extractor].load()(corpus, hypotheses, threads=threads, **options)
