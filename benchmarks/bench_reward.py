"""Rewards in process: batches of 64 hypotheses, with known references and with new ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

import corpora
import corrigenda
from corpora import Lists
from corrigenda import Corpus, evaluate
from corrigenda.rewards import Reward
from measuring import Row, Time, assert_same, best_time

BATCH = 64
GENERATIONS = 8


class Batch(NamedTuple):
    sources: list[str]
    hypotheses: list[str]
    references: list[list[str]]


def run(quick: bool) -> list[Row]:
    text = corpora.load()
    _check(text)
    repeats = 3 if quick else 15
    rows = []
    for metric, references in (
        ("green", 1),
        ("green", 2),
        ("green:unit=char", 1),
        ("gleu", 2),
        ("bleu", 2),
    ):
        batches = list(_batches(text, references, systems=2 if quick else 5))
        what = f"`{metric}`, {references} reference{'s' * (references > 1)}"
        rows += [
            _row(f"{what}, seen before", batches, _seen(metric, batches), repeats),
            _row(
                f"{what}, new",
                batches,
                # Health examines the first batches of each reward. Here it would examine all.
                lambda: _score(corrigenda.reward(metric, health=False), batches),  # noqa: B023
                repeats,
            ),
        ]
        if metric == "green":
            rows.append(
                _row(f"{what}, seen before, two calls at a time", batches, _two(batches), repeats)
            )
            groups = list(_generations(text, references))
            rows.append(
                _row(
                    f"{what}, {GENERATIONS} generations each",
                    groups,
                    _seen(metric, groups),
                    repeats,
                )
            )
    for metric in ("m2",):
        groups = list(_generations(text, 2))[:20]
        rows.append(
            _row(
                f"`{metric}`, 2 references, {GENERATIONS} generations each",
                groups,
                _seen(metric, groups),
                2,
            )
        )
    return rows


def _row(what: str, batches: list[Batch], call: Callable[[], object], repeats: int) -> Row:
    """The time of one batch; the note says how many scores that is per second."""
    measured = best_time(call, repeats)
    scores = sum(len(batch.sources) for batch in batches)
    each = Time(measured.clock * BATCH / scores, measured.processor * BATCH / scores)
    return Row(
        f"a batch of {BATCH}, {what}",
        each,
        note=f"{scores / measured.clock:,.0f} sentence scores per second",
    )


def _batches(text: Lists, references: int, *, systems: int) -> Iterator[Batch]:
    """One hypothesis per source; the outputs of one system are one epoch."""
    grouped = list(map(list, zip(*text.references[:references], strict=True)))
    for system in itertools.islice(text.systems.values(), systems):
        for begin in range(0, len(text.source) - BATCH + 1, BATCH):
            part = slice(begin, begin + BATCH)
            yield Batch(text.source[part], system[part], grouped[part])


def _generations(text: Lists, references: int) -> Iterator[Batch]:
    """Several hypotheses per source, as when a policy is trained on groups of them."""
    grouped = list(map(list, zip(*text.references[:references], strict=True)))
    outputs = list(zip(*itertools.islice(text.systems.values(), GENERATIONS), strict=True))
    step = BATCH // GENERATIONS
    for begin in range(0, len(text.source) - step + 1, step):
        places = [place for place in range(begin, begin + step) for _ in range(GENERATIONS)]
        yield Batch(
            [text.source[place] for place in places],
            [output for place in range(begin, begin + step) for output in outputs[place]],
            [grouped[place] for place in places],
        )


def _score(reward: Reward, batches: list[Batch]) -> list[np.ndarray]:
    return [reward(*batch) for batch in batches]


def _seen(metric: str, batches: list[Batch]) -> Callable[[], object]:
    reward = corrigenda.reward(metric)
    _score(reward, batches)
    return lambda: _score(reward, batches)


def _two(batches: list[Batch]) -> Callable[[], object]:
    """Two Python threads; each scores every second batch."""
    reward = corrigenda.reward("green", threads=1)
    _score(reward, batches)
    pool = ThreadPoolExecutor(2)
    return lambda: list(pool.map(lambda part: _score(reward, part), (batches[::2], batches[1::2])))


def _check(text: Lists) -> None:
    """Check that rewards equal the sentence scores of `evaluate`, to the last bit."""
    corpus = Corpus.from_lists(text.source, text.references, references_by="text")
    expected = evaluate(corpus, {"": text.first_system}, ["green"], level="sentence")[
        0
    ].sentence_scores
    grouped = list(zip(*text.references, strict=True))
    scores = corrigenda.reward("green")(text.source, text.first_system, grouped)
    for number, (mine, theirs) in enumerate(
        zip(scores.tolist(), expected.tolist(), strict=True), 1
    ):
        assert_same(f"sentence {number}", mine, theirs, tolerance=0.0)
