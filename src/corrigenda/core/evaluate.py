"""Runs metrics over a corpus, block by block, so that the memory it needs stays bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from corrigenda import progress
from corrigenda.core.metric import Level, Metric, WeighedEdit, check_references
from corrigenda.core.result import Result
from corrigenda.core.scored import Selection, selector
from corrigenda.core.signature import signature, signature_fields
from corrigenda.core.statistics import Array
from corrigenda.core.tally import Tally
from corrigenda.core.types import tiers
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import AlignmentError, CorrigendaError
from corrigenda.health import Examination, Finding
from corrigenda.health.source_watch import SourceWatch
from corrigenda.kernels import threads_of
from corrigenda.kernels.limits import SentenceSizeError

BLOCK_SENTENCES = 8192


@dataclass(frozen=True)
class Block:
    """Consecutive sentences of a corpus, and the output of every system for them."""

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
    """All blocks as one block, for metrics that need the whole corpus at once."""
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
    """Raise an error unless every system has one sentence per source sentence."""
    if any(len(system) != len(corpus) for system in systems):
        counts = ", ".join(f"{system.name}: {len(system)}" for system in systems)
        raise AlignmentError(
            f"the numbers of sentences differ: source: {len(corpus)}, {counts}",
            remedy="Each system needs exactly one sentence per source sentence; "
            "an empty output is an empty line.",
        )


def prepare_metrics(
    metrics: Sequence[Metric], corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int
) -> None:
    """Check that each metric can score this corpus, and do the work that systems share."""
    check_lengths(corpus, systems)
    for metric in metrics:
        check_references(metric, corpus)
    for metric in metrics:
        metric.prepare(corpus, systems, threads=threads)


def evaluate_blocks(
    blocks: Iterable[Block],
    metrics: Sequence[Metric],
    *,
    level: Level = "corpus",
    threads: int | None = None,
    keep_statistics: bool = True,
    health: bool = True,
) -> list[Result]:
    """One result per system and metric: all metrics of the first system, then of the second, …

    With `health`, the texts are examined while they are scored; the scores do not change.
    """
    threads = threads_of(threads)
    shortest = max((metric.shortest for metric in metrics), default=0)
    watch = SourceWatch(shortest, per_sentence=level == "sentence")
    examination = Examination(source=watch) if health else None
    runs: list[list[_SystemRun]] | None = None
    at_once = any(_takes_all_at_once(metric, level) for metric in metrics)
    seen = 0
    for block in joined(blocks) if at_once else blocks:
        if runs is None:
            runs = [
                [_SystemRun(system.name, metric, level, keep_statistics) for metric in metrics]
                for system in block.systems
            ]
        try:
            prepare_metrics(metrics, block.corpus, block.systems, threads=threads)
            # A sentence that is too large for a metric is refused before it is examined.
            _add_block(block, runs, seen, threads)
            if examination is not None:
                examination.add(block.corpus, block.systems, threads=threads)
        except SentenceSizeError as error:
            raise error.after(seen) from error
        seen += len(block.corpus)
    findings = _by_system(() if examination is None else examination.findings())
    return [run.result(findings) for system_runs in runs or [] for run in system_runs]


def _by_system(findings: Sequence[Finding]) -> Mapping[str | None, list[tuple[int, Finding]]]:
    """The findings about each system, and about none (None), with their places."""
    found: dict[str | None, list[tuple[int, Finding]]] = {}
    for place, finding in enumerate(findings):
        found.setdefault(finding.system, []).append((place, finding))
    return found


def _add_block(block: Block, runs: Sequence[Sequence[_SystemRun]], seen: int, threads: int) -> None:
    is_whole = seen == 0 and len(block.corpus) < BLOCK_SENTENCES
    what = "scores" if is_whole else f"scores of sentences from {seen + 1:,} on"
    pairs = [
        (system, run)
        for system, system_runs in zip(block.systems, runs, strict=True)
        for run in system_runs
    ]
    for done, (system, run) in enumerate(pairs):
        progress.report(what, done, len(pairs), f"{system.name}, {run.metric.name}")
        run.add(block.corpus, system, threads)
    progress.report(what, len(pairs), len(pairs))


def _takes_all_at_once(metric: Metric, level: Level) -> bool:
    return metric.scope != "sentence" or metric.policy(level).reach == "corpus"


@dataclass
class _SystemRun:
    """One system under one metric: the sums over the blocks so far."""

    system: str
    metric: Metric
    level: Level
    keep: bool
    kept: list[Selection] = field(default_factory=list)
    last_corpus: Corpus | None = None
    last_hypotheses: Hypotheses | None = None
    types: dict[str, Array] = field(default_factory=dict)
    edits: list[tuple[WeighedEdit, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.select = selector(self.metric, self.level)
        self.tally = Tally(self.metric, self.level)

    def add(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> None:
        self.last_corpus, self.last_hypotheses = corpus, hypotheses
        if len(corpus) == 0:
            return
        selection = self.select(self.metric.statistics(corpus, hypotheses, threads=threads))
        self.tally.merge(selection.tally(corpus.reference_range))
        observed = self.metric.observe(corpus, hypotheses, selection.chosen, sentences=self.keep)
        if self.keep:
            self.kept.append(replace(selection, documents=corpus.documents))
            self.edits += observed.edits
        for error_type, counts in observed.types.items():
            self.types[error_type] = self.types.get(error_type, 0) + counts

    def result(self, findings: Mapping[str | None, list[tuple[int, Finding]]]) -> Result:
        if not self.tally.sentences or self.last_corpus is None:
            raise CorrigendaError(
                "there are no sentences to score",
                remedy="The corpus is empty: give at least one sentence.",
            )
        outcome = self.tally.outcome()
        concerning = (*findings.get(None, ()), *findings.get(self.system, ()))
        fields = signature_fields(self.metric, self.last_corpus, self.last_hypotheses)
        return Result(
            system=self.system,
            metric=self.metric,
            level=self.level,
            measures=outcome.measures,
            counts=outcome.counts,
            signature=signature(self.metric, fields, self.level, self.tally.references),
            kept=Selection.joined(self.kept) if self.keep else None,
            remarks=dict(self.tally.remarks),
            sentence_edits=self.edits,
            types=tiers(self.metric, self.types),
            health=tuple(each for _, each in sorted(concerning, key=itemgetter(0))),
        )
