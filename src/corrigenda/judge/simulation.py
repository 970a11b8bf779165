"""Made-up judges who play a campaign through the real HTTP interface.

Their taste is known: the systems of the campaign in their order, the first is best. How well they
see it is their ability. So a campaign can be tried before anybody judges.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import select

from corrigenda.errors import CorrigendaError
from corrigenda.formats import campaign as campaign_format
from corrigenda.formats.campaign_schema import output, source, system
from corrigenda.judge.answers import LETTERS
from corrigenda.judge.client import JudgeClient, ShownPage
from corrigenda.judge.design import collapsed
from corrigenda.judge.gate import GateSettings
from corrigenda.judge.settings import JudgingMode
from corrigenda.judge.store import CampaignStore
from corrigenda.text.sentences import Path

TIE_WIDTH = 0.35
"""Outputs whose felt qualities differ by less are tied."""
_BROKEN = -1.0
_NO_LIMIT = GateSettings(per_address=1e9, per_token=1e9)

Tastes = Mapping[tuple[str, str], float]
"""The quality of each output, by the texts of its source and itself."""


@dataclass(frozen=True)
class SimulatedJudging:
    """How many judges, how many judgments, and how good they are."""

    judges: int = 4
    judgments: int = 200
    ability: float = 2.0
    parallel: int = 1
    seed: int = 0
    strengths: Mapping[str, float] | None = None
    """The quality of each system; without it, from 1 for the first to 0 for the last."""


@dataclass(frozen=True)
class Simulated:
    """How many judgments were made, and whether judges found nothing more to do."""

    judgments: int
    finished: bool


def simulate(place: Path, plan: SimulatedJudging) -> Simulated:
    """Play a campaign; the judges are added to it."""
    from corrigenda.judge.serving import served

    store = CampaignStore.open(place)
    try:
        qualities = tastes(store, plan.strengths)
        tokens = [store.add_judge(f"simulated{number}") for number in _numbers(store, plan.judges)]
        with served(store, _NO_LIMIT) as port:
            return _played(port, tokens, qualities, store.campaign.settings.mode, plan)
    finally:
        store.close()


def _numbers(store: CampaignStore, count: int) -> list[int]:
    """Numbers that no simulated judge has yet."""
    from corrigenda.formats.campaign_schema import judge

    first = store.count(judge, judge.c.name.like("simulated%")) + 1
    return list(range(first, first + count))


def tastes(store: CampaignStore, strengths: Mapping[str, float] | None = None) -> Tastes:
    """The quality of every output: the mean over the systems that wrote it.

    A copy with an injected error is worse than all.
    """
    with store.reading() as connection:
        names = connection.execute(select(system.c.name).order_by(system.c.id)).scalars().all()
        writers = campaign_format.writers(connection)
        rows = connection.execute(
            select(output.c.id, source.c.text, output.c.text).join(
                source, source.c.id == output.c.source_id
            )
        ).all()
    known = strengths or dict(zip(names, np.linspace(1, 0, len(names)).tolist(), strict=True))
    if missing := [name for name in names if name not in known]:
        raise CorrigendaError(f"there is no strength for {missing[0]!r}")
    return {
        (collapsed(of), collapsed(text)): _mean([known[name] for name in writers.get(number, ())])
        for number, of, text in rows
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else _BROKEN


def _played(
    port: int, tokens: Sequence[str], qualities: Tastes, mode: JudgingMode, plan: SimulatedJudging
) -> Simulated:
    """Judges take turns; several threads share them if `parallel` is more than 1."""
    left, lock = [plan.judgments], threading.Lock()

    def taken() -> bool:
        with lock:
            left[0] -= 1
            return left[0] >= 0

    def play(numbers: Sequence[int]) -> int:
        judges = [
            SimulatedJudge(port, tokens[number], qualities, mode, plan.ability, (plan.seed, number))
            for number in numbers
        ]
        made, active = 0, list(judges)
        while active:
            for each in list(active):
                if not taken():
                    active = []
                    break
                if each.judge_once():
                    made += 1
                else:
                    with lock:
                        left[0] += 1
                    active.remove(each)
        for each in judges:
            each.client.close()
        return made

    threads = min(plan.parallel, len(tokens))
    with ThreadPoolExecutor(threads) as pool:
        parts = [range(first, len(tokens), threads) for first in range(threads)]
        made = sum(pool.map(play, parts))
    return Simulated(made, finished=made < plan.judgments)


class SimulatedJudge:
    """One made-up judge at the server."""

    def __init__(
        self,
        port: int,
        token: str,
        qualities: Tastes,
        mode: JudgingMode,
        ability: float,
        seed: Sequence[int],
    ) -> None:
        self.client = JudgeClient(port, token)
        self._qualities, self._mode, self._ability = qualities, mode, ability
        self._generator = np.random.default_rng([5, *seed])

    def judge_once(self) -> bool:
        """Judge one item; False if there is none."""
        page = self.client.item()
        if not page.is_item:
            return False
        code = self.client.answer(page, self.fields(page))
        if code != 200:
            raise ConnectionError(f"the server answered {code} to an answer")
        return True

    def fields(self, page: ShownPage) -> dict[str, str]:
        """The answer to an item."""
        felt = self._felt(page)
        letters = LETTERS[: len(felt)]
        if self._mode == "pair":
            gap = felt[0] - felt[1]
            choice = "equal" if abs(gap) < TIE_WIDTH else "A" if gap > 0 else "B"
            return {"choice": choice}
        if self._mode == "rate":
            scaled = np.clip(50 + 12 * felt, 0, 100).round().astype(int).tolist()
            return {
                f"rating-{letter}": str(value)
                for letter, value in zip(letters, scaled, strict=True)
            }
        labels = {
            f"edit-{number}": "right" if self._generator.random() < 0.7 else "wrong"
            for number in range(1, page.edits + 1)
        }
        return labels | {
            f"rank-{letter}": str(rank)
            for letter, rank in zip(letters, tied_ranks(felt), strict=True)
        }

    def _felt(self, page: ShownPage) -> npt.NDArray[np.float64]:
        """Quality times ability, with Gumbel noise: pairs follow Bradley and Terry's model."""
        known = collapsed(page.source)
        quality = np.array([self._qualities[known, text] for text in page.outputs])
        return np.asarray(self._ability * quality + self._generator.gumbel(size=len(quality)))


def tied_ranks(felt: npt.NDArray[np.float64]) -> list[int]:
    """Ranks, best first; each output ties with the one before it if they are close."""
    order = np.argsort(-felt, kind="stable").tolist()
    ranks = [0] * len(order)
    current = 1
    for place, number in enumerate(order):
        if place and felt[order[place - 1]] - felt[number] >= TIE_WIDTH:
            current += 1
        ranks[number] = current
    return ranks
