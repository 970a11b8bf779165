"""Which systems judgments connect, and between which of them a strength has a distance.

Two systems compare if they were judged together, or through others with which they were. Nothing is
known about systems of different groups. And where no system of a group ever won against the others,
a model of strengths knows no distance between them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Groups = list[list[int]]


def connected_groups(wins: npt.ArrayLike, ties: npt.ArrayLike) -> Groups:
    """The systems that judgments connect, of wins and ties [systems, systems]."""
    met = np.asarray(wins) + np.asarray(ties)
    return _mutual(met + met.T > 0)


def ordered_groups(wins: npt.ArrayLike) -> Groups:
    """The systems of which each won, directly or through others, against each other one.

    Ford (1957): strengths have finite values within such a group. Ties do not help: the model may
    take them for a large chance of a tie.
    """
    return _mutual(np.asarray(wins) > 0)


def _mutual(reaches: npt.NDArray[np.bool_]) -> Groups:
    """The groups in which each system reaches each other one, by paths."""
    size = len(reaches)
    found = reaches | np.eye(size, dtype=bool)
    for _ in range(size.bit_length()):
        found = (found.astype(np.int64) @ found) > 0
    mutual = found & found.T
    first = [int(np.flatnonzero(row)[0]) for row in mutual]
    return [[place for place in range(size) if first[place] == group] for group in sorted({*first})]
