"""Texts that are longer than a model reads. It reads their beginning; the rest is cut off.

Scores of such texts are kept, but counted and reported: they say nothing about the part that was
cut off. Every scorer ends the scores of a pair with the number of its texts that were cut.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence

from corrigenda.neural.types import Scores, Tokenizer, Tokens

REMARK = "truncated_sentences"


def are_cut(
    tokenizer: Tokenizer, texts: Sequence[str], tokens: Sequence[Tokens], longest: int
) -> list[bool]:
    """Whether each text has more tokens than the `longest` that were kept."""
    full = [place for place, ids in enumerate(tokens) if len(ids) >= longest]
    whole = tokenizer([texts[place] for place in full], verbose=False)["input_ids"] if full else []
    cut = {place for place, ids in zip(full, whole, strict=True) if len(ids) > len(tokens[place])}
    return [place in cut for place in range(len(texts))]


def remarks(
    metric: str,
    system: str,
    sentences: Iterable[Iterable[Scores]],
    *,
    rest: str = "is cut off and not scored",
) -> Mapping[str, int]:
    """The number of sentences with a text that was cut; with a warning if there are any.

    `sentences` has the scores of all pairs that each sentence needs. `rest` says what happens to
    the part beyond the limit.
    """
    number = sum(any(scores[-1] for scores in of_sentence) for of_sentence in sentences)
    if number:
        plural = "s are" if number > 1 else " is"
        warnings.warn(
            f"{metric}: {number} sentence{plural} longer than the model reads in {system}; "
            f"what is beyond the limit {rest}",
            stacklevel=2,
        )
    return {REMARK: number}
