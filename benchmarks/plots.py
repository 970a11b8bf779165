"""Plots of growth: time against size, both axes logarithmic, one plot per title."""

from __future__ import annotations

import re
from pathlib import Path

from measuring import Series

MARKERS = "os^Dv*PX"


def draw(series: list[Series], folder: Path) -> dict[str, str]:
    """Write one SVG and one PNG per title, and return the names of the SVG files by title.

    Without matplotlib nothing is drawn.
    """
    try:
        import matplotlib
    except ModuleNotFoundError:
        return {}
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "corrigenda", "svg.fonttype": "none"})
    titles = dict.fromkeys(one.title for one in series)
    return {
        title: _draw(title, [one for one in series if one.title == title], folder)
        for title in titles
    }


def _draw(title: str, series: list[Series], folder: Path) -> str:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for number, one in enumerate(series):
        sizes = [point.size for point in one.points]
        times = [point.time.processor for point in one.points]
        power = "" if one.exponent is None else f" (size^{one.exponent:.2f})"
        axes.loglog(sizes, times, marker=MARKERS[number % len(MARKERS)], label=one.name + power)
    axes.set(
        title=title.replace("`", ""), xlabel=series[0].unit, ylabel="seconds of processor time"
    )
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    name = "growth-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=120)
    plt.close(figure)
    return f"{name}.svg"
