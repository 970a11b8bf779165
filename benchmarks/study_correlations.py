"""The part of `study_statistics.py` about correlations of metrics with people.

Systems are drawn from a population with a known correlation. Each row of the tables is one
population; the columns are numbers of systems. Every cell has a seed of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from corrigenda.meta.correlation import (
    COEFFICIENTS,
    SYMBOLS,
    Coefficient,
)
from corrigenda.meta.intervals import fisher_interval, interval_over_both, interval_over_systems
from corrigenda.meta.metric_tests import (
    permutation_of_both,
    simulated_williams_p,
    smallest_permutation_p,
    williams,
)
from corrigenda.meta.resampling import Resamples

SYSTEMS = (5, 13, 30)
SENTENCES = 200
RESAMPLES = 400
SIMULATED = 2_000
NAMES: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")
Pair = tuple[np.ndarray, np.ndarray]


def normal(generator: np.random.Generator, theta: float, shape: tuple[int, ...]) -> Pair:
    """Normal scores with a correlation."""
    first = generator.normal(size=shape)
    return first, theta * first + math.sqrt(1 - theta**2) * generator.normal(size=shape)


def heavy_tails(generator: np.random.Generator, theta: float, shape: tuple[int, ...]) -> Pair:
    """Scores of Student's t with 5 degrees of freedom: some systems are far out on both sides."""
    first, second = normal(generator, theta, shape)
    far = np.sqrt(5 / generator.chisquare(5, shape))
    return first * far, second * far


def skewed(generator: np.random.Generator, theta: float, shape: tuple[int, ...]) -> Pair:
    """Exponential scores and exponential errors: a few systems are much better than the rest."""
    first = generator.exponential(size=shape)
    return first, theta * first + math.sqrt(1 - theta**2) * generator.exponential(size=shape)


WORLDS: dict[str, Callable[[np.random.Generator, float, tuple[int, ...]], Pair]] = {
    "normal": normal,
    "heavy tails": heavy_tails,
    "skewed": skewed,
}


@lru_cache
def true_values(world: str, theta: float) -> dict[Coefficient, float]:
    """The coefficients of the population: by formula, or of 4,000 times 250 systems."""
    if world == "normal" or not theta:
        return {
            "pearson": theta,
            "spearman": 6 / math.pi * math.asin(theta / 2),
            "kendall": 2 / math.pi * math.asin(theta),
        }
    first, second = WORLDS[world](np.random.default_rng(1), theta, (4_000, 250))
    pooled = [values.reshape(-1).argsort().argsort() for values in (first, second)]
    kendall = COEFFICIENTS["kendall"]
    return {
        "pearson": theta,
        "spearman": float(np.corrcoef(*pooled)[0, 1]),
        "kendall": float(np.mean([kendall(*rows) for rows in zip(first, second, strict=True)])),
    }


def shares(counts: list[tuple[int, ...]], trials: int) -> str:
    """Cells of a table: the first share, and the others in brackets."""
    made = [[f"{count / trials:.3f}" for count in cell] for cell in counts]
    return " | ".join(
        cell[0] + (f" ({', '.join(cell[1:])})" if len(cell) > 1 else "") for cell in made
    )


def header(what: str) -> str:
    """The first two lines of a table."""
    return f"| {what} | " + " | ".join(f"{n} systems" for n in SYSTEMS) + " |\n|:--|--:|--:|--:|"


def over_systems(trials: int) -> Iterator[str]:
    """How often intervals over systems hold the truth: ours, and in brackets Fisher's."""
    yield f"\nIntervals over systems, {trials:,} trials; in brackets Fisher's z\n"
    yield header("truth, systems")
    for name in NAMES:
        for world in WORLDS:
            for theta in (0.0, 0.8, 0.95, 0.99):
                truth = true_values(world, theta)[name]
                cells = [_held(name, world, theta, truth, n, trials) for n in SYSTEMS]
                yield f"| {SYMBOLS[name]} = {truth:.3f}, {world} | {shares(cells, trials)} |"


def _held(
    name: Coefficient, world: str, theta: float, truth: float, systems: int, trials: int
) -> tuple[int, int]:
    generator = np.random.default_rng([systems, round(1000 * theta), len(world)])
    ours = theirs = 0
    for human, metric in zip(*WORLDS[world](generator, theta, (trials, systems)), strict=True):
        found = interval_over_systems(metric, human, name)
        ours += found.low <= truth <= found.high
        value = float(COEFFICIENTS[name](metric, human))
        low, high = fisher_interval(value, systems, name)
        theirs += low <= truth <= high
    return ours, theirs


@dataclass(frozen=True)
class Judged:
    """A population of systems and sentences; the numbers are standard deviations."""

    theta: float = 0.8
    own: float = 4.0
    """What a sentence does to one system: by metric and people, independently."""
    common: float = 0.0
    """What a sentence does to one system, by metric and people alike."""
    shared: float = 0.0
    """What a sentence does to the metric's score of all systems that have some trait."""
    favoured: float = 0.0
    """What a sentence does to the metric's score of good systems: the better, the more."""
    hard: float = 5.0
    """What a sentence adds to all systems alike."""
    tails: bool = False

    def truth(self) -> float:
        """Pearson's r of scores on this many sentences."""
        skill = 5 / 3 if self.tails else 1.0
        noise = (self.own**2 + self.common**2) / SENTENCES
        both = skill * self.theta + self.common**2 / SENTENCES
        moved = (self.shared**2 + skill * self.favoured**2) / SENTENCES
        return both / math.sqrt((skill + noise) * (skill + noise + moved))

    def drawn(self, generator: np.random.Generator, systems: int) -> Pair:
        """Scores of the metric and of people: [systems, sentences]."""
        make = heavy_tails if self.tails else normal
        skills = make(generator, self.theta, (systems,))
        shape = (systems, SENTENCES)
        alike = generator.normal(0, self.hard, SENTENCES)
        alike = alike + generator.normal(0, self.common, shape)
        people, metric = (
            skill[:, np.newaxis] + alike + generator.normal(0, self.own, shape) for skill in skills
        )
        trait = generator.normal(size=(systems, 1))
        metric = metric + trait * generator.normal(0, self.shared, SENTENCES)
        favour = skills[0][:, np.newaxis] * generator.normal(0, self.favoured, SENTENCES)
        return metric + favour, people


JUDGED = {
    "each system has its own noise": Judged(),
    "much of it": Judged(own=10.0),
    "sentences move systems with a trait": Judged(shared=8.0),
    "sentences favour good systems": Judged(favoured=4.0),
    "a trait, near 1": Judged(theta=0.95, own=2.0, shared=5.0),
    "good systems and a trait, r = 0": Judged(theta=0.0, shared=4.0, favoured=4.0),
    "good systems and a trait, heavy tails": Judged(shared=4.0, favoured=4.0, tails=True),
}


def over_both(trials: int) -> Iterator[str]:
    """How often intervals over systems and sentences hold the truth: ours, systems, BOOT-BOTH."""
    few = max(1, trials // 4)
    yield (
        f"\nIntervals over systems and sentences, {few:,} trials of {SENTENCES} sentences; in "
        "brackets over systems alone, and for r BOOT-BOTH\n"
    )
    yield header("truth, systems")
    for place, (what, world) in enumerate(JUDGED.items()):
        names = NAMES[:1] if world.tails else NAMES
        cells = [_held_by_both(world, names, n, few, place) for n in SYSTEMS]
        for column, name in enumerate(names):
            truth = _rank_truth(name, world.truth())
            counts = [of_systems[column] for of_systems in cells]
            yield f"| {SYMBOLS[name]} = {truth:.3f}, {what} | {shares(counts, few)} |"


def _rank_truth(name: Coefficient, theta: float) -> float:
    return {
        "pearson": theta,
        "spearman": 6 / math.pi * math.asin(theta / 2),
        "kendall": 2 / math.pi * math.asin(theta),
    }[name]


def _held_by_both(
    world: Judged, names: tuple[Coefficient, ...], systems: int, trials: int, place: int
) -> list[tuple[int, ...]]:
    generator = np.random.default_rng([systems, place])
    held = [[0] * (3 if name == "pearson" else 2) for name in names]
    for seed in range(trials):
        metric, people = world.drawn(generator, systems)
        draws = Resamples(SENTENCES, systems, RESAMPLES, seed)
        scores, human = metric.mean(axis=1), people.mean(axis=1)
        drawn = (draws.weights @ metric.T / SENTENCES, draws.weights @ people.T / SENTENCES)
        for row, name in enumerate(names):
            truth = _rank_truth(name, world.truth())
            found = [
                interval_over_both(scores, human, drawn, name, seed=seed),
                interval_over_systems(scores, human, name),
            ]
            if name == "pearson":
                found.append(draws.interval(*drawn, name, 0.95))
            for column, each in enumerate(found):
                held[row][column] += each.low <= truth <= each.high
    return [tuple(row) for row in held]


def comparisons(trials: int) -> Iterator[str]:
    """How often two metrics that are equally good are called different.

    In the last rows each metric likes and dislikes systems of its own accord. PERM-BOTH takes that
    for a real difference between the metrics on these systems; it says nothing about other systems.
    """
    yield (
        f"\nTwo equal metrics differ, {trials:,} trials, promised 0.05; in brackets PERM-SYS and "
        "Williams' test by Student's t\n"
    )
    yield header("metrics")
    for taste in (0.5, 1.0, 2.0):
        for world in ("normal", "heavy tails"):
            cells = [_alarms(world, taste, n, trials) for n in SYSTEMS]
            what = f"corpus scores, errors of {taste:g}, {world}"
            yield f"| {what} | {shares(cells, trials)} |"
    few = max(1, trials // 2)
    for what, taste in (("", 0.0), (", own tastes", 1.0)):
        counts = [(_sentence_alarms(taste, n, few),) for n in SYSTEMS]
        yield f"| PERM-BOTH, sentence scores{what} ({few:,} trials) | {shares(counts, few)} |"


def _alarms(world: str, taste: float, systems: int, trials: int) -> tuple[int, int, int]:
    generator = np.random.default_rng([systems, round(10 * taste), len(world)])
    by_permutation = by_williams = by_simulation = 0
    cannot = smallest_permutation_p(np.zeros(systems)) >= 0.05
    for seed in range(trials):
        human = WORLDS[world](generator, 0.0, (systems,))[0]
        errors = np.stack(WORLDS[world](generator, 0.0, (systems,)))
        scores = human + taste * errors
        first, second = scores[:, :, np.newaxis]
        found = permutation_of_both(first, second, human, permutations=400, seed=seed)
        by_permutation += found < 0.05
        by_williams += williams(scores[0], scores[1], human)[1] < 0.05
        if cannot:
            found = simulated_williams_p(scores[0], scores[1], human, draws=SIMULATED, seed=seed)
            by_simulation += found < 0.05
    return by_simulation if cannot else by_permutation, by_permutation, by_williams


def _sentence_alarms(taste: float, systems: int, trials: int) -> int:
    generator = np.random.default_rng(systems)
    alarms = 0
    for seed in range(trials):
        skill = generator.normal(size=systems)
        made = skill[None, :, None] + taste * generator.normal(size=(2, systems, 1))
        made = made + generator.normal(0, 3, (2, systems, 100))
        alarms += permutation_of_both(made[0], made[1], skill, permutations=400, seed=seed) < 0.05
    return alarms


def of_williams(trials: int) -> Iterator[str]:
    """How often Williams' t of 5 systems calls two equal metrics different.

    Each row has the least and the largest share over errors of many sizes, which the two metrics
    share in part.
    """
    yield f"\nWilliams' t of 5 systems, {trials:,} trials per population\n"
    yield "| scores | simulated | by Student's t |\n|:--|--:|--:|"
    for world in WORLDS:
        found = np.array(
            [
                _williams_alarms(world, errors, shared, 5, trials)
                for errors in (0.1, 0.5, 1.0, 2.0, 5.0)
                for shared in (0.0, 0.5, 0.9)
            ]
        )
        (low, least), (high, most) = found.min(axis=0), found.max(axis=0)
        yield f"| {world} | {low:.3f}–{high:.3f} | {least:.3f}–{most:.3f} |"


def _williams_alarms(
    world: str, errors: float, shared: float, systems: int, trials: int
) -> tuple[float, float]:
    """The shares by simulation and by Student's t."""
    generator = np.random.default_rng([systems, round(10 * errors), round(10 * shared)])
    simulated = published = 0
    draw = WORLDS[world]
    for seed in range(trials):
        human, common = (draw(generator, 0.0, (systems,))[0] for _ in range(2))
        own = np.stack(draw(generator, 0.0, (systems,)))
        first, second = human + errors * (math.sqrt(shared) * common + math.sqrt(1 - shared) * own)
        found = simulated_williams_p(first, second, human, draws=500, seed=seed)
        simulated += found < 0.05
        published += williams(first, second, human)[1] < 0.05
    return simulated / trials, published / trials
