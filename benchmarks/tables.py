"""The results of a run as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from machine import in_words
from measuring import Point, Row, Series, Time, version_of


@dataclass(frozen=True)
class Outcome:
    """The outcome of one benchmark: rows and series, and the problem if there was one."""

    name: str
    rows: list[Row] = field(default_factory=list)
    series: list[Series] = field(default_factory=list)
    problem: str = ""
    seconds: float = 0.0

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Outcome:
        rows = [
            Row(
                **{
                    **row,
                    "ours": Time(**row["ours"]),
                    "peer": row["peer"] and Time(**row["peer"]),
                }
            )
            for row in data["rows"]
        ]
        series = [
            Series(
                one["title"],
                one["name"],
                one["unit"],
                [
                    Point(point["size"], Time(**point["time"]), point["memory"])
                    for point in one["points"]
                ],
            )
            for one in data["series"]
        ]
        return cls(data["name"], rows, series, data["problem"], data["seconds"])


def as_json(
    machine: dict[str, object], versions: dict[str, str], outcomes: Iterable[Outcome]
) -> dict[str, Any]:
    """All results; each row has its ratios and the version of its peer."""
    benchmarks = []
    for outcome in outcomes:
        data = asdict(outcome)
        for row, written in zip(outcome.rows, data["rows"], strict=True):
            written["peer_version"] = version_of(row.package) if row.package else None
            written["ratio"] = ratios(row) and asdict(ratios(row))  # type: ignore[call-overload]
        for series, written in zip(outcome.series, data["series"], strict=True):
            written["exponent"] = series.exponent
        benchmarks.append(data)
    return {"machine": machine, "versions": versions, "benchmarks": benchmarks}


def ratios(row: Row) -> Time | None:
    """How many times longer the peer takes, by the clock and by the processor."""
    if row.peer is None:
        return None
    return Time(
        _ratio(row.peer.clock, row.ours.clock), _ratio(row.peer.processor, row.ours.processor)
    )


def _ratio(peer: float, ours: float) -> float:
    # `ours` may be a difference of two times, which can be 0 or less if both are very short.
    return peer / max(ours, 1e-9)


def as_markdown(
    machine: dict[str, object],
    versions: dict[str, str],
    outcomes: list[Outcome],
    plots: dict[str, str],
) -> str:
    """A table of times, a table of growth, and a list of what was not measured."""
    parts = [
        "# Benchmarks",
        in_words(machine) + ".",
        "Versions: "
        + ", ".join(f"{package} {version}" for package, version in versions.items())
        + ".",
        "Times: clock (processor time over all threads).",
        _rows(outcomes),
    ]
    if any(outcome.series for outcome in outcomes):
        parts += ["## Growth", _growth(outcomes)]
        parts += [f"![{title}]({file})" for title, file in plots.items()]
    problems = [
        f"- **{outcome.name}**: {outcome.problem}" for outcome in outcomes if outcome.problem
    ]
    if problems:
        parts += ["## Not measured", "\n".join(problems)]
    return "\n\n".join(parts) + "\n"


def _rows(outcomes: list[Outcome]) -> str:
    lines = [
        "| benchmark | what | ours | peer | its time | ratio | |",
        "|:--|:--|--:|:--|--:|--:|:--|",
    ]
    for outcome in outcomes:
        lines += [
            f"| {outcome.name} | {row.what} | {shown(row.ours)} | {_peer(row)} "
            f"| {shown(row.peer) if row.peer else ''} | {_shown_ratio(row)} | {row.note} |"
            for row in outcome.rows
        ]
    return "\n".join(lines)


def _peer(row: Row) -> str:
    if not row.package:
        return row.peer_name
    version = version_of(row.package)
    if version is None or row.peer is None:
        return f"{row.peer_name} (not installed)"
    return (
        f"{row.peer_name} {version}"
        if row.peer_name == row.package
        else f"{row.peer_name} ({row.package} {version})"
    )


def _shown_ratio(row: Row) -> str:
    ratio = ratios(row)
    return "" if ratio is None else f"{times(ratio.clock)} ({times(ratio.processor)})"


def _growth(outcomes: list[Outcome]) -> str:
    """The exponent says how the time grows: 1 in proportion to the size, 2 with its square."""
    lines = [
        "| what | | processor time at sizes | grows as | peak memory |",
        "|:--|:--|:--|--:|--:|",
    ]
    for series in (one for outcome in outcomes for one in outcome.series):
        sizes = ", ".join(
            f"{point.size:,}: {seconds(point.time.processor)}" for point in series.points
        )
        memory = max(
            (point.memory for point in series.points if point.memory is not None), default=None
        )
        exponent = "" if series.exponent is None else f"size^{series.exponent:.2f}"
        lines.append(
            f"| {series.title} | {series.name} | {series.unit}: {sizes} | {exponent} "
            f"| {'' if memory is None else f'{memory:.0f} MiB'} |"
        )
    return "\n".join(lines)


def shown(measured: Time) -> str:
    return f"{seconds(measured.clock)} ({seconds(measured.processor)})"


def seconds(value: float) -> str:
    for factor, unit in ((1e6, "µs"), (1e3, "ms")):
        if abs(value) * factor < 1000:
            return f"{value * factor:.{0 if abs(value) * factor >= 10 else 1}f} {unit}"
    return f"{value:.1f} s" if abs(value) < 100 else f"{value:.0f} s"


def times(ratio: float) -> str:
    return f"{ratio:.1f}×" if ratio < 10 else f"{ratio:.0f}×"
