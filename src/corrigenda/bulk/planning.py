"""The first stage of a run: begin or continue, then cut the inputs into partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyarrow.types import is_null

from corrigenda import progress
from corrigenda.bulk import manifest
from corrigenda.bulk.cluster import Workers
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.examining import first_rows
from corrigenda.bulk.manifest import Manifest, Plan
from corrigenda.bulk.parquet_reader import type_from_text
from corrigenda.bulk.partitions import Cut, Shard, cuts_of
from corrigenda.bulk.readers import read_blocks
from corrigenda.bulk.records import (
    RECORDS,
    SCORES,
    Record,
    record_name,
    statistics_folder,
    versions,
)
from corrigenda.bulk.settings import LastingSettings
from corrigenda.bulk.state import RunState
from corrigenda.bulk.storage import Folder
from corrigenda.bulk.words import TokenPlan
from corrigenda.bulk.worker import FinishedPartition
from corrigenda.core.evaluate import BLOCK_SENTENCES
from corrigenda.core.scored import parts_add_up
from corrigenda.errors import CorrigendaError
from corrigenda.health.surveys import FEWEST_LINES
from corrigenda.tokens import DECIDING_SENTENCES

PARTITION_ROWS = 50_000


def begun_manifest(
    folder: Folder, settings: LastingSettings, shards: Sequence[Shard], partition_rows: int | None
) -> Manifest:
    """The manifest of the run in this folder if the settings fit, else a new manifest."""
    found = manifest.read(folder)
    if found is None:
        plans = [Plan(shard) for shard in shards]
        return Manifest(settings, versions(), partition_rows or PARTITION_ROWS, plans)
    manifest.check_same(found, settings, versions(), partition_rows, folder)
    for label in manifest.check_inputs(found, shards, folder):
        progress.note(
            f"{label} has changed since a part of it was scored: all of it is scored again"
        )
    return found


def make_folders(state: RunState) -> None:
    """Make the folders for results, and remove leftovers of workers that died."""
    for name in (SCORES, RECORDS):
        state.folder.make(name)
    manifest.sweep(state.folder, state.manifest.partitions)
    for place, metric in enumerate(state.metrics):
        if not parts_add_up(metric):
            state.folder.make(statistics_folder(place, str(metric)))


def take_over(state: RunState) -> None:
    """Keep the partitions that an earlier run finished, if their files are still whole."""
    for partition in state.manifest.partitions:
        record = Record.read(state.folder, partition, state.manifest.run)
        if record is None:
            continue
        if (name := record.damaged_file(state.folder)) is not None:
            progress.note(f"{state.folder.shown(name)} is damaged: its rows are scored again")
            state.folder.remove(record_name(partition))
            continue
        state.finished[partition.name] = FinishedPartition(record.rows, record.rejected)


def cut_inputs(state: RunState, workers: Workers) -> None:
    """Cut the shards that have no partitions yet, and write the manifest."""
    settings, uncut = state.settings, [plan for plan in state.manifest.plans if plan.cuts is None]
    arguments = (state.manifest.partition_rows, settings.columns, settings.reference_metric)
    for done, (plan, cuts) in enumerate(workers.apply(_cut, uncut, *arguments), 1):
        if isinstance(cuts, Exception):
            state.add_failure(cuts)
        else:
            plan.cuts = cuts
        progress.report("inputs counted", done, len(uncut), plan.shard.label)
    state.manifest.write(state.folder)
    state.settings = replace(settings, key_type=_key_type(state))


def plan_words(state: RunState) -> None:
    """Decide by the first rows how words are made of raw text, once for all partitions."""
    choice = state.settings.lasting.tokenise
    if choice is None:
        return
    if state.manifest.tokens is None or not state.finished:
        blocks = (
            block
            for partition in state.manifest.partitions
            for block in read_blocks(partition, state.settings, DECIDING_SENTENCES)
        )
        state.manifest.tokens = TokenPlan.of(choice, blocks)
        state.manifest.write(state.folder)
    state.settings = replace(state.settings, tokens=state.manifest.tokens)


def learn_usual(state: RunState) -> None:
    """See what is usual for the texts in the first rows, for the health of all partitions."""
    first = next(iter(state.manifest.partitions), None)
    if first is None or not state.settings.health:
        return
    if first.cut.rows is not None and first.cut.rows < FEWEST_LINES:
        return  # too few to show what is usual
    try:
        block = next(read_blocks(first, state.settings, BLOCK_SENTENCES), None)
    except CorrigendaError:
        return  # the worker that scores these rows says what is wrong
    if block is not None:
        state.settings = replace(state.settings, first_rows=first_rows(block))


def _cut(plan: Plan, rows: int, columns: Columns, reference_metric: str | None) -> list[Cut]:
    return cuts_of(plan.shard, rows, columns, reference_metric)


def _key_type(state: RunState) -> str:
    """The type that the key has in all inputs. An input without any key fits every type."""
    labels: dict[str, str] = {}
    for partition in state.manifest.partitions:
        if not is_null(type_from_text(partition.cut.key_type)):
            labels.setdefault(partition.cut.key_type, partition.label)
    if len(labels) > 1:
        (one, first), (other, second) = list(labels.items())[:2]
        raise CorrigendaError(
            f"the key {state.settings.columns.key!r} is {type_from_text(one)} in {first} "
            f"and {type_from_text(other)} in {second}",
            remedy="Give it the same type in all inputs, or leave out --key.",
        )
    return next(iter(labels), "")
