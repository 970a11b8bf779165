"""The weights behind PT-GREEN: of words, and of GREEN's seven regions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corrigenda.core.explanation import ExplainedCell, Explanation
from corrigenda.core.result import Result
from corrigenda.core.statistics import Array
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.ngram_explanations import REGION_TITLES
from corrigenda.metrics.pt_green import PtGreen
from corrigenda.metrics.weighted_ngrams import WeightedText
from corrigenda.metrics.word_weights import word_places


def explain_pt_green(
    metric: PtGreen, corpus: Corpus, hypotheses: Hypotheses, result: Result
) -> list[Explanation]:
    """The words of the three texts with their weights, and the regions for each n."""
    place = 0 if result.references is None else int(result.references[0])
    weighted, _ = metric.weighted(corpus, hypotheses, threads=1)
    texts = (corpus.sources[0], corpus.references[0][place], hypotheses.sentences[0])
    words = tuple(
        (
            ExplainedCell(name),
            ExplainedCell(" · ".join(_listed(metric, text, found, place)) or "∅"),
        )
        for name, text, found in zip(
            ("source", f"reference {place}", "hypothesis"), texts, weighted, strict=True
        )
    )
    note = (
        "n-grams that only the hypothesis has take the weights of the hypothesis; "
        "all others those of source and reference"
    )
    return [
        Explanation("weights of words", ("text", "words with their weights"), words, note),
        _regions(metric, result),
    ]


def _listed(metric: PtGreen, text: str, weighted: WeightedText, row: int) -> list[str]:
    """Each word with its weight; with `match=soft` also how much of it is matched."""
    start, end = weighted.units.offsets[row : row + 2]
    places = word_places(text, metric.unit, metric.whitespace)
    shown = []
    for number, word in enumerate(text.split()):
        # A blank before a word has the weight of the word, too: the last unit is never a blank.
        unit = int(np.flatnonzero(places == number)[-1])
        value = f"{word} {_at(weighted.weights[start:end], unit)}"
        if metric.match == "soft" and 0 < weighted.matched[start + unit] < 1:
            value += f" ~{_at(weighted.matched[start:end], unit)}"
        shown.append(value)
    return shown


def _at(values: Array, place: int) -> str:
    return f"{values[place]:.3f}"


def _regions(metric: PtGreen, result: Result) -> Explanation:
    rows = []
    for name, (title, tone) in REGION_TITLES.items():
        sums = result.counts[name]
        assert isinstance(sums, Sequence)
        rows.append((ExplainedCell(title, tone), *(ExplainedCell(f"{each:.3f}") for each in sums)))
    headers = ("region", *(f"n={n}" for n in range(1, metric.n + 1)))
    return Explanation("sums of weights", headers, tuple(rows))
