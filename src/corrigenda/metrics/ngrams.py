"""The n-gram counts that GREEN, GLEU and BLEU share, each made once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.kernels import NGRAM_COUNTS, NgramIndex, Ragged
from corrigenda.tokens import Unit, Whitespace, pack

PUBLISHED_ORDER: dict[Unit, int] = {"word": 4, "char": 6}
LARGEST_ORDER = 100
"""Longer n-grams say nothing, and would only fill the memory."""
KIND = {name: index for index, name in enumerate(NGRAM_COUNTS)}


class NgramCounts:
    """One system's n-gram counts [row, n - 1, kind] on a corpus, and the lengths they come from."""

    def __init__(self, counts: npt.NDArray[np.int64], hypotheses: Ragged, references: Ragged) -> None:
        self.counts = counts
        self.hypothesis_lengths = hypotheses.lengths
        self.reference_lengths = references.lengths

    def kind(self, *names: str) -> npt.NDArray[np.int64]:
        """The sum [row, n - 1] of the named counts."""
        return np.asarray(self.counts[:, :, [KIND[name] for name in names]].sum(axis=2))


def ngram_counts(
    corpus: Corpus,
    hypotheses: Hypotheses,
    *,
    unit: Unit,
    order: int,
    whitespace: Whitespace = "normalise",
    pooled: bool = False,
    threads: int,
) -> NgramCounts:
    """The counts; the index of the corpus is made once, the counts of a system once for all its metrics."""
    packed = pack(corpus, unit, whitespace)
    key = (unit, whitespace if unit == "char" else None, order, pooled)

    def build_index() -> NgramIndex:
        return NgramIndex(
            packed.sources, packed.references, packed.references_of_sentence,
            order=order, pooled=pooled, threads=threads,
        )  # fmt: skip

    def count() -> NgramCounts:
        index = corpus.once(("ngram index", key), build_index)
        encoded = packed.encode(hypotheses.sentences)
        return NgramCounts(index.count(encoded, threads=threads), encoded, packed.references)

    return corpus.latest(("ngram counts", key), hypotheses, count)


def relevant_fields(parameters: dict[str, Any], unit: Unit) -> dict[str, Any]:
    """Parameters without `whitespace` where words are counted: it changes nothing there."""
    return {name: value for name, value in parameters.items() if name != "whitespace" or unit == "char"}
