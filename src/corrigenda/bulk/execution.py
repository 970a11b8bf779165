"""The main stage of a run: survey all partitions if a metric needs it, then score them."""

from __future__ import annotations

from dataclasses import replace

from corrigenda import progress
from corrigenda.bulk.cluster import Workers
from corrigenda.bulk.partitions import Partition
from corrigenda.bulk.records import record_name
from corrigenda.bulk.state import RunState
from corrigenda.bulk.worker import FinishedPartition, score_partition, survey_partition
from corrigenda.core.survey import Survey, add_up
from corrigenda.errors import CorrigendaError, Location

_ENOUGH_TO_TELL = 100
"""If none of the first rows, at least this many, can be scored, the settings are probably wrong."""


def survey(state: RunState, workers: Workers) -> None:
    """Add up the surveys of all partitions, for metrics that need them."""
    if not any(metric.scope == "survey" for metric in state.metrics):
        return
    state.check_failures()
    partitions, total, done = state.manifest.partitions, state.known_rows, 0
    progress.report("rows surveyed", done, total)
    surveys: dict[str, Survey] = {}
    for partition, found in workers.apply(survey_partition, partitions, state.settings):
        if isinstance(found, Exception):
            state.add_failure(found)
            continue
        for metric, numbers in found.items():
            add_up(surveys.setdefault(metric, {}), numbers)
        done += partition.cut.rows or 0
        progress.report("rows surveyed", done, total)
    state.check_failures()
    state.settings = replace(state.settings, surveys=surveys)


def score(state: RunState, workers: Workers) -> None:
    """Score the partitions that are not finished."""
    if state.finished:
        progress.note(f"an earlier run has scored {state.finished_rows:,} rows; they are kept")
    _report(state)
    state.check_rejections()
    unfinished = [
        partition for partition in state.manifest.partitions if partition.name not in state.finished
    ]
    for partition, part in workers.apply(score_partition, unfinished, state.settings):
        if isinstance(part, Exception):
            state.add_failure(part)
            continue
        _check_some_are_good(state, partition, part)
        state.finished[partition.name] = part
        state.rows_by_this_run += part.rows
        _report(state)
        state.check_rejections()


def _report(state: RunState) -> None:
    rejected = f"{state.rejections:,} rejected" if state.rejections else ""
    progress.report("rows scored", state.finished_rows, state.known_rows, rejected)


def _check_some_are_good(state: RunState, partition: Partition, part: FinishedPartition) -> None:
    """Stop if none of the first rows can be scored: the columns are probably named wrong."""
    some = state.finished or len(part.rejected) < part.rows
    if some or part.rows < _ENOUGH_TO_TELL or state.max_errors is not None:
        return
    row, reason = part.rejected[0]
    state.folder.remove(record_name(partition))
    raise CorrigendaError(
        f"none of the first {part.rows:,} rows can be scored; row {row}: {reason}",
        at=Location(partition.label),
        remedy="Check the names of the columns: "
        "--columns source=NAME,hypothesis=NAME,references=NAME+NAME. "
        "With --max-errors N the run does not stop here.",
    )
