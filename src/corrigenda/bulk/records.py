"""The record of a finished partition.

It holds what the partition adds to the totals, which rows were rejected, and which files hold the
rows. It also holds the sizes and checksums of these files. A partition counts as done when its
record exists, so the record is written last.
"""

from __future__ import annotations

import importlib.metadata
from dataclasses import asdict, dataclass
from functools import cache
from typing import NamedTuple, TypedDict

from corrigenda._version import __version__
from corrigenda.bulk.partitions import Partition, PlainPartition
from corrigenda.bulk.sealed import sealed, unsealed
from corrigenda.bulk.storage import Folder, PlainWritten, Written
from corrigenda.core.metric import Metric
from corrigenda.core.tally import PlainTally, Tally
from corrigenda.health.finding import PlainFinding

RECORDS = "records"
SCORES = "scores"
STATISTICS = "statistics"


@cache
def versions() -> dict[str, str]:
    """The versions of the programs that numbers depend on: Corrigenda and numpy.

    Metrics with models name the models and their programs in their signatures.
    """
    return {"corrigenda": __version__, "numpy": importlib.metadata.version("numpy")}


def record_name(partition: Partition) -> str:
    """The file of a partition's record."""
    return f"{RECORDS}/{partition.name}.json"


def scores_name(partition: Partition) -> str:
    """The file of the scores of its rows."""
    return f"{SCORES}/{partition.name}.parquet"


def statistics_folder(place: int, metric: str) -> str:
    """The folder of a metric's statistics.

    It has only the metric's name: parameters may contain characters that file names cannot have.
    """
    return f"{STATISTICS}/{place}-{metric.partition(':')[0]}"


def statistics_name(partition: Partition, place: int, metric: str) -> str:
    """The file of a partition's statistics by the metric at `place`."""
    return f"{statistics_folder(place, metric)}/{partition.name}.parquet"


class Rejection(NamedTuple):
    """A rejected row of a shard, counted from 0, and what is wrong with it."""

    row: int
    reason: str


class PlainMetricRecord(TypedDict):
    """A metric's record as JSON has it."""

    fields: dict[str, str]
    sentence: PlainTally
    corpus: PlainTally | None


class PlainRecord(TypedDict):
    """A record as JSON has it."""

    run: str
    partition: PlainPartition
    rows: int
    rejected: list[tuple[int, str]]
    metrics: dict[str, PlainMetricRecord]
    files: dict[str, PlainWritten]
    versions: dict[str, str]
    health: list[PlainFinding]
    removed: int


@dataclass(frozen=True)
class MetricRecord:
    """What a partition adds to the totals of a metric."""

    fields: dict[str, str]
    """The fields of the signature."""
    sentence: PlainTally
    corpus: PlainTally | None
    """None if the corpus tally is folded from the statistics."""

    def sentence_tally(self, metric: Metric) -> Tally:
        """The sums of the sentences by themselves."""
        return Tally.from_dict(metric, "sentence", self.sentence)

    def corpus_tally(self, metric: Metric) -> Tally | None:
        """The sums at corpus level, if one partition can know them."""
        return None if self.corpus is None else Tally.from_dict(metric, "corpus", self.corpus)

    @classmethod
    def from_plain(cls, data: PlainMetricRecord) -> MetricRecord:
        """The record that JSON holds."""
        return cls(data["fields"], data["sentence"], data["corpus"])


@dataclass(frozen=True)
class Record:
    """A finished partition."""

    run: str
    partition: Partition
    rows: int
    rejected: list[Rejection]
    metrics: dict[str, MetricRecord]
    files: dict[str, Written]
    versions: dict[str, str]
    health: list[PlainFinding]
    """What the first rows of the partition show; lines are rows of the shard, from 1."""
    removed: int = 0
    """The differences in blanks alone, which words by --tokenise do not have any more."""

    def write(self, folder: Folder) -> None:
        """Write the record. From now on the partition is done."""
        folder.write(record_name(self.partition), sealed(asdict(self)))

    @classmethod
    def from_plain(cls, data: PlainRecord) -> Record:
        """The record that JSON holds."""
        return cls(
            data["run"],
            Partition.from_plain(data["partition"]),
            data["rows"],
            [Rejection(row, reason) for row, reason in data["rejected"]],
            {name: MetricRecord.from_plain(found) for name, found in data["metrics"].items()},
            {name: Written.from_plain(found) for name, found in data["files"].items()},
            data["versions"],
            data["health"],
            data["removed"],
        )

    @classmethod
    def read(cls, folder: Folder, partition: Partition, run: str) -> Record | None:
        """The record of a partition, if this run has finished it and the record is whole."""
        name = record_name(partition)
        if not folder.exists(name):
            return None
        try:
            record = cls.from_plain(unsealed(folder.read(name)))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
        return record if (record.run, record.partition) == (run, partition) else None

    def damaged_file(self, folder: Folder) -> str | None:
        """The first of its files that is missing or has changed, if any."""
        for name, written in self.files.items():
            if not folder.exists(name) or folder.described(name) != written:
                return name
        return None
