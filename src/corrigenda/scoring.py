"""The two calls that most users need: score one system, or evaluate many by many metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corrigenda.core.evaluate import blocks_of, evaluate_blocks
from corrigenda.core.metric import LEVELS, Level, Metric
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_shape import ReferenceShape
from corrigenda.errors import MetricError
from corrigenda.metrics import metric as metric_from_text
from corrigenda.text.sentences import checked_sentences

Systems = Mapping[str, Sequence[str]] | Sequence[Hypotheses]


def evaluate(
    corpus: Corpus,
    systems: Systems,
    metrics: Sequence[Metric | str],
    *,
    level: Level = "corpus",
    threads: int | None = None,
    keep_statistics: bool = True,
) -> list[Result]:
    """A result for each system by each metric: all metrics of the first system, then of the second.

    `systems` maps names to lists of sentences, or is a list of `Hypotheses`. With
    `keep_statistics=False` the results have no scores of sentences, and memory stays bounded.
    """
    if level not in LEVELS:
        raise MetricError(f"level is {level!r}", remedy="It takes corpus or sentence.")
    return evaluate_blocks(
        blocks_of(corpus, _hypotheses(systems)),
        _metrics(metrics),
        level=level,
        threads=threads,
        keep_statistics=keep_statistics,
    )


def score(
    *,
    source: Sequence[str],
    hypothesis: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    metric: Metric | str = "green",
    level: Level = "corpus",
    references_by: ReferenceShape | None = None,
) -> Result:
    """The result of one system; see `Corpus.from_lists` for the shape of `references`."""
    corpus = Corpus.from_lists(source, references, references_by=references_by)
    return evaluate(corpus, {"hypothesis": hypothesis}, [metric], level=level)[0]


def _hypotheses(systems: Systems) -> list[Hypotheses]:
    if isinstance(systems, Mapping):
        return [
            Hypotheses(name, checked_sentences(sentences, name))
            for name, sentences in systems.items()
        ]
    return list(systems)


def _metrics(metrics: Sequence[Metric | str]) -> list[Metric]:
    if isinstance(metrics, str | Metric):
        raise MetricError("metrics must be a list", remedy=f"Write metrics=[{str(metrics)!r}].")
    return [metric_from_text(item) if isinstance(item, str) else item for item in metrics]
