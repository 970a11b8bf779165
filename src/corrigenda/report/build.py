"""Gathers what a report shows, and makes the page of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from corrigenda.analysis.extraction import compare
from corrigenda.analysis.significance import Correction
from corrigenda.analysis.slices import EDITS, LENGTH, TYPE, slices_by
from corrigenda.core.evaluate import check_lengths
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError, Location
from corrigenda.kernels import default_threads
from corrigenda.report.human import HumanScores
from corrigenda.report.page import page
from corrigenda.report.sentences import sentence_data
from corrigenda.report.slicings import Slicing, slicing_data
from corrigenda.report.summary import summary_data
from corrigenda.text.sentences import Path


@dataclass(frozen=True)
class ReportOptions:
    """How a report is made. `correction` is for the many pairs of systems, and the many slices of a pair."""

    title: str = "Grammatical error correction"
    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95
    correction: Correction = "bh"
    extractor: str = "m2"
    min_sentences: int = 10
    threads: int | None = None


def report(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    results: Sequence[Result],
    *,
    options: ReportOptions | None = None,
    columns: Mapping[str, Sequence[Any]] | None = None,
    human: HumanScores | None = None,
) -> str:
    """The page of results of all systems by one or more metrics, systems first, as `evaluate` gives them.

    `columns` are those of a sidecar, each of which becomes a slicing; `human` are scores to correlate with.
    """
    options = options or ReportOptions()
    check_lengths(corpus, systems)
    by_metric = _by_metric(systems, results)
    threads = options.threads or default_threads()
    compared = [
        compare(corpus, system, extractor=options.extractor, threads=threads) for system in systems
    ]
    gold = [[comparison.gold for comparison in sentence.comparisons] for sentence in compared[0]]
    slicings = [
        Slicing(by, slices_by(corpus, by, columns, gold=gold))
        for by in dict.fromkeys((LENGTH, EDITS, TYPE, *(columns or {})))
    ]
    summary = summary_data(corpus, by_metric, compared, options, human)
    summary["slicings"] = slicing_data(corpus, slicings, by_metric, compared, options)
    return page(summary, sentence_data(corpus, systems, by_metric, compared, slicings))


def write_report(path: Path, *arguments: Any, **options: Any) -> int:
    """Write the report, made as by `report`; its size in bytes."""
    encoded = report(*arguments, **options).encode("utf-8")
    try:
        FilePath(path).write_bytes(encoded)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CorrigendaError(
            f"cannot write it: {reason}",
            at=Location(str(path)),
            remedy="Check the folder and its permissions.",
        ) from error
    return len(encoded)


def _by_metric(systems: Sequence[Hypotheses], results: Sequence[Result]) -> list[list[Result]]:
    """The results of each metric, in the order of the systems."""
    names = [system.name for system in systems]
    by_metric: dict[str, dict[str, Result]] = {}
    for result in results:
        by_metric.setdefault(str(result.metric), {})[result.system] = result
    if not names or not by_metric:
        raise CorrigendaError(
            "there is nothing to report", remedy="Give one system and one metric, or more."
        )
    if len(set(names)) < len(names) or any(
        set(found) != set(names) for found in by_metric.values()
    ):
        raise CorrigendaError(
            "every metric needs one result for each system, and each system a name of its own"
        )
    return [[found[name] for name in names] for found in by_metric.values()]
