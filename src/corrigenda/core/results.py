"""The results of several systems by several metrics, as a list that is also a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex, overload

from corrigenda.core.result import Result
from corrigenda.frames import FrameColumns, Tabular, table_html
from corrigenda.plotting import PlotPanel, PlotRow, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Results(list[Result], Tabular):
    """A list of results. A notebook shows it as a leaderboard; `to_pandas()` has a row per result.

    >>> import corrigenda
    >>> corpus = corrigenda.Corpus.from_lists(["He go ."], ["He goes ."])
    >>> results = corrigenda.evaluate(
    ...     corpus, {"ours": ["He goes ."], "theirs": ["He go ."]}, ["bleu", "green:n=2"]
    ... )
    >>> results
    <4 results: ours, theirs by bleu, green:n=2>
    """

    @overload
    def __getitem__(self, place: SupportsIndex) -> Result: ...
    @overload
    def __getitem__(self, place: slice) -> Results: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Result | Results:
        found = super().__getitem__(place)
        return Results(found) if isinstance(found, list) else found

    def __repr__(self) -> str:
        by = f": {', '.join(self.systems)} by {', '.join(self.metrics)}" if self else ""
        return f"<{len(self)} results{by}>"

    @property
    def systems(self) -> list[str]:
        """The names of the systems, each once, in their order."""
        return list(dict.fromkeys(result.system for result in self))

    @property
    def metrics(self) -> list[str]:
        """The metrics as printed, each once, in their order."""
        return list(dict.fromkeys(str(result.metric) for result in self))

    def columns(self) -> FrameColumns:
        """A row per result. Scores are fractions."""
        intervals = [result.interval for result in self]
        columns: dict[str, list[object]] = {
            "system": [result.system for result in self],
            "metric": [str(result.metric) for result in self],
            "level": [result.level for result in self],
            "score": [result.score for result in self],
            "precision": [result.precision for result in self],
            "recall": [result.recall for result in self],
        }
        if any(intervals):
            columns["low"] = [interval and interval.low for interval in intervals]
            columns["high"] = [interval and interval.high for interval in intervals]
        return columns | {"signature": [result.signature for result in self]}

    def plot(self) -> Figure:
        """A picture: a panel per metric, a dot per system, scores × 100, with given intervals.

        It needs matplotlib (`corrigenda[plots]`).
        """
        return drawn(
            [
                PlotPanel(
                    metric,
                    tuple(_plot_row(result) for result in self if str(result.metric) == metric),
                    "score × 100",
                )
                for metric in self.metrics
            ]
        )

    def _repr_html_(self) -> str:
        """A leaderboard: a row per system, a column per metric, scores × 100."""
        scores = {(result.system, str(result.metric)): result.score for result in self}
        columns: dict[str, list[object]] = {"system": list(self.systems)}
        for metric in self.metrics:
            found = [scores.get((system, metric)) for system in self.systems]
            columns[metric] = ["" if score is None else f"{100 * score:.2f}" for score in found]
        signatures = dict.fromkeys(result.signature for result in self)
        return table_html(columns, notes=("scores × 100", *signatures))


def _plot_row(result: Result) -> PlotRow:
    if result.interval is None:
        return PlotRow(result.system, 100 * result.score)
    low, high = result.interval.low, result.interval.high
    return PlotRow(result.system, 100 * result.score, 100 * low, 100 * high)
