"""Figures of metrics against humans: scatter plots, β curves, windows, and rank differences."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corrigenda import writing
from corrigenda.analysis.resolution import alpha_of
from corrigenda.analysis.student import t_limit
from corrigenda.errors import MissingExtraError
from corrigenda.meta.analysis import MetaReport, MetricReport
from corrigenda.meta.curves import beta_bands, beta_curves, default_points
from corrigenda.meta.subsets import Part
from corrigenda.plotting import plain_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours: people with any kind of colour vision can tell them apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_LINES = ("-", "--", "-.", ":")
_OFFSETS = (
    (6, 4), (6, -10), (-6, 4), (-6, -10), (0, 9), (0, -15),
    *((side * reach, height) for reach in (14, 26, 40) for height in (12, -18, 26, -32, 44, -50)
      for side in (1, -1)),
)  # fmt: skip
"""The offsets of a name from its point, in units of 1/72 inch; earlier offsets are preferred."""
_DOT_WEIGHT = 1000.0
"""A name over the dot of another system is worse than any overlap of names."""
_MISREAD_WEIGHT = 15.0
"""A name beside the dot of another system is as bad as one that covers a part of a letter."""
_OUTSIDE_WEIGHT = 30.0
"""A name outside of the axes would cover the title, or numbers of an axis."""
_NAME_SIZE = 8.0
_CHARACTER_WIDTH, _LINE_HEIGHT = 5.2, 10.0
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


def default_betas() -> list[float]:
    """0 to 5 in steps of 0.01, as in the GREEN paper's Figure 3."""
    return [round(0.01 * step, 2) for step in range(501)]


def _pyplot() -> ModuleType:
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError(
            "figures need matplotlib", remedy="pip install 'corrigenda[plots]'."
        ) from error
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def _style() -> AbstractContextManager[None]:
    settings: AbstractContextManager[None] = _pyplot().rc_context(
        {
            "font.size": 10,
            "axes.grid": True,
            "grid.alpha": 0.3,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "figure.dpi": 150,
            "svg.hashsalt": "corrigenda",
            "text.parse_math": False,  # a dollar in a name begins no formula
        }
    )
    return settings


def write_all(
    report: MetaReport, folder: str | Path, suffix: str, betas: Sequence[float]
) -> list[Path]:
    """Write every figure of a report into a folder, and give their paths."""
    base = Path(folder)
    name = report.benchmark.name
    labels = _file_names([entry.label for entry in report.metrics])
    drawings: dict[str, Callable[[], Figure]] = {
        f"{name}-scatter-{label}": lambda entry=entry: scatter(report, entry)  # type: ignore[misc]
        for label, entry in zip(labels, report.metrics, strict=True)
    }
    if len(report.metrics) > 1:
        drawings[f"{name}-overview"] = lambda: overview(report)
    curves = beta_curves(report, betas)
    if curves:
        drawings[f"{name}-beta"] = lambda: beta_figure(report, betas, curves)
    drawings[f"{name}-top-k"] = lambda: top_k_figure(report)
    drawings[f"{name}-windows"] = lambda: window_figure(report)
    drawings[f"{name}-ranks"] = lambda: rank_figure(report)
    with _style(), writing.together(make_folders=True) as batch:
        paths = [base / f"{stem}.{suffix}" for stem in drawings]
        for draw, path in zip(drawings.values(), paths, strict=True):
            with batch.binary_file(path) as file:
                _save(draw(), file, suffix)
    return paths


def _file_names(labels: Sequence[str]) -> list[str]:
    """Names for files; labels that differ in other signs alone get a number."""
    names: list[str] = []
    for label in labels:
        name = made = re.sub(r"[^A-Za-z0-9]+", "-", label).strip("-")
        number = 1
        while made.lower() in {each.lower() for each in names}:
            number += 1
            made = f"{name}-{number}"
        names.append(made)
    return names


def _save(figure: Figure, file: IO[bytes], suffix: str) -> None:
    # The file has no date in it, so the same data give the same file.
    figure.savefig(
        file,
        format=suffix,
        bbox_inches="tight",
        metadata={"Date": None} if suffix == "svg" else None,
    )
    _pyplot().close(figure)


def scatter(report: MetaReport, entry: MetricReport) -> Figure:
    """A metric's scores over human scores, with intervals; each point has its system's name."""
    figure, axes = _pyplot().subplots(figsize=(6, 4.5))
    _scatter_on(axes, report, entry)
    axes.set_xlabel("human score")
    unit = " × 100" if entry.aggregation in ("corpus", "mean") else ""
    axes.set_ylabel(f"{entry.metric}{unit} ({entry.aggregation})")
    title = f"{report.benchmark.name}: {_coefficients(entry)}"
    axes.set_title("\n".join([title, *_bars(report)]), fontsize=10)
    _label_points(axes, report.human, _shown_scores(entry), report.systems)
    made: Figure = figure
    return made


def overview(report: MetaReport) -> Figure:
    """Small multiples for a paper: one scatter plot per metric, human scores on the same axis."""
    columns = min(3, len(report.metrics))
    rows = -(-len(report.metrics) // columns)
    figure, grid = _pyplot().subplots(
        rows, columns, figsize=(3.8 * columns, 3.2 * rows), sharex=True, squeeze=False
    )
    for place, axes in enumerate(grid.flat):
        if place >= len(report.metrics):
            axes.set_visible(False)
            continue
        entry = report.metrics[place]
        _scatter_on(axes, report, entry)
        axes.set_title(f"{entry.label}: {_coefficients(entry)}", fontsize=8)
        axes.tick_params(labelsize=7, labelbottom=place + columns >= len(report.metrics))
        if place + columns >= len(report.metrics):
            axes.set_xlabel("human score", fontsize=8)
    names = f"{report.benchmark.name}: scores of metrics over human scores"
    figure.suptitle("\n".join([names, *_bars(report)]), fontsize=10)
    figure.tight_layout()
    for entry, axes in zip(report.metrics, grid.flat, strict=False):
        # Names are placed last: the layout moves the dots.
        _label_points(axes, report.human, _shown_scores(entry), report.systems, size=6.5)
    made: Figure = figure
    return made


def _bars(report: MetaReport) -> list[str]:
    """What the bars are, if there are any."""
    if report.human_bounds is None and all(entry.bounds is None for entry in report.metrics):
        return []
    return [f"bars: {100 * report.settings.confidence:g} % intervals over sentences"]


def _coefficients(entry: MetricReport) -> str:
    r, rho = (entry.correlations[name].value for name in ("pearson", "spearman"))
    return f"r = {r:.3f}, ρ = {rho:.3f}"


def _scale_of(entry: MetricReport) -> int:
    return 100 if entry.aggregation in ("corpus", "mean") else 1


def _shown_scores(entry: MetricReport) -> Floats:
    return np.asarray(_scale_of(entry) * entry.scores)


def _scatter_on(axes: Axes, report: MetaReport, entry: MetricReport) -> None:
    scale, scores = _scale_of(entry), _shown_scores(entry)
    axes.errorbar(
        report.human, scores,
        xerr=_lengths(report.human, report.human_bounds),
        yerr=_lengths(scores, None if entry.bounds is None else scale * entry.bounds),
        fmt="none", ecolor="0.75", elinewidth=0.8, zorder=1,
    )  # fmt: skip
    axes.scatter(report.human, scores, color=COLOURS[0], zorder=3, s=18)
    axes.margins(0.12)


def _lengths(values: Floats, bounds: Floats | None) -> Floats | None:
    """How far an interval reaches below and above each value: [2, systems]."""
    if bounds is None:
        return None
    return np.stack([np.maximum(0, values - bounds[0]), np.maximum(0, bounds[1] - values)])


def _label_points(
    axes: Axes, x: Floats, y: Floats, names: Sequence[str], *, size: float = _NAME_SIZE
) -> None:
    """Put each name beside its point, on no other point, where it covers the fewest names.

    A name that is nearer to the dot of another system than to its own is avoided, too, and so is
    one outside of the axes.
    """
    axes.figure.canvas.draw()
    to_points = axes.transData.transform(np.column_stack([x, y])) * 72 / axes.figure.dpi
    window, scale = axes.get_window_extent(), 72 / axes.figure.dpi
    room: Box = (scale * window.x0, scale * window.y0, scale * window.x1, scale * window.y1)
    dots: list[Box] = [(px - 4, py - 4, px + 4, py + 4) for px, py in to_points.tolist()]
    taken: list[Box] = []
    for (px, py), name, a, b in zip(to_points.tolist(), names, x, y, strict=True):
        options = [(dx, dy, _box(px + dx, py + dy, name, dx, size)) for dx, dy in _OFFSETS]
        own = (px, py)
        dx, dy, box = min(
            options,
            key=lambda option: (
                _covered(option[2], dots, taken)
                + _misread(option[2], own, to_points)
                + _OUTSIDE_WEIGHT * (_overlap(option[2], option[2]) - _overlap(option[2], room))
            ),
        )
        taken.append(box)
        far = abs(dx) > 10 or _misread(box, own, to_points) > 0
        axes.annotate(
            plain_name(name), (a, b), xytext=(dx, dy), textcoords="offset points", fontsize=size,
            ha="left" if dx > 0 else "right" if dx < 0 else "center",
            arrowprops={"arrowstyle": "-", "lw": 0.5, "color": "0.5"} if far else None,
        )  # fmt: skip


def _covered(box: Box, dots: Sequence[Box], names: Sequence[Box]) -> float:
    on_dots = sum(_overlap(box, dot) for dot in dots)
    return _DOT_WEIGHT * on_dots + sum(_overlap(box, name) for name in names)


def _misread(box: Box, own: tuple[float, float], dots: Floats) -> float:
    """A penalty for a name that is nearer to another dot than to its own."""
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
    half = np.array([(box[2] - box[0]) / 2, (box[3] - box[1]) / 2])

    def apart(points: Floats) -> Floats:
        return np.asarray(np.hypot(*np.maximum(np.abs(points - middle) - half, 0).T))

    nearest = float(apart(dots).min())
    return _MISREAD_WEIGHT if float(apart(np.array([own]))[0]) > nearest + 1 else 0.0


def _box(x: float, y: float, name: str, dx: float, size: float = _NAME_SIZE) -> Box:
    width, height = (_CHARACTER_WIDTH * len(name) * size / _NAME_SIZE), _LINE_HEIGHT
    left = x if dx > 0 else x - width if dx < 0 else x - width / 2
    return left, y, left + width, y + height * size / _NAME_SIZE


def _overlap(box: Box, other: Box) -> float:
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def beta_figure(report: MetaReport, betas: Sequence[float], curves: dict[str, Floats]) -> Figure:
    """Pearson r for each β, a band for any one system left out, and a mark at each default β."""
    figure, axes = _pyplot().subplots(figsize=(6.5, 4.2))
    bands, defaults = beta_bands(report, betas), default_points(report)
    for index, (label, values) in enumerate(curves.items()):
        colour = COLOURS[index % len(COLOURS)]
        axes.plot(
            betas, values, label=label, color=colour,
            linestyle=_LINES[index // len(COLOURS) % len(_LINES)],
        )  # fmt: skip
        axes.fill_between(betas, *bands[label], color=colour, alpha=0.12, lw=0)
        if min(betas) <= defaults[label][0] <= max(betas):
            axes.plot(*defaults[label], marker="o", color=colour, markersize=6, zorder=4)
    axes.axhline(0, color="0.6", lw=0.8)
    axes.set_xlabel("β (weight of recall against precision)")
    axes.set_ylabel("Pearson r with the human scores")
    axes.set_title(
        f"{report.benchmark.name}: correlation by β, {len(report.systems)} systems\n"
        "band: any one system left out; dot: the default β",
        fontsize=10,
    )
    _legend_below(axes, len(curves))
    made: Figure = figure
    return made


def _legend_below(axes: Axes, entries: int) -> None:
    columns = 2 if entries > 2 else entries
    axes.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.16),
        ncols=max(columns, 1),
        fontsize=8,
        frameon=False,
    )


def top_k_figure(report: MetaReport) -> Figure:
    """Pearson r over the K best systems, for falling K."""
    figure, axes = _parts_figure(
        report, lambda entry: [(part.last, part) for part in entry.top["pearson"]]
    )
    counts = np.arange(min(3, len(report.systems)), len(report.systems) + 1)
    limits = np.array([_limit(int(count), report.settings.confidence) for count in counts])
    axes.fill_between(counts, -limits, limits, color="0.5", alpha=0.12, lw=0)
    axes.invert_xaxis()
    axes.set_xlabel("number K of best systems by humans")
    title = f"correlation over the K best systems\n{_grey(report)}"
    axes.set_title(f"{report.benchmark.name}: {title}", fontsize=10)
    return figure


def window_figure(report: MetaReport) -> Figure:
    """Pearson r over windows of neighbours in the human ranking."""
    size = min(report.settings.window, len(report.systems))
    figure, axes = _parts_figure(
        report, lambda entry: [(part.first, part) for part in entry.windows["pearson"]]
    )
    axes.set_xlabel(f"first human rank of a window of {size} systems")
    limit = _limit(size, report.settings.confidence)
    axes.axhspan(-limit, limit, color="0.5", alpha=0.12, lw=0)
    title = f"correlation over {size} neighbouring systems\n{_grey(report)}"
    axes.set_title(f"{report.benchmark.name}: {title}", fontsize=10)
    return figure


def _limit(systems: int, confidence: float) -> float:
    """The r up to which a correlation over so few systems is no different from 0 (Student's t)."""
    if systems <= 3:
        return 1.0
    t = t_limit(alpha_of(confidence), systems - 2)
    return t / math.sqrt(systems - 2 + t * t)


def _grey(report: MetaReport) -> str:
    return f"grey: not different from 0 ({100 * report.settings.confidence:g} %)"


def _parts_figure(
    report: MetaReport, parts_of: Callable[[MetricReport], list[tuple[int, Part]]]
) -> tuple[Figure, Axes]:
    """One line per metric; `parts_of` gives its correlations, each with its place on the x axis."""
    figure, axes = _pyplot().subplots(figsize=(6.5, 4.2))
    for index, entry in enumerate(report.metrics):
        parts = parts_of(entry)
        axes.plot(
            [place for place, _ in parts], [part.value for _, part in parts], label=entry.label,
            color=COLOURS[index % len(COLOURS)], marker=_MARKERS[index % len(_MARKERS)],
            markersize=5, linestyle=_LINES[index // len(COLOURS) % len(_LINES)],
        )  # fmt: skip
    axes.axhline(0, color="0.6", lw=0.8)
    axes.set_ylim(-1.05, 1.05)
    axes.xaxis.set_major_locator(_pyplot().MultipleLocator(1))
    axes.set_ylabel("Pearson r with the human scores")
    _legend_below(axes, len(report.metrics))
    return figure, axes


def rank_figure(report: MetaReport) -> Figure:
    """A table of every system's rank by each metric, coloured by the distance to the human rank."""
    order = sorted(range(len(report.systems)), key=lambda index: (-report.human[index], index))
    human = report.human_ranks()[order]
    ranks = np.stack([entry.ranks() for entry in report.metrics], axis=1)[order]
    longest = max(len(entry.label) for entry in report.metrics)
    figure, axes = _pyplot().subplots(
        figsize=(2.6 + 0.75 * len(report.metrics), 1.2 + 0.075 * longest + 0.27 * len(order))
    )
    _rank_cells(axes, ranks, human[:, np.newaxis] - ranks)
    names = [plain_name(report.systems[index]) for index in order]
    axes.set_yticks(
        range(len(order)),
        [f"{rank}  {name}" for rank, name in zip(human.tolist(), names, strict=True)],
    )
    labels = [f"{entry.label}  Δ {report.rank_difference(entry)}" for entry in report.metrics]
    axes.set_xticks(range(len(labels)), labels, rotation=45, ha="left", fontsize=8)
    axes.xaxis.tick_top()
    axes.grid(False)
    axes.set_ylabel("human rank and system")
    axes.set_title(f"{report.benchmark.name}: ranks by metrics", fontsize=10, y=-0.1)
    made: Figure = figure
    return made


def _rank_cells(axes: Axes, ranks: Integers, differences: Integers) -> None:
    """Ranks [systems, metrics] on a colour for each difference, with the scale of the colours."""
    limit = max(int(np.abs(differences).max()), 1)
    image = axes.imshow(differences, cmap="PuOr", vmin=-limit, vmax=limit, aspect="auto")
    for (row, column), rank in np.ndenumerate(ranks):
        far = abs(int(differences[row, column])) > 0.6 * limit
        axes.text(
            column, row, str(rank), ha="center", va="center", fontsize=9,
            color="white" if far else "black",
        )  # fmt: skip
    bar = axes.figure.colorbar(
        image, ax=axes, label="ranked higher (+) or lower (−) than by humans", fraction=0.05
    )
    bar.locator = _pyplot().MaxNLocator(integer=True)
    bar.update_ticks()
