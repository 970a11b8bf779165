"""The data of a report: one description that Python and the scripts of the page share.

`build` fills these classes, `page` writes them as JSON, and the scripts read that JSON. The text
beside each type says what the field holds. `schema_files` writes the same description for the
scripts, as page/schema.json and page/schema.js.

An `ArrayRow` stands in the JSON as an array, because sentences have many of them. The scripts get
the names of its fields from page/schema.js.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Literal

from corrigenda.analysis.resolution import Correction
from corrigenda.core.metric import Level

Gold = Literal["annotated", "extracted"]
ColumnKind = Literal["score", "fraction", "change", "number", "count", "rank", "p", "text"]
Bounded = tuple[float | None, float | None, float | None]
ColumnValue = float | str | tuple[int, int] | Bounded | None


@dataclass(frozen=True)
class ResamplingSummary:
    """How intervals and tests were made."""

    resamples: int
    seed: int
    confidence: Annotated[float, "level of the intervals, e.g. 0.95"]
    correction: Annotated[Correction, "how p-values are corrected for the number of tests"]
    draws: Annotated[int, "number of draws of references that a thinned metric is resampled on"]
    min_sentences: Annotated[int, "smaller slices are not tested"]


@dataclass(frozen=True)
class LeaderboardColumn:
    """A column of the leaderboard. Its kind says what its values are and how they are shown."""

    title: Annotated[str, "the heading"]
    note: Annotated[str, "what the column means, in a few words"]
    kind: Annotated[
        ColumnKind,
        "score: [value, low, high], × 100, with a bar; fraction: a number, × 100; "
        "change: a difference, × 100, with its sign; number: as it is, with three decimals; "
        "count: a whole number; rank: [best, worst]; p: a p-value; text: a string",
    ]
    values: Annotated[
        list[ColumnValue] | None,
        "per system, null if missing; the score column of a metric has no list: it shows the "
        "scores of the metric",
    ] = None
    under: Annotated[bool, "whether the cells of the column before it show it as a line"] = False


@dataclass(frozen=True)
class MetricSummary:
    """The scores of all systems by one metric, as fractions."""

    name: Annotated[str, "as the command line takes it"]
    title: str
    signature: str
    scores: Annotated[list[float | None], "per system"]
    low: Annotated[list[float | None], "lower bound of the interval, per system"]
    high: Annotated[list[float | None], "upper bound of the interval, per system"]
    columns: Annotated[list[LeaderboardColumn], "columns about this metric"]
    p: Annotated[list[float], "p-value per pair of systems: (1, 0), (2, 0), (2, 1), (3, 0), …"]
    clusters: Annotated[list[int], "group of overlapping ranks, per system; 1 is the best group"]
    thinned: Annotated[bool, "whether only some of its draws of references are resampled"] = False


@dataclass(frozen=True)
class HumanSummary:
    """The scores that people gave to the systems."""

    name: str
    scores: Annotated[list[float | None], "per system; null if it was not judged"]


@dataclass(frozen=True)
class EarlierSummary:
    """An earlier run."""

    name: str
    other_settings: Annotated[list[str], "metrics that were computed in another way"]
    systems: Annotated[list[str], "the systems of this report, then those that it lacks"]
    scores: Annotated[
        list[list[float | None]], "[metric][system]; null if the earlier run had no score"
    ]


@dataclass(frozen=True)
class TypeCounts:
    """Edits of each type, against the references that the extractor chose."""

    gold: Annotated[list[list[int]], "number of gold edits: [slice][system]"]
    made: Annotated[list[list[int]], "number of gold edits that the system made: [slice][system]"]
    wrong: Annotated[
        list[list[int]] | None,
        "number of wrong edits: [slice][system]; null if the extractor gives them no types",
    ]


@dataclass(frozen=True)
class SlicingData:
    """All slices by one property of sentences."""

    by: Annotated[str, "length, edits, type, or a column of the sidecar"]
    labels: Annotated[list[str], "per slice"]
    counts: Annotated[list[int], "number of sentences per slice"]
    scores: Annotated[list[list[list[float | None]]], "[metric][slice][system]"]
    p: Annotated[
        list[list[float] | None],
        "p-values by the first metric, [slice][pair]; null for a slice that is not tested",
    ]
    edits: Annotated[TypeCounts | None, "only for slices by type"] = None


@dataclass(frozen=True)
class HealthNote:
    """A finding about the texts that makes their scores doubtful."""

    subject: Annotated[str, "the system, or the text of the corpus"]
    code: str
    message: str
    remedy: str
    lines: Annotated[list[int], "the first few lines, from 1"]


@dataclass(frozen=True)
class CeilingOfMetric:
    """Mean scores over subsets of references."""

    human: Annotated[float | None, "of the references that were left out"]
    systems: Annotated[list[float | None], "per system"]


@dataclass(frozen=True)
class CeilingSummary:
    """How people score, if each reference is scored against the others."""

    by_metric: Annotated[list[CeilingOfMetric], "per metric"]
    subsets: Annotated[int, "how many references were left out in turn"]
    sentences: Annotated[int, "sentences with two references or more"]


@dataclass(frozen=True)
class ReportSummary:
    """All data of a report except its sentences."""

    version: Annotated[str, "version of Corrigenda"]
    title: str
    headline: Annotated[str, "the result in a few sentences"]
    sentences: Annotated[int, "number of sentences"]
    references: Annotated[tuple[int, int], "smallest and largest number of a sentence's references"]
    gold: Annotated[Gold | None, "where gold edits come from; null without references"]
    level: Level
    extractor: Annotated[str, "extractor of the systems' edits"]
    systems: list[str]
    metrics: list[MetricSummary]
    columns: Annotated[list[LeaderboardColumn], "columns that do not belong to one metric"]
    resampling: ResamplingSummary
    human: HumanSummary | None
    slicings: list[SlicingData]
    health: list[HealthNote]
    earlier: Annotated[EarlierSummary | None, "the run that scores are compared with"] = None
    ceiling: Annotated[CeilingSummary | None, "only if it was asked for"] = None
    attributed: Annotated[str | None, "the metric whose score is shared out among edits"] = None


class ArrayRow:
    """An array of its fields in the JSON. Fields at the end that are None are left out."""


@dataclass(frozen=True, slots=True)
class GoldEditRow(ArrayRow):
    """An edit of a reference: words `start` up to `end` become one of `corrections`."""

    start: int
    end: int
    corrections: list[str]
    type: str


@dataclass(frozen=True, slots=True)
class MadeEditRow(ArrayRow):
    """An edit of a system, compared with the gold edits of a reference."""

    start: int
    end: int
    correction: str
    gold: Annotated[int, "index of the equal gold edit; -1 if the edit is wrong"]
    type: Annotated[str | None, "type of a wrong edit, if the extractor gives one"] = None


@dataclass(frozen=True, slots=True)
class ChangeRow(ArrayRow):
    """A change that a system made in a sentence without references: it has no verdict."""

    start: int
    end: int
    correction: str


@dataclass(frozen=True, slots=True)
class OutputRow(ArrayRow):
    """A distinct output for a sentence."""

    text: str
    edits: Annotated[list[list[MadeEditRow]], "per reference"]
    changes: Annotated[list[ChangeRow] | None, "only for a sentence without references"] = None


@dataclass(frozen=True)
class SentenceData:
    """Texts, edits and scores of all sentences."""

    sources: list[str]
    references: Annotated[list[list[str]], "[sentence][reference]"]
    gold: Annotated[list[list[list[GoldEditRow]]], "edits: [sentence][reference]"]
    outputs: Annotated[list[list[OutputRow]], "distinct outputs per sentence"]
    output_of: Annotated[list[list[int]], "index of a system's output: [sentence][system]"]
    compared_with: Annotated[
        list[list[int]],
        "chosen reference, [sentence][system]; empty without references",
    ]
    scores: Annotated[list[list[list[int | None]]], "thousandths: [metric][sentence][system]"]
    chosen: Annotated[
        list[list[list[int]] | None],
        "reference that counts, or -1: [metric][sentence][system]; null if there is none to show",
    ]
    slices: Annotated[list[list[list[int]]], "slices of a sentence: [slicing][sentence]"]
    gains: Annotated[
        list[list[list[int]]] | None,
        "what each edit did to the score by the attributed metric, against the chosen reference, "
        "in thousandths: [sentence][system][edit]",
    ] = None


def plain(value: object) -> object:
    """A dataclass as JSON holds it: an object, or an array if it is a `ArrayRow`.

    An object leaves out fields that have their default value.
    """
    kind: type = type(value)
    names = _names_and_defaults(kind)
    if not isinstance(value, ArrayRow):
        found = {name: getattr(value, name) for name in names}
        return {name: held for name, held in found.items() if held is not names[name]}
    values = [getattr(value, name) for name in names]
    while values and values[-1] is None:
        values.pop()
    return values


@cache
def _names_and_defaults(kind: type) -> dict[str, object]:
    """The fields of a dataclass. A report has many rows of few classes."""
    if not is_dataclass(kind):
        raise TypeError(f"JSON cannot hold a {kind.__name__}")
    return {field.name: field.default for field in fields(kind)}
