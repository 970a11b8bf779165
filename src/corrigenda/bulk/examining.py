"""Health of a bulk run: which rows of a partition are examined, and what they show.

All rows are surveyed, which is quick. Of some partitions the first block is examined line by line,
and of every partition a block that differs from the first rows of the run.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from corrigenda.bulk.partitions import Partition
from corrigenda.bulk.rows import RowBlock
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health import Examination
from corrigenda.health.finding import PlainFinding
from corrigenda.health.screening import STRIKING, SUSPICIOUS
from corrigenda.health.surveys import FirstRows

EXAMINED_PARTITIONS = 16
"""One of so many partitions of an input is examined in any case; its first is."""


@dataclass
class PartitionHealth:
    """What is known of the health of a partition. Its blocks are added in order."""

    partition: Partition
    first_rows: FirstRows | None
    """The first rows of the run; None if they are too few to show what is usual."""
    findings: list[PlainFinding] = field(default_factory=list)
    largest: float = 0.0
    """The largest distance from what is usual of an examined block."""
    is_begun: bool = False

    def add(self, block: RowBlock) -> None:
        """Survey a block, and examine it if it should be."""
        if not block.usable:
            return
        corpus, hypotheses = block.as_corpus(block.usable)
        distance = 0.0
        if self.first_rows is not None:
            distance = self.first_rows.distance(corpus, [hypotheses])
        if self._is_examined(distance):
            self.largest = max(self.largest, distance)
            self.findings += _examined(corpus, hypotheses, block.first_row + 1)
        self.is_begun = True

    def _is_examined(self, distance: float) -> bool:
        """Whether a block is examined; at most one suspicious and one striking block are."""
        if not self.is_begun and (
            self.first_rows is None or self.partition.number % EXAMINED_PARTITIONS == 0
        ):
            return True
        if distance >= STRIKING:
            return self.largest < STRIKING
        return distance >= SUSPICIOUS and self.largest < SUSPICIOUS


def _examined(corpus: Corpus, hypotheses: Hypotheses, first_line: int) -> list[PlainFinding]:
    examination = Examination(first_line=first_line)
    examination.add(corpus, [hypotheses], threads=1)
    return [finding.to_dict() for finding in examination.findings()]


def first_rows(block: RowBlock) -> FirstRows | None:
    """What the first block of a run shows."""
    corpus, hypotheses = block.as_corpus(block.usable)
    return FirstRows.of(corpus, [hypotheses])
