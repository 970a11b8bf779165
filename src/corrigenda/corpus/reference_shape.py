"""References given as lists: grouped by text, or by sentence. An unclear shape is an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.errors import AlignmentError, FormatError
from corrigenda.kernels.lines import Lines
from corrigenda.text.sentences import checked_sentences

ReferenceShape = Literal["text", "sentence"]
"""`text`: one list per reference text. `sentence`: one list per source sentence."""


def group_by_sentence(
    sources: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    shape: ReferenceShape | None,
) -> Sequence[tuple[str, ...]]:
    """The references of each sentence, from lists in either shape."""
    if isinstance(references, str | bytes):
        raise FormatError(
            "references must be a list, not one string", remedy="Write references=[[…], …]."
        )
    outer = list(references)
    if not outer:
        return ((),) * len(sources)
    if all(isinstance(item, str) for item in outer):
        return _from_texts(sources, [cast("Sequence[str]", outer)])
    lists: list[Sequence[str]] = outer
    for number, item in enumerate(lists, 1):
        if isinstance(item, str):
            raise FormatError(
                f"references mix strings and lists: item {number} is a string",
                remedy="Give either one list of sentences, or a list of such lists.",
            )
    if shape == "sentence":
        return _from_sentences(sources, lists)
    if (
        shape is None
        and len(lists) == len(sources) > 1
        and all(len(item) == len(sources) for item in lists)
    ):
        raise FormatError(
            f"{len(lists)} lists of {len(sources)} references for {len(sources)} sentences can be "
            "read two ways",
            remedy='Say references_by="text" (one list per reference text) or '
            '"sentence" (one list per sentence).',
        )
    return _from_texts(sources, lists)


def _from_texts(sources: Sequence[str], texts: list[Sequence[str]]) -> Sequence[tuple[str, ...]]:
    checked = [checked_sentences(text, f"references[{index}]") for index, text in enumerate(texts)]
    if any(len(text) != len(sources) for text in checked):
        counts = ", ".join(str(len(text)) for text in checked[:8]) + (
            ", …" if len(checked) > 8 else ""
        )
        by_sentence = len(checked) == len(sources)
        raise AlignmentError(
            f"{len(sources)} source sentences but reference texts of {counts} sentences",
            remedy='Lists grouped by sentence need references_by="sentence".'
            if by_sentence
            else "Each reference text needs one sentence per source sentence.",
        )
    lines = [text for text in checked if isinstance(text, Lines)]
    if len(lines) == len(checked):
        return ReferenceTexts(lines, len(sources))
    return tuple(zip(*checked, strict=True)) if sources else ()


def _from_sentences(
    sources: Sequence[str], lists: list[Sequence[str]]
) -> Sequence[tuple[str, ...]]:
    if len(lists) != len(sources):
        raise AlignmentError(
            f"{len(sources)} source sentences but references for {len(lists)} sentences",
            remedy='With references_by="sentence", give one list of references per sentence.',
        )
    return tuple(
        tuple(checked_sentences(item, f"references[{index}]")) for index, item in enumerate(lists)
    )
