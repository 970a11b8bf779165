"""M² (MaxMatch) as docs/metrics/m2.md defines it: slow, and every arc of the lattice written out.

This is the oracle of the compiled kernel. It follows the definition in the definition's own order
(lattice, compound arcs, best path, counts, annotator) and shares no idea with the kernel that could
be wrong in both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Words = tuple[str, ...]
Cell = tuple[int, int]  # (source words consumed, hypothesis words consumed)
Step = tuple[Cell, Cell]

UNREACHABLE = 1 << 30


class GoldEdit(NamedTuple):
    """One edit of an annotator: a span of the source and what may stand in its place."""

    start: int
    end: int
    corrections: tuple[Words, ...]


class SystemEdit(NamedTuple):
    """One edit on the best path: source[start:end] became hypothesis[begin:finish]."""

    start: int
    end: int
    begin: int
    finish: int
    gold: int | None  # the index of the equal gold edit in the annotator's list


class Counts(NamedTuple):
    correct: int
    proposed: int
    gold: int


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


# --- 1. The lattice -------------------------------------------------------------------------------


def steps_from(cell: Cell, source: Words, hypothesis: Words) -> Iterator[tuple[Cell, str]]:
    i, j = cell
    if i < len(source) and j < len(hypothesis):
        yield (i + 1, j + 1), "match" if source[i] == hypothesis[j] else "substitution"
    if i < len(source):
        yield (i + 1, j), "deletion"
    if j < len(hypothesis):
        yield (i, j + 1), "insertion"


def all_cells(source: Words, hypothesis: Words) -> list[Cell]:
    """Every cell, in an order in which each step goes forward."""
    return [(i, j) for i in range(len(source) + 1) for j in range(len(hypothesis) + 1)]


def optimal_steps(source: Words, hypothesis: Words, substitution_cost: int) -> set[Step]:
    """The steps that lie on some cheapest path of one Levenshtein table."""
    price = {"match": 0, "substitution": substitution_cost, "deletion": 1, "insertion": 1}
    cells = all_cells(source, hypothesis)
    end = (len(source), len(hypothesis))
    from_start = dict.fromkeys(cells, UNREACHABLE) | {(0, 0): 0}
    for cell in cells:
        for target, kind in steps_from(cell, source, hypothesis):
            from_start[target] = min(from_start[target], from_start[cell] + price[kind])
    to_end = dict.fromkeys(cells, UNREACHABLE) | {end: 0}
    for cell in reversed(cells):
        for target, kind in steps_from(cell, source, hypothesis):
            to_end[cell] = min(to_end[cell], to_end[target] + price[kind])
    return {
        (cell, target)
        for cell in cells
        for target, kind in steps_from(cell, source, hypothesis)
        if from_start[cell] + price[kind] + to_end[target] == from_start[end]
    }


def lattice_steps(source: Words, hypothesis: Words) -> set[Step]:
    return optimal_steps(source, hypothesis, 1) | optimal_steps(source, hypothesis, 2)


def is_match(step: Step, source: Words, hypothesis: Words) -> bool:
    (i, j), (next_i, next_j) = step
    return next_i > i and next_j > j and source[i] == hypothesis[j]


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


# --- 4. Counts ------------------------------------------------------------------------------------


def only_case_or_blanks(edit: SystemEdit, source: Words, hypothesis: Words) -> bool:
    """What `ignore_case_whitespace` leaves out: only spaces and the case of letters differ."""
    before = "".join(source[edit.start : edit.end]).lower()
    return before == "".join(hypothesis[edit.begin : edit.finish]).lower()


def count(
    source: Words,
    hypothesis: Words,
    gold: Sequence[GoldEdit],
    max_unchanged_words: int = 2,
    ignore_case_whitespace: bool = False,
) -> Counts:
    edits: Iterable[SystemEdit] = best_path(source, hypothesis, gold, max_unchanged_words).edits
    if ignore_case_whitespace:
        edits = [edit for edit in edits if not only_case_or_blanks(edit, source, hypothesis)]
    edits = tuple(edits)
    return Counts(sum(edit.gold is not None for edit in edits), len(edits), len(gold))


# --- 5. and 6. The annotator, and the score -------------------------------------------------------


def f_measure(counts: Counts, beta: float) -> float:
    """F_β as one fraction; P and R are 1 where they are undefined.

    P and R are not computed first. Rounded, they break exact ties, and then the choice of the
    annotator goes wrong (CAMB, sentence 766 of the gold with alternatives: 1/2/7 against 1/3/3).
    """
    burden = counts.proposed + beta * beta * counts.gold
    return (1 + beta * beta) * counts.correct / burden if burden else 1.0


def add(one: Counts, other: Counts) -> Counts:
    return Counts(*(mine + theirs for mine, theirs in zip(one, other, strict=True)))


def merit(so_far: Counts, sentence: Counts, beta: float) -> tuple[float, int, float]:
    total = add(so_far, sentence)
    return f_measure(total, beta), total.correct, -(total.proposed + beta * beta * total.gold)


def choose_annotators(
    sentences: Iterable[Mapping[int, Counts]], beta: float = 0.5
) -> tuple[list[int], Counts]:
    """In corpus order, the annotator that maximises F over the corpus so far."""
    total = Counts(0, 0, 0)
    chosen = []
    for annotators in sentences:
        merits = {who: merit(total, annotators[who], beta) for who in sorted(annotators)}
        best = max(merits, key=merits.__getitem__)  # the first of equals: the earlier annotator
        chosen.append(best)
        total = add(total, annotators[best])
    return chosen, total
