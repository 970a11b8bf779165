"""A whole run: plan, survey, score, finish. Finished work of an earlier run is kept."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from corrigenda import arguments
from corrigenda.bulk import execution, manifest, planning
from corrigenda.bulk.checks import (
    check_lists,
    check_numbers,
    checked_columns,
    checked_metrics,
    reference_metric,
)
from corrigenda.bulk.cluster import WorkerChoice, started
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.finishing import Bulk, finish
from corrigenda.bulk.inputs import Input, find_shards
from corrigenda.bulk.partitions import InputFormat
from corrigenda.bulk.reference_columns import check_reference_columns
from corrigenda.bulk.settings import (
    MOST_REJECTED,
    BulkSettings,
    LastingSettings,
    ModelOptions,
)
from corrigenda.bulk.state import RunState
from corrigenda.bulk.storage import Folder, absolute, locked
from corrigenda.core.metric import Metric
from corrigenda.errors import CorrigendaError, Location
from corrigenda.tokens import Retokeniser
from corrigenda.writing import WritingError

if TYPE_CHECKING:
    from distributed import Client


def bulk(
    inputs: Sequence[Input],
    output: str | os.PathLike[str],
    metrics: Sequence[Metric | str],
    *,
    columns: Columns | None = None,
    input_format: InputFormat | None = None,
    tokenise: str | None = None,
    counts: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    client: Client | None = None,
    dashboard: bool = False,
    partition_rows: int | None = None,
    max_errors: int | None = None,
    restart: bool = False,
    cache: bool = True,
    health: bool = True,
    models: ModelOptions | None = None,
) -> Bulk:
    """Score every row of the inputs, and all rows together.

    Inputs are paths, patterns, folders or URLs. `tokenise` makes words of raw text, as in
    `evaluate`; the first rows decide for all. With `health`, the texts are examined. `workers` is
    the number of processes (default: one per core; 0: only this process), `scheduler` the address
    of a Dask cluster, `client` a connection to one. `dashboard` opens Dask's dashboard on
    127.0.0.1. The result has the same bits in all cases. See also `corrigenda.progress`.
    """
    check_lists(inputs=inputs, metrics=metrics)
    check_numbers(
        workers=(workers, 0), partition_rows=(partition_rows, 1), max_errors=(max_errors, 0)
    )
    if workers is not None:
        arguments.whole_number("workers", workers, most=arguments.MOST_WORKERS)
    choice = WorkerChoice(workers, scheduler, client, dashboard)
    chosen = checked_metrics(metrics, here=choice.here)
    columns = checked_columns(columns, chosen)
    shards = find_shards(inputs, columns, input_format)
    needing = reference_metric(chosen)
    check_reference_columns(shards, columns, needing)
    if tokenise is not None:
        Retokeniser(tokenise)  # raises an error if there is no such tokeniser
    lasting = LastingSettings(tuple(map(str, chosen)), columns, counts, tokenise)
    with _folder_of_one_run(absolute(os.fspath(output))) as folder:
        if restart:
            manifest.clear(folder)
        found = planning.begun_manifest(folder, lasting, shards, partition_rows)
        settings = BulkSettings(
            folder.url,
            lasting,
            found.run,
            needing,
            cache,
            models,
            health=health,
            most_rejected=max(MOST_REJECTED, max_errors or 0),
        )
        return _all_stages(RunState(folder, settings, chosen, found, max_errors), choice)


@contextmanager
def _folder_of_one_run(output: str) -> Iterator[Folder]:
    """The folder for the results, for this run alone."""
    folder = Folder(output)
    try:
        folder.make()
        manifest.check_folder(folder)  # a folder of others does not even get a lock
        with locked(folder):
            yield folder
    except (OSError, WritingError) as error:
        # Inputs that cannot be read raise other errors, so this error is about the output.
        if isinstance(error, WritingError):
            reason = error.reason
        else:
            reason = (error.strerror or str(error)).lower()
        raise CorrigendaError(
            f"cannot write: {reason}",
            at=Location(folder.url),
            remedy="Check the path, its permissions and the free space, and run the same command "
            "again; finished work is kept.",
        ) from error


def _all_stages(state: RunState, choice: WorkerChoice) -> Bulk:
    planning.make_folders(state)
    planning.take_over(state)
    if not state.is_complete:
        with started(choice) as workers:
            planning.cut_inputs(state, workers)
            planning.plan_words(state)
            planning.learn_usual(state)
            execution.survey(state, workers)
            execution.score(state, workers)
        state.check_failures()
    return finish(state)
