"""M² in process: all systems of CoNLL-2014, gold from text, growth with sentence length."""

from __future__ import annotations

import corpora
from corpora import Lists
from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.corpus.gold import gold_annotations
from corrigenda.formats import read_m2
from m2_growth import LENGTHS, SHAPES, by_length
from measuring import Point, Row, Series, best_time

GOLD_FILES = ("official-2014.combined.m2", "official-2014.combined-withalt.m2")


def run(quick: bool) -> list[Row]:
    repeats = 2 if quick else 7
    text = corpora.load()
    systems = [Hypotheses(name, tuple(sentences)) for name, sentences in text.systems.items()]
    rows = []
    for name, corpus in _corpora(text).items():
        annotations = sum(map(len, corpus.references))
        time = best_time(lambda: evaluate(_fresh(corpus), systems, ["m2"]), repeats)  # noqa: B023
        what = f"M², {len(systems)} systems × {len(corpus)} sentences, {name}"
        rows.append(Row(what, time, note=f"{annotations} annotations"))
    return rows + _extraction(text, repeats)


def _corpora(text: Lists) -> dict[str, Corpus]:
    folder = corpora.shared_folder() / "data" / "conll14"
    found = {file: read_m2(folder / file) for file in GOLD_FILES if (folder / file).is_file()}
    found["gold from 2 references"] = Corpus.from_lists(
        text.source, text.references, references_by="text"
    )
    return found


def _fresh(corpus: Corpus) -> Corpus:
    """The same corpus, with nothing computed yet."""
    return Corpus(corpus.sources, corpus.references, corpus.gold)


def _extraction(text: Lists, repeats: int) -> list[Row]:
    corpus = Corpus.from_lists(text.source, text.references, references_by="text")
    time = best_time(lambda: gold_annotations(_fresh(corpus)), repeats)
    return [
        Row(f"edits of {len(corpus) * len(text.references)} references by minimal alignment", time)
    ]


def growth(quick: bool) -> list[Series]:
    """One sentence that gets longer, in several shapes."""
    series = {shape: Series("M², one sentence", shape, "words") for shape in SHAPES}
    for shape, length, time in by_length((25, 100, 400) if quick else LENGTHS, 2 if quick else 5):
        series[shape].points.append(Point(length, time))
    return list(series.values())
