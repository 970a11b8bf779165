"""What a metric of scope `survey` must know about the whole corpus before it counts a part of it.

A survey is a few numbers that add up over parts. Code that scores parts first adds up the surveys
of all parts, and then gives the sum to each part. A corpus without a given survey uses its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from corrigenda.corpus import Corpus, Hypotheses

Survey = dict[str, int]


def give(metric: Hashable, corpus: Corpus, hypotheses: Hypotheses, survey: Survey) -> None:
    """Give a part of a corpus the sum of the surveys of all parts."""
    corpus.latest(("survey", metric), hypotheses, lambda: survey)


def taken(
    metric: Hashable, corpus: Corpus, hypotheses: Hypotheses, own: Callable[[], Survey]
) -> Survey:
    """The survey that was given to this corpus; without one, the survey of the corpus itself."""
    return corpus.latest(("survey", metric), hypotheses, own)


def add_up(total: Survey, added: Survey) -> None:
    """Add the numbers of one survey to another, name by name."""
    for name, number in added.items():
        total[name] = total.get(name, 0) + number
