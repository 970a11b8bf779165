"""Checks the arguments of a batch: trainers pass any values that their data sets hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, NoReturn

from corrigenda.core.metric import Metric, references_missing
from corrigenda.errors import AlignmentError, FormatError
from corrigenda.text.sentences import checked_sentences

BatchReferences = Sequence[str | Sequence[str] | None]
"""For each sentence its references, or its only reference, or None."""
Target = tuple[str, tuple[str, ...]]
"""A source with its references, which come again in every epoch.

It is a plain tuple, because one is made for every score.
"""


class Batch(NamedTuple):
    """Hypotheses, each with its target."""

    targets: list[Target]
    hypotheses: Sequence[str]


def batch_of(
    sources: Sequence[str], hypotheses: Sequence[str], references: BatchReferences | None
) -> Batch:
    """A batch of aligned lists.

    A sentence may have one reference instead of a list. It has none if its item is None or an empty
    list, or if `references` itself is.
    """
    for name, given in (("sources", sources), ("hypotheses", hypotheses)):
        _check_list(name, given)
    if references is not None:
        _check_list("references", references)
    if references is None or len(references) == 0:
        references = [()] * len(sources)
    _check_lengths(sources, hypotheses, references)
    try:
        targets = [
            (source, (given,) if type(given) is str else () if given is None else tuple(given))
            for source, given in zip(sources, references, strict=True)
        ]
    except TypeError:
        _check_references(references)
        raise
    # All types are checked together, because this is done for every batch and must be fast.
    if not set(map(type, hypotheses)) <= {str}:
        _check_strings(hypotheses, "hypotheses")
    return Batch(targets, hypotheses)


def _check_list(name: str, given: object) -> None:
    if isinstance(given, str):
        raise FormatError(f"{name} is one string, not a list", remedy=f"Write {name}=[…].")
    is_list = hasattr(given, "__len__") and hasattr(given, "__getitem__")
    if not is_list or isinstance(given, Mapping):
        _refuse(given, name, "a list")


def _check_lengths(
    sources: Sequence[str], hypotheses: Sequence[str], references: BatchReferences
) -> None:
    if not len(sources) == len(hypotheses) == len(references):
        raise AlignmentError(
            f"{len(sources)} sources, {len(hypotheses)} hypotheses, "
            f"references for {len(references)} sentences",
            remedy="Give one hypothesis and one list of references per source.",
        )


def checked_target(metric: Metric, target: Target) -> Target:
    """The target, if the metric can score it. It is checked once, when it is prepared."""
    source, references = target
    checked_sentences((source,), "source")
    checked_sentences(references, "references")
    if not references and metric.needs_references != "none":
        raise references_missing(metric, f"the source {source!r}")
    return target


def check_targets(targets: Sequence[Target]) -> None:
    """Raise the error for targets that cannot be keys of a cache."""
    _check_strings([source for source, _ in targets], "sources")
    for number, (_, references) in enumerate(targets, 1):
        _check_strings(references, f"references of sentence {number}")


def _check_references(references: Sequence[object]) -> None:
    for number, given in enumerate(references, 1):
        if given is not None and not isinstance(given, Iterable):
            _refuse(given, f"references: item {number}", "a list of strings")


def _check_strings(sentences: Sequence[object], what: str) -> None:
    for number, sentence in enumerate(sentences, 1):
        if not isinstance(sentence, str):
            _refuse(sentence, f"{what}: item {number}", "a string")


def _refuse(value: object, what: str, expected: str) -> NoReturn:
    raise FormatError(
        f"{what} is {type(value).__name__}, not {expected}", remedy="Give the texts themselves."
    )
