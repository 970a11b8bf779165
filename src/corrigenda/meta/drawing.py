"""Small figures of published results: points and lines, as data and as SVG without any library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, TypedDict

WIDTH, HEIGHT, LEGEND_WIDTH = 460, 320, 130
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 16, 44
# Okabe and Ito's colours: people with any kind of colour vision can tell them apart.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_TICKS = 5


class SeriesData(TypedDict):
    """A series in JSON."""

    name: str
    kind: Literal["points", "line"]
    x: list[float]
    y: list[float]
    labels: list[str]


class DrawingData(TypedDict):
    """A drawing in JSON."""

    title: str
    x_label: str
    y_label: str
    series: list[SeriesData]


@dataclass(frozen=True)
class Series:
    """Points with labels, or a line."""

    name: str
    kind: Literal["points", "line"]
    x: tuple[float, ...]
    y: tuple[float, ...]
    labels: tuple[str, ...] = ()

    def to_dict(self) -> SeriesData:
        """Ready for JSON."""
        return {
            "name": self.name,
            "kind": self.kind,
            "x": list(self.x),
            "y": list(self.y),
            "labels": list(self.labels),
        }


@dataclass(frozen=True)
class Drawing:
    """One plot."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]

    def to_dict(self) -> DrawingData:
        """Ready for JSON."""
        return {
            "title": self.title,
            "x_label": self.x_label,
            "y_label": self.y_label,
            "series": [series.to_dict() for series in self.series],
        }

    @classmethod
    def from_dict(cls, data: DrawingData) -> Drawing:
        """What `to_dict` gave."""
        series = tuple(
            Series(
                each["name"],
                each["kind"],
                tuple(each["x"]),
                tuple(each["y"]),
                tuple(each["labels"]),
            )
            for each in data["series"]
        )
        return cls(data["title"], data["x_label"], data["y_label"], series)

    def svg(self) -> str:
        """The plot as SVG."""
        xs = [value for series in self.series for value in series.x]
        ys = [value for series in self.series for value in series.y]
        whole = WIDTH + (LEGEND_WIDTH if len(self.series) > 1 else 0)
        across, up = _Scale(xs, _LEFT, WIDTH - _RIGHT), _Scale(ys, HEIGHT - _BOTTOM, _TOP)
        parts = [
            f'<svg viewBox="0 0 {whole} {HEIGHT}" width="{whole}" role="img" '
            'xmlns="http://www.w3.org/2000/svg">',
            f"<title>{escape(self.title)}</title>",
            *_axes(across, up, self.x_label, self.y_label),
        ]
        for number, series in enumerate(self.series):
            colour = _COLOURS[number % len(_COLOURS)]
            places = [(across(x), up(y)) for x, y in zip(series.x, series.y, strict=True)]
            parts += (
                _line(places, colour) if series.kind == "line" else _points(series, places, colour)
            )
        if len(self.series) > 1:
            parts += _legend([series.name for series in self.series])
        return "".join([*parts, "</svg>"])


class _Scale:
    """Values to places on the page."""

    def __init__(self, values: Sequence[float], begin: float, end: float) -> None:
        known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(known), max(known)
        margin = 0.06 * (high - low) or 0.5
        self.low, self.high = low - margin, high + margin
        self._begin, self._end = begin, end

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self._begin + share * (self._end - self._begin), 1)

    def ticks(self) -> list[float]:
        step = 10 ** math.floor(math.log10((self.high - self.low) / _TICKS))
        step = next(
            step * factor
            for factor in (1, 2, 5, 10, 20)
            if (self.high - self.low) / (step * factor) <= _TICKS
        )
        first = math.ceil(self.low / step)
        return [step * n for n in range(first, math.floor(self.high / step) + 1)]


def _axes(across: _Scale, up: _Scale, x_label: str, y_label: str) -> list[str]:
    bottom, right = HEIGHT - _BOTTOM, WIDTH - _RIGHT
    parts = []
    for value in across.ticks():
        x = across(value)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP}" y2="{bottom}"/>')
        parts.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{value:g}</text>')
    for value in up.ticks():
        y = up(value)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{value:g}</text>')
    middle = (_LEFT + right) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>'
    )
    height = (_TOP + bottom) / 2
    parts.append(
        f'<text transform="translate(14 {height}) rotate(-90)" text-anchor="middle">'
        f"{escape(y_label)}</text>"
    )
    return parts


def _line(places: Sequence[tuple[float, float]], colour: str) -> list[str]:
    points = " ".join(f"{x},{y}" for x, y in places if math.isfinite(y))
    return [f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>']


def _points(series: Series, places: Sequence[tuple[float, float]], colour: str) -> list[str]:
    parts = []
    for place, (x, y) in enumerate(places):
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>')
        if series.labels:
            parts.append(
                f'<text x="{x + 6}" y="{y - 5}" class="name">{escape(series.labels[place])}</text>'
            )
    return parts


def _legend(names: Sequence[str]) -> list[str]:
    parts = []
    for number, name in enumerate(names):
        y = _TOP + 12 + 15 * number
        colour = _COLOURS[number % len(_COLOURS)]
        parts.append(f'<circle cx="{WIDTH + 4}" cy="{y - 4}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{WIDTH + 12}" y="{y}">{escape(name)}</text>')
    return parts
