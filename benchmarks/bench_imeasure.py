"""The I-measure in process: CoNLL-2014 with alternatives, and how its time grows."""

from __future__ import annotations

import warnings

import corpora
from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.formats import read_m2
from corrigenda.meta.attacks import ATTACKS, attack_outputs
from imeasure_growth import ERRORS, LENGTHS, by_length, by_references
from measuring import Point, Row, Series, best_time

GOLD_FILE = "official-2014.combined-withalt.m2"
CASES = (
    ("imeasure", 1),
    ("imeasure:mix=false", 1),
    ("imeasure:optimise=corpus", 1),
    ("imeasure", None),
    ("imeasure:optimise=corpus", None),
)
"""Each metric with a number of systems; None means all of them."""


def run(quick: bool) -> list[Row]:
    corpus, systems = _corpus()
    rows = []
    for specification, number in CASES[:1] if quick else CASES:
        rows.append(_row(corpus, systems[:number], specification, 1 if quick else 3))
    rows += [
        _row(corpus, [attack], "imeasure", 1, f"the attack `{attack.name}`")
        for attack in attack_outputs(corpus, ["repeated"] if quick else list(ATTACKS))
    ]
    return rows


def _corpus() -> tuple[Corpus, list[Hypotheses]]:
    text = corpora.load()
    systems = [Hypotheses(name, tuple(sentences)) for name, sentences in text.systems.items()]
    path = corpora.shared_folder() / "data" / "conll14" / GOLD_FILE
    if path.is_file():
        return read_m2(path), systems
    return Corpus.from_lists(text.source, text.references, references_by="text"), systems


def _row(
    corpus: Corpus,
    systems: list[Hypotheses],
    specification: str,
    repeats: int,
    outputs: str = "",
) -> Row:
    """The time from strings to scores, with nothing computed before."""

    def call() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some sentences have too many references
            evaluate(
                Corpus(corpus.sources, corpus.references, corpus.gold), systems, [specification]
            )

    number = outputs or f"{len(systems)} system{'s' * (len(systems) > 1)}"
    what = f"`{specification}`, {number} × {len(corpus)} sentences"
    return Row(what, best_time(call, repeats))


def growth(quick: bool) -> list[Series]:
    """One sentence that gets longer, and one that gets more mixed references."""
    repeats = 2 if quick else 5
    points = [
        *by_length((25, 100, 400) if quick else LENGTHS, repeats),
        *by_references((0, 4, 8) if quick else ERRORS, repeats),
    ]
    series: dict[tuple[str, str], Series] = {}
    for axis, shape, size, time in points:
        title = "I-measure, one sentence" + ("" if axis == "words" else f", {axis}")
        series.setdefault((axis, shape), Series(title, shape, axis)).points.append(
            Point(size, time)
        )
    return list(series.values())
