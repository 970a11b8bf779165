"""The short form of M²'s rule, which the kernel uses if there are too many arcs to list.

Joins are not counted by their listings, and a join may take any route with few enough unchanged
words. See docs/adr/0010-m2-without-its-arcs.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from oracle_m2 import (
    Cell,
    Counts,
    GoldEdit,
    Step,
    SystemEdit,
    Words,
    all_cells,
    is_match,
    optimal_steps,
)


class Arc(NamedTuple):
    length: int
    is_edit: bool  # False: a matched word, which is an arc but not an edit


class Cost(NamedTuple):
    """What a best path minimises, the most important first."""

    gold_arcs: int = 0  # negative
    length: int = 0
    other_edits: int = 0
    gold_edits: int = 0  # negative; decides only where a gold edit changes nothing (see `price`)

    def plus(self, other: Cost) -> Cost:
        return Cost(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def lattice_steps(source: Words, hypothesis: Words) -> set[Step]:
    return optimal_steps(source, hypothesis, 1) | optimal_steps(source, hypothesis, 2)


# --- 2. Compound arcs -----------------------------------------------------------------------------


def shortest_joins(
    start: Cell, successors: Mapping[Cell, list[tuple[Cell, bool]]], max_unchanged_words: int
) -> dict[Cell, Arc]:
    """For each cell that consecutive steps from `start` reach, the shortest permitted join."""
    shortest: dict[tuple[Cell, int, bool], int] = {(start, 0, False): 0}
    pending = [(start, 0, False)]
    for state in pending:  # it grows as it is read: breadth first, the first visit is the shortest
        cell, unchanged, changed = state
        for target, matched in successors[cell]:
            reached = (target, unchanged + matched, changed or not matched)
            if reached[1] <= max_unchanged_words and reached not in shortest:
                shortest[reached] = shortest[state] + 1
                pending.append(reached)
    joins: dict[Cell, Arc] = {}
    for (cell, _, changed), length in shortest.items():
        if length >= 2 and (cell not in joins or length < joins[cell].length):
            joins[cell] = Arc(length, changed)
    return joins


def all_arcs(source: Words, hypothesis: Words, max_unchanged_words: int) -> dict[Step, Arc]:
    steps = lattice_steps(source, hypothesis)
    successors: defaultdict[Cell, list[tuple[Cell, bool]]] = defaultdict(list)
    for step in sorted(steps):
        successors[step[0]].append((step[1], is_match(step, source, hypothesis)))
    arcs = {step: Arc(1, not is_match(step, source, hypothesis)) for step in steps}
    for start in sorted({step[0] for step in steps}):
        for end, join in shortest_joins(start, successors, max_unchanged_words).items():
            # A single step is shorter than any join; a join of matches alone is dropped.
            if (start, end) not in steps and join.is_edit:
                arcs[start, end] = join
    return arcs


# --- 3. The best path -----------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a path stands: at a cell, with the gold insertions before `next_insertion` passed."""

    cell: Cell
    next_insertion: int


@dataclass(frozen=True)
class Reached:
    cost: Cost
    edits: tuple[SystemEdit, ...]


def equal_gold(step: Step, hypothesis: Words, gold: Sequence[GoldEdit], first: int) -> int | None:
    """The first gold edit, not before `first`, that equals the arc."""
    (start, begin), (end, finish) = step
    for index, edit in enumerate(gold):
        fits = index >= first and (edit.start, edit.end) == (start, end)
        if fits and hypothesis[begin:finish] in edit.corrections:
            return index
    return None


def price(arc: Arc, gold_index: int | None) -> Cost:
    """A matched word that equals a gold edit without a change is a gold arc, but not an edit."""
    if gold_index is not None:
        return Cost(gold_arcs=-1, gold_edits=-int(arc.is_edit))
    return Cost(length=arc.length, other_edits=int(arc.is_edit))


def follow(place: Place, step: Step, gold_index: int | None) -> Place:
    """An insertion uses up the gold insertions to its own; leaving the position forgets them."""
    (start, _), (end, _) = step
    if end > start:
        return Place(step[1], 0)
    return Place(step[1], place.next_insertion if gold_index is None else gold_index + 1)


def best_path(
    source: Words, hypothesis: Words, gold: Sequence[GoldEdit], max_unchanged_words: int
) -> Reached:
    arcs = all_arcs(source, hypothesis, max_unchanged_words)
    outgoing: defaultdict[Cell, list[tuple[Step, Arc]]] = defaultdict(list)
    for step, arc in sorted(arcs.items()):
        outgoing[step[0]].append((step, arc))
    places: defaultdict[Cell, dict[Place, Reached]] = defaultdict(dict)
    places[0, 0][Place((0, 0), 0)] = Reached(Cost(), ())
    for cell in all_cells(source, hypothesis):
        for place, reached in sorted(places[cell].items(), key=lambda item: item[0]):
            for step, arc in outgoing[cell]:
                is_insertion = step[0][0] == step[1][0]
                first = place.next_insertion if is_insertion else 0
                usable = equal_gold(step, hypothesis, gold, first)
                for index in {usable, None}:
                    target = follow(place, step, index)
                    cost = reached.cost.plus(price(arc, index))
                    known = places[target.cell].get(target)
                    if known is None or cost < known.cost:
                        edits = reached.edits + edits_of(step, arc, index)
                        places[target.cell][target] = Reached(cost, edits)
    return min(places[len(source), len(hypothesis)].values(), key=lambda reached: reached.cost)


def edits_of(step: Step, arc: Arc, gold_index: int | None) -> tuple[SystemEdit, ...]:
    (start, begin), (end, finish) = step
    return (SystemEdit(start, end, begin, finish, gold_index),) if arc.is_edit else ()


def count(
    source: Words, hypothesis: Words, gold: Sequence[GoldEdit], max_unchanged_words: int
) -> Counts:
    edits = best_path(source, hypothesis, gold, max_unchanged_words).edits
    return Counts(sum(edit.gold is not None for edit in edits), len(edits), len(gold))
