"""Gathers the data of a report and makes the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corrigenda import progress, writing
from corrigenda.analysis.all_pairs import check_number_of_systems
from corrigenda.analysis.extraction import compare_system, extractor_class
from corrigenda.analysis.foreign_types import foreign_types
from corrigenda.core.evaluate import check_lengths
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError
from corrigenda.kernels import threads_of
from corrigenda.report.against import EarlierScores
from corrigenda.report.ceiling import ceiling_data
from corrigenda.report.gains import edit_gains
from corrigenda.report.human import HumanScores
from corrigenda.report.options import ReportOptions
from corrigenda.report.page import page
from corrigenda.report.sentences import sentence_data
from corrigenda.report.slicings import slicing_data, slicings_of
from corrigenda.report.summary import summary_data
from corrigenda.text.sentences import Path

__all__ = ["ReportOptions", "report", "write_report"]


def report(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    results: Sequence[Result],
    *,
    options: ReportOptions | None = None,
    columns: Mapping[str, Sequence[object]] | None = None,
    human: HumanScores | None = None,
    earlier: EarlierScores | None = None,
) -> str:
    """The page for the results of all systems by one or more metrics, as `evaluate` gives them.

    `columns` come from a sidecar; each of them becomes a slicing. `human` has scores to correlate
    with. `earlier` has the scores of a run before. The corpus may have no references, if the
    metrics need none.
    """
    options = options or ReportOptions()
    check_lengths(corpus, systems)
    check_number_of_systems(len(systems))
    by_metric = _by_metric(systems, results)
    threads = threads_of(options.threads)
    gold_types = _gold_types(corpus, options.extractor)
    compared = [
        compare_system(corpus, system, extractor=options.extractor, threads=threads, **gold_types)
        for system in systems
    ]
    slicings = slicings_of(corpus, columns or {}, compared[0])
    summary = summary_data(
        corpus,
        by_metric,
        compared,
        slicing_data(slicings, by_metric, compared, options),
        options,
        human,
        earlier,
        ceiling_data(corpus, systems, by_metric, threads) if options.ceiling else None,
    )
    gains = None
    if options.attribute is not None:
        gains = edit_gains(
            corpus, systems, compared, options.attribute, seed=options.seed, threads=threads
        )
    return page(summary, sentence_data(corpus, by_metric, compared, slicings, gains))


def _gold_types(corpus: Corpus, extractor: str) -> dict[str, object]:
    """An extractor with types of its own gives them to gold edits of another scheme, too."""
    foreign = foreign_types(corpus)
    if not foreign or "types" not in extractor_class(extractor).offers:
        return {}
    progress.note(
        f"the gold edits have types of another scheme ({', '.join(foreign[:3])}, …): "
        f"the report gives all edits the types of {extractor}"
    )
    return {"gold": "retyped"}


def write_report(
    path: Path,
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    results: Sequence[Result],
    *,
    options: ReportOptions | None = None,
    columns: Mapping[str, Sequence[object]] | None = None,
    human: HumanScores | None = None,
    earlier: EarlierScores | None = None,
) -> int:
    """Write the page that `report` makes; the size of the file in bytes."""
    html = report(
        corpus, systems, results, options=options, columns=columns, human=human, earlier=earlier
    )
    encoded = html.encode("utf-8")
    writing.write_bytes(path, encoded)
    return len(encoded)


def _by_metric(systems: Sequence[Hypotheses], results: Sequence[Result]) -> list[list[Result]]:
    """The results of each metric, in the order of the systems."""
    names = [system.name for system in systems]
    by_metric: dict[str, dict[str, Result]] = {}
    for result in results:
        by_metric.setdefault(str(result.metric), {})[result.system] = result
    if not names or not by_metric:
        raise CorrigendaError(
            "there is nothing to report", remedy="Give at least one system and one metric."
        )
    if len(set(names)) < len(names) or any(
        set(found) != set(names) for found in by_metric.values()
    ):
        raise CorrigendaError(
            "the results do not form a table of systems and metrics",
            remedy="Give one result per metric and system, and give every system its own name.",
        )
    return [[found[name] for name in names] for found in by_metric.values()]
