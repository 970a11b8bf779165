"""Runs metrics over a corpus, block by block, so that memory stays bounded whatever its length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Result
from corrigenda.core.signature import signature, signature_fields
from corrigenda.core.statistics import Array, Chosen, concatenate
from corrigenda.core.tally import Tally
from corrigenda.core.types import tiers
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import AlignmentError, CorrigendaError
from corrigenda.kernels import default_threads

BLOCK_SENTENCES = 8192


@dataclass(frozen=True)
class Block:
    """Consecutive sentences of a corpus, and what every system made of them."""

    corpus: Corpus
    systems: Sequence[Hypotheses]


def blocks_of(corpus: Corpus, systems: Sequence[Hypotheses]) -> Iterator[Block]:
    """A corpus in memory, in blocks."""
    check_lengths(corpus, systems)
    if len(corpus) <= BLOCK_SENTENCES:
        yield Block(corpus, systems)
        return
    for part in corpus.blocks(BLOCK_SENTENCES):
        yield Block(corpus[part], [system[part] for system in systems])


def joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """All blocks as one, for metrics that need the whole corpus at once."""
    parts = list(blocks)
    if len(parts) < 2:
        yield from parts
        return
    yield Block(
        Corpus.joined([part.corpus for part in parts]),
        [
            Hypotheses.joined(outputs)
            for outputs in zip(*(part.systems for part in parts), strict=True)
        ],
    )


def check_lengths(corpus: Corpus, systems: Sequence[Hypotheses]) -> None:
    """Every system must have a sentence for each source sentence."""
    if any(len(system) != len(corpus) for system in systems):
        counts = ", ".join(f"{system.name}: {len(system)}" for system in systems)
        raise AlignmentError(
            f"the numbers of sentences differ: source: {len(corpus)}, {counts}",
            remedy="Each system needs exactly one sentence for each source sentence; an empty output is an empty line.",
        )


def evaluate(
    blocks: Iterable[Block],
    metrics: Sequence[Metric],
    *,
    level: Level = "corpus",
    threads: int | None = None,
    keep_statistics: bool = True,
    progress: Callable[[int], None] | None = None,
) -> list[Result]:
    """A result for each system and metric, systems first.

    `progress` is called with the number of sentences of each block that is done.
    """
    threads = threads or default_threads()
    runs: list[list[_Run]] | None = None
    for block in (
        joined(blocks) if any(_takes_all_at_once(metric, level) for metric in metrics) else blocks
    ):
        if runs is None:
            runs = [
                [_Run(system.name, metric, level, keep_statistics) for metric in metrics]
                for system in block.systems
            ]
        for metric in metrics:
            metric.prepare(block.corpus, block.systems, threads=threads)
        for system, system_runs in zip(block.systems, runs, strict=True):
            for run in system_runs:
                run.add(block.corpus, system, threads)
        if progress is not None:
            progress(len(block.corpus))
    return [run.result() for system_runs in runs or [] for run in system_runs]


def _takes_all_at_once(metric: Metric, level: Level) -> bool:
    return metric.whole_corpus or metric.policy(level).at_once


@dataclass
class _Run:
    """One system under one metric: what the blocks so far have added up to."""

    system: str
    metric: Metric
    level: Level
    keep: bool
    kept: list[Chosen] = field(default_factory=list)
    last_corpus: Corpus | None = None
    last_hypotheses: Hypotheses | None = None
    types: dict[str, Array] = field(default_factory=dict)
    sentence_details: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.choose = self.metric.policy(self.level).start()
        self.tally = Tally(self.metric, self.level)

    def add(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> None:
        self.last_corpus, self.last_hypotheses = corpus, hypotheses
        if len(corpus) == 0:
            return
        chosen = self.choose(self.metric.statistics(corpus, hypotheses, threads=threads))
        self.tally.add(corpus, chosen)
        if self.keep:
            self.kept.append(chosen)
            self.sentence_details += self.metric.sentence_details(corpus, hypotheses, chosen)
        for error_type, counts in self.metric.counts_by_type(corpus, hypotheses, chosen).items():
            self.types[error_type] = self.types.get(error_type, 0) + counts

    def result(self) -> Result:
        if not self.tally.sentences or self.last_corpus is None:
            raise CorrigendaError("there are no sentences to score", remedy="The corpus is empty.")
        outcome = self.tally.outcome()
        fields = signature_fields(self.metric, self.last_corpus, self.last_hypotheses)
        return Result(
            system=self.system,
            metric=self.metric,
            level=self.level,
            score=outcome.score,
            measures=outcome.measures,
            counts=outcome.counts,
            signature=signature(self.metric, fields, self.level, self.tally.references),
            chosen=concatenate(self.kept) if self.keep else None,
            remarks=dict(self.tally.remarks),
            sentence_details=self.sentence_details,
            types=tiers(self.metric, self.types),
        )
