"""How the time of the I-measure grows.

    python benchmarks/imeasure_growth.py [--plot growth.svg] > growth.csv

It grows with the length of a sentence (one reference), and with the number of mixed references (a
sentence of 40 words). The columns are ready to plot: size against milliseconds of processor time,
one line per shape, both axes logarithmic. `--plot` draws this with matplotlib.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from corrigenda import Annotation, Corpus, Edit, Hypotheses
from corrigenda.edits import apply_edits
from corrigenda.metrics.imeasure import IMeasure
from measuring import Time, best_time

LENGTHS = (25, 50, 100, 200, 400, 800, 1600)
ERRORS = (0, 2, 4, 6, 8, 10, 12, 14)
"""Each error doubles the number of references."""
MIXED_WORDS = 40
Words = list[str]


class Point(NamedTuple):
    """What grows, in which shape, its size, and the time."""

    axis: str
    shape: str
    size: int
    time: Time


def _changed(words: Words, every: int, text: str) -> Words:
    """The words, with one word in `every` replaced."""
    return [f"{text}{i}" if i % every == every // 2 else word for i, word in enumerate(words)]


class Shape(NamedTuple):
    """How hypothesis and reference come from the source, and the longest length to measure."""

    hypothesis: Callable[[Words], Words]
    reference: Callable[[Words], Words]
    longest: int = LENGTHS[-1]


SHAPES = {
    "all three equal": Shape(list, list),
    "three words changed": Shape(
        lambda words: _changed(words, len(words) // 3, "h"),
        lambda words: _changed(words, len(words) // 3, "r"),
    ),
    "every tenth word changed": Shape(
        lambda words: _changed(words, 10, "h"), lambda words: _changed(words, 9, "r")
    ),
    "nothing in common": Shape(
        lambda words: _changed(words, 1, "h"), lambda words: _changed(words, 1, "r"), 800
    ),
}


def by_length(lengths: tuple[int, ...], repeats: int) -> Iterator[Point]:
    """The time of one sentence with one reference, from strings to counts."""
    for name, shape in SHAPES.items():
        for length in lengths:
            if length <= shape.longest:
                source = [f"word{number}" for number in range(length)]
                reference = " ".join(shape.reference(source))
                gold = Annotation(0, (Edit(0, length, (reference,)),))
                time = _time(source, [gold], shape.hypothesis(source), repeats)
                yield Point("words", name, length, time)


def by_references(errors: tuple[int, ...], repeats: int) -> Iterator[Point]:
    """The time of a sentence with errors that two annotators corrected differently.

    The system made three edits.
    """
    source = [f"word{number}" for number in range(MIXED_WORDS)]
    for count in errors:
        places = [2 * number + 1 for number in range(count)]
        gold = [
            Annotation(
                who, tuple(Edit(place, place + 1, (f"right{place}-{who}",)) for place in places)
            )
            for who in (0, 1)
        ]
        time = _time(source, gold, _changed(source, MIXED_WORDS // 3, "h"), repeats)
        yield Point("mixed references", "40 words with three changed", 2**count, time)


def _time(source: Words, gold: list[Annotation], hypothesis: Words, repeats: int) -> Time:
    text = " ".join(source)
    references = tuple(" ".join(apply_edits(source, annotation.edits)) for annotation in gold)
    hypotheses = Hypotheses("", (" ".join(hypothesis),))

    def call() -> None:
        corpus = Corpus((text,), (references,), (tuple(gold),))
        IMeasure().statistics(corpus, hypotheses, threads=1)

    call()
    return best_time(call, repeats)


def plot(points: list[Point], path: Path) -> None:
    """Draw two panels: by length, and by number of references."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "corrigenda", "svg.fonttype": "none"})
    axes_names = list(dict.fromkeys(point.axis for point in points))
    figure, panels = plt.subplots(1, len(axes_names), figsize=(10, 4), layout="constrained")
    for panel, axis in zip(panels, axes_names, strict=True):
        for shape, marker in zip(
            dict.fromkeys(p.shape for p in points if p.axis == axis), "os^D", strict=False
        ):
            line = [point for point in points if (point.axis, point.shape) == (axis, shape)]
            times = [1000 * point.time.processor for point in line]
            panel.loglog([point.size for point in line], times, marker=marker, label=shape)
        panel.set(xlabel=axis, ylabel="milliseconds (processor)")
        panel.grid(alpha=0.3)
        panel.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measure how the time of the I-measure grows.")
    arguments.add_argument("--plot", type=Path, metavar="FILE", help="also a figure, .svg or .png")
    args = arguments.parse_args()
    print("axis,shape,size,milliseconds,processor_milliseconds")
    points = []
    for point in (*by_length(LENGTHS, 5), *by_references(ERRORS, 3)):
        points.append(point)
        time = point.time
        milliseconds = f"{1000 * time.clock:.3f},{1000 * time.processor:.3f}"
        print(f"{point.axis},{point.shape},{point.size},{milliseconds}")
        sys.stdout.flush()
    if args.plot is not None:
        plot(points, args.plot)


if __name__ == "__main__":
    main()
