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
    found = reaches | np.eye(len(reaches), dtype=bool)
    while True:
        # In single precision, sums of as many ones as there can be systems are exact, and quick.
        paths = found.astype(np.float32)
        further = (paths @ paths) > 0
        if (further == found).all():
            break
        found = further
    groups: dict[int, list[int]] = {}
    for place, first in enumerate((found & found.T).argmax(axis=1).tolist()):
        groups.setdefault(first, []).append(place)
    return list(groups.values())
