"""The arguments of a batch, checked: trainers pass what their data sets hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

from corrigenda.errors import AlignmentError, FormatError
from corrigenda.text.sentences import checked_sentences

References = Sequence[str] | Sequence[Sequence[str]]
"""For each sentence its references, or its only one."""
Target = tuple[str, tuple[str, ...]]
"""A source with its references: what comes again in every epoch. A plain tuple, as one is made for every score."""


class Batch(NamedTuple):
    """Hypotheses, each with its target."""

    targets: list[Target]
    hypotheses: Sequence[str]


def batch_of(sources: Sequence[str], hypotheses: Sequence[str], references: References) -> Batch:
    """A batch of aligned lists; a reference may stand for a list of one."""
    for name, given in (
        ("sources", sources),
        ("hypotheses", hypotheses),
        ("references", references),
    ):
        if isinstance(given, str):
            raise FormatError(f"{name} is one string, not a list", remedy=f"Write {name}=[…].")
    if not len(sources) == len(hypotheses) == len(references):
        raise AlignmentError(
            f"{len(sources)} sources, {len(hypotheses)} hypotheses, references for {len(references)} sentences",
            remedy="Give a hypothesis and a list of references for each source.",
        )
    try:
        targets = [
            (source, (given,) if type(given) is str else tuple(given))
            for source, given in zip(sources, references, strict=True)
        ]
    except TypeError:
        _check_references(references)
        raise
    # One look at all types together: this is done for every batch.
    if not set(map(type, hypotheses)) <= {str}:
        _check_strings(hypotheses, "hypotheses")
    return Batch(targets, hypotheses)


def checked_target(target: Target) -> Target:
    """The target, if it can be scored; looked at once, when it is prepared."""
    source, references = target
    checked_sentences((source,), "source")
    checked_sentences(references, "references")
    if not references:
        raise FormatError(
            f"the source {source!r} has no reference",
            remedy="Give each sentence at least one reference; repeat the source where nothing is to correct.",
        )
    return target


def check_targets(targets: Sequence[Target]) -> None:
    """Says what is wrong with targets that are not even keys of a cache."""
    _check_strings([source for source, _ in targets], "sources")
    for number, (_, references) in enumerate(targets, 1):
        _check_strings(references, f"references of sentence {number}")


def _check_references(references: Sequence[Any]) -> None:
    for number, given in enumerate(references, 1):
        if not isinstance(given, Iterable):
            _refuse(given, f"references: item {number}", "a list of strings")


def _check_strings(sentences: Sequence[Any], what: str) -> None:
    for number, sentence in enumerate(sentences, 1):
        if not isinstance(sentence, str):
            _refuse(sentence, f"{what}: item {number}", "a string")


def _refuse(value: object, what: str, expected: str) -> NoReturn:
    raise FormatError(
        f"{what} is {type(value).__name__}, not {expected}", remedy="Give the texts themselves."
    )


def one_line(hypothesis: str) -> str:
    """A model may write anything: a line end or a NUL, which no sentence has, counts as a blank."""
    return hypothesis.replace("\n", " ").replace("\x00", " ")
