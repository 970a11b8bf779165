"""What runs on a worker: one partition, block by block, from its rows to its files and its record.

A worker gets plain values and returns a few numbers. Each process loads the models that it needs,
once.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field

import pyarrow as pa

from corrigenda.bulk import tables
from corrigenda.bulk.block_scores import BlockScores, score_block, survey_block
from corrigenda.bulk.examining import PartitionHealth
from corrigenda.bulk.partitions import Partition
from corrigenda.bulk.readers import read_blocks
from corrigenda.bulk.records import (
    MetricRecord,
    Record,
    Rejection,
    scores_name,
    statistics_name,
    versions,
)
from corrigenda.bulk.rows import SYSTEM, RowBlock
from corrigenda.bulk.settings import BulkSettings
from corrigenda.bulk.storage import Folder
from corrigenda.cache import folder as cache_folder
from corrigenda.core.evaluate import BLOCK_SENTENCES
from corrigenda.core.metric import Metric
from corrigenda.core.scored import parts_add_up
from corrigenda.core.survey import Survey, add_up
from corrigenda.core.tally import Tally
from corrigenda.errors import CorrigendaError, Location
from corrigenda.metrics import metric as metric_from_text
from corrigenda.neural import settings as model_settings
from corrigenda.tokens import Retokeniser

_ONE_MODEL_AT_A_TIME = threading.Lock()
"""A worker may have several threads, and they cannot share models of spaCy and torch."""


@dataclass(frozen=True)
class FinishedPartition:
    """The numbers of a finished partition."""

    rows: int
    rejected: list[Rejection]


def score_partition(partition: Partition, settings: BulkSettings) -> FinishedPartition:
    """Score a partition, unless it is already done."""
    folder = Folder(settings.output)
    record = Record.read(folder, partition, settings.run)
    if record is None or record.damaged_file(folder) is not None:
        with _environment(settings) as metrics:
            record = _scored(partition, settings, folder, metrics)
    return FinishedPartition(record.rows, record.rejected)


def survey_partition(partition: Partition, settings: BulkSettings) -> dict[str, Survey]:
    """The part of this partition in each survey that a metric needs before it can score."""
    with _environment(settings) as metrics:
        surveying = [metric for metric in metrics if metric.scope == "survey"]
        found: dict[str, Survey] = {str(metric): {} for metric in surveying}
        for block in _with_words(partition, settings, _retokeniser(settings)):
            for metric in surveying:
                add_up(found[str(metric)], survey_block(block, metric))
    return found


@contextmanager
def _environment(settings: BulkSettings) -> Iterator[list[Metric]]:
    """The metrics, with the cache and the models set up as the settings say."""
    metrics = [metric_from_text(text) for text in settings.metrics]
    with ExitStack() as stack:
        # Metrics would warn once per partition. The remarks of the totals say the same.
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(cache_folder.disabled(not settings.cache))
        has_models = any(metric.needs_model for metric in metrics)
        if has_models and settings.models is not None:
            stack.enter_context(model_settings.using(**asdict(settings.models)))
        stack.enter_context(_ONE_MODEL_AT_A_TIME if has_models else nullcontext())
        yield metrics


def _scored(
    partition: Partition, settings: BulkSettings, folder: Folder, metrics: Sequence[Metric]
) -> Record:
    sums = _Sums(metrics)
    with ExitStack() as stack:
        files = _PartitionFiles(partition, settings, folder, metrics, stack)
        health = PartitionHealth(partition, settings.first_rows)
        retokeniser = _retokeniser(settings)
        for block in _with_words(partition, settings, retokeniser):
            if settings.health:
                health.add(block)
            scored = score_block(block, metrics, settings.surveys)
            files.write(block, scored)
            sums.add(block, scored)
            _check_rejected(sums, partition, settings)
        if not sums.rows:
            files.write_no_rows()
    record = Record(
        settings.run,
        partition,
        sums.rows,
        sums.rejected,
        sums.records(),
        {name: folder.described(name) for name in files.names if folder.exists(name)},
        versions(),
        health.findings,
        0 if retokeniser is None else retokeniser.removed[SYSTEM],
    )
    record.write(folder)
    return record


def _check_rejected(sums: _Sums, partition: Partition, settings: BulkSettings) -> None:
    """Stop before a list of rejected rows fills the memory."""
    if len(sums.rejected) > settings.most_rejected:
        row, reason = sums.rejected[0]
        raise CorrigendaError(
            f"more than {settings.most_rejected:,} rows are rejected, the first is row {row}: "
            f"{reason}",
            at=Location(partition.label),
            remedy="Check the input and the names of the columns. --max-errors N allows N "
            "rejected rows.",
        )


def _retokeniser(settings: BulkSettings) -> Retokeniser | None:
    return None if settings.tokens is None else settings.tokens.retokeniser()


def _with_words(
    partition: Partition, settings: BulkSettings, retokeniser: Retokeniser | None
) -> Iterator[RowBlock]:
    """The blocks of a partition; raw text has words."""
    for block in read_blocks(partition, settings, BLOCK_SENTENCES):
        if retokeniser is not None:
            block.tokenise(retokeniser)
        yield block


class _PartitionFiles:
    """The files of a partition while they are written: its scores, and statistics that are kept."""

    def __init__(
        self,
        partition: Partition,
        settings: BulkSettings,
        folder: Folder,
        metrics: Sequence[Metric],
        stack: ExitStack,
    ) -> None:
        self._partition = partition
        self._settings = settings
        self._metrics = metrics
        self.names = [scores_name(partition)]
        self._scores = _table_writer(folder, self.names[0], stack)
        self._statistics: dict[str, tables.TableWriter] = {}
        for place, metric in enumerate(metrics):
            if not parts_add_up(metric):
                self.names.append(statistics_name(partition, place, str(metric)))
                self._statistics[str(metric)] = _table_writer(folder, self.names[-1], stack)

    def write(self, block: RowBlock, scored: Sequence[BlockScores]) -> None:
        table = self._score_table(block, scored)
        self._scores.write(table, complete=bool(scored) or not self._settings.lasting.counts)
        for part in scored:
            for metric in self._metrics:
                if (writer := self._statistics.get(str(metric))) is not None:
                    statistics = part.by_metric[str(metric)].statistics
                    writer.write(tables.statistics_table(metric, statistics))

    def write_no_rows(self) -> None:
        """Write a table of scores that has columns but no rows."""
        nothing = RowBlock(self._partition.cut.first_row, [], [], [], [])
        self._scores.write(self._score_table(nothing, []))

    def _score_table(self, block: RowBlock, scored: Sequence[BlockScores]) -> pa.Table:
        return tables.score_table(
            block, scored, self._metrics, self._settings, self._partition.label
        )


def _table_writer(folder: Folder, name: str, stack: ExitStack) -> tables.TableWriter:
    writer = tables.TableWriter(stack.enter_context(folder.writing(name)))
    # The table is closed before its file, because a table without its end is not complete.
    stack.push(lambda kind, _error, _trace: _close(writer, failed=kind is not None))
    return writer


def _close(writer: tables.TableWriter, *, failed: bool) -> None:
    try:
        if not failed:
            writer.close()
            return
    except BaseException:
        writer.abandon()
        raise
    writer.abandon()


@dataclass
class _Sums:
    """The sums over the blocks of a partition."""

    metrics: Sequence[Metric]
    rows: int = 0
    rejected: list[Rejection] = field(default_factory=list)
    fields: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sentence = {str(metric): Tally(metric, "sentence") for metric in self.metrics}
        self.corpus = {
            str(metric): Tally(metric, "corpus") for metric in self.metrics if parts_add_up(metric)
        }

    def add(self, block: RowBlock, scored: Sequence[BlockScores]) -> None:
        self.rows += len(block)
        self.rejected += [
            Rejection(block.first_row + place, reason)
            for place, reason in sorted(block.rejected.items())
        ]
        for part in scored:
            for name, found in part.by_metric.items():
                self.fields[name] = found.fields
                self.sentence[name].merge(found.sentence)
                if found.corpus is not None:
                    self.corpus[name].merge(found.corpus)

    def records(self) -> dict[str, MetricRecord]:
        return {
            name: MetricRecord(
                self.fields.get(name, {}),
                tally.to_dict(),
                self.corpus[name].to_dict() if name in self.corpus else None,
            )
            for name, tally in self.sentence.items()
        }
