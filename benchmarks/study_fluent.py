"""A seeded study: which metric holds when edits are fluent? docs/research/fluent-edits.md has it.

    python benchmarks/study_fluent.py --model path/to/encoder --table tried.csv
    python benchmarks/study_fluent.py --model path/to/encoder --layers     # other layers
    python benchmarks/study_fluent.py --model path/to/encoder --attacks 400
    python benchmarks/study_fluent.py --model path/to/encoder --edits      # also candidate (b)

It needs the data sets conll14, seeda and gmeg (`CORRIGENDA_DATA`), and an encoder. Vectors are
computed once; a second run reads what it needs from the cache.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from corrigenda.analysis.significance import adjusted
from corrigenda.core.metric import Metric
from corrigenda.core.scored import Scored
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits.common_words import common_words
from corrigenda.kernels import default_threads
from corrigenda.meta import benchmark
from corrigenda.meta.attacks import ATTACKS, attack_outputs
from corrigenda.meta.correlation import pearson, spearman
from corrigenda.meta.estimates import correlation_with_people
from corrigenda.meta.metric_tests import permutation_of_both
from corrigenda.meta.people import People
from corrigenda.meta.sentence import agreement_on
from corrigenda.meta.settings import MetaSettings
from corrigenda.metrics import metric

SEED = 0
SETS = {
    "CoNLL-13": ("conll14", "base"), "SEEDA-S 12": ("seeda-s", "base"),
    "SEEDA-E 12": ("seeda-e", "base"), "SEEDA-S 15": ("seeda-s", "all"),
    "SEEDA-E 15": ("seeda-e", "all"), "GMEG fce": ("gmeg-fce", "all"),
    "GMEG wiki": ("gmeg-wiki", "all"),
}  # fmt: skip
"""What is reported: name → benchmark and systems."""
GROUPS = {
    "CoNLL-2014": ["CoNLL-13"],
    "SEEDA": ["SEEDA-S 12", "SEEDA-E 12", "SEEDA-S 15", "SEEDA-E 15"],
    "GMEG": ["GMEG fce", "GMEG wiki"],
}
"""The data sets of leave-one-data-set-out. A choice maximises the mean of the groups' mean r."""
POOLS = {"conll14": ["conll14", "seeda-s"], "gmeg-fce": ["gmeg-fce"], "gmeg-wiki": ["gmeg-wiki"]}
"""Benchmarks that share their sources and references, and so their outputs."""
OF_POOL = {"conll14": "conll14", "seeda-s": "conll14", "seeda-e": "conll14",
           "gmeg-fce": "gmeg-fce", "gmeg-wiki": "gmeg-wiki"}  # fmt: skip
BETAS = (1.0, 2.0, 3.0, 4.0)
DEFAULT = "soft-edits"
BASELINES = {
    "charGREEN": "green:unit=char", "GREEN": "green", "M² β .5": "m2", "M² β 2": "m2:beta=2",
}  # fmt: skip


def candidates(model: str, units: list[str], *, edits: bool) -> Iterator[tuple[str, Metric]]:
    """Family and metric; β is tried later, without new counts."""
    for smallest, same, (no, full) in itertools.product(
        (0.0, 0.03, 0.1), (0.0, 0.5, 0.7), ((0.0, 0.0), (0.5, 0.8), (0.7, 0.9))
    ):
        yield (
            DEFAULT,
            metric(
                f"soft-edits:model={model},smallest_weight={smallest},same_word={same},"
                f"no_meaning={no},full_meaning={full}"
            ),
        )
    for unit in units:
        made = f"pt-green:unit={unit},model={model}"
        yield "pt-green (a)", metric(f"{made},floor=0.03")
        yield "pt-green (a)", metric(f"{made},floor=0.1")
        yield "pt-green (a)", metric(f"{made},floor=0.3")
        yield "pt-green (c)", metric(f"{made},weights=one,match=soft,similar=0.5")
        yield "pt-green (c)", metric(f"{made},weights=one,match=soft,similar=0.7")
        yield "pt-green (a, c)", metric(f"{made},floor=0.1,match=soft,similar=0.7")
        if edits:
            for floor in (0.003, 0.01, 0.03):
                yield "pt-green (b)", metric(f"{made},weights=edits,floor={floor}")


class Pool:
    """All distinct outputs of benchmarks that share sources and references, as one system."""

    def __init__(self, names: list[str]) -> None:
        self.benchmarks = {name: benchmark.load(name) for name in names}
        first = self.benchmarks[names[0]]
        texts: dict[tuple[int, str], int] = {}
        self.rows: dict[tuple[str, str], np.ndarray] = {}
        for name, each in self.benchmarks.items():
            for system in each.systems:
                self.rows[name, system.name] = np.array([
                    texts.setdefault((place, " ".join(text.split())), len(texts))
                    for place, text in enumerate(system.sentences)
                ])  # fmt: skip
        sources, references = first.corpus.sources, first.corpus.references
        self.corpus = Corpus(
            tuple(sources[place] for place, _ in texts),
            tuple(references[place] for place, _ in texts),
        )
        self.system = Hypotheses("all", tuple(text for _, text in texts))
        if "seeda-s" in names:
            other = benchmark.load("seeda-e")
            self.rows |= {
                ("seeda-e", system.name): self.rows["seeda-s", system.name]
                for system in other.systems
            }


@dataclass(frozen=True)
class Tried:
    """A metric that was tried, and its score of every distinct output of every pool."""

    family: str
    name: str
    scores: dict[str, np.ndarray]


def scored(
    family: str, made: Metric, pools: dict[str, Pool], betas: tuple[float, ...]
) -> list[Tried]:
    """The metric with each β."""
    threads = default_threads()
    found: dict[float, dict[str, np.ndarray]] = {beta: {} for beta in betas}
    for name, pool in pools.items():
        made.prepare(pool.corpus, [pool.system], threads=threads)
        statistics = made.statistics(pool.corpus, pool.system, threads=threads)
        for beta in betas:
            found[beta][name] = Scored(replace(made, beta=beta), statistics).sentences
    return [Tried(family, str(replace(made, beta=beta)), each) for beta, each in found.items()]


class Judge:
    """Correlations with people; human scores are computed once."""

    def __init__(self, pools: dict[str, Pool]) -> None:
        self.pools = pools
        self.benchmarks = {name: benchmark.load(name) for name in OF_POOL}
        self.systems = {
            label: self.benchmarks[name].subset([part]) for label, (name, part) in SETS.items()
        }
        self.human = {
            label: self.benchmarks[name].human(self.systems[label])
            for label, (name, _) in SETS.items()
        }

    def sentences(self, tried: Tried, label: str) -> np.ndarray:
        """The scores [systems, sentences]."""
        name = SETS[label][0]
        pool = OF_POOL[name]
        rows = self.pools[pool].rows
        return np.stack([tried.scores[pool][rows[name, each]] for each in self.systems[label]])

    def correlations(self, tried: Tried) -> dict[str, tuple[float, float]]:
        """r and ρ of each set."""
        found = {}
        for label, human in self.human.items():
            means = self.sentences(tried, label).mean(axis=1)
            found[label] = float(pearson(means, human)), float(spearman(means, human))
        return found


def short(text: str, model: str) -> str:
    """The name of a metric without the path of its model."""
    return (
        text.replace(f"model={model},", "")
        .replace(f",model={model}", "")
        .replace(f":model={model}", "")
    )


def choose(values: dict[str, dict[str, tuple[float, float]]], groups: list[str]) -> str:
    """The metric with the largest mean over these data sets of their mean r."""

    def quality(name: str) -> float:
        return float(np.mean([
            np.mean([values[name][label][0] for label in GROUPS[group]]) for group in groups
        ]))  # fmt: skip

    return max(values, key=quality)


def mixtures(soft: Tried, others: list[Tried]) -> Iterator[Tried]:
    """Means of the default soft edits and another metric, sentence by sentence."""
    for other in others:
        for share in (0.25, 0.5, 0.75):
            yield Tried(
                "mixture",
                f"{share:g}·soft-edits + {1 - share:g}·{other.name}",
                {
                    pool: share * values + (1 - share) * other.scores[pool]
                    for pool, values in soft.scores.items()
                },
            )


def row(name: str, values: dict[str, tuple[float, float]]) -> str:
    """A row of a Markdown table."""
    cells = " | ".join(f"{r:.3f}/{rho:.3f}" for r, rho in values.values())
    return f"| {name} | {cells} |"


def halves(judge: Judge, families: dict[str, list[Tried]], model: str) -> None:
    """Choose on the even sentences of GMEG, report on the odd ones, which the choice never saw."""
    print("\n## held-back sentences of GMEG (odd ones; chosen on the even ones)")
    for family, tried in families.items():
        for label in ("GMEG fce", "GMEG wiki"):
            bench = judge.benchmarks[SETS[label][0]]
            ratings = np.array([bench.ratings[name] for name in judge.systems[label]])
            human = [np.nanmean(ratings[:, start::2], axis=1) for start in (0, 1)]
            scores = {each.name: judge.sentences(each, label) for each in tried}
            best = max(
                scores, key=lambda name: float(pearson(scores[name][:, ::2].mean(1), human[0]))
            )
            held = float(pearson(scores[best][:, 1::2].mean(1), human[1]))
            print(f"| {family} | {label} | {short(best, model)} | {held:.3f} |")


def intervals_and_tests(judge: Judge, chosen: dict[str, Tried]) -> None:
    """BOOT-BOTH intervals of r, PERM-BOTH between the chosen metrics, accuracy on pairs."""
    settings = MetaSettings(resamples=1000, seed=SEED)
    for label, systems in judge.systems.items():
        people = People(judge.benchmarks[SETS[label][0]], systems, judge.human[label], settings)
        weights = people.resamples.weights
        print(f"\n## {label}")
        known = {name: tried for name, tried in chosen.items() if has(judge, tried, label)}
        pairs = people.judged_pairs("outputs")
        for name, tried in known.items():
            sentences = judge.sentences(tried, label)
            means = weights @ sentences.T / sentences.shape[1]
            found = people.resamples.interval(means, people.resampled, "pearson", 0.95)
            r = float(pearson(sentences.mean(axis=1), people.scores))
            agreement = agreement_on(pairs, sentences, seed=SEED, metric_ties=settings.metric_ties)
            interval = f"{found.low:.2f} to {found.high:.2f}"
            usual = correlation_with_people(sentences.mean(axis=1), means, people, "pearson")
            low, high = usual.interval or (float("nan"), float("nan"))
            print(
                f"| {name} | {r:.3f} | {interval} | {agreement.accuracy:.3f} | "
                f"meta's interval {low:.2f} to {high:.2f} |"
            )
        tests = list(itertools.combinations(known, 2))
        p_values = [
            permutation_of_both(
                judge.sentences(known[a], label), judge.sentences(known[b], label),
                people.scores, permutations=1000, seed=SEED,
            )
            for a, b in tests
        ]  # fmt: skip
        for (a, b), p, corrected in zip(tests, p_values, adjusted(p_values, "bh"), strict=True):
            print(f"| {a} vs {b} | p {p:.3f} | corrected {corrected:.3f} |")


def has(judge: Judge, tried: Tried, label: str) -> bool:
    """Whether the metric was computed for this set."""
    return OF_POOL[SETS[label][0]] in tried.scores


def run_table(
    model: str, units: list[str], path: Path | None, *, edits: bool, extra: Path | None
) -> None:
    """Everything that was tried; what each choice gives on the data set that it did not see."""
    start = time.perf_counter()
    pools = {name: Pool(names) for name, names in POOLS.items()}
    judge = Judge(pools)
    families: dict[str, list[Tried]] = {}
    for family, made in candidates(model, units, edits=edits):
        families.setdefault(family, []).extend(scored(family, made, pools, BETAS))
        print(f"  {time.perf_counter() - start:.0f} s: {short(str(made), model)}", flush=True)
    (soft,) = (
        each for each in families[DEFAULT] if each.name == str(metric(f"soft-edits:model={model}"))
    )
    greens = [
        each
        for family, tried in families.items()
        if family != DEFAULT
        for each in tried
        if "beta" not in each.name or "beta=3" in each.name
    ]
    families["mixture"] = list(mixtures(soft, greens))
    baselines = {name: baseline(text, pools) for name, text in BASELINES.items()}
    values = {
        family: {each.name: judge.correlations(each) for each in tried}
        for family, tried in families.items()
    }
    print("\n| | " + " | ".join(SETS) + " |")
    print(row("soft-edits (default)", judge.correlations(soft)))
    for name, tried in baselines.items():
        print(row(name, judge.correlations(tried)))
    by_name = {each.name: each for tried in families.values() for each in tried}
    together = {name: found for of_family in values.values() for name, found in of_family.items()}
    for family, found in {**values, "all": together}.items():
        for held in GROUPS:
            best = choose(found, [group for group in GROUPS if group != held])
            print(row(f"{family}, without {held}: {short(best, model)}", found[best]))
        best = choose(found, list(GROUPS))
        print(row(f"{family}, on all: {short(best, model)}", found[best]))
    halves(judge, families, model)
    if path is not None:
        write(path, {**values, "baseline": {
            name: judge.correlations(tried) for name, tried in baselines.items()
        }}, model)  # fmt: skip
    chosen = {"soft-edits": soft, **baselines}
    for name in ("pt-green (a)", "mixture"):
        chosen[name] = by_name[choose(values[name], list(GROUPS))]
    if extra is not None:
        chosen["PT-M²"] = Tried("baseline", "pt-m2", outside(judge, pools, extra))
    intervals_and_tests(judge, chosen)


def outside(judge: Judge, pools: dict[str, Pool], folder: Path) -> dict[str, np.ndarray]:
    """Sentence scores [systems, sentences] that were saved as BENCHMARK.npy, by pool."""
    found: dict[str, np.ndarray] = {}
    for name in ("conll14", "seeda-s", "gmeg-fce", "gmeg-wiki"):
        path = folder / f"ptm2_{name}.npy"
        if not path.exists():
            found.pop(OF_POOL[name], None)
            continue
        pool = OF_POOL[name]
        values = found.setdefault(pool, np.zeros(len(pools[pool].system.sentences)))
        systems = judge.benchmarks[name].subset(["all"])
        for system, scores in zip(systems, np.load(path), strict=True):
            values[pools[pool].rows[name, system]] = scores
    return found


def baseline(text: str, pools: dict[str, Pool]) -> Tried:
    """A metric without a model; M² takes the annotated edits where there are any."""
    made = metric(text)
    found = {}
    for name, pool in pools.items():
        first = next(iter(pool.benchmarks.values()))
        if made.needs_references == "text" or first.annotated is None:
            statistics = made.statistics(pool.corpus, pool.system, threads=default_threads())
            found[name] = Scored(made, statistics).sentences
            continue
        values = np.zeros(len(pool.system.sentences))
        for each, bench in pool.benchmarks.items():
            for system in bench.systems:
                counted = made.statistics(bench.annotated, system, threads=default_threads())
                values[pool.rows[each, system.name]] = Scored(made, counted).sentences
        found[name] = values
    return Tried("baseline", text, found)


def write(
    path: Path, values: dict[str, dict[str, dict[str, tuple[float, float]]]], model: str
) -> None:
    """Everything that was tried, as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        columns = [f"{label} {what}" for label in SETS for what in ("r", "rho")]
        writer.writerow(["family", "metric", *columns])
        for family, found in values.items():
            for name, numbers in found.items():
                flat = [f"{number:.4f}" for pair in numbers.values() for number in pair]
                writer.writerow([family, short(name, model), *flat])


def run_layers(model: str) -> None:
    """The default soft edits with other layers."""
    pools = {name: Pool(names) for name, names in POOLS.items()}
    judge = Judge(pools)
    for layer in range(1, 7):
        (tried,) = scored("layer", metric(f"soft-edits:model={model},layer={layer}"), pools, (3.0,))
        print(row(f"layer {layer}", judge.correlations(tried)), flush=True)


def run_attacks(model: str, sentences: int) -> None:
    """What the metrics give to outputs that no metric should like, on a sample of CoNLL-2014."""
    bench = benchmark.load("conll14")
    places = np.sort(np.random.default_rng(SEED).permutation(len(bench.corpus))[:sentences])
    corpus = Corpus(
        tuple(bench.corpus.sources[place] for place in places),
        tuple(bench.corpus.references[place] for place in places),
    )
    names = bench.subset(["submissions"])
    systems = [
        Hypotheses(each.name, tuple(each.sentences[place] for place in places))
        for each in bench.outputs(names)
    ]
    attacks = [*attack_outputs(corpus, list(ATTACKS), seed=SEED), *doubtful(corpus, systems)]
    gains = f"soft-edits:model={model},replacements=together"
    for text in (f"soft-edits:model={model}", gains, f"{gains},character_gain=6,meaning_gain=7",
                 f"soft-edits:model={model},character_gain=6,meaning_gain=7",
                 f"soft-edits:model={model},found_gain=0.3,meaning_gain=4",
                 f"pt-green:model={model},floor=0.03",
                 f"pt-green:model={model},floor=0.03,beta=3", "green:unit=char"):  # fmt: skip
        made = metric(text)
        made.prepare(corpus, [*systems, *attacks], threads=default_threads())
        scores = {
            each.name: Scored(made, made.statistics(corpus, each, threads=default_threads())).mean
            for each in [*systems, *attacks]
        }
        real = np.array([scores[each.name] for each in systems])
        print(f"\n## {short(text, model)}: median {np.median(real):.4f}")
        for each in attacks:
            score = scores[each.name]
            flag = "above the median" if score > np.median(real) else ""
            print(f"| {each.name} | {score:.4f} | {1 + int((real > score).sum())} | {flag} |")


def doubtful(corpus: Corpus, systems: list[Hypotheses]) -> Iterator[Hypotheses]:
    """The source without doubtful words: words that no other source has, or that systems delete."""
    seen: dict[str, int] = {}
    for source in corpus.sources:
        for word in set(source.lower().split()):
            seen[word] = seen.get(word, 0) + 1
    yield Hypotheses("rare words deleted", tuple(
        " ".join(word for word in source.split() if seen[word.lower()] > 1)
        for source in corpus.sources
    ))  # fmt: skip
    for votes in (2, 3, 4, 6, 8):
        texts = []
        for place, source in enumerate(corpus.sources):
            words = source.split()
            against = np.zeros(len(words), int)
            for system in systems:
                kept = common_words(words, system.sentences[place].split())[:, 0]
                against += 1
                against[kept] -= 1
            texts.append(" ".join(
                word for word, number in zip(words, against, strict=True) if number < votes
            ))  # fmt: skip
        yield Hypotheses(f"words deleted that {votes} systems change", tuple(texts))


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="an encoder, by name or folder")
    parser.add_argument("--table", type=Path, help="write everything that was tried to this CSV")
    parser.add_argument(
        "--units", nargs="+", default=["word", "char"], help="units of n-grams (default: both)"
    )
    parser.add_argument("--edits", action="store_true", help="also try candidate (b)")
    parser.add_argument("--pt-m2", type=Path, help="a folder with saved sentence scores of PT-M²")
    parser.add_argument("--layers", action="store_true", help="only try other layers")
    parser.add_argument("--attacks", type=int, help="only try attacks, on this many sentences")
    given = parser.parse_args()
    if given.layers:
        run_layers(given.model)
    elif given.attacks:
        run_attacks(given.model, given.attacks)
    else:
        run_table(given.model, given.units, given.table, edits=given.edits, extra=given.pt_m2)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    print(f"\nprocessor time: {spent.ru_utime + spent.ru_stime:.0f} s")


if __name__ == "__main__":
    main()
