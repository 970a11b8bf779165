"""The edits that a system made, found by a metric that extracts edits."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits.comparison import ComparedSentence, unjudged
from corrigenda.errors import UsageError
from corrigenda.metrics import REGISTRY, metric_class


def extractors() -> list[str]:
    """The names of the metrics that extract edits."""
    return [name for name in REGISTRY if "extract" in metric_class(name).offers]


def extractor_class(name: str) -> type[Metric]:
    """The metric that extracts edits by this name."""
    if name not in REGISTRY or "extract" not in metric_class(name).offers:
        known = ", ".join(extractors())
        raise UsageError(f"there is no extractor {name!r}", remedy=f"There are: {known}.")
    return metric_class(name)


def extractor_options(name: str) -> list[str]:
    """The parameters that an extractor takes."""
    return [field.name for field in dataclasses.fields(extractor_class(name))]


def compare(
    corpus: Corpus,
    hypotheses: Hypotheses,
    *,
    extractor: str = "m2",
    threads: int,
    **options: object,
) -> list[ComparedSentence]:
    """The system's edits of every sentence. Sentences without references have edits alone."""
    metric = extractor_class(extractor)(**options)
    judged = [index for index, found in enumerate(corpus.references) if found]
    if len(judged) == len(corpus):
        return metric.compare(corpus, hypotheses, threads=threads)
    compared = [
        unjudged(source, output)
        for source, output in zip(corpus.sources, hypotheses.sentences, strict=True)
    ]
    if judged:
        part = metric.compare(corpus.at(judged), hypotheses.at(judged), threads=threads)
        for index, sentence in zip(judged, part, strict=True):
            compared[index] = sentence
    return compared


__all__: Sequence[str] = ["compare", "extractor_class", "extractor_options", "extractors"]
