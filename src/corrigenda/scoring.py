"""The two calls that most users need: score one system, or evaluate many by many metrics."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Literal

from corrigenda.core.evaluate import blocks_of, check_lengths, evaluate_blocks
from corrigenda.core.metric import LEVELS, Level, Metric
from corrigenda.core.result import Result
from corrigenda.core.results import Results
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_shape import ReferenceShape
from corrigenda.errors import CorrigendaError, MetricError
from corrigenda.health.finding import HealthWarning, findings_of
from corrigenda.metrics import metric as metric_from_text
from corrigenda.text.sentences import checked_sentences
from corrigenda.tokens import Retokeniser

HealthChoice = Literal["warn", "quiet", "off"]
"""Findings are warnings and are kept in `Result.health`; they are only kept; or not looked for."""
Systems = Mapping[str, Sequence[str]] | Sequence[Hypotheses] | Hypotheses
"""Names with lists of sentences, or outputs that were read."""


def evaluate(
    corpus: Corpus,
    systems: Systems,
    metrics: Sequence[Metric | str],
    *,
    level: Level = "corpus",
    threads: int | None = None,
    keep_statistics: bool = True,
    health: HealthChoice = "warn",
    tokenise: str | None = None,
) -> Results:
    """A result for each system by each metric: all metrics of the first system, then of the second.

    `systems` maps names to lists of sentences, or is a list of `Hypotheses`. With
    `keep_statistics=False` the results have no scores of sentences, and memory stays bounded. The
    results are a list that a notebook shows as a leaderboard; `to_pandas()` makes a data frame.
    What makes the scores doubtful is in `Result.health`, and a warning. `tokenise` makes words of
    raw text: `auto`, `intl`, `char`, `zh`, `spacy` or `spacy:MODEL`.
    """
    if not isinstance(corpus, Corpus):
        raise CorrigendaError(
            f"corpus is {type(corpus).__name__}, not a Corpus",
            remedy="Make one with Corpus.from_lists(sources, references), read_text or read_m2.",
        )
    if level not in LEVELS:
        raise MetricError(f"level is {level!r}", remedy="It takes corpus or sentence.")
    outputs = _hypotheses(systems)
    if tokenise is not None:
        check_lengths(corpus, outputs)
        corpus, outputs = Retokeniser(tokenise)(corpus, outputs)
    results = evaluate_blocks(
        blocks_of(corpus, outputs),
        _metrics(metrics),
        level=level,
        threads=threads,
        keep_statistics=keep_statistics,
        health=health != "off",
    )
    if health == "warn":
        for finding in findings_of(results):
            warnings.warn(HealthWarning(str(finding)), stacklevel=2)
    return Results(results)


def score(
    *,
    source: Sequence[str],
    hypothesis: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    metric: Metric | str = "green",
    level: Level = "corpus",
    references_by: ReferenceShape | None = None,
    tokenise: str | None = None,
) -> Result:
    """The result of one system; see `Corpus.from_lists` for the shape of `references`."""
    corpus = Corpus.from_lists(source, references, references_by=references_by)
    return evaluate(corpus, {"hypothesis": hypothesis}, [metric], level=level, tokenise=tokenise)[0]


def _hypotheses(systems: Systems) -> list[Hypotheses]:
    if isinstance(systems, Mapping):
        return [
            Hypotheses(name, checked_sentences(sentences, name))
            for name, sentences in systems.items()
        ]
    if isinstance(systems, Hypotheses):
        return [systems]
    if isinstance(systems, str):
        raise CorrigendaError(
            f"systems is the text {systems!r}",
            remedy=f"For a file, write systems=[read_hypotheses({systems!r})].",
        )
    return [_output(each) for each in systems]


def _output(system: object) -> Hypotheses:
    """A system's output; else what to write in its place."""
    if isinstance(system, Hypotheses):
        return system
    remedy = (
        f"For a file, write read_hypotheses({system!r}) in its place."
        if isinstance(system, str)
        else "For lists of sentences, write systems={'ours': [sentence, …]}."
    )
    raise CorrigendaError(f"systems holds {type(system).__name__}, not Hypotheses", remedy=remedy)


def _metrics(metrics: Sequence[Metric | str]) -> list[Metric]:
    if isinstance(metrics, str | Metric):
        raise MetricError("metrics must be a list", remedy=f"Write metrics=[{str(metrics)!r}].")
    return [metric_from_text(item) if isinstance(item, str) else item for item in metrics]
