"""Five changes of soft edits with gains that were written down before they were computed.

    python benchmarks/study_changes.py --model path/to/encoder --table changes.csv

docs/research/fluent-edits.md has the reasons, the predictions and the results. Weights come from
the outputs of the other data sets, and from no judgments. Needs what `study_fluent.py` needs.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corrigenda.core.f_scores import f_score, ratio
from corrigenda.core.scored import Scored
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.kernels import default_threads
from corrigenda.meta.correlation import pearson, spearman
from corrigenda.metrics import metric
from study_fluent import GROUPS, OF_POOL, POOLS, SETS, Judge, Pool, Tried, choose, row, write

FORM = "soft-edits:model={},replacements=together,meaning_gain=1,character_gain=1"
PARTS = ("edits", "characters", "meaning")
SMALLEST_NOISE = 0.05
"""The share of the variance of a part that is noise, at least (one factor)."""

Values = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Outputs:
    """The distinct outputs of a pool.

    `parts` [3, outputs, references]; `own` are the gains [2, outputs, references] of the references
    themselves; `sentence` and `words` have the number and the length of each output's source.
    """

    parts: np.ndarray
    own: np.ndarray
    sentence: np.ndarray
    words: np.ndarray


def outputs_of(model: str, pool: Pool) -> Outputs:
    """Everything that the changes need."""
    made = metric(FORM.format(model))
    made.prepare(pool.corpus, [pool.system], threads=default_threads())
    counts = made.statistics(pool.corpus, pool.system, threads=default_threads()).counts
    references = len(pool.corpus.references[0])
    of = {name: counts[:, at].reshape(-1, references) for at, name in enumerate(made.counts)}
    precision = ratio(of["right"], of["proposed"], undefined=1.0)
    recall = ratio(of["found"], of["gold"], undefined=1.0)
    ours, before = (
        f_score(of[f"{whose}character_precision"], of[f"{whose}character_recall"], 3.0)
        for whose in ("", "source_")
    )
    sentence = np.zeros(len(pool.system.sentences), int)
    for places in pool.rows.values():
        sentence[places] = np.arange(len(places))
    return Outputs(
        np.stack([
            f_score(precision, recall, 3.0) * of["meaning"],
            ours - before,
            of["similarity"] - of["source_similarity"],
        ]),
        np.stack([1 - before, 1 - of["source_similarity"]]),
        sentence,
        np.array([len(source.split()) for source in pool.corpus.sources], float),
    )  # fmt: skip


def one_per_sentence(values: np.ndarray, outputs: Outputs) -> np.ndarray:
    """The values of one output of each sentence: for what does not depend on the output."""
    return values[..., np.unique(outputs.sentence, return_index=True)[1], :]


def relative(outputs: Outputs) -> np.ndarray:
    """Gains divided by those of the references, with shrinkage."""
    usual = one_per_sentence(outputs.own, outputs).mean(axis=(1, 2))[:, None, None]
    return np.stack([outputs.parts[0], *(outputs.parts[1:] / (outputs.own + usual))])


def without_length(outputs: Outputs) -> np.ndarray:
    """Gains of one change that are the same in short and in long sentences."""
    words = outputs.words[:, None]
    length = words / one_per_sentence(words, outputs).mean()
    edits, characters, meaning = outputs.parts
    return np.stack([edits, characters * length, meaning * length**2])


def covariance_within(parts: np.ndarray, sentence: np.ndarray) -> np.ndarray:
    """The mean covariance [3, 3] over the outputs of one sentence for one reference."""
    number = np.bincount(sentence)
    found = np.zeros((3, 3))
    several = number > 1
    for each in np.moveaxis(parts, 2, 0):
        means = np.stack([np.bincount(sentence, part) for part in each]) / np.maximum(number, 1)
        left = each - means[:, sentence]
        for a in range(3):
            for b in range(3):
                sums = np.bincount(sentence, left[a] * left[b])[several]
                found[a, b] += float(np.mean(sums / (number[several] - 1)))
    return found / parts.shape[2]


def over_all(found: list[Outputs], parts: list[np.ndarray]) -> np.ndarray:
    """One over the standard deviation over all outputs; the mean of the pools."""
    return 1 / np.mean([each.std(axis=(1, 2)) for each in parts], axis=0)


def within(found: list[Outputs], parts: list[np.ndarray]) -> np.ndarray:
    """One over the standard deviation within sentences; the mean of the pools."""
    return 1 / np.mean([
        np.sqrt(np.diag(covariance_within(values, each.sentence)))
        for each, values in zip(found, parts, strict=True)
    ], axis=0)  # fmt: skip


def one_factor(found: list[Outputs], parts: list[np.ndarray]) -> np.ndarray:
    """Loading over noise of a model with one factor, from correlations within sentences."""
    covariances = [
        covariance_within(values, each.sentence) for each, values in zip(found, parts, strict=True)
    ]
    spread = np.mean([np.sqrt(np.diag(each)) for each in covariances], axis=0)
    r = np.mean(
        [each / np.sqrt(np.outer(np.diag(each), np.diag(each))) for each in covariances], axis=0
    )
    squares = np.array([
        r[0, 1] * r[0, 2] / r[1, 2], r[0, 1] * r[1, 2] / r[0, 2], r[0, 2] * r[1, 2] / r[0, 1],
    ])  # fmt: skip
    print(f"  correlations of parts {np.round(r[np.triu_indices(3, 1)], 3)}")
    return np.sqrt(squares) / np.maximum(1 - squares, SMALLEST_NOISE) / spread


def agreement(model: str, pool: Pool, outputs: Outputs) -> np.ndarray:
    """The weight of each sentence: M · G · E of each reference against each other one."""
    first = np.unique(outputs.sentence, return_index=True)[1]
    sources = tuple(pool.corpus.sources[place] for place in first)
    references = [pool.corpus.references[place] for place in first]
    made = metric(f"soft-edits:model={model},replacements=together")
    sums, pairs = np.zeros(len(first)), np.zeros(len(first))
    for one in range(len(references[0])):
        for other in range(len(references[0])):
            if one == other:
                continue
            corpus = Corpus(sources, tuple((each[other],) for each in references))
            system = Hypotheses("reference", tuple(each[one] for each in references))
            counted = made.statistics(corpus, system, threads=default_threads())
            sums += Scored(made, counted).sentences
            pairs += 1
    if not pairs.all():
        return np.ones(len(first))
    return np.asarray(sums / pairs)


Change = tuple[
    Callable[[Outputs], np.ndarray],
    Callable[[list[Outputs], list[np.ndarray]], np.ndarray],
]
CHANGES: dict[str, Change] = {
    "no change": (lambda outputs: outputs.parts, over_all),
    "1 spread within sentences": (lambda outputs: outputs.parts, within),
    "2 one factor": (lambda outputs: outputs.parts, one_factor),
    "3 relative gains with shrinkage": (relative, over_all),
    "4 gains without length": (without_length, over_all),
    "5 agreement of annotators": (lambda outputs: outputs.parts, over_all),
}
"""Name → the parts, and their weights."""


def scores(name: str, known: dict[str, Outputs]) -> dict[str, Tried]:
    """Group of pools → scores, with weights from the outputs of the other pools."""
    make, weigh = CHANGES[name]
    parts = {pool: make(each) for pool, each in known.items()}
    found = {}
    for group in (["conll14"], ["gmeg-fce", "gmeg-wiki"]):
        others = [pool for pool in POOLS if pool not in group]
        weights = weigh([known[pool] for pool in others], [parts[pool] for pool in others])
        print(f"  {name}, for {', '.join(group)}: {np.round(weights / weights[0], 2)}")
        best = {
            pool: np.tensordot(weights, parts[pool], 1).max(axis=1) if pool in group
            else np.zeros(0) for pool in POOLS
        }  # fmt: skip
        for pool in group:
            found[pool] = Tried("changes", name, best)
    return found


def run(model: str, path: Path | None) -> None:
    """Each change on each data set, and what a choice without the data set gives."""
    pools = {name: Pool(names) for name, names in POOLS.items()}
    judge = Judge(pools)
    known = {name: outputs_of(model, pool) for name, pool in pools.items()}
    weights = {name: agreement(model, pool, known[name]) for name, pool in pools.items()}
    values: dict[str, Values] = {}
    for name in CHANGES:
        found = scores(name, known)
        values[name] = {}
        for label, human in judge.human.items():
            pool = OF_POOL[SETS[label][0]]
            of_sentences = judge.sentences(found[pool], label)
            means = np.average(
                of_sentences, axis=1, weights=weights[pool] if name[0] == "5" else None
            )
            values[name][label] = float(pearson(means, human)), float(spearman(means, human))
    print("\n| | " + " | ".join(SETS) + " |")
    for name, each in values.items():
        print(row(name, each))
    for held in GROUPS:
        best = choose(values, [group for group in GROUPS if group != held])
        print(row(f"chosen without {held}: {best}", values[best]))
    if path is not None:
        write(path, {"gains, changes": values}, model)


def main() -> None:
    """Run the study of the five changes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="an encoder, by name or folder")
    parser.add_argument("--table", type=Path, help="write r and ρ of the changes to this CSV")
    given = parser.parse_args()
    run(given.model, given.table)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    print(f"\nprocessor time: {spent.ru_utime + spent.ru_stime:.0f} s")


if __name__ == "__main__":
    main()
