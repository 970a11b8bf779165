"""Results as a table of texts: systems as rows, best first by the first metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corrigenda.core.result import Interval, Result

MISSING = "–"


@dataclass(frozen=True)
class Cell:
    """A score times 100, its interval if there is one, and whether it is the best of its column."""

    text: str
    interval: str = ""
    best: bool = False


@dataclass(frozen=True)
class Leaderboard:
    """What every table format prints."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    signatures: tuple[str, ...]
    level: str

    @classmethod
    def of(cls, results: Sequence[Result]) -> Leaderboard:
        """The table of many systems by many metrics; a single metric also shows precision and recall."""
        metrics = list(dict.fromkeys(str(result.metric) for result in results))
        by_system: dict[str, dict[str, Result]] = {}
        for result in results:
            by_system.setdefault(result.system, {})[str(result.metric)] = result
        best = {name: max(row[name].score for row in by_system.values()) for name in metrics}
        ordered = sorted(by_system, key=lambda system: -by_system[system][metrics[0]].score)
        with_details = len(metrics) == 1 and all(result.recall is not None for result in results)
        rows = []
        for system in ordered:
            found = by_system[system]
            cells = [
                Cell(
                    percent(found[name].score),
                    bounds(found[name].interval),
                    len(by_system) > 1 and found[name].score == best[name],
                )
                for name in metrics
            ]
            if with_details:
                only = found[metrics[0]]
                cells += [Cell(percent(only.precision)), Cell(percent(only.recall))]
            rows.append((system, tuple(cells)))
        headers = (*metrics, "P", "R") if with_details else tuple(metrics)
        return cls(
            headers,
            tuple(rows),
            tuple(dict.fromkeys(r.signature for r in results)),
            results[0].level,
        )


def percent(value: float | None) -> str:
    """A fraction as tables show it: times 100, two decimals."""
    return MISSING if value is None else f"{100 * value:.2f}"


def bounds(interval: Interval | None) -> str:
    """An interval as tables show it."""
    return "" if interval is None else f"[{percent(interval.low)}, {percent(interval.high)}]"
