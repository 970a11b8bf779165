"""From the fields of a form to an answer, checked against the item that was shown."""

from __future__ import annotations

import re
from collections.abc import Mapping

from corrigenda.errors import CorrigendaError
from corrigenda.judge.answer_values import AnswerValues, LabelledEdit, PreviousAnswer
from corrigenda.judge.leasing import Lease
from corrigenda.judge.recording import LONGEST_TIME, GivenAnswer
from corrigenda.judge.settings import JudgingMode
from corrigenda.judge.shown_changes import distinct_edits

LETTERS = "ABCDEF"
SKIP_REASONS = {
    "unclear": "I do not understand the source",
    "offensive": "The text is offensive",
    "personal": "The text names a private person",
    "broken": "The page or the text looks broken",
    "other": "Another reason",
}
CHOICES = {"A": [1, 2], "B": [2, 1], "equal": [1, 1]}
"""The ranks of both outputs for each answer of a pair."""
LONGEST_COMMENT = 2000
_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")

Fields = Mapping[str, str]


class IncompleteError(CorrigendaError):
    """A form that lacks something, in words for the judge."""


def read_answer(fields: Fields, lease: Lease, mode: JudgingMode) -> GivenAnswer:
    """The answer, or the skip, that a judge sent."""
    key = fields.get("key", "")
    if not _KEY.fullmatch(key):
        raise IncompleteError("The form has no key.", remedy="Load the page again.")
    comment = fields.get("comment", "").strip()[:LONGEST_COMMENT] or None
    milliseconds = _milliseconds(fields.get("milliseconds", ""))
    if fields.get("action") == "skip":
        reason = fields.get("reason", "")
        if reason not in SKIP_REASONS:
            raise IncompleteError("Please choose a reason for skipping.")
        return GivenAnswer(key, "skip", {}, reason, comment, milliseconds)
    values = read_values(fields, lease, mode)
    return GivenAnswer(key, "answer", values, None, comment, milliseconds)


def read_values(fields: Fields, lease: Lease, mode: JudgingMode) -> AnswerValues:
    """The ranks, ratings or labels of an item."""
    letters = LETTERS[: len(lease.outputs)]
    if mode == "pair":
        if fields.get("choice") not in CHOICES:
            raise IncompleteError("Please say which output is better, or that they are equal.")
        return {"ranks": CHOICES[fields["choice"]]}
    if mode == "rate":
        return {"ratings": [_rating(fields, letter) for letter in letters]}
    ranks = [_rank(fields, letter, len(letters)) for letter in letters]
    if mode == "edits":
        return {"labels": _labels(fields, lease), "ranks": ranks}
    return {"ranks": ranks}


def _rank(fields: Fields, letter: str, worst: int) -> int:
    given = fields.get(f"rank-{letter}", "")
    if given not in map(str, range(1, worst + 1)):
        raise IncompleteError(f"Please rank output {letter}: 1 is best; ties are allowed.")
    return int(given)


def _rating(fields: Fields, letter: str) -> int:
    given = fields.get(f"rating-{letter}", "").strip()
    if not (given.isascii() and given.isdigit() and len(given) <= 3 and int(given) <= 100):
        raise IncompleteError(f"Please rate output {letter} with a number from 0 to 100.")
    return int(given)


def _labels(fields: Fields, lease: Lease) -> list[LabelledEdit]:
    """Whether each edit is right; edits that outputs share are labelled once."""
    labels: list[LabelledEdit] = []
    for number, edit in enumerate(distinct_edits(lease.source, lease.outputs), 1):
        given = fields.get(f"edit-{number}", "")
        if given not in ("right", "wrong"):
            raise IncompleteError(f"Please say whether edit {number} is right or wrong.")
        labels.append(
            {
                "start": edit.start,
                "end": edit.end,
                "correction": edit.correction,
                "outputs": list(edit.outputs),
                "right": given == "right",
            }
        )
    return labels


def _milliseconds(given: str) -> int | None:
    if given.isascii() and given.isdigit() and len(given) <= 9:
        return min(int(given), LONGEST_TIME)
    return None


def previous_fields(previous: PreviousAnswer, mode: JudgingMode) -> dict[str, str]:
    """The fields of an answer that was undone, so that the form shows it again."""
    fields = {"comment": str(previous.get("comment", ""))}
    ranks = previous.get("ranks", [])
    if mode == "pair":
        chosen = (name for name, value in CHOICES.items() if value == ranks)
        fields["choice"] = next(chosen, "")
    for letter, rank in zip(LETTERS, ranks, strict=False):
        fields[f"rank-{letter}"] = str(rank)
    for letter, rating in zip(LETTERS, previous.get("ratings", []), strict=False):
        fields[f"rating-{letter}"] = str(rating)
    for number, label in enumerate(previous.get("labels", []), 1):
        fields[f"edit-{number}"] = "right" if label["right"] else "wrong"
    return fields
