"""ERRANT's edits of a system beside the gold edits that they equal."""

from __future__ import annotations

from typing import Any

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit
from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence, MatchedEdit
from corrigenda.metrics.errant import Errant


def compared_edits(
    corpus: Corpus, hypotheses: Hypotheses, *, threads: int, **options: Any
) -> list[ComparedSentence]:
    """Span and correction must agree; the options are the metric's parameters."""
    metric = Errant(**options)
    metric.prepare(corpus, [hypotheses], threads=threads)
    chosen = metric.policy("corpus").start()(metric.statistics(corpus, hypotheses, threads=threads))
    assert chosen.references is not None
    gold = metric.edit_source.gold_edits(corpus, threads=threads)
    system = metric.edit_source.system_edits(corpus, hypotheses, threads=threads)
    rows = zip(
        corpus.sources,
        hypotheses.sentences,
        gold,
        system,
        _annotators(corpus),
        chosen.references,
        strict=True,
    )
    return [
        ComparedSentence(
            source,
            hypothesis,
            tuple(
                _comparison(annotator, edits, made)
                for annotator, edits in zip(annotators, references, strict=True)
            ),
            int(choice),
        )
        for source, hypothesis, references, made, annotators, choice in rows
    ]


def _annotators(corpus: Corpus) -> list[tuple[int, ...]]:
    if corpus.gold is None:
        return [tuple(range(len(references))) for references in corpus.references]
    return [tuple(annotation.annotator for annotation in sentence) for sentence in corpus.gold]


def _comparison(
    annotator: int, gold: tuple[Edit, ...], system: tuple[Edit, ...]
) -> AnnotatorComparison:
    places = {
        (edit.start, edit.end, correction): place
        for place, edit in reversed(list(enumerate(gold)))
        for correction in edit.corrections
    }
    matched = (
        MatchedEdit(edit, places.get((edit.start, edit.end, edit.correction))) for edit in system
    )
    return AnnotatorComparison(annotator, gold, tuple(matched))
