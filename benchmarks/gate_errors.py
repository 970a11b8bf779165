"""How often the gate of `compare --fail-if-worse` errs: a seeded study with a known truth.

    python benchmarks/gate_errors.py                  # 400 test sets per case, about two minutes
    python benchmarks/gate_errors.py --trials 100

The sentences of the bundled sample are the population, so the true difference of two systems is
known. Test sets are drawn from it at random. A case of equal systems exchanges the two outputs of
each drawn sentence at random. The study counts how often the gate decides wrongly:

- `equal`: no true difference. The gate without a margin must fail at most α = 5 % of the test sets.
- `at the margin`: the true difference is exactly minus the margin. The gate with this margin must
  pass at most 5 %.
- `half the margin`, `no difference`: how often a system that may pass does pass, by size of the
  test set.
- `worse`: how often the gate without a margin finds a worse system.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from corrigenda import evaluate, read_hypotheses, read_m2
from corrigenda.analysis.gate import gate_checks
from corrigenda.core.result import Result
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Chosen, Statistics
from corrigenda.data import SAMPLE

SIZES = (100, 400, 1600)
ALPHA = 0.05


@dataclass(frozen=True)
class GateRate:
    """How often the gate passed, and the bound that it must respect, if there is one."""

    case: str
    metric: str
    sentences: int
    passed: float
    bound: str


def population(metric: str, names: tuple[str, str]) -> list[Result]:
    """The results of two systems on the sample: the truth."""
    corpus = read_m2(SAMPLE / "gold.m2")
    systems = [read_hypotheses(SAMPLE / f"{name}.txt") for name in names]
    return list(evaluate(corpus, systems, [metric]))


def counts_of(result: Result) -> np.ndarray:
    """The counts of each sentence with its chosen reference."""
    return result.selection.chosen.sentence_counts()


def with_counts(result: Result, counts: np.ndarray) -> Result:
    """The result of a test set with these counts."""
    offsets = np.arange(len(counts) + 1, dtype=np.int64)
    chosen = Chosen.first_rows(Statistics(counts, offsets))
    selection = Selection(result.metric, result.level, chosen)
    return replace(result, measures=selection.measures, kept=selection)


def test_sets(
    results: list[Result], size: int, trials: int, seed: int, *, exchanged: bool
) -> Iterator[list[Result]]:
    """Random test sets; `exchanged` makes the two systems equal in truth."""
    generator = np.random.default_rng(seed)
    one, other = map(counts_of, results)
    for _ in range(trials):
        drawn = generator.integers(0, len(one), size)
        swap = generator.integers(0, 2, size).astype(bool)[:, np.newaxis] & exchanged
        pair = np.where(swap, other[drawn], one[drawn]), np.where(swap, one[drawn], other[drawn])
        yield [with_counts(result, counts) for result, counts in zip(results, pair, strict=True)]


def rate(sets: Iterator[list[Result]], margin: float | None, resamples: int) -> float:
    """The part of the test sets on which the gate passes."""
    passed = [
        gate_checks([pair], margin=margin, resamples=resamples, seed=seed)[0].passed
        for seed, pair in enumerate(sets)
    ]
    return float(np.mean(passed))


def study(trials: int, resamples: int = 400) -> Iterator[GateRate]:
    """Every case, metric and size."""
    for metric in ("m2", "green"):
        # `cautious` is worse than `strong` in truth.
        results = population(metric, ("strong", "cautious"))
        gap = 100 * (results[0].score - results[1].score)
        cases: list[tuple[str, bool, float | None, str]] = [
            ("equal, no margin", True, None, ">= 0.95"),
            ("worse, no margin", False, None, ""),
            ("at the margin", False, gap, "<= 0.05"),
            ("half the margin", False, 2 * gap, ""),
            ("equal, margin 2", True, 2.0, ""),
        ]
        for size in SIZES:
            for number, (case, exchanged, margin, bound) in enumerate(cases, 1):
                seed = 1000 * number + size
                sets = test_sets(results, size, trials, seed, exchanged=exchanged)
                yield GateRate(case, metric, size, rate(sets, margin, resamples), bound)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=400)
    trials = parser.parse_args().trials
    error = 1.96 * np.sqrt(ALPHA * (1 - ALPHA) / trials)
    print(f"{trials} test sets per row; a rate near 0.05 is known to about ±{error:.3f}")
    print(f"{'case':<18} {'metric':<7} {'sentences':>9} {'passed':>7}  bound")
    for row in study(trials):
        print(f"{row.case:<18} {row.metric:<7} {row.sentences:>9} {row.passed:>7.3f}  {row.bound}")


if __name__ == "__main__":
    main()
