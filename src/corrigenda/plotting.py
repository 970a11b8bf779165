"""Pictures of results: a dot per system with its interval, a panel per metric; by matplotlib.

`plot()` of results, comparisons, slices and rankings gives a figure: a notebook shows it, and
`figure.savefig("scores.svg")` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corrigenda.errors import CorrigendaError, MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOUR = "#1f5f99"
_PANEL_WIDTH, _ROW_HEIGHT, _FRAME_HEIGHT = 3.6, 0.32, 1.1
"""In inches."""


@dataclass(frozen=True)
class PlotRow:
    """A dot: its label, its value and, where there is one, its interval."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class PlotPanel:
    """Rows below a title; `axis` says what the numbers are, `zero` draws a line at 0."""

    title: str
    rows: tuple[PlotRow, ...]
    axis: str
    zero: bool = False


def plain_name(name: str) -> str:
    """A name from a file as a picture can show it: XML, so also SVG, has no control characters."""
    return "".join(
        sign if sign.isprintable() else " " if sign.isspace() else "\ufffd" for sign in name
    )


def drawn(panels: Sequence[PlotPanel]) -> Figure:
    """The panels side by side, with the first row on top."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtraError(
            "pictures need matplotlib", remedy="pip install 'corrigenda[plots]'."
        ) from error
    if not panels or not any(panel.rows for panel in panels):
        raise CorrigendaError("there is nothing to draw", remedy="Give at least one system.")
    height = _FRAME_HEIGHT + _ROW_HEIGHT * max(len(panel.rows) for panel in panels)
    figure, axes = plt.subplots(
        1,
        len(panels),
        figsize=(_PANEL_WIDTH * len(panels) + 1, height),
        squeeze=False,
        layout="constrained",
    )
    for panel, place in zip(panels, axes[0], strict=True):
        _draw(panel, place)
    plt.close(figure)  # a notebook shows what a cell returns; it must not show it twice
    return figure


def _draw(panel: PlotPanel, axes: Axes) -> None:
    places = range(len(panel.rows))
    axes.plot([row.value for row in panel.rows], places, "o", color=_COLOUR)
    for place, row in zip(places, panel.rows, strict=True):
        if row.low is not None and row.high is not None:
            axes.plot([row.low, row.high], [place, place], "-", color=_COLOUR)
    if panel.zero:
        axes.axvline(0, color="0.5", linewidth=1)
    axes.set_yticks(list(places), [_label(row.label) for row in panel.rows])
    axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    axes.set_title(_label(panel.title))
    axes.set_xlabel(panel.axis)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def _label(text: str) -> str:
    """The text for matplotlib, for which a dollar would begin a formula."""
    return plain_name(text).replace("$", r"\$")
