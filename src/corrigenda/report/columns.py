"""The columns of the leaderboard.

To add a column, write a function that yields a `LeaderboardColumn`, and put it into
`METRIC_COLUMNS` (called once per metric) or `SYSTEM_COLUMNS` (called once). A function yields
nothing if its column does not apply. The page shows the columns in the order of these lists,
explains them by their notes, and sorts by each of them. Nothing else has to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from corrigenda.report.compared import ComparedSystem, counted_comparison
from corrigenda.report.numbers import short
from corrigenda.report.schema import HumanSummary, LeaderboardColumn
from corrigenda.report.standings import Standings


@dataclass(frozen=True)
class ComparedSystems:
    """The outputs and edits of all systems, compared with the gold edits."""

    systems: Sequence[ComparedSystem]
    extractor: str
    has_references: bool
    human: HumanSummary | None = None


def _rank(standings: Standings) -> Iterator[LeaderboardColumn]:
    if standings.is_first and len(standings.results) > 1:
        note = f"rank by {standings.metric}; a range if differences are not significant"
        yield LeaderboardColumn("Rank", note, "rank", list(standings.ranks))


def _score(standings: Standings) -> Iterator[LeaderboardColumn]:
    """The page takes the scores and intervals from the metric: its plots show the same numbers."""
    title, note = str(standings.metric), standings.metric.full_title()
    if standings.results[0].has_extracted_gold:
        title += " (extracted)"
        note += (
            "; against edits extracted from the reference texts: published scores use annotated "
            "edits and differ"
        )
    yield LeaderboardColumn(title, note, "score")


def _precision_and_recall(standings: Standings) -> Iterator[LeaderboardColumn]:
    if standings.metric.shows_precision_recall:
        precision = [short(result.precision) for result in standings.results]
        recall = [short(result.recall) for result in standings.results]
        note = "precision: the share of the changes that are right"
        yield LeaderboardColumn("P", note, "fraction", [*precision], under=True)
        note = "recall: the share of the errors that are corrected"
        yield LeaderboardColumn("R", note, "fraction", [*recall], under=True)


def _change(standings: Standings) -> Iterator[LeaderboardColumn]:
    if standings.earlier is not None:
        before = [standings.earlier.of(result) for result in standings.results]
        changes = [
            None if old is None else short(result.score - old)
            for result, old in zip(standings.results, before, strict=True)
        ]
        note = f"change of the score since {standings.earlier.name}"
        yield LeaderboardColumn("Δ", note, "change", [*changes], under=True)


def _human(compared: ComparedSystems) -> Iterator[LeaderboardColumn]:
    if compared.human is not None:
        note = "what people think of the systems; larger is better"
        yield LeaderboardColumn(compared.human.name, note, "number", [*compared.human.scores])


def _edits(compared: ComparedSystems) -> Iterator[LeaderboardColumn]:
    if compared.has_references:
        totals = [_edit_totals(sentences) for sentences in compared.systems]
        correct, wrong, missed = map(list, zip(*totals, strict=True))
        note = f"edits that are also in the reference (extractor: {compared.extractor})"
        yield LeaderboardColumn("✓ correct", note, "count", correct)
        yield LeaderboardColumn("✗ wrong", "edits that are not in the reference", "count", wrong)
        note = "edits of the reference that the system did not make"
        yield LeaderboardColumn("○ missed", note, "count", missed)


METRIC_COLUMNS: tuple[Callable[[Standings], Iterator[LeaderboardColumn]], ...] = (
    _rank,
    _score,
    _precision_and_recall,
    _change,
)
SYSTEM_COLUMNS: tuple[Callable[[ComparedSystems], Iterator[LeaderboardColumn]], ...] = (
    _human,
    _edits,
)


def metric_columns(standings: Standings) -> list[LeaderboardColumn]:
    """The columns about one metric."""
    found = [column for columns in METRIC_COLUMNS for column in columns(standings)]
    own = [column for column in found if column.kind != "score" or column.values is not None]
    _check(own, len(standings.results))
    return found


def system_columns(compared: ComparedSystems) -> list[LeaderboardColumn]:
    """The columns that do not belong to one metric."""
    found = [column for columns in SYSTEM_COLUMNS for column in columns(compared)]
    _check(found, len(compared.systems))
    return found


def _check(columns: Sequence[LeaderboardColumn], systems: int) -> None:
    for column in columns:
        values = len(column.values or ())
        if values != systems:
            raise ValueError(f"column {column.title}: {values} values for {systems} systems")


def _edit_totals(sentences: ComparedSystem) -> tuple[int, int, int]:
    """Correct, wrong and missed edits, against the references that the corpus score counts."""
    correct = proposed = gold = 0
    for comparison in filter(None, map(counted_comparison, sentences)):
        correct += sum(matched.gold is not None for matched in comparison.edits)
        proposed += len(comparison.edits)
        gold += len(comparison.gold)
    return correct, proposed - correct, gold - correct
