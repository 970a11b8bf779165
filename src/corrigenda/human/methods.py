"""The ways to rank systems by judgments. To add one: write its module, add its line here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from corrigenda.analysis.resolution import DEFAULT_RESAMPLES
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from corrigenda.judgments import Pairs

    Floats = npt.NDArray[np.float64]
    Outcomes = Iterable[npt.NDArray[np.int64]]
    """Wins and ties [some resamples, systems, systems, 2], in batches."""


class Scorer(Protocol):
    """The two functions of a method's module."""

    def scores(self, pairs: Pairs, *, runs: int, seed: int) -> Floats:
        """The score of each system [systems]; larger is better."""
        ...

    def resampled_scores(self, pairs: Pairs, outcomes: Outcomes, *, seed: int) -> Floats:
        """The scores [resamples, systems] of resampled wins and ties."""
        ...


@dataclass(frozen=True)
class RankingMethod:
    """A method: the module of its functions, and how tables call its score."""

    module: str
    heading: str
    repeats: bool
    """Whether a score is the mean of many random runs."""
    resamples: int = DEFAULT_RESAMPLES
    """How many resamples intervals are made of, if nothing else is asked for."""
    most_meetings: int = 1_000_000_000
    """Resamples times pairs of systems: some ten seconds."""

    def check_resamples(self, resamples: int, systems: int) -> None:
        """Refuse what would take too long or too much memory."""
        if resamples * systems**2 > self.most_meetings:
            raise UsageError(
                f"{resamples:,} resamples of the judgments of {systems:,} systems take too long",
                remedy=f"Give at most {self.most_meetings // systems**2:,} resamples, fewer "
                "systems, or another method.",
            )

    def load(self) -> Scorer:
        """The module; it is imported only when it is asked for."""
        return cast("Scorer", importlib.import_module(self.module))


METHODS: dict[str, RankingMethod] = {
    "expected-wins": RankingMethod("corrigenda.human.expected_wins", "expected wins", False),
    "bradley-terry": RankingMethod(
        "corrigenda.human.bradley_terry", "Bradley–Terry", False, most_meetings=10_000_000
    ),
    "trueskill": RankingMethod("corrigenda.human.trueskill", "TrueSkill μ", True, 100, 20_000_000),
}
"""Every method by its name."""


def method_named(name: str) -> RankingMethod:
    """The method of this name."""
    if not isinstance(name, str) or name not in METHODS:
        raise UsageError(
            f"there is no ranking method {name!r}", remedy=f"The methods are: {', '.join(METHODS)}."
        )
    return METHODS[name]
