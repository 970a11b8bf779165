"""Human judgments: rankings of the outputs for a sentence, and the pairs of systems in them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError, Location

Integers = npt.NDArray[np.int64]
WIN, TIE, LOSS = 1, 0, -1


@dataclass(frozen=True)
class RankedOutput:
    """One judged output: its rank (1 is best) and all systems that produced it."""

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True)
class Ranking:
    """One judge's ranking of some outputs for one sentence."""

    sentence: str
    judge: str
    outputs: tuple[RankedOutput, ...]
    location: Location | None = field(default=None, compare=False)

    def ranks(self) -> dict[str, int]:
        """The rank of every system, also of systems that share an output."""
        return {system: output.rank for output in self.outputs for system in output.systems}


@dataclass(frozen=True)
class Pairs:
    """All pairs of systems in all rankings, as arrays: first system, second system, outcome.

    `outcome` is 1 where the first system was ranked better, 0 for a tie, and -1 where the second
    system was ranked better. `ranking`, `sentence` and `judge` are numbers that say what each pair
    belongs to. Sentences and judges are numbered in the order of their names, so that the order of
    a file changes nothing.
    """

    systems: tuple[str, ...]
    first: Integers
    second: Integers
    outcome: Integers
    ranking: Integers
    sentence: Integers
    judge: Integers

    def __len__(self) -> int:
        return len(self.first)

    def __repr__(self) -> str:
        return f"<{len(self)} judged pairs of {len(self.systems)} systems>"

    @property
    def ties(self) -> int:
        """The number of tied pairs."""
        return int((self.outcome == TIE).sum())

    def winners_and_losers(self) -> tuple[Integers, Integers, Integers]:
        """The winner, the loser and the ranking of every pair that is not a tie."""
        decided = self.outcome != TIE
        first, second, ranking = self.first[decided], self.second[decided], self.ranking[decided]
        won = self.outcome[decided] == WIN
        return np.where(won, first, second), np.where(won, second, first), ranking

    def wins(self) -> Integers:
        """How often system i was ranked better than system j: [systems, systems]."""
        winner, loser, _ = self.winners_and_losers()
        return _counted(winner, loser, len(self.systems))

    def tied(self) -> Integers:
        """How often systems i and j were tied: [systems, systems], symmetric."""
        level = self.outcome == TIE
        counted = _counted(self.first[level], self.second[level], len(self.systems))
        return counted + counted.T


def _places(names: Iterable[str]) -> Integers:
    """The place of each name among all the names in their order."""
    given = list(names)
    place = {name: index for index, name in enumerate(sorted(set(given)))}
    return np.array([place[name] for name in given], np.int64)


def _counted(rows: Integers, columns: Integers, size: int) -> Integers:
    return np.bincount(rows * size + columns, minlength=size * size).reshape(size, size)


@dataclass(frozen=True)
class Judgments:
    """Rankings by one or more judges, in the order of the file."""

    rankings: tuple[Ranking, ...]
    skipped: int = 0
    """The number of items without ranks; there is nothing to count in them."""

    def __len__(self) -> int:
        return len(self.rankings)

    def __repr__(self) -> str:
        return f"<{len(self)} rankings of {len(self.systems)} systems by {len(self.judges)} judges>"

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The names of all systems, sorted."""
        return tuple(sorted({system for ranking in self.rankings for system in ranking.ranks()}))

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """The names of all judges, sorted."""
        return tuple(sorted({ranking.judge for ranking in self.rankings}))

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The judged sentences, in the order in which they first appear."""
        return tuple(dict.fromkeys(ranking.sentence for ranking in self.rankings))

    @cached_property
    def pairs(self) -> Pairs:
        """Every pair of systems in every ranking; systems that share an output are tied."""
        place = {system: index for index, system in enumerate(self.systems)}
        rows = array("q")  # four numbers per pair; tuples would take five times as much memory
        for number, ranking in enumerate(self.rankings):
            for (first, rank), (second, other) in combinations(sorted(ranking.ranks().items()), 2):
                outcome = WIN if rank < other else LOSS if other < rank else TIE
                rows.extend((place[first], place[second], outcome, number))
        first_place, second_place, outcomes, numbers = np.array(rows, np.int64).reshape(-1, 4).T
        sentences = _places(ranking.sentence for ranking in self.rankings)[numbers]
        judges = _places(ranking.judge for ranking in self.rankings)[numbers]
        return Pairs(self.systems, first_place, second_place, outcomes, numbers, sentences, judges)

    def by_judge(self) -> dict[str, Judgments]:
        """The rankings of each judge; judges are sorted by name."""
        rankings: dict[str, list[Ranking]] = {judge: [] for judge in self.judges}
        for ranking in self.rankings:
            rankings[ranking.judge].append(ranking)
        return {judge: Judgments(tuple(own), self.skipped) for judge, own in rankings.items()}

    def of_judge(self, judge: str) -> Judgments:
        """The rankings of one judge."""
        return self._kept(lambda ranking: ranking.judge == judge)

    def without_judges(self, judges: Iterable[str]) -> Judgments:
        """All rankings except those of the given judges; each of these judges must exist."""
        left_out = set(judges)
        if unknown := sorted(left_out - set(self.judges)):
            raise CorrigendaError(
                f"there is no judge {unknown[0]!r}",
                remedy=f"The judges are: {', '.join(self.judges)}.",
            )
        return self._kept(lambda ranking: ranking.judge not in left_out)

    def of_systems(self, systems: Sequence[str]) -> Judgments:
        """The same rankings with only the given systems; each must have been judged."""
        if unknown := [system for system in systems if system not in self.systems]:
            raise CorrigendaError(
                f"there are no judgments of {unknown[0]!r}",
                remedy=f"The judged systems are: {', '.join(self.systems)}.",
            )
        wanted = set(systems)
        return Judgments(tuple(_only(ranking, wanted) for ranking in self.rankings), self.skipped)

    def _kept(self, keep: Callable[[Ranking], bool]) -> Judgments:
        return Judgments(tuple(ranking for ranking in self.rankings if keep(ranking)), self.skipped)


def _only(ranking: Ranking, wanted: set[str]) -> Ranking:
    kept = [
        RankedOutput(tuple(system for system in output.systems if system in wanted), output.rank)
        for output in ranking.outputs
    ]
    outputs = tuple(output for output in kept if output.systems)
    return Ranking(ranking.sentence, ranking.judge, outputs, ranking.location)
