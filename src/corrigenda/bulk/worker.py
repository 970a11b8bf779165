"""What runs on a worker: one partition, a block at a time, from its rows to its files and its record.

It is given plain values and returns a few numbers. Models are loaded by the process that needs them, once.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field

from corrigenda.bulk import tables
from corrigenda.bulk.block_scores import BlockScores, adds_up, as_corpus, score_block
from corrigenda.bulk.partitions import Partition
from corrigenda.bulk.readers import read_blocks
from corrigenda.bulk.records import MetricRecord, Record, plain, scores_name, statistics_name
from corrigenda.bulk.rows import RowBlock
from corrigenda.bulk.settings import BulkSettings
from corrigenda.bulk.storage import Folder
from corrigenda.bulk.versions import versions
from corrigenda.cache import folder as cache_folder
from corrigenda.core.evaluate import BLOCK_SENTENCES, prepare
from corrigenda.core.metric import Metric
from corrigenda.core.survey import Survey, add_up
from corrigenda.core.tally import PlainTally, Tally
from corrigenda.errors import MetricError
from corrigenda.metrics import metric as metric_from_text

_ONE_MODEL_AT_A_TIME = threading.Lock()
"""A worker may have several threads; spaCy and torch models are not shared between them."""


@dataclass(frozen=True)
class Done:
    """A finished partition, in a few numbers."""

    rows: int
    rejected: list[tuple[int, str]]


def score_partition(partition: Partition, settings: BulkSettings) -> Done:
    """Score a partition, unless that is done already."""
    folder = Folder(settings.output)
    record = Record.read(folder, partition, settings.run)
    if record is None or record.damaged(folder) is not None:
        with _environment(settings) as metrics:
            record = _scored(partition, settings, folder, metrics)
    return Done(record.rows, record.rejected)


def survey_partition(partition: Partition, settings: BulkSettings) -> dict[str, Survey]:
    """What metrics need to know of all partitions before they can score any."""
    with _environment(settings) as metrics:
        found: dict[str, Survey] = {
            str(metric): {} for metric in metrics if metric.scope == "survey"
        }
        for block in read_blocks(partition, settings.columns, BLOCK_SENTENCES):
            for metric in metrics:
                if metric.scope == "survey" and block.usable:
                    add_up(found[str(metric)], _survey(metric, block, block.usable))
    return found


def _survey(metric: Metric, block: RowBlock, places: list[int]) -> Survey:
    """Without the rows that the metric refuses."""
    corpus, hypotheses = as_corpus(block, places)
    try:
        prepare([metric], corpus, [hypotheses], threads=1)
        return metric.survey(corpus, hypotheses, threads=1)
    except MetricError:
        if len(places) == 1:
            return {}
    half = len(places) // 2
    total: Survey = {}
    for part in (places[:half], places[half:]):
        add_up(total, _survey(metric, block, part))
    return total


@contextmanager
def _environment(settings: BulkSettings) -> Iterator[list[Metric]]:
    """The metrics, with caches and models as the client was told."""
    metrics = [metric_from_text(text) for text in settings.metrics]
    with ExitStack() as stack:
        # What metrics would say of every partition stands in the remarks of the totals.
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(cache_folder.disabled(not settings.cache))
        if settings.models:
            from corrigenda.neural import settings as model_settings

            stack.enter_context(model_settings.using(**settings.models))
        has_models = any(metric.needs_model for metric in metrics)
        stack.enter_context(_ONE_MODEL_AT_A_TIME if has_models else nullcontext())
        yield metrics


def _scored(
    partition: Partition, settings: BulkSettings, folder: Folder, metrics: Sequence[Metric]
) -> Record:
    sums = _Sums(metrics)
    files = [scores_name(partition)]
    with ExitStack() as stack:
        scores = _table(folder, files[0], stack)
        kept: dict[str, tables.TableWriter] = {}
        for place, metric in enumerate(metrics):
            if not adds_up(metric):
                files.append(statistics_name(partition, place, str(metric)))
                kept[str(metric)] = _table(folder, files[-1], stack)
        for block in read_blocks(partition, settings.columns, BLOCK_SENTENCES):
            scored = score_block(block, metrics, settings.surveys)
            table = tables.score_table(block, scored, metrics, settings, partition.label)
            scores.write(table, complete=bool(scored) or not settings.counts)
            for part in scored:
                for metric in metrics:
                    if str(metric) in kept:
                        statistics = part.of_metric[str(metric)].statistics
                        kept[str(metric)].write(tables.statistics_table(metric, statistics))
            sums.add(block, scored)
        if not sums.rows:
            nothing = RowBlock(partition.first_row, [], [], [], [])
            scores.write(tables.score_table(nothing, [], metrics, settings, partition.label))
    written = {name: folder.described(name) for name in files if folder.exists(name)}
    record = Record(
        settings.run,
        plain(partition),
        sums.rows,
        sums.rejected,
        sums.records(),
        written,
        versions(),
    )
    record.write(folder, partition)
    return record


def _table(folder: Folder, name: str, stack: ExitStack) -> tables.TableWriter:
    writer = tables.TableWriter(stack.enter_context(folder.writing(name)))
    # Closed before the file is: only a table with its end is complete.
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
    """What the blocks of a partition add up to."""

    metrics: Sequence[Metric]
    rows: int = 0
    rejected: list[tuple[int, str]] = field(default_factory=list)
    fields: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sentence = {str(metric): Tally(metric, "sentence") for metric in self.metrics}
        self.corpus = {
            str(metric): Tally(metric, "corpus") if adds_up(metric) else None
            for metric in self.metrics
        }

    def add(self, block: RowBlock, scored: Sequence[BlockScores]) -> None:
        self.rows += len(block)
        self.rejected += [
            (block.first_row + place, reason) for place, reason in sorted(block.rejected.items())
        ]
        for part in scored:
            for name, found in part.of_metric.items():
                self.fields[name] = found.fields
                self.sentence[name].merge(found.sentence)
                total = self.corpus[name]
                if total is not None and found.corpus is not None:
                    total.merge(found.corpus)

    def records(self) -> dict[str, MetricRecord]:
        records = {}
        for name, tally in self.sentence.items():
            corpus = self.corpus[name]
            plain: PlainTally | None = None if corpus is None else corpus.to_dict()
            records[name] = MetricRecord(self.fields.get(name, {}), tally.to_dict(), plain)
        return records
