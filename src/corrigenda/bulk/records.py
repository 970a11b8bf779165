"""The record of a finished partition: what it adds to the totals, what was rejected, and which files hold its rows.

A partition is done when its record is there. The record is written last, and says how to see whether the
files are still whole.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from corrigenda.bulk.partitions import Partition
from corrigenda.bulk.storage import Folder, Written
from corrigenda.core.metric import Metric
from corrigenda.core.tally import PlainTally, Tally

RECORDS = "records"
SCORES = "scores"
STATISTICS = "statistics"


def record_name(partition: Partition) -> str:
    """Where a partition's record is."""
    return f"{RECORDS}/{partition.name}.json"


def scores_name(partition: Partition) -> str:
    """Where the scores of its rows are."""
    return f"{SCORES}/{partition.name}.parquet"


def statistics_folder(place: int, metric: str) -> str:
    """Where a metric's statistics are; a metric's text may hold what no file name can."""
    return f"{STATISTICS}/{place}-{metric.partition(':')[0]}"


def statistics_name(partition: Partition, place: int, metric: str) -> str:
    """Where the statistics of its rows are, by the metric at a place."""
    return f"{statistics_folder(place, metric)}/{partition.name}.parquet"


@dataclass(frozen=True)
class MetricRecord:
    """What a partition adds to a metric's totals."""

    fields: dict[str, str]
    """What the signature says of metric and data."""
    sentence: PlainTally
    corpus: PlainTally | None
    """Tallies; no corpus tally where it is folded from the statistics."""

    def tally(self, metric: Metric) -> Tally:
        """What the sentences by themselves add up to."""
        return Tally.from_dict(metric, "sentence", self.sentence)

    def corpus_tally(self, metric: Metric) -> Tally | None:
        """What the corpus adds up to, where a partition can know it."""
        return None if self.corpus is None else Tally.from_dict(metric, "corpus", self.corpus)


@dataclass(frozen=True)
class Record:
    """A finished partition."""

    run: str
    partition: dict[str, Any]
    rows: int
    rejected: list[tuple[int, str]]
    """Rows of the shard, counted from 0, and what is wrong with them."""
    metrics: dict[str, MetricRecord]
    files: dict[str, Written]
    versions: dict[str, str]

    def write(self, folder: Folder, partition: Partition) -> None:
        """From now on the partition is done."""
        folder.write(record_name(partition), json.dumps(asdict(self), ensure_ascii=False).encode())

    @classmethod
    def read(cls, folder: Folder, partition: Partition, run: str) -> Record | None:
        """The record of a partition, if this run has done it, and the record is whole."""
        name = record_name(partition)
        if not folder.exists(name):
            return None
        try:
            data = json.loads(folder.read(name))
            record = cls(
                data["run"],
                data["partition"],
                data["rows"],
                [(row, reason) for row, reason in data["rejected"]],
                {name: MetricRecord(**value) for name, value in data["metrics"].items()},
                {name: Written(**value) for name, value in data["files"].items()},
                data["versions"],
            )
        except (ValueError, KeyError, TypeError):
            return None
        return record if record.run == run and record.partition == plain(partition) else None

    def damaged(self, folder: Folder) -> str | None:
        """The first of its files that is not what was written, if any."""
        for name, written in self.files.items():
            if not folder.exists(name) or folder.described(name) != written:
                return name
        return None


def plain(partition: Partition) -> dict[str, Any]:
    """As it comes out of JSON."""
    data: dict[str, Any] = json.loads(json.dumps(partition.to_dict()))
    return data
