"""Compares a passport with what is computed now: equal, or the first sentence that differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from corrigenda.core.measures import plain_measures
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result
from corrigenda.core.scored import Scored
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus.packed import offsets_of
from corrigenda.errors import FormatError, brief
from corrigenda.passport.document import StatedResult, StatedTexts
from corrigenda.passport.marks import MarkedTexts, TextMarks

TOLERANCE = 1e-6
"""Weights of models may differ by this much between machines. Whole counts must be equal."""


@dataclass(frozen=True)
class TextDifference:
    """A text that is not the one of the passport."""

    text: str
    """`source`, `reference 1`, …, or `output of NAME`."""
    sentence: int | None
    """The first sentence that differs, from 1; None if the whole text is missing or new."""
    problem: str


@dataclass(frozen=True)
class CheckedScore:
    """A score of the passport, and what was computed in its place."""

    system: str
    metric: str
    level: str
    stated: float
    found: float | None
    """None if it was not computed, because there is no output to score."""
    equal: bool
    sentence: int | None = None
    """The first sentence whose counts differ, from 1."""
    problem: str = ""
    other_versions: tuple[str, ...] = ()
    """Fields of the signature that differ, e.g. `spacy_model: a, not b`."""


def text_differences(stated: StatedTexts, found: MarkedTexts) -> list[TextDifference]:
    """The texts that differ; a text of the passport that was not given is one of them."""
    differences = []
    for kind, name in (("corpus", "{}"), ("systems", "output of {}")):
        ours: Mapping[str, TextMarks] = getattr(found, kind)
        theirs: Mapping[str, TextMarks] = stated[kind]  # type: ignore[literal-required]
        for role in dict.fromkeys((*theirs, *ours)):
            problem = _text_problem(theirs.get(role), ours.get(role))
            if problem is not None:
                differences.append(TextDifference(name.format(role), *problem))
    return differences


def _text_problem(
    stated: TextMarks | None, found: TextMarks | None
) -> tuple[int | None, str] | None:
    if found is None:
        return None, "the passport has it, and it was not given"
    if stated is None:
        return None, "it was given, and the passport does not have it"
    for number, (one, other) in enumerate(zip(stated, found, strict=False), 1):
        if one != other:
            return number, "it is not the sentence of the passport"
    if len(stated) != len(found):
        shorter = min(len(stated), len(found))
        return shorter + 1, f"{len(found)} sentences, and the passport has {len(stated)}"
    return None


def recounted(stated: StatedResult, metric: Metric) -> CheckedScore:
    """Whether the score follows from the counts that the passport states."""
    try:
        statistics = Statistics(_table(stated), offsets_of(stated["rows"]))
        selection = Scored(metric, statistics).at(stated["level"])
        score, measures = selection.score, plain_measures(selection.measures)
    except (ValueError, IndexError) as error:
        raise FormatError(
            f"the counts of {brief(stated['system'])} are not those of {brief(stated['metric'])}",
            remedy="Ask for the original file: nobody could have computed these counts.",
        ) from error
    equal = _close(score, stated["score"]) and _same_measures(measures, stated["measures"])
    problem = "" if equal else "the counts of the passport do not give its score"
    return _checked(stated, score, equal, problem=problem)


def recomputed(stated: StatedResult, result: Result | None) -> CheckedScore:
    """Whether the counts of each sentence are those of the passport."""
    if result is None:
        return _checked(stated, None, False, problem="no output of this system was given")
    sentence = _first_difference(stated, result.selection.chosen.statistics)
    equal = sentence is None and _close(stated["score"], result.score)
    if sentence is not None:
        problem = f"the counts of sentence {sentence} differ"
    else:
        problem = "" if equal else "the counts are equal, and the scores differ"
    return _checked(
        stated,
        result.score,
        equal,
        sentence=sentence,
        problem=problem,
        other_versions=_other_fields(stated["signature"], result.signature),
    )


def _checked(
    stated: StatedResult,
    found: float | None,
    equal: bool,
    *,
    sentence: int | None = None,
    problem: str = "",
    other_versions: tuple[str, ...] = (),
) -> CheckedScore:
    return CheckedScore(
        stated["system"], stated["metric"], stated["level"], stated["score"], found, equal,
        sentence, problem, other_versions,
    )  # fmt: skip


def _table(stated: StatedResult) -> Array:
    """The counts [rows, K]."""
    rows = stated["counts"]
    return np.array(rows).reshape(len(rows), len(rows[0]) if rows else 0)


def _first_difference(stated: StatedResult, found: Statistics) -> int | None:
    """The first sentence, from 1, whose rows of counts differ."""
    if found.shared is not None:
        stated = _with_shared_rows(stated)
    theirs, ours = _table(stated), found.counts
    numbers = np.array(stated["rows"], np.int64)
    shared = min(len(numbers), found.sentences)
    unequal = numbers[:shared] != found.rows[:shared]
    same = int(np.argmax(unequal)) if unequal.any() else shared
    rows = int(found.offsets[same])
    if rows and theirs.shape[1:] != ours.shape[1:]:
        return 1
    wrong = ~np.isclose(theirs[:rows], ours[:rows], rtol=0, atol=_tolerance(theirs, ours))
    if wrong.any():
        first_row = int(np.argmax(wrong.any(axis=1)))
        return int(np.searchsorted(found.offsets, first_row, side="right"))
    if same < max(len(numbers), found.sentences):
        return same + 1
    return None


def _with_shared_rows(stated: StatedResult) -> StatedResult:
    """The counts without those that an earlier reference of the sentence has.

    In older passports, each reference has a row of its own.
    """
    given = iter(stated["counts"])
    rows: list[int] = []
    counts: list[list[float]] = []
    for number in stated["rows"]:
        own = dict.fromkeys(map(tuple, islice(given, number)))
        rows.append(len(own))
        counts += map(list, own)
    return {**stated, "rows": rows, "counts": counts}


def _tolerance(theirs: Array, ours: Array) -> float:
    whole = np.issubdtype(theirs.dtype, np.integer) and np.issubdtype(ours.dtype, np.integer)
    return 0.0 if whole else TOLERANCE


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= TOLERANCE


def _same_measures(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    if one.keys() != other.keys():
        return False
    for name, value in one.items():
        against = other[name]
        if isinstance(value, Mapping) and isinstance(against, Mapping):
            if not _same_measures(value, against):
                return False
        elif isinstance(value, float) and isinstance(against, float | int):
            if not _close(value, against):
                return False
        elif value != against:
            return False
    return True


def _other_fields(stated: str, found: str) -> tuple[str, ...]:
    """The fields of two signatures that differ, except the version of Corrigenda."""
    one, other = (
        dict(part.partition(":")[::2] for part in signature.split("|"))
        for signature in (stated, found)
    )
    return tuple(
        f"{name}: {other.get(name, 'none')}, not {one.get(name, 'none')}"
        for name in dict.fromkeys((*one, *other))
        if name != "v" and one.get(name) != other.get(name)
    )


def all_equal(differences: Sequence[TextDifference], scores: Sequence[CheckedScore]) -> bool:
    """Whether nothing differs."""
    return not differences and all(score.equal for score in scores)
