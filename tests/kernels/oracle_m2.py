"""M² (MaxMatch) as docs/metrics/m2.md defines it: slow, and every arc of the lattice written out.

This is the oracle of the compiled kernel. It follows the definition in the definition's own order:
lattice, arcs and joins, weights, best path, counts, annotator. The kernel lists joins by their
middle; this oracle visits them from each start.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

Words = tuple[str, ...]
Cell = tuple[int, int]  # (source words consumed, hypothesis words consumed)
Step = tuple[Cell, Cell]

UNREACHABLE = 1 << 30
EDIT = 0.001  # the weight of each listing of an edit that is not gold


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


@dataclass
class Arc:
    """The stored route between two cells, and how often it was listed."""

    length: int
    unchanged: int
    is_edit: bool  # False: unchanged words alone
    listings: int = 1


@dataclass
class Graph:
    """All arcs, and the list in the order of the original program."""

    arcs: dict[Step, Arc] = field(default_factory=dict)
    order: list[Step] = field(default_factory=list)


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


def is_match(step: Step, source: Words, hypothesis: Words) -> bool:
    (i, j), (next_i, next_j) = step
    return next_i > i and next_j > j and source[i] == hypothesis[j]


# --- 2. Arcs and joins ----------------------------------------------------------------------------


def all_arcs(source: Words, hypothesis: Words, max_unchanged_words: int) -> Graph:
    """Base arcs by place; then joins by middle, start and end."""
    tables = [optimal_steps(source, hypothesis, cost) for cost in (1, 2)]
    matches = {step for step in tables[0] | tables[1] if is_match(step, source, hypothesis)}
    graph = Graph()
    for step in sorted(tables[0] | tables[1]):
        listings = sum(step in table for table in tables)
        graph.arcs[step] = Arc(1, int(step in matches), step not in matches, listings)
        graph.order += [step] * listings
    before: defaultdict[Cell, list[Cell]] = defaultdict(list)
    for start, end in sorted(graph.arcs):
        before[end].append(start)
    joins: list[tuple[Cell, Cell, Cell]] = []
    for start in sorted({step[0] for step in graph.arcs}):
        for end in sorted(cell for cell in before if cell > start):
            for middle in before[end]:
                join(graph, (start, middle, end), matches, max_unchanged_words, joins)
    graph.order += [(start, end) for _, start, end in sorted(joins)]
    without_unchanged_joins(graph)
    return graph


def join(
    graph: Graph,
    place: tuple[Cell, Cell, Cell],
    matches: set[Step],
    max_unchanged_words: int,
    joins: list[tuple[Cell, Cell, Cell]],
) -> None:
    """Store a join if it is shorter than what is stored and has few enough unchanged words."""
    start, middle, end = place
    first, stored = graph.arcs.get((start, middle)), graph.arcs.get((start, end))
    if first is None or (stored is not None and stored.length <= first.length + 1):
        return
    matched = (middle, end) in matches
    if first.unchanged + matched > max_unchanged_words:
        return
    listings = 1 if stored is None else stored.listings + 1
    graph.arcs[start, end] = Arc(
        first.length + 1, first.unchanged + matched, first.is_edit or not matched, listings
    )
    joins.append((middle, start, end))


def without_unchanged_joins(graph: Graph) -> None:
    """Remove joins of unchanged words alone; the entry after a removed one is never looked at."""
    place = 0
    while place < len(graph.order):
        arc = graph.arcs[graph.order[place]]
        if arc.length > 1 and not arc.is_edit:
            del graph.arcs[graph.order.pop(place)]
        place += 1


# --- 3. The best path -----------------------------------------------------------------------------


def equals(step: Step, hypothesis: Words, edit: GoldEdit) -> bool:
    (start, begin), (end, finish) = step
    same_span = (edit.start, edit.end) == (start, end)
    return same_span and hypothesis[begin:finish] in edit.corrections


def weights(graph: Graph, hypothesis: Words, gold: Sequence[GoldEdit]) -> dict[Step, float]:
    """Gold arcs weigh less than nothing, other arcs their length and a little for each listing."""
    found = {step: float(arc.length) for step, arc in graph.arcs.items()}
    insertions: defaultdict[int, list[Step]] = defaultdict(list)
    for step in sorted(graph.order):
        if step[0][0] == step[1][0]:
            insertions[step[0][0]].append(step)
        elif any(equals(step, hypothesis, edit) for edit in gold):
            found[step] = -len(graph.order)
        elif graph.arcs[step].is_edit:
            found[step] += EDIT
    for row, steps in insertions.items():
        here = [edit for edit in gold if edit.start == edit.end == row]
        deal(steps, here, hypothesis, found, -len(graph.order))
    return found


def deal(
    steps: list[Step],
    gold: list[GoldEdit],
    hypothesis: Words,
    found: dict[Step, float],
    weight_of_gold: int,
) -> None:
    """Give the gold insertions of one place to arcs, from both ends in turn, each once.

    After an arc got one, the next that can get one is the first that touches it. Arcs between the
    two are passed over.
    """
    left, right, at, golds = 0, len(steps) - 1, 0, list(range(len(gold)))
    while left <= right:
        from_left, step = at == left, steps[at]
        usable = [index for index in golds if equals(step, hypothesis, gold[index])]
        if not usable:
            found[step] += EDIT
            if from_left:
                left, at = left + 1, right
            else:
                right, at = right - 1, left
            continue
        found[step] = weight_of_gold
        if from_left:
            golds = [index for index in golds if index > usable[0]]
            left += 1
            while left < len(steps) and steps[left][0] != step[1]:
                found[steps[left]] += EDIT
                left += 1
            at = left
        else:
            golds = [index for index in golds if index < usable[-1]]
            right -= 1
            while right >= 0 and steps[right][1] != step[0]:
                found[steps[right]] += EDIT
                right -= 1
            at = right


def shortest_path(graph: Graph, weight: Mapping[Step, float], end: Cell) -> list[Step]:
    """Bellman and Ford's search over the list; only a strictly shorter way replaces another."""
    distance: defaultdict[Cell, float] = defaultdict(lambda: float("inf"), {(0, 0): 0.0})
    arrived: dict[Cell, Step] = {}
    changed = True
    while changed:
        changed = False
        for step in graph.order:
            length = distance[step[0]] + weight[step]
            if length < distance[step[1]]:
                distance[step[1]], arrived[step[1]], changed = length, step, True
    path: list[Step] = []
    while end in arrived:
        path.append(arrived[end])
        end = arrived[end][0]
    return path[::-1]


def best_path(
    source: Words, hypothesis: Words, gold: Sequence[GoldEdit], max_unchanged_words: int
) -> list[Step]:
    """The arcs on the best path that are edits."""
    graph = all_arcs(source, hypothesis, max_unchanged_words)
    end = (len(source), len(hypothesis))
    path = shortest_path(graph, weights(graph, hypothesis, gold), end)
    assert all(one[1] == other[0] for one, other in pairwise(path))
    return [step for step in path if graph.arcs[step].is_edit]


# --- 4. Counts ------------------------------------------------------------------------------------


def matched(
    steps: Iterable[Step], source: Words, hypothesis: Words, gold: Sequence[GoldEdit]
) -> list[SystemEdit]:
    """The edits, each with its gold edit: both lists are walked in order.

    Other edits are shown without the unchanged words at their ends.
    """
    edits, following = [], 0
    for step in steps:
        (start, begin), (end, finish) = step
        found = [
            index for index in range(following, len(gold)) if equals(step, hypothesis, gold[index])
        ]
        if found:
            following = found[0] + 1
            edits.append(SystemEdit(start, end, begin, finish, found[0]))
        else:
            edits.append(trimmed(SystemEdit(start, end, begin, finish, None), source, hypothesis))
    return edits


def trimmed(edit: SystemEdit, source: Words, hypothesis: Words) -> SystemEdit:
    before, after = source[edit.start : edit.end], hypothesis[edit.begin : edit.finish]
    if before == after:
        return edit
    shorter = min(len(before), len(after))
    first = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    last = next((i for i in range(shorter - first) if before[-1 - i] != after[-1 - i]), None)
    last = shorter - first if last is None else last
    return SystemEdit(
        edit.start + first, edit.end - last, edit.begin + first, edit.finish - last, edit.gold
    )


def system_edits(
    source: Words, hypothesis: Words, gold: Sequence[GoldEdit], max_unchanged_words: int = 2
) -> list[SystemEdit]:
    steps = best_path(source, hypothesis, gold, max_unchanged_words)
    return matched(steps, source, hypothesis, gold)


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
    edits = system_edits(source, hypothesis, gold, max_unchanged_words)
    if ignore_case_whitespace:
        edits = [edit for edit in edits if not only_case_or_blanks(edit, source, hypothesis)]
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
