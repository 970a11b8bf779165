"""Judging without a database: the same choices of items, by judges with a known taste.

    python tests/judge/made_up_judging.py       # the curve of docs/judging.md

Outcomes follow the model of Bradley, Terry and Davidson, so that true strengths are known.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from corrigenda.judge.adaptive import chosen_item
from corrigenda.judge.balance import BalancedPairs
from corrigenda.judge.standing import Standing, standing_of
from corrigenda.judgments import Judgments, RankedOutput, Ranking

SYSTEMS = ("A", "B", "C", "D", "E", "F")
GAPS = (1.0, 0.45, 1.0, 0.45, 1.0)
"""True differences of strength between neighbours: some are easy to see and some are not."""
TIES = 0.5
FLOOR = 0.25


def true_strengths() -> np.ndarray:
    found = -np.concatenate([[0.0], np.cumsum(GAPS)])
    return found - found.mean()


def pair_outcome(
    first: int, second: int, strengths: np.ndarray, generator: np.random.Generator
) -> tuple[int, int]:
    """The ranks of two outputs, by the model itself."""
    half = (strengths[first] - strengths[second]) / 2
    weights = np.exp([half, -half, np.log(TIES)])
    drawn = generator.choice(3, p=weights / weights.sum())
    return ((1, 2), (2, 1), (1, 1))[drawn]


def judged(
    sentence: int, outputs: Sequence[int], strengths: np.ndarray, generator: np.random.Generator
) -> list[Ranking]:
    """One ranking per pair, so that every outcome follows the model."""
    return [
        Ranking(
            str(sentence),
            "judge",
            tuple(
                RankedOutput((SYSTEMS[each],), rank)
                for each, rank in zip(pair, pair_outcome(*pair, strengths, generator), strict=True)
            ),
        )
        for pair in combinations(outputs, 2)
    ]


class Campaign:
    """Items one by one, balanced or adaptive, until all neighbours are apart."""

    def __init__(self, assign: str, seed: int, *, size: int = 2, sentences: int = 2000) -> None:
        self._generator = np.random.default_rng(seed)
        self._balance = BalancedPairs(len(SYSTEMS), self._generator)
        self._assign, self._size, self._count = assign, size, sentences
        self._sentences = {
            number: {place: frozenset({name}) for place, name in enumerate(SYSTEMS)}
            for number in range(sentences)
        }
        self._uses: Counter[int] = Counter()
        self._rankings: list[Ranking] = []
        self.judgments = 0

    def standing(self) -> Standing | None:
        return standing_of(Judgments(tuple(self._rankings)), resamples=200)

    def judge(self, standing: Standing | None) -> None:
        self.judgments += 1
        adaptive = (
            self._assign == "adaptive"
            and standing is not None
            and self.judgments > 2 * len(SYSTEMS)
            and self._generator.random() >= FLOOR
        )
        chosen = None
        if adaptive:
            chosen = chosen_item(standing, self._sentences, self._uses, self._size, self._generator)
        if chosen is None:
            outputs = [(number,) for number in range(len(SYSTEMS))]
            drawn = self._balance.draw(outputs, self._size)
            chosen = int(self._generator.integers(self._count)), drawn
        self._uses[chosen[0]] += 1
        self._rankings += judged(chosen[0], chosen[1], true_strengths(), self._generator)


def separated(assign: str, seed: int, *, most: int, step: int, size: int = 2) -> list[int]:
    """How many neighbours are apart after every `step` judgments; it ends when all are."""
    campaign = Campaign(assign, seed, size=size)
    found, standing = [], None
    while campaign.judgments < most:
        for _ in range(step):
            campaign.judge(standing)
        standing = campaign.standing()
        apart = sum(each.apart for each in standing.neighbours) if standing else 0
        found.append(apart)
        if apart == len(SYSTEMS) - 1 and len(standing.strengths) == len(SYSTEMS):
            break
    return found


def curve(seeds: int, *, most: int, step: int) -> dict[str, np.ndarray]:
    """The mean number of neighbours apart by the number of judgments, for both assignments."""
    steps = most // step
    result = {}
    for assign in ("balanced", "adaptive"):
        rows = []
        for seed in range(seeds):
            found = separated(assign, seed, most=most, step=step)
            rows.append(found + [found[-1]] * (steps - len(found)))
        result[assign] = np.array(rows)
    return result


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    step, most = 40, 2000
    found = curve(seeds, most=most, step=step)
    ends = {
        assign: step * (1 + (rows < len(SYSTEMS) - 1).sum(axis=1)) for assign, rows in found.items()
    }
    print("| judgments | balanced | adaptive |\n|--:|--:|--:|")
    for judgments in (40, 80, 120, 160, 200, 300, 400, 600, 800, 1200, 1600, 2000):
        at = [f"{rows[:, judgments // step - 1].mean():.1f}" for rows in found.values()]
        print(f"| {judgments} | {' | '.join(at)} |")
    for assign, values in ends.items():
        print(assign, "median until all are apart:", np.median(values), sorted(values.tolist()))


if __name__ == "__main__":
    main()
