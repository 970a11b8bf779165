"""What a judge says about an item, as it is kept: ranks, ratings, or labels of edits."""

from __future__ import annotations

from typing import TypedDict


class LabelledEdit(TypedDict):
    """An edit that a judge called right or wrong, and the outputs that have it."""

    start: int
    end: int
    correction: str
    outputs: list[int]
    right: bool


class AnswerValues(TypedDict, total=False):
    """The values of an answer. Which there are depends on the mode; a skip has none."""

    ranks: list[int]
    ratings: list[int]
    labels: list[LabelledEdit]


class PreviousAnswer(AnswerValues, total=False):
    """An answer that was undone, with its comment."""

    comment: str
