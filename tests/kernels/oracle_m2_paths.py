"""M² by brute force: every path of steps, cut into arcs in every way.

It is for sentences of three or four words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oracle_m2 import Cell, Cost, GoldEdit, Step, Words, is_match, lattice_steps


def paths(cell: Cell, end: Cell, steps: set[Step]) -> Iterator[list[Step]]:
    if cell == end:
        yield []
    for step in sorted(steps):
        if step[0] == cell:
            for rest in paths(step[1], end, steps):
                yield [step, *rest]


def cuts(path: list[Step]) -> Iterator[list[list[Step]]]:
    if not path:
        yield []
    for size in range(1, len(path) + 1):
        for rest in cuts(path[size:]):
            yield [path[:size], *rest]


class BruteForce:
    def __init__(self, source: Words, hypothesis: Words, gold: list[GoldEdit], limit: int) -> None:
        self.source, self.hypothesis, self.gold, self.limit = source, hypothesis, gold, limit
        self.steps = lattice_steps(source, hypothesis)

    def matches(self, steps: Sequence[Step]) -> int:
        return sum(is_match(step, self.source, self.hypothesis) for step in steps)

    def joined_by_matches(self, start: Cell, end: Cell) -> bool:
        """Shorter than any other join of the two cells, and not an edit."""
        size = end[0] - start[0]
        run = [
            ((start[0] + i, start[1] + i), (start[0] + i + 1, start[1] + i + 1))
            for i in range(size)
        ]
        permitted = 1 <= size <= max(1, self.limit) and size == end[1] - start[1]
        return permitted and set(run) <= self.steps and self.matches(run) == size

    def permits(self, part: list[Step]) -> bool:
        if len(part) == 1:
            return True
        changes = self.matches(part) < len(part)
        return (
            changes
            and self.matches(part) <= self.limit
            and not self.joined_by_matches(part[0][0], part[-1][1])
        )

    def ways(self, parts: list[list[Step]], taken: frozenset[int]) -> Iterator[Cost]:
        """Each way to say which arcs are which gold edits, in order, each gold edit once."""
        if not parts:
            yield Cost()
            return
        part, rest = parts[0], parts[1:]
        is_edit = self.matches(part) < len(part)
        for cost in self.ways(rest, taken):
            yield cost.plus(Cost(length=len(part), other_edits=int(is_edit)))
        (start, begin), (end, finish) = part[0][0], part[-1][1]
        for index, edit in enumerate(self.gold):
            same_place = [other for other in taken if self.gold[other][:2] == (start, end)]
            fits = (edit.start, edit.end) == (start, end) and self.hypothesis[
                begin:finish
            ] in edit.corrections
            if fits and all(other < index for other in same_place):
                for cost in self.ways(rest, taken | {index}):
                    yield cost.plus(Cost(gold_arcs=-1, gold_edits=-int(is_edit)))

    def best(self) -> Cost:
        end = (len(self.source), len(self.hypothesis))
        return min(
            cost
            for path in paths((0, 0), end, self.steps)
            for parts in cuts(path)
            if all(self.permits(part) for part in parts)
            for cost in self.ways(parts, frozenset())
        )
