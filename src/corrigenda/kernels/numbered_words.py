"""The words of sentences as numbers, each sentence for itself; see cpp/numbered_words.hpp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.limits import bounded
from corrigenda.kernels.lines import as_texts, reference_views
from corrigenda.kernels.ragged import Ragged


class NumberedWords(NamedTuple):
    """Equal words of a sentence have equal numbers; its texts are source, references, hypothesis.

    The references of sentence i are `references_of_sentence[i]` up to `[i + 1]`.
    """

    sources: Ragged
    references: Ragged
    hypotheses: Ragged
    references_of_sentence: npt.NDArray[np.int64]


def number_words(
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    hypotheses: Sequence[str] | None,
    *,
    by_text: bool,
    threads: int,
) -> NumberedWords:
    """The numbers of all words. Those of sources and references do not depend on hypotheses.

    `references` has one item per reference text if `by_text`, else one per sentence.
    """
    if hypotheses is not None and len(hypotheses) != len(sources):
        raise ValueError(f"{len(hypotheses)} hypotheses for {len(sources)} sentences")
    with bounded():
        source, reference, hypothesis, offsets = _kernels.number_words(
            as_texts(sources),
            reference_views(references, len(sources), by_text=by_text),
            None if hypotheses is None else as_texts(hypotheses),
            threads,
        )
    return NumberedWords(
        Ragged(*source), Ragged(*reference), Ragged(*hypothesis), offsets.view(np.int64)
    )
