"""The two calls that most users need: score one system, or evaluate many by many metrics."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Literal, get_args

from corrigenda import arguments
from corrigenda.core.evaluate import blocks_of, check_lengths, evaluate_blocks
from corrigenda.core.metric import LEVELS, Level, Metric
from corrigenda.core.result import Result
from corrigenda.core.results import Results
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_shape import ReferenceShape
from corrigenda.errors import CorrigendaError, MetricError, brief
from corrigenda.health.finding import HealthWarning, findings_of
from corrigenda.metrics import default_metrics, metric_of
from corrigenda.text.sentences import checked_sentences
from corrigenda.tokens import Retokeniser

HealthChoice = Literal["warn", "quiet", "off"]
"""Findings are warnings and are kept in `Result.health`; they are only kept; or not looked for."""
Systems = Mapping[str, Sequence[str]] | Sequence[Hypotheses] | Hypotheses
"""Names with lists of sentences, or outputs that were read."""


def evaluate(
    corpus: Corpus,
    systems: Systems,
    metrics: Sequence[Metric | str] | None = None,
    *,
    level: Level = "corpus",
    threads: int | None = None,
    keep_statistics: bool = True,
    health: HealthChoice = "warn",
    tokenise: str | None = None,
) -> Results:
    """Score systems by metrics, as `corrigenda score` does.

    Args:
        corpus: The sources and their references.
        systems: Names with lists of sentences, or a list of `Hypotheses`.
        metrics: The metrics, as `"green:beta=1"` or as values; None takes all that need no extra.
        level: `corpus` sums counts over the corpus; `sentence` averages the scores of sentences.
        threads: The number of threads; None takes all cores. Results do not depend on it.
        keep_statistics: With False the results have no scores of sentences, and memory stays
            bounded.
        health: What makes scores doubtful is in `Result.health`: with a warning (`warn`), without
            one (`quiet`), or not looked for (`off`).
        tokenise: Makes words of raw text: `auto`, `intl`, `char`, `zh`, `spacy` or `spacy:MODEL`.

    Returns:
        A result for each system by each metric: all metrics of the first system, then of the
        second. It is a list that a notebook shows as a leaderboard; `to_pandas()` makes a data
        frame, `plot()` a picture.

    Example:
        >>> import corrigenda
        >>> corpus = corrigenda.Corpus.from_lists(["He go home ."], ["He goes home ."])
        >>> results = corrigenda.evaluate(corpus, {"ours": ["He goes home ."]}, ["green", "bleu"])
        >>> results
        <2 results: ours by green, bleu>
        >>> results[0].score
        1.0
    """
    checked_corpus(corpus)
    if not isinstance(level, str) or level not in LEVELS:
        raise MetricError(f"level is {brief(level)}", remedy="It takes corpus or sentence.")
    arguments.one_of("health", health, get_args(HealthChoice))
    outputs = outputs_of(systems)
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
    """Score one system by one metric, from lists of sentences.

    Args:
        source: The source sentences, with blanks between words.
        hypothesis: The output of the system, a sentence per source.
        references: A list of reference texts, each a list of sentences; or one such text; or None
            for a metric that needs none.
        metric: The metric, as `"green:beta=1"` or as a value.
        level: `corpus` or `sentence`, as in `evaluate`.
        references_by: `text` or `sentence`, where the shape of `references` can be read two ways.
        tokenise: Makes words of raw text, as in `evaluate`.

    Returns:
        The result: its `score` is a fraction, and its `signature` says how it was made.

    Example:
        >>> import corrigenda
        >>> result = corrigenda.score(
        ...     source=["He go home ."], hypothesis=["He goes home ."],
        ...     references=["He goes home ."], metric="bleu",
        ... )
        >>> result.score
        1.0
    """
    corpus = Corpus.from_lists(source, references, references_by=references_by)
    return evaluate(corpus, {"hypothesis": hypothesis}, [metric], level=level, tokenise=tokenise)[0]


def checked_corpus(corpus: Corpus) -> Corpus:
    """The corpus, if it is one; else an error that says how to make one."""
    if isinstance(corpus, Corpus):
        return corpus
    remedy = "Make one with Corpus.from_lists(sources, references), read_text or read_m2."
    if isinstance(corpus, str | PathLike):
        remedy = f"For a file, write read_m2({str(corpus)!r}), or read_text(source, [reference])."
    raise CorrigendaError(f"corpus is {type(corpus).__name__}, not a Corpus", remedy=remedy)


def outputs_of(systems: Systems) -> list[Hypotheses]:
    """The outputs of all systems; a path or a single list is an error that says what to write."""
    if isinstance(systems, Mapping):
        return [
            Hypotheses(name, checked_sentences(sentences, name))
            for name, sentences in systems.items()
        ]
    if isinstance(systems, Hypotheses):
        return [systems]
    if isinstance(systems, str | PathLike):
        raise CorrigendaError(
            f"systems is {str(systems)!r}, not the outputs of systems",
            remedy=f"For a file, write systems=[read_hypotheses({str(systems)!r})].",
        )
    if not isinstance(systems, Iterable):
        raise CorrigendaError(
            f"systems is {type(systems).__name__}",
            remedy="Write systems={'ours': [sentence, …]}, or [read_hypotheses('ours.txt')].",
        )
    return [_output(each) for each in systems]


def _output(system: object) -> Hypotheses:
    """A system's output; else what to write in its place."""
    if isinstance(system, Hypotheses):
        return system
    remedy = "For lists of sentences, write systems={'ours': [sentence, …]}."
    if isinstance(system, str | PathLike):
        remedy = f"For a file, write read_hypotheses({str(system)!r}) in its place. {remedy}"
    raise CorrigendaError(f"systems holds {type(system).__name__}, not Hypotheses", remedy=remedy)


def _metrics(metrics: Sequence[Metric | str] | None) -> list[Metric]:
    if metrics is None:
        return default_metrics()
    if isinstance(metrics, str | Metric):
        raise MetricError("metrics must be a list", remedy=f"Write metrics=[{str(metrics)!r}].")
    return [metric_of(item) for item in metrics]
