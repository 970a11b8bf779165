"""The scores that PT-M² gives a sentence if another of M²'s equally good paths is chosen."""

from __future__ import annotations

import itertools
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from corrigenda.corpus import Corpus
from corrigenda.metrics.pt import PtM2, _row
from corrigenda.metrics.pt_edits import JudgedEdit, JudgedSentence

sys.path.append(str(Path(__file__).parents[1] / "kernels"))

from oracle_m2 import (
    Cost,
    GoldEdit,
    Place,
    SystemEdit,
    all_arcs,
    all_cells,
    edits_of,
    equal_gold,
    follow,
    price,
)

AT_MOST = 200
Edits = tuple[SystemEdit, ...]


def best_paths(
    source: tuple[str, ...], hypothesis: tuple[str, ...], gold: list[GoldEdit]
) -> set[Edits]:
    """The edits on each best path, by the oracle of M²."""
    outgoing = defaultdict(list)
    for step, arc in sorted(all_arcs(source, hypothesis, 2).items()):
        outgoing[step[0]].append((step, arc))
    places: defaultdict[tuple[int, int], dict[Place, tuple[Cost, set[Edits]]]] = defaultdict(dict)
    places[0, 0][Place((0, 0), 0)] = (Cost(), {()})
    for cell in all_cells(source, hypothesis):
        for place, (reached, ways) in sorted(places[cell].items(), key=lambda item: item[0]):
            for step, arc in outgoing[cell]:
                first = place.next_insertion if step[0][0] == step[1][0] else 0
                for index in {equal_gold(step, hypothesis, gold, first), None}:
                    target, cost = follow(place, step, index), reached.plus(price(arc, index))
                    known = places[target.cell].get(target)
                    longer = {way + edits_of(step, arc, index) for way in ways}
                    if known is None or cost < known[0]:
                        places[target.cell][target] = (cost, longer)
                    elif cost == known[0] and len(known[1]) < AT_MOST:
                        known[1].update(longer)
    ends = places[len(source), len(hypothesis)].values()
    best = min(cost for cost, _ in ends)
    return {way for cost, ways in ends if cost == best for way in ways}


def possible_scores(metric: PtM2, corpus: Corpus, index: int, hypothesis: str) -> list[float]:
    """The sentence's scores by every combination of equally good paths."""
    assert corpus.gold is not None
    source, words = corpus.sources[index], tuple(hypothesis.split())
    of_annotators = []
    for reference, annotation in zip(corpus.references[index], corpus.gold[index], strict=True):
        gold = [
            GoldEdit(edit.start, edit.end, tuple(tuple(text.split()) for text in edit.corrections))
            for edit in annotation.edits
        ]
        ways = best_paths(tuple(source.split()), words, gold)
        sentences = [
            JudgedSentence(source, reference, judged(way, words, gold))
            for way in sorted(ways, key=repr)
        ]
        weights = metric.weights(sentences, corpus, threads=1)
        rows = np.array([_row(*each) for each in zip(sentences, weights, strict=True)])
        of_annotators.append(sorted(set(metric.score(rows, "sentence").tolist())))
    return [max(scores) for scores in itertools.product(*of_annotators)]


def judged(way: Edits, words: tuple[str, ...], gold: list[GoldEdit]) -> tuple[JudgedEdit, ...]:
    found = [
        JudgedEdit(
            edit.start,
            edit.end,
            " ".join(words[edit.begin : edit.finish]),
            "wrong" if edit.gold is None else "correct",
        )
        for edit in way
    ]
    made = {edit.gold for edit in way}
    missed = [edit for place, edit in enumerate(gold) if place not in made]
    return (
        *found,
        *(
            JudgedEdit(edit.start, edit.end, " ".join(edit.corrections[0]), "missed")
            for edit in missed
        ),
    )
