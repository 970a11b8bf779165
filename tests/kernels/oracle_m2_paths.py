"""M²'s best path by brute force: every path through the arcs.

It is for sentences of three or four words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from oracle_m2 import Cell, Graph, Step


def paths(cell: Cell, end: Cell, graph: Graph) -> Iterator[list[Step]]:
    if cell == end:
        yield []
    for step in graph.arcs:
        if step[0] == cell:
            for rest in paths(step[1], end, graph):
                yield [step, *rest]


def least_weight(graph: Graph, weight: Mapping[Step, float], end: Cell) -> float:
    return min(sum(weight[step] for step in path) for path in paths((0, 0), end, graph))
