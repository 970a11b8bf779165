"""The sentences of a report, in compact form: equal outputs of several systems are stored once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corrigenda.core.result import Result
from corrigenda.corpus import Corpus
from corrigenda.edits import UNKNOWN_TYPE, Edit
from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence, MatchedEdit
from corrigenda.report.compared import ComparedSystem, judged_comparisons
from corrigenda.report.schema import ChangeRow, GoldEditRow, MadeEditRow, OutputRow, SentenceData
from corrigenda.report.slicings import Slicing
from corrigenda.text.units import normalise

SCORE_UNITS = 1000  # a sentence score is a whole number of thousandths
WRONG = -1  # instead of the index of a gold edit
NO_SINGLE_REFERENCE = -1  # instead of the index of a reference


def sentence_data(
    corpus: Corpus,
    by_metric: Sequence[Sequence[Result]],
    compared: Sequence[ComparedSystem],
    slicings: Sequence[Slicing],
    gains: list[list[list[int]]] | None = None,
) -> SentenceData:
    """The data for the list of sentences."""
    by_sentence = list(zip(*compared, strict=True))
    outputs = [_outputs(sentences) for sentences in by_sentence]
    return SentenceData(
        sources=[normalise(source) for source in corpus.sources],
        references=[[normalise(text) for text in texts] for texts in corpus.references],
        gold=[
            [[_gold_row(edit) for edit in found.gold] for found in judged_comparisons(sentence)]
            for sentence in compared[0]
        ],
        outputs=[rows for rows, _ in outputs],
        output_of=[indices for _, indices in outputs],
        compared_with=[
            [sentence.chosen for sentence in sentences if judged_comparisons(sentence)]
            for sentences in by_sentence
        ],
        scores=[_scores(results) for results in by_metric],
        chosen=[_chosen(corpus, results) for results in by_metric],
        slices=[_membership(slicing, len(corpus)) for slicing in slicings],
        gains=gains,
    )


def _gold_row(edit: Edit) -> GoldEditRow:
    return GoldEditRow(edit.start, edit.end, list(edit.corrections), edit.type)


def _outputs(sentences: Sequence[ComparedSentence]) -> tuple[list[OutputRow], list[int]]:
    """The distinct outputs for one sentence, and the index of each system's output."""
    found: dict[str, int] = {}
    rows: list[OutputRow] = []
    for sentence in sentences:
        text = normalise(sentence.hypothesis)
        if text not in found:
            found[text] = len(rows)
            rows.append(_output_row(sentence, text))
    return rows, [found[normalise(sentence.hypothesis)] for sentence in sentences]


def _output_row(sentence: ComparedSentence, text: str) -> OutputRow:
    if comparisons := judged_comparisons(sentence):
        return OutputRow(text, [_made_rows(comparison) for comparison in comparisons])
    return OutputRow(
        text, [], [_change_row(matched.edit) for matched in sentence.comparisons[0].edits]
    )


def _change_row(edit: Edit) -> ChangeRow:
    return ChangeRow(edit.start, edit.end, edit.correction)


def _made_rows(comparison: AnnotatorComparison) -> list[MadeEditRow]:
    return [_made_row(matched) for matched in comparison.edits]


def _made_row(matched: MatchedEdit) -> MadeEditRow:
    """A correct edit has the type of its gold edit, so only a wrong edit needs its own."""
    edit = matched.edit
    if matched.gold is not None:
        return MadeEditRow(edit.start, edit.end, edit.correction, matched.gold)
    own_type = None if edit.type == UNKNOWN_TYPE else edit.type
    return MadeEditRow(edit.start, edit.end, edit.correction, WRONG, own_type)


def _scores(results: Sequence[Result]) -> list[list[int | None]]:
    columns = [result.sentence_scores.tolist() for result in results]
    return [
        [None if score != score else round(SCORE_UNITS * score) for score in row]
        for row in zip(*columns, strict=True)
    ]


def _chosen(corpus: Corpus, results: Sequence[Result]) -> list[list[int]] | None:
    """The reference that counts for each system's score.

    Some metrics draw, mix or pool references, so no single reference counts. If this holds for all
    sentences with several references, there is nothing to show, and the result is None.
    """
    numbers = np.array([len(references) for references in corpus.references])
    columns = []
    for result in results:
        if result.chosen is None or result.references is None:
            return None
        same = result.chosen.statistics.references == numbers
        columns.append(np.where(same, result.references, NO_SINGLE_REFERENCE))
    table = np.stack(columns, axis=1)
    shown = table[numbers > 1] != NO_SINGLE_REFERENCE
    return table.tolist() if shown.any() else None


def _membership(slicing: Slicing, sentences: int) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(sentences)]
    for number, part in enumerate(slicing.slices):
        for index in part.sentences.tolist():
            found[index].append(number)
    return found
