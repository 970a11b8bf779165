"""All data of a report except its sentences: scores, intervals, tests, human scores."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda._version import __version__
from corrigenda.analysis.all_pairs import clusters
from corrigenda.analysis.permutation import DRAWS
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus
from corrigenda.corpus.gold import gold_origin
from corrigenda.errors import CorrigendaError
from corrigenda.health import Finding
from corrigenda.health.finding import findings_of
from corrigenda.report.against import EarlierScores
from corrigenda.report.columns import ComparedSystems, metric_columns, system_columns
from corrigenda.report.compared import ComparedSystem
from corrigenda.report.headline import headline, title_of
from corrigenda.report.human import HumanScores
from corrigenda.report.numbers import short
from corrigenda.report.options import ReportOptions
from corrigenda.report.schema import (
    CeilingSummary,
    EarlierSummary,
    HealthNote,
    HumanSummary,
    MetricSummary,
    ReportSummary,
    ResamplingSummary,
    SlicingData,
)
from corrigenda.report.standings import Standings, standings_of


def summary_data(
    corpus: Corpus,
    by_metric: Sequence[Sequence[Result]],
    compared: Sequence[ComparedSystem],
    slicings: list[SlicingData],
    options: ReportOptions,
    human: HumanScores | None,
    earlier: EarlierScores | None = None,
    ceiling: CeilingSummary | None = None,
) -> ReportSummary:
    """The data that the page shows when it opens; scores are fractions with six decimals."""
    names = [result.system for result in by_metric[0]]
    has_references = corpus.reference_range[1] > 0
    standings = standings_of(by_metric, options, earlier)
    judged = _human_summary(names, human)
    return ReportSummary(
        version=__version__,
        title=options.title or title_of(names),
        headline=headline(standings, options.confidence, human, earlier),
        sentences=len(corpus),
        references=corpus.reference_range,
        gold=gold_origin(corpus) if has_references else None,
        level=by_metric[0][0].level,
        extractor=options.extractor,
        systems=names,
        metrics=[_metric_summary(each) for each in standings],
        columns=system_columns(
            ComparedSystems(compared, options.extractor, has_references, judged)
        ),
        resampling=ResamplingSummary(
            resamples=options.resamples,
            seed=options.seed,
            confidence=options.confidence,
            correction=options.correction,
            draws=DRAWS,
            min_sentences=options.min_sentences,
        ),
        human=judged,
        slicings=slicings,
        earlier=None if earlier is None else _earlier_summary(earlier, by_metric),
        ceiling=ceiling,
        attributed=None if options.attribute is None else str(options.attribute),
        health=[_health_note(finding) for finding in findings_of(by_metric[0])],
    )


def _health_note(finding: Finding) -> HealthNote:
    return HealthNote(
        finding.subject, finding.code, finding.message, finding.remedy, list(finding.lines)
    )


def _earlier_summary(
    earlier: EarlierScores, by_metric: Sequence[Sequence[Result]]
) -> EarlierSummary:
    results = [result for of_metric in by_metric for result in of_metric]
    here = [result.system for result in by_metric[0]]
    systems = [*here, *earlier.systems_without(here)]
    return EarlierSummary(
        earlier.name,
        earlier.other_settings(results),
        systems,
        [
            [short(earlier.score(system, of_metric[0])) for system in systems]
            for of_metric in by_metric
        ],
    )


def _metric_summary(standings: Standings) -> MetricSummary:
    metric, results = standings.metric, standings.results
    return MetricSummary(
        name=str(metric),
        title=metric.full_title(),
        signature=results[0].signature,
        scores=[short(result.score) for result in results],
        low=[short(value) for value in standings.low],
        high=[short(value) for value in standings.high],
        columns=metric_columns(standings),
        p=standings.p,
        clusters=clusters(standings.ranks),
        thinned=any(
            result.chosen is not None and result.chosen.draws > DRAWS for result in results
        ),
    )


def _human_summary(names: Sequence[str], human: HumanScores | None) -> HumanSummary | None:
    if human is None:
        return None
    if not set(names) & set(human.scores):
        raise CorrigendaError(
            "no system has a human score",
            remedy=f"The systems are {', '.join(names)}; "
            f"the human scores are for {', '.join(human.scores)}.",
        )
    found = [human.scores.get(name) for name in names]
    return HumanSummary(human.name, [short(value, 4) for value in found])
