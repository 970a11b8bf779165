"""The words that soft edits saw: deleted and inserted ones, matched or not, with their weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from corrigenda.core.explanation import ExplainedCell, Explanation, Tone
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.compared_words import Flags, Floats
from corrigenda.metrics.soft_edits import SoftEdits

HEADERS = ("text", "change", "word", "verdict", "weight")
_Row = tuple[ExplainedCell, ...]


def explain_soft_edits(
    metric: SoftEdits, corpus: Corpus, hypotheses: Hypotheses, result: Result
) -> list[Explanation]:
    """The changes of the hypothesis and of the chosen reference, then the factors of the score."""
    place = 0 if result.references is None else int(result.references[0])
    words = metric.words(corpus, hypotheses, threads=1)
    source = corpus.sources[0].split()
    texts = (hypotheses.sentences[0].split(), corpus.references[0][place].split())
    of_source, of_hypothesis, of_reference = (
        slice(*offsets[place : place + 2])
        for offsets in (words.source, words.hypothesis, words.reference)
    )
    rows: list[_Row] = []
    for changes, span, whose, text in zip(
        metric.changes(words),
        (of_hypothesis, of_reference),
        ("hypothesis", "reference"),
        texts,
        strict=True,
    ):
        for change, listed, at, flags, matched, weights in (
            ("deletes", source, of_source,
             changes.deleted, changes.deleted_matched, changes.deleted_weights),
            ("inserts", text, span,
             changes.inserted, changes.inserted_matched, changes.inserted_weights),
        ):  # fmt: skip
            rows += _rows(whose, change, listed, flags[at], matched[at], weights[at])
    note = "" if rows else "nothing is changed"
    return [
        Explanation(f"changed words against reference {place}", HEADERS, tuple(rows), note),
        _factors(metric, result, float(words.meaning[place])),
    ]


def _rows(
    whose: str,
    change: str,
    words: Sequence[str],
    changed: Flags,
    matched: Floats,
    weights: Floats,
) -> Iterator[_Row]:
    otherwise, tone = _OTHERWISE[whose]
    for place in np.flatnonzero(changed).tolist():
        share = float(matched[place])
        shown: Tone = "good" if share == 1 else tone
        verdict = "matched" if share == 1 else f"{share:.0%} matched" if share else otherwise
        yield (
            ExplainedCell(whose),
            ExplainedCell(change),
            ExplainedCell(words[place], shown),
            ExplainedCell(verdict, shown),
            ExplainedCell(f"{weights[place]:.4f}"),
        )


_OTHERWISE: dict[str, tuple[str, Tone]] = {
    "hypothesis": ("wrong", "bad"),
    "reference": ("missed", "missed"),
}


def _factors(metric: SoftEdits, result: Result, similarity: float) -> Explanation:
    counts = result.counts
    numbers = {
        "weight of right changes / of all": f"{counts['right']:.4f} / {counts['proposed']:.4f}",
        "weight of found changes / of all": f"{counts['found']:.4f} / {counts['gold']:.4f}",
        f"F{metric.beta:g} of changes": f"{result.measures.more['edits']:.4f}",
        "similarity to the reference": f"{similarity:.4f}",
        "what the similarity leaves": f"{float(metric.gate(np.array(similarity))):.4f}",
        **_gains(metric, result),
    }
    rows = tuple((ExplainedCell(name), ExplainedCell(value)) for name, value in numbers.items())
    return Explanation("factors", ("number", "value"), rows)


def _gains(metric: SoftEdits, result: Result) -> dict[str, str]:
    """What is added to the score: each gain, times its weight."""
    gains = result.measures.more.get("gain", {})
    assert isinstance(gains, Mapping)
    return {
        title: f"{gains[name]:+.4f} × {metric.gain_weights[name]:g}"
        for name, title in _GAINS.items()
        if name in gains
    }


_GAINS = {
    "found": "weight of found changes",
    "similarity": "gain in similarity to the reference",
    "characters": "gain in GREEN on characters",
}
