"""A seeded study: do intervals cover the truth, and do tests reject as rarely as they promise?

    python benchmarks/study_statistics.py            # prints Markdown tables
    python benchmarks/study_statistics.py --quick    # a few trials of each, to see that it runs

The truth is known, because the data are made up: sentences differ in difficulty, systems in skill,
judges in taste. It is a study and not a test: docs/statistics.md shows its table.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

import study_correlations
from corrigenda.analysis.all_pairs import p_value_matrix
from corrigenda.analysis.runs import compare_runs
from corrigenda.analysis.significance import adjusted, compare_two, interval
from corrigenda.core.choice import Pooled
from corrigenda.core.result import Result
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Statistics
from corrigenda.human import bootstrap
from corrigenda.human.bradley_terry import resampled_scores
from corrigenda.human.expected_wins import expected_wins
from corrigenda.judgments import Judgments, RankedOutput, Ranking
from corrigenda.metrics import metric

M2 = metric("m2")
SYSTEMS = (5, 13, 30)
RESAMPLES = 400


@dataclass(frozen=True)
class Finding:
    """How often something happened in some trials."""

    what: str
    expected: str
    happened: int
    trials: int

    def row(self) -> str:
        """A row of the table."""
        share = self.happened / self.trials
        error = math.sqrt(share * (1 - share) / self.trials)
        return f"| {self.what} | {self.expected} | {share:.3f} ± {error:.3f} | {self.trials:,} |"


def edit_counts(generator: np.random.Generator, sentences: int, skill: float) -> np.ndarray:
    """Correct, proposed and gold edits of sentences."""
    gold = generator.poisson(2.0, sentences)
    correct = generator.binomial(gold, skill)
    proposed = correct + generator.poisson(0.7, sentences)
    return np.column_stack([correct, proposed, gold]).astype(np.int64)


def result(counts: np.ndarray) -> Result:
    """A result of M² on made-up counts."""
    chosen = Pooled().choose(Statistics(counts, np.arange(len(counts) + 1)))
    selection = Selection(M2, "corpus", chosen)
    return Result("made up", M2, "corpus", selection.measures, {}, "", selection)


def scores(trials: int) -> Iterator[Finding]:
    """Intervals of corpus scores, and tests of two equal systems."""
    generator = np.random.default_rng(0)
    truth = result(edit_counts(generator, 500_000, 0.5)).score
    for method in ("percentile", "bca"):
        held = 0
        for seed in range(trials):
            made = interval(
                result(edit_counts(generator, 200, 0.5)),
                resamples=RESAMPLES,
                seed=seed,
                method=method,  # type: ignore[arg-type]
            )
            held += made.low <= truth <= made.high
        yield Finding(f"interval of a score, {method}, 200 sentences", "0.95", held, trials)
    for test in ("permutation", "bootstrap"):
        alarms = sum(
            compare_two(
                result(edit_counts(generator, 200, 0.5)),
                result(edit_counts(generator, 200, 0.5)),
                test=test,  # type: ignore[arg-type]
                resamples=RESAMPLES,
                seed=seed,
            ).p_value
            < 0.05
            for seed in range(trials)
        )
        yield Finding(f"two equal systems differ, {test} test", "0.05", alarms, trials)


def families(trials: int) -> Iterator[Finding]:
    """All pairs of equal systems: how often is any pair called different?"""
    for systems in SYSTEMS:
        few = max(1, trials // (2 if systems < 30 else 8))
        generator = np.random.default_rng(systems)
        alarms = 0
        for seed in range(few):
            results = [result(edit_counts(generator, 150, 0.5)) for _ in range(systems)]
            matrix = p_value_matrix(results, correction="holm", seed=seed)
            values = matrix[np.triu_indices(systems, 1)].tolist()
            alarms += min(adjusted(values, "holm")) < 0.05
        yield Finding(
            f"any pair of {systems} equal systems differs, Holm", "at most 0.05", alarms, few
        )


def runs(trials: int) -> Iterator[Finding]:
    """Two systems of one kind with several runs; their skill differs by seed, or it does not."""
    for count in (2, 3, 5):
        for spread in (0.0, 0.03, 0.1):
            generator = np.random.default_rng([count, round(100 * spread)])
            alarms = 0
            few = max(1, trials // 2)
            for seed in range(few):
                skills = generator.normal(0.5, spread, (2, count)).clip(0.05, 0.95)
                systems = {
                    name: [result(edit_counts(generator, 150, skill)) for skill in row]
                    for name, row in zip(("base", "ours"), skills, strict=True)
                }
                (found,) = compare_runs(systems, "base", resamples=RESAMPLES, seed=seed)
                alarms += found.p_value < 0.05
            what = f"{count} runs each, skill by seed 0.5 ± {spread:g}: systems differ"
            yield Finding(what, "0.05", alarms, few)


def judged(
    generator: np.random.Generator, skill: np.ndarray, sentences: int, judges: int
) -> Judgments:
    """Rankings of five outputs each; each sentence suits some systems, each judge has a taste."""
    taste = generator.normal(0, 0.2, (judges, len(skill)))
    rankings = []
    for sentence in range(sentences):
        suits = generator.normal(0, 1.0, len(skill))
        for judge in generator.choice(judges, 2, replace=False):
            shown = generator.choice(len(skill), min(5, len(skill)), replace=False)
            felt = skill + suits + taste[judge] + generator.normal(0, 0.5, len(skill))
            level = np.round(felt[shown])
            rankings.append(
                Ranking(
                    str(sentence),
                    str(judge),
                    tuple(
                        RankedOutput((f"s{system:02}",), int(1 + (level > value).sum()))
                        for system, value in zip(shown, level, strict=True)
                    ),
                )
            )
    return Judgments(tuple(rankings))


def human(trials: int) -> Iterator[Finding]:
    """Intervals of human scores over sentences; judges are the same in truth and sample."""
    for unit in ("sentences", "rankings", "pairs"):
        held = counted = 0
        generator = np.random.default_rng(5)
        skill = np.linspace(-0.6, 0.6, 6)
        truth = expected_wins(judged(generator, skill, 20_000, 1_000).pairs.wins())
        for seed in range(max(1, trials // 2)):
            pairs = judged(generator, skill, 150, 1_000).pairs
            drawn = bootstrap.resampled_outcomes(pairs, RESAMPLES, unit, seed)  # type: ignore[arg-type]
            low, high = bootstrap.intervals(expected_wins(drawn[..., 0]), 0.95)
            held += int(((low <= truth) & (truth <= high)).sum())
            counted += len(truth)
        yield Finding(f"interval of Expected Wins over {unit}", "0.95", held, counted)
    held = counted = 0
    generator = np.random.default_rng(6)
    large = judged(generator, skill, 20_000, 1_000).pairs
    truth = resampled_scores(
        large, [np.stack([large.wins(), large.tied()], axis=-1)[np.newaxis]], seed=0
    )[0]
    for seed in range(max(1, trials // 4)):
        pairs = judged(generator, skill, 150, 1_000).pairs
        drawn = bootstrap.resampled_outcomes(pairs, RESAMPLES, "sentences", seed)
        low, high = bootstrap.intervals(resampled_scores(pairs, [drawn], seed=0), 0.95)
        held += int(((low <= truth) & (truth <= high)).sum())
        counted += len(truth)
    yield Finding("interval of Bradley–Terry over sentences", "0.95", held, counted)


def lines(part: Callable[[int], Iterator[Finding]], trials: int) -> Iterator[str]:
    """The table of a part."""
    yield "\n| what | promised | found | trials |\n|:--|:--|:--|--:|"
    for finding in part(trials):
        yield finding.row()


PARTS: dict[str, Callable[[int], Iterator[str]]] = {
    "scores": partial(lines, scores),
    "families": partial(lines, families),
    "runs": partial(lines, runs),
    "human": partial(lines, human),
    "systems": study_correlations.over_systems,
    "both": study_correlations.over_both,
    "metrics": study_correlations.comparisons,
    "williams": study_correlations.of_williams,
}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--only", choices=tuple(PARTS))
    args = parser.parse_args()
    for name, part in PARTS.items():
        if args.only in (None, name):
            for line in part(4 if args.quick else args.trials):
                print(line, flush=True)


if __name__ == "__main__":
    main()
