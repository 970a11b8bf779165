"""The edits that a system made, found by a metric that extracts edits."""

from __future__ import annotations

from dataclasses import fields, replace

from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence, MatchedEdit
from corrigenda.errors import UsageError
from corrigenda.metrics import REGISTRY, metric_class


def extractors() -> list[str]:
    """The names of the metrics that extract edits."""
    return [name for name in REGISTRY if "extract" in metric_class(name).offers]


def extractor_class(name: str) -> type[Metric]:
    """The metric that extracts edits by this name."""
    if name not in REGISTRY or "extract" not in metric_class(name).offers:
        known = ", ".join(extractors())
        raise UsageError(f"there is no extractor {name!r}", remedy=f"The extractors are: {known}.")
    return metric_class(name)


def extractor_options(name: str) -> list[str]:
    """The parameters that an extractor takes."""
    return [field.name for field in fields(extractor_class(name))]


def compare_system(
    corpus: Corpus,
    hypotheses: Hypotheses,
    *,
    extractor: str = "m2",
    threads: int,
    **options: object,
) -> list[ComparedSentence]:
    """The system's edits of every sentence.

    The edits of a sentence without references cannot be judged as right or wrong. They are the
    edits that a reference with the same text as the output would have.
    """
    metric = extractor_class(extractor)(**options)
    judged = [index for index, found in enumerate(corpus.references) if found]
    if len(judged) == len(corpus):
        return metric.compare(corpus, hypotheses, threads=threads)
    others = [index for index, found in enumerate(corpus.references) if not found]
    outputs = hypotheses.at(others)
    against_itself = Corpus(
        tuple(corpus.sources[index] for index in others),
        tuple((output,) for output in outputs.sentences),
    )
    alone = map(_unjudged, metric.compare(against_itself, outputs, threads=threads))
    compared = dict(zip(others, alone, strict=True))
    if judged:
        part = metric.compare(corpus.at(judged), hypotheses.at(judged), threads=threads)
        compared.update(zip(judged, part, strict=True))
    return [compared[index] for index in range(len(corpus))]


def _unjudged(sentence: ComparedSentence) -> ComparedSentence:
    edits = tuple(MatchedEdit(matched.edit, None) for matched in sentence.comparisons[0].edits)
    return replace(sentence, comparisons=(AnnotatorComparison(None, (), edits),), chosen=0)
