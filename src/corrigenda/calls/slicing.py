"""`corrigenda.slices`: scores on parts of a corpus, and where systems differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corrigenda import arguments
from corrigenda.analysis.resolution import (
    CORRECTIONS,
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
)
from corrigenda.analysis.significance import TESTS, Test
from corrigenda.analysis.slices import (
    Slice,
    SliceDifference,
    differences,
    errant_edits,
    slice_scores,
    slices_by,
)
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.plotting import PlotPanel, PlotRow, drawn
from corrigenda.scoring import Systems, checked_corpus, evaluate

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class SliceRow:
    """The score of a system by a metric on a slice; the fields are the keys of the JSON."""

    by: str
    slice: str
    sentences: int
    metric: str
    system: str
    score: float


@dataclass(frozen=True, repr=False)
class SlicedScores(Tabular):
    """Scores on slices, a row each, and the tests of each system against the first."""

    rows: tuple[SliceRow, ...]
    differences: tuple[SliceDifference, ...]
    slices: tuple[Slice, ...]
    by_metric: tuple[tuple[Result, ...], ...]
    """The results on the whole corpus: for each metric, those of all systems."""

    def __repr__(self) -> str:
        parts = ", ".join(dict.fromkeys(part.by for part in self.slices))
        return f"<{len(self.rows)} scores on {len(self.slices)} slices by {parts}>"

    def columns(self) -> FrameColumns:
        """A row per slice, metric and system. Scores are fractions."""
        names = ("by", "slice", "sentences", "metric", "system", "score")
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def plot(self) -> Figure:
        """A picture: a panel per metric, a dot per slice and system, scores × 100.

        It needs matplotlib (`corrigenda[plots]`).
        """
        return drawn(
            [
                PlotPanel(
                    metric,
                    tuple(
                        PlotRow(f"{part.by} {part.label}: {row.system}", 100 * row.score)
                        for part in self.slices
                        for row in self.rows
                        if (row.by, row.slice, row.metric) == (part.by, part.label, metric)
                    ),
                    "score × 100",
                )
                for metric in dict.fromkeys(row.metric for row in self.rows)
            ]
        )


def slices(
    corpus: Corpus,
    systems: Systems,
    metrics: Sequence[Metric | str] | None = None,
    *,
    by: str | Sequence[str] = "length",
    columns: Mapping[str, Sequence[object]] | None = None,
    bounds: Sequence[int] | None = None,
    types: str = "gold",
    category: int = 3,
    level: Level = "corpus",
    test: Test = "permutation",
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction = DEFAULT_CORRECTION,
    min_sentences: int = 10,
    threads: int | None = None,
) -> SlicedScores:
    """Score parts of a corpus, and test where systems differ, as `corrigenda slices` does.

    The first system is the baseline. References that were chosen on the whole corpus are kept.

    Args:
        corpus: The sources and their references.
        systems: Names with lists of sentences, or a list of `Hypotheses`.
        metrics: The metrics; None takes all that need no extra.
        by: `length`, `edits`, `type`, `document`, or names of `columns`.
        columns: Further columns, with a value per sentence.
        bounds: The last number of each slice by length or edits.
        types: Error types of the gold edits (`gold`), of ERRANT (`errant`), or of another
            annotator: `any`, `ud`, `zh`.
        category: The part of ERRANT's types: 1 operation, 2 category, 3 both.
        level: `corpus` or `sentence`.
        test: `permutation` or `bootstrap`.
        resamples: How many, at least; 0 leaves out the tests.
        seed: For random numbers.
        confidence: Of intervals and tests, between 0 and 1.
        correction: For the number of tests: `bh`, `holm` or `none`.
        min_sentences: Smaller slices are not tested.
        threads: The number of threads; None takes all cores.

    Returns:
        The scores, a row per slice, metric and system; `differences` has the tests.

    Example:
        >>> import corrigenda
        >>> from corrigenda.data import sample_corpus, sample_systems
        >>> found = corrigenda.slices(sample_corpus(), sample_systems()[:2], ["green"], bounds=[12])
        >>> [(row.slice, row.sentences, row.system, round(row.score, 3)) for row in found.rows[:2]]
        [('≤12', 18, 'strong', 0.905), ('13+', 42, 'strong', 0.88)]
        >>> [(row.label, row.difference < 0) for row in found.differences]
        [('13+', True), ('≤12', True)]
    """
    arguments.resampling(resamples, seed, confidence, least=0)
    arguments.one_of("test", test, TESTS)
    arguments.one_of("correction", correction, CORRECTIONS)
    arguments.whole_number("min_sentences", min_sentences, least=1)
    for bound in bounds or ():
        arguments.whole_number("a bound", bound)
    results = evaluate(
        checked_corpus(corpus), systems, metrics, level=level, threads=threads, health="off"
    )
    gold = None
    arguments.text("types", types)
    given = arguments.columns("columns", columns)
    if types != "gold":
        edits = "en" if types == "errant" else types
        gold = errant_edits(corpus, edits=edits, threads=threads)
    wanted = [by] if isinstance(by, str) else by
    parts = [
        part
        for each in dict.fromkeys(wanted)
        for part in slices_by(corpus, each, given, bounds=bounds, category=category, gold=gold)
    ]
    count = len(results.metrics)
    by_metric = tuple(tuple(results[place::count]) for place in range(count))
    tested = (
        differences(
            [(system, of_metric[0]) for of_metric in by_metric for system in of_metric[1:]],
            parts,
            test=test,
            resamples=resamples,
            seed=seed,
            confidence=confidence,
            correction=correction,
            min_sentences=min_sentences,
        )
        if resamples
        else []
    )
    return SlicedScores(_rows(by_metric, parts), tuple(tested), tuple(parts), by_metric)


def _rows(by_metric: Sequence[Sequence[Result]], parts: Sequence[Slice]) -> tuple[SliceRow, ...]:
    return tuple(
        SliceRow(part.by, part.label, len(part), str(result.metric), result.system, float(score))
        for results in by_metric
        for result, scores in zip(results, slice_scores(results, parts), strict=True)
        for part, score in zip(parts, scores, strict=True)
    )
