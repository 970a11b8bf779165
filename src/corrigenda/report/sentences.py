"""The sentences of a report, compact: an output that several systems gave is there once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit
from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence, MatchedEdit
from corrigenda.report.slicings import Slicing
from corrigenda.text.units import normalise

_NO_TYPE = "UNK"
SCORE_UNITS = 1000  # a sentence score is a whole number of thousandths


def sentence_data(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    by_metric: Sequence[Sequence[Result]],
    compared: Sequence[Sequence[ComparedSentence]],
    slicings: Sequence[Slicing],
) -> dict[str, Any]:
    """What the browser of sentences needs.

    `gold[i][annotator]` lists edits [start, end, correction, type]; `outputs[i]` the distinct outputs, each
    [text, edits against annotator 0, …] with edits [start, end, correction, place of the gold edit or -1, type of a wrong edit];
    `output[i][system]` is the place of a system's output; `annotator[i][system]` whom M² chose;
    `scores[metric][i][system]`, in thousandths; `chosen[metric][i][system]` the reference, where there is one;
    `slices[slicing][i]` the places of the slices that the sentence is in.
    """
    rows = [_outputs([sentences[index] for sentences in compared]) for index in range(len(corpus))]
    return {
        "sources": [normalise(source) for source in corpus.sources],
        "references": [
            [normalise(reference) for reference in references] for references in corpus.references
        ],
        "gold": [
            [[_edit(edit) for edit in comparison.gold] for comparison in sentence.comparisons]
            for sentence in compared[0]
        ],
        "outputs": [outputs for outputs, _ in rows],
        "output": [places for _, places in rows],
        "annotator": [
            [sentences[index].chosen for sentences in compared] for index in range(len(corpus))
        ],
        "scores": [_scores(results) for results in by_metric],
        "chosen": [_chosen(corpus, results) for results in by_metric],
        "slices": [_membership(slicing, len(corpus)) for slicing in slicings],
    }


def _edit(edit: Edit) -> list[Any]:
    return [edit.start, edit.end, list(edit.corrections), edit.type]


def _outputs(sentences: Sequence[ComparedSentence]) -> tuple[list[list[Any]], list[int]]:
    """The distinct outputs of one sentence, and for each system the place of its own."""
    found: dict[str, int] = {}
    outputs: list[list[Any]] = []
    places = []
    for sentence in sentences:
        text = normalise(sentence.hypothesis)
        if text not in found:
            found[text] = len(outputs)
            outputs.append([text, *(_made(comparison) for comparison in sentence.comparisons)])
        places.append(found[text])
    return outputs, places


def _made(comparison: AnnotatorComparison) -> list[list[Any]]:
    return [
        [made.edit.start, made.edit.end, made.edit.correction, *_match(made)]
        for made in comparison.edits
    ]


def _match(made: MatchedEdit) -> list[Any]:
    """The place of the gold edit, which has a type; of a wrong edit its own type, where it has one."""
    if made.gold is not None:
        return [made.gold]
    return [-1] if made.edit.type == _NO_TYPE else [-1, made.edit.type]


def _scores(results: Sequence[Result]) -> list[list[int | None]]:
    columns = [result.sentence_scores.tolist() for result in results]
    return [
        [None if score != score else round(SCORE_UNITS * score) for score in row]
        for row in zip(*columns, strict=True)
    ]


def _chosen(corpus: Corpus, results: Sequence[Result]) -> list[list[int]] | None:
    """The reference that each system's score counts, counted from 0, or nothing where all of them do.

    -1 stands where a metric has made references of its own, e.g. by mixing, or has pooled them all.
    """
    numbers = np.array([len(references) for references in corpus.references])
    columns = []
    for result in results:
        if result.chosen is None or result.references is None:
            return None
        same = result.chosen.statistics.references == numbers
        columns.append(np.where(same, result.references, -1).tolist())
    return [list(row) for row in zip(*columns, strict=True)]


def _membership(slicing: Slicing, sentences: int) -> list[list[int]]:
    places: list[list[int]] = [[] for _ in range(sentences)]
    for place, part in enumerate(slicing.slices):
        for index in part.sentences.tolist():
            places[index].append(place)
    return places
