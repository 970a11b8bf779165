"""The human ceiling: each reference scored against the others (Bryant and Ng 2015).

A system that is scored against all references has an advantage over a person who is scored against
the rest. So the systems are scored against the same subsets: against all references but the first,
all but the second, and so on. Both are means over these subsets, and compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from corrigenda.core.metric import Level, Metric
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import UsageError
from corrigenda.scoring import evaluate

HUMAN = "human ceiling"
MOST_LEFT_OUT = 100
"""The most references of every sentence: all systems are scored once for each of them."""


@dataclass(frozen=True)
class Ceiling:
    """The mean score over subsets of references: of the references left out, and of systems."""

    metric: str
    human: float
    by_reference: tuple[float, ...]
    """The score of each reference against the others."""
    systems: dict[str, float]
    sentences: int
    """The sentences that have this many references."""

    def share(self, system: str) -> float:
        """The score of a system as a part of the human score; NaN if that is 0."""
        return self.systems[system] / self.human if self.human else float("nan")


def ceilings(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    metrics: Sequence[Metric],
    *,
    level: Level = "corpus",
    threads: int | None = None,
) -> list[Ceiling]:
    """The ceiling by each metric. Sentences with fewer than two references are left out."""
    kept = [place for place, found in enumerate(corpus.references) if len(found) > 1]
    if not kept:
        raise UsageError(
            "the human ceiling needs two references or more for at least one sentence",
            remedy="Give more references, or leave --ceiling out.",
        )
    part = corpus.at(kept)
    outputs = [system.at(kept) for system in systems]
    count = min(len(found) for found in part.references)
    if count > MOST_LEFT_OUT:
        raise UsageError(
            f"the human ceiling of {count:,} references per sentence scores each of them against "
            f"the others; at most {MOST_LEFT_OUT} are scored so",
            remedy="Give fewer references, or leave --ceiling out.",
        )
    human: list[list[float]] = [[] for _ in metrics]
    scores: list[list[list[float]]] = [[[] for _ in systems] for _ in metrics]
    for left_out in range(count):
        rest = _without(part, left_out)
        person = Hypotheses(HUMAN, tuple(found[left_out] for found in part.references))
        results = evaluate(
            rest, [*outputs, person], metrics, level=level, threads=threads, health="off"
        )
        for place in range(len(metrics)):
            of_metric = results[place :: len(metrics)]
            human[place].append(of_metric[-1].score)
            for column, result in enumerate(of_metric[:-1]):
                scores[place][column].append(result.score)
    return [
        Ceiling(
            str(metric),
            sum(human[place]) / count,
            tuple(human[place]),
            {
                system.name: sum(scores[place][column]) / count
                for column, system in enumerate(systems)
            },
            len(kept),
        )
        for place, metric in enumerate(metrics)
    ]


def _without(corpus: Corpus, left_out: int) -> Corpus:
    """The corpus without one reference of each sentence."""
    gold = corpus.gold
    return replace(
        corpus,
        references=tuple(
            (*found[:left_out], *found[left_out + 1 :]) for found in corpus.references
        ),
        gold=None
        if gold is None
        else tuple((*found[:left_out], *found[left_out + 1 :]) for found in gold),
        errors=None,
        given=None,
        _workspace={},
    )
