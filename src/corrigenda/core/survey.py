"""What a metric of scope `survey` knows about the whole corpus before it counts a part of it.

A survey is a few numbers that add up over parts. Whoever scores parts adds up the surveys of all
parts first, and gives the sum to each part. Without a given survey the corpus surveys itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from corrigenda.corpus import Corpus, Hypotheses

Survey = dict[str, int]


def give(metric: Hashable, corpus: Corpus, hypotheses: Hypotheses, survey: Survey) -> None:
    """Tell a part of a corpus what all parts together say."""
    corpus.latest(("survey", metric), hypotheses, lambda: survey)


def taken(
    metric: Hashable, corpus: Corpus, hypotheses: Hypotheses, own: Callable[[], Survey]
) -> Survey:
    """The survey that was given to this corpus, else its own."""
    return corpus.latest(("survey", metric), hypotheses, own)


def add_up(total: Survey, added: Survey) -> None:
    """Add numbers name by name."""
    for name, number in added.items():
        total[name] = total.get(name, 0) + number
