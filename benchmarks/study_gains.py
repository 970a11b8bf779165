"""Which gains over the source make soft edits agree with people? docs/research/fluent-edits.md.

    python benchmarks/study_gains.py --model path/to/encoder --table tried.csv --pt-m2 folder
    python benchmarks/study_gains.py --model path/to/encoder --sensitivity   # of the parameters
    python benchmarks/study_gains.py --model path/to/encoder --goal   # the best weights on all data

Soft edits with added terms: what a system gains over leaving the text alone. Every term is tried
with the same weight as the others (one over its standard deviation, which needs no people), and
some with a grid of weights. Needs what `study_fluent.py` needs.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import resource
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from corrigenda.core.f_scores import f_score, ratio
from corrigenda.core.metric import Metric
from corrigenda.core.scored import Scored
from corrigenda.kernels import default_threads
from corrigenda.meta.correlation import pearson
from corrigenda.meta.people import People
from corrigenda.meta.sentence import agreement_on
from corrigenda.meta.settings import MetaSettings
from corrigenda.metrics import metric
from study_fluent import (
    BASELINES,
    GROUPS,
    OF_POOL,
    POOLS,
    SEED,
    SETS,
    Judge,
    Pool,
    Tried,
    baseline,
    intervals_and_tests,
    outside,
    row,
)

Values = dict[str, tuple[float, float]]
Terms = dict[str, dict[str, np.ndarray]]
"""Term → pool → values [outputs, references]."""
EQUAL = "E β 3 together + GREEN β 3 + M"
"""The form that the page recommends; with rounded weights it is RECOMMENDED."""
RECOMMENDED = {"replacements": "together", "character_gain": 6.0, "meaning_gain": 7.0}
ACCURACY = {
    "CoNLL-2014": ["CoNLL-13"],
    "SEEDA": ["SEEDA-S 15", "SEEDA-E 15"],
    "GMEG": ["GMEG fce", "GMEG wiki"],
}
"""The sets whose judged pairs count, by data set: the 15 systems of SEEDA include the 12."""


def terms_of(model: str, pools: dict[str, Pool]) -> Terms:
    """Every term of every output and reference."""
    found: Terms = {}
    for pool_name, pool in pools.items():
        for name, values in _terms_of_pool(model, pool):
            found.setdefault(name, {})[pool_name] = values
    return found


def _terms_of_pool(model: str, pool: Pool) -> Iterator[tuple[str, np.ndarray]]:
    references = len(pool.corpus.references[0])
    threads = default_threads()
    for how in ("apart", "together"):
        made = metric(
            f"soft-edits:model={model},replacements={how},meaning_gain=1,character_gain=1"
        )
        made.prepare(pool.corpus, [pool.system], threads=threads)
        counts = made.statistics(pool.corpus, pool.system, threads=threads).counts
        of = {name: counts[:, at].reshape(-1, references) for at, name in enumerate(made.counts)}
        precision = ratio(of["right"], of["proposed"], undefined=1.0)
        recall = ratio(of["found"], of["gold"], undefined=1.0)
        for beta in (1.0, 2.0, 3.0):
            yield f"E β {beta:g} {how}", f_score(precision, recall, beta) * of["meaning"]
        yield f"found {how}", of["found"]
        yield f"share found {how}", of["found"] / (of["gold"] + 0.3)
        if how == "together":
            continue
        yield "M", of["similarity"] - of["source_similarity"]
        for beta in (2.0, 3.0):
            ours, before = (
                f_score(of[f"{whose}character_precision"], of[f"{whose}character_recall"], beta)
                for whose in ("", "source_")
            )
            yield f"GREEN β {beta:g}", ours - before
    words = metric("green")
    values = []
    for texts in (pool.system.sentences, pool.corpus.sources):
        system = replace(pool.system, sentences=texts)
        counts = words.statistics(pool.corpus, system, threads=threads).counts
        values.append(words.score(counts, "sentence").reshape(-1, references))
    yield "GREEN words", values[0] - values[1]


def summed(family: str, terms: Terms, weights: dict[str, float]) -> Tried:
    """The best reference's sum of terms."""
    name = " + ".join(term if weight == 1 else f"{weight:g} {term}"
                      for term, weight in weights.items())  # fmt: skip
    pools = next(iter(terms.values()))
    return Tried(family, name, {
        pool: np.max(sum(weight * terms[term][pool] for term, weight in weights.items()), axis=1)
        for pool in pools
    })  # fmt: skip


def spreads(terms: Terms, pools: list[str]) -> dict[str, float]:
    """The standard deviation of each term over all outputs: the mean of these pools."""
    return {
        term: float(np.mean([values[pool].std() for pool in pools]))
        for term, values in terms.items()
    }


def forms(terms: Terms) -> Iterator[Tried]:
    """Sums of terms with equal weights, after division by their spread: 167 forms."""
    spread = spreads(terms, list(POOLS))
    even = {
        term: {pool: each / spread[term] for pool, each in values.items()}
        for term, values in terms.items()
    }
    edits = [None, *(term for term in terms if term.startswith("E "))]
    greens = [None, *(term for term in terms if term.startswith("GREEN"))]
    for edit, green, found, meaning in itertools.product(
        edits, greens, (None, "found", "share found"), (None, "M")
    ):
        how = "together" if edit is not None and edit.endswith("together") else "apart"
        changes = None if found is None else f"{found} {how}"
        kept = [term for term in (edit, green, changes, meaning) if term is not None]
        if kept:
            yield summed("gains, equal weights", even, dict.fromkeys(kept, 1.0))


def weights_from_elsewhere(judge: Judge, terms: Terms) -> Values:
    """The recommended form, with spreads from the outputs of the other sources only."""
    found: Values = {}
    for pools in (["conll14"], ["gmeg-fce", "gmeg-wiki"]):
        spread = spreads(terms, [each for each in POOLS if each not in pools])
        weights = {term: 1 / spread[term] for term in ("E β 3 together", "GREEN β 3", "M")}
        values = judge.correlations(summed("gains", terms, weights))
        found |= {label: values[label] for label in SETS if OF_POOL[SETS[label][0]] in pools}
    return found


def weighted(terms: Terms) -> Iterator[Tried]:
    """Soft edits (together) with a grid of weights of the gains in characters and meaning."""
    for characters, meaning in itertools.product((0, 1, 2, 4, 6, 8, 12), (0, 2, 4, 6, 8, 12, 16)):
        yield summed("gains, characters and meaning", terms, {
            "E β 3 together": 1, "GREEN β 3": characters, "M": meaning,
        })  # fmt: skip


def weighted_found(terms: Terms) -> Iterator[Tried]:
    """Soft edits as by default with a grid of weights of found changes and of meaning."""
    for found, meaning in itertools.product(
        (0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1), (0, 2, 4, 6, 8, 10, 12)
    ):
        yield summed("gains, found and meaning", terms, {
            "E β 3 apart": 1, "found apart": found, "M": meaning,
        })  # fmt: skip


@dataclass(frozen=True)
class Quality:
    """What a choice can look at: r and ρ, and the accuracy on judged pairs."""

    values: Values
    accuracy: dict[str, float]

    def r(self, group: str) -> list[float]:
        """r of the sets of a data set."""
        return [self.values[label][0] for label in GROUPS[group]]

    def pairs(self, group: str) -> float:
        """The mean accuracy of a data set."""
        return float(np.mean([self.accuracy[label] for label in ACCURACY[group]]))


CRITERIA: dict[str, Callable[[Quality, list[str]], float]] = {
    "mean r": lambda found, groups: float(np.mean([np.mean(found.r(each)) for each in groups])),
    "smallest r": lambda found, groups: min(min(found.r(each)) for each in groups),
    "mean Fisher z of r": lambda found, groups: float(
        np.mean([np.mean(np.arctanh(found.r(each))) for each in groups])
    ),
    "accuracy on pairs": lambda found, groups: float(np.mean([found.pairs(g) for g in groups])),
}
"""What a choice maximises over the data sets that it sees. The first is that of the first study."""


def qualities(judge: Judge, tried: list[Tried]) -> dict[str, Quality]:
    """Everything about each metric that was tried."""
    people = {
        label: People(
            judge.benchmarks[SETS[label][0]], judge.systems[label], judge.human[label],
            MetaSettings(resamples=10, seed=SEED),
        ).judged_pairs("outputs")
        for labels in ACCURACY.values() for label in labels
    }  # fmt: skip
    found = {}
    for each in tried:
        accuracy = {
            label: agreement_on(pairs, judge.sentences(each, label)).accuracy
            for label, pairs in people.items()
        }
        found[each.name] = Quality(judge.correlations(each), accuracy)
    return found


def blind_choices(found: dict[str, Quality]) -> None:
    """What each criterion chooses without a data set, and what that gives on it."""
    for criterion, quality in CRITERIA.items():
        for held in GROUPS:
            seen = [group for group in GROUPS if group != held]
            best = max(found, key=lambda name: quality(found[name], seen))
            cells = ", ".join(f"{each:.3f}" for each in found[best].r(held))
            print(f"| {criterion} | {held} | {cells} | {best} |")
        best = max(found, key=lambda name: quality(found[name], list(GROUPS)))
        print(row(f"{criterion}, on all: {best}", found[best].values))


def held_back_sentences(judge: Judge, chosen: dict[str, Tried], tried: list[Tried]) -> None:
    """r on the odd sentences of GMEG: of fixed metrics, and of the best on the even ones."""
    for label in ("GMEG fce", "GMEG wiki"):
        bench = judge.benchmarks[SETS[label][0]]
        ratings = np.array([bench.ratings[name] for name in judge.systems[label]])
        even, odd = (np.nanmean(ratings[:, start::2], axis=1) for start in (0, 1))

        def r(each: Tried, start: int, human: np.ndarray, label: str = label) -> float:
            means = judge.sentences(each, label)[:, start::2].mean(axis=1)
            return float(np.corrcoef(means, human)[0, 1])

        best = max(tried, key=lambda each: r(each, 0, even))
        print(f"| {label} | chosen on even: {best.name} | {r(best, 1, odd):.3f} |")
        for name, each in chosen.items():
            if OF_POOL[SETS[label][0]] in each.scores:
                print(f"| {label} | {name} | {r(each, 1, odd):.3f} |")


def write(path: Path, families: dict[str, dict[str, Quality]]) -> None:
    """Everything that was tried, in the columns of `study_fluent.py`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        columns = [f"{label} {what}" for label in SETS for what in ("r", "rho")]
        writer.writerow(["family", "metric", *columns])
        for family, found in families.items():
            for name, quality in found.items():
                flat = [f"{each:.4f}" for pair in quality.values.values() for each in pair]
                writer.writerow([family, name, *flat])


def run(model: str, path: Path | None, extra: Path | None) -> None:
    """Try everything, choose blindly, test what is recommended."""
    pools = {name: Pool(names) for name, names in POOLS.items()}
    judge = Judge(pools)
    terms = terms_of(model, pools)
    for names in (list(POOLS), *([each] for each in POOLS)):
        spread = spreads(terms, names)
        edits = spread["E β 3 together"]
        print(
            f"equal weights by {', '.join(names)}: characters {edits / spread['GREEN β 3']:.2f}, "
            f"meaning {edits / spread['M']:.2f}, found {edits / spread['found apart']:.2f}"
        )
    print(row("equal weights, by the other outputs", weights_from_elsewhere(judge, terms)))
    families: dict[str, dict[str, Quality]] = {}
    everything: list[Tried] = []
    for made in (forms(terms), weighted(terms), weighted_found(terms)):
        tried = list(made)
        family = tried[0].family
        families[family] = qualities(judge, tried)
        everything += tried
        print(f"\n## {family}: {len(tried)} settings")
        blind_choices(families[family])
    by_name = {each.name: each for each in everything}
    print("\n" + row(EQUAL, judge.correlations(by_name[EQUAL])))
    chosen = {
        "gains": as_called(replace(metric(f"soft-edits:model={model}"), **RECOMMENDED), pools),
        **first_study(model, terms, pools),
        **{name: baseline(text, pools) for name, text in BASELINES.items()},
    }
    if extra is not None:
        chosen["PT-M²"] = Tried("baseline", "pt-m2", outside(judge, pools, extra))
    for name, each in chosen.items():
        if len(each.scores) == len(POOLS):
            print(row(name, judge.correlations(each)))
    print("\n## held-back sentences of GMEG")
    held_back_sentences(judge, chosen, everything)
    if path is not None:
        write(path, families)
    intervals_and_tests(judge, chosen)


GOAL = {
    "CoNLL-13": 0.939, "SEEDA-S 12": 0.928, "SEEDA-E 12": 0.930, "SEEDA-S 15": 0.80,
    "SEEDA-E 15": 0.80,
}  # fmt: skip
"""The r that were asked for before the study began."""


def run_goal(model: str) -> None:
    """Which weights of the gains, chosen on all data, come nearest to the whole goal."""
    pools = {name: Pool(POOLS[name]) for name in ("conll14",)}
    judge = Judge(pools)
    terms = terms_of(model, pools)
    edits, characters, meaning = (
        terms[name]["conll14"] for name in ("E β 3 together", "GREEN β 3", "M")
    )
    found = []
    for of_characters, of_meaning in itertools.product(np.geomspace(1, 30, 60), repeat=2):
        summed_up = edits + of_characters * characters + of_meaning * meaning
        tried = Tried("goal", "", {"conll14": summed_up.max(axis=1)})
        distances = [
            float(pearson(judge.sentences(tried, label).mean(axis=1), judge.human[label])) - asked
            for label, asked in GOAL.items()
        ]
        found.append((min(distances), of_characters, of_meaning, distances))
    smallest, of_characters, of_meaning, distances = max(found)
    print(
        f"{len(found)} pairs of weights; the best: characters {of_characters:.2f}, meaning "
        f"{of_meaning:.2f}; distances {np.round(distances, 4)}, smallest {smallest:.4f}; "
        f"{sum(each[0] >= 0 for each in found)} pairs reach the goal"
    )


def run_sensitivity(model: str) -> None:
    """The recommended form with one or two parameters changed."""
    pools = {name: Pool(names) for name, names in POOLS.items()}
    judge = Judge(pools)
    first = replace(metric(f"soft-edits:model={model}"), **RECOMMENDED)
    weights = ((3, 3.5), (12, 14), (3, 7), (12, 7), (6, 3.5), (6, 14), (0, 7), (6, 0), (0, 0))
    changes: list[dict[str, float]] = [
        {},
        *({"character_gain": float(one), "meaning_gain": float(two)} for one, two in weights),
        *({"beta": beta} for beta in (1.0, 2.0, 4.0)),
        *({"smallest_weight": each} for each in (0.0, 0.1)),
        {"same_word": 0.0},
        {"no_meaning": 0.0, "full_meaning": 0.0},
        {"no_meaning": 0.7, "full_meaning": 0.9},
    ]
    for change in changes:
        print(row(str(change), judge.correlations(as_called(replace(first, **change), pools))))


def as_called(made: Metric, pools: dict[str, Pool]) -> Tried:
    """A metric as a user calls it."""
    scores = {}
    for name, pool in pools.items():
        made.prepare(pool.corpus, [pool.system], threads=default_threads())
        counted = made.statistics(pool.corpus, pool.system, threads=default_threads())
        scores[name] = Scored(made, counted).sentences
    return Tried(made.name, str(made), scores)


def first_study(model: str, terms: Terms, pools: dict[str, Pool]) -> dict[str, Tried]:
    """Soft edits as by default, and the best of the first study's other families on all data."""
    soft = summed("soft-edits", terms, {"E β 3 apart": 1})
    green = metric(f"pt-green:model={model},floor=0.03")
    other = as_called(metric(f"pt-green:model={model},floor=0.1,beta=3"), pools)
    mixture = {pool: 0.75 * soft.scores[pool] + 0.25 * other.scores[pool] for pool in pools}
    return {
        "soft edits": soft,
        "PT-GREEN": as_called(green, pools),
        "mixture": Tried("mixture", "0.75 soft edits + 0.25 PT-GREEN", mixture),
    }


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="an encoder, by name or folder")
    parser.add_argument("--table", type=Path, help="write everything that was tried to this CSV")
    parser.add_argument("--pt-m2", type=Path, help="a folder with saved sentence scores of PT-M²")
    parser.add_argument("--goal", action="store_true", help="only seek weights for the goal")
    parser.add_argument("--sensitivity", action="store_true", help="only vary the parameters")
    given = parser.parse_args()
    if given.goal:
        run_goal(given.model)
    elif given.sensitivity:
        run_sensitivity(given.model)
    else:
        run(given.model, given.table, given.pt_m2)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    print(f"\nprocessor time: {spent.ru_utime + spent.ru_stime:.0f} s")


if __name__ == "__main__":
    main()
