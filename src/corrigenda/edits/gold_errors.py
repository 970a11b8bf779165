"""The gold errors of the I-measure, and the references that follow from them.

A sentence has errors. An error has alternatives that exclude each other. An alternative has one or
more corrections: spans of the source, each with its replacement. With mixing, there is one
reference for every combination of one alternative per error. Without mixing, there is one
reference per annotator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, pairwise
from math import prod
from typing import TypeVar

from corrigenda.edits import UNKNOWN_TYPE, Annotation, Edit
from corrigenda.errors import FormatError

Words = tuple[str, ...]
Text = TypeVar("Text", Words, bytes)


@dataclass(frozen=True)
class ErrorCorrection:
    """`words` replace `source[start:end]`; an insertion has `start == end`."""

    start: int
    end: int
    words: Words


@dataclass(frozen=True)
class Alternative:
    """One annotator's way to correct an error."""

    annotator: int
    corrections: tuple[ErrorCorrection, ...]


@dataclass(frozen=True)
class GoldError:
    """An error and its alternatives, which exclude each other.

    If the error is not required, it is also right to leave it alone.
    """

    alternatives: tuple[Alternative, ...]
    required: bool
    type: str = ""


@dataclass(frozen=True)
class GoldSentence:
    """A source sentence, its errors, and its number of annotators (`numann`)."""

    words: Words
    errors: tuple[GoldError, ...]
    annotators: int

    def __post_init__(self) -> None:
        for each in self._corrections():
            if not 0 <= each.start <= each.end <= len(self.words):
                raise FormatError(
                    f"the correction {each.start}-{each.end} is not within the sentence of"
                    f" {len(self.words)} words: {' '.join(self.words)}",
                    remedy="Spans count source words from 0, and the end is not included.",
                )

    def _corrections(self) -> Iterator[ErrorCorrection]:
        for error in self.errors:
            for alternative in error.alternatives:
                yield from alternative.corrections


@dataclass(frozen=True)
class MixedReferences:
    """The references of a sentence, in segments.

    A reference is one text from each segment, joined. `combinations` is the number of references
    with mixing. `too_many` is true if mixing was requested but gives too many references.
    """

    segments: tuple[tuple[Words, ...], ...]
    combinations: int
    too_many: bool

    def texts(self) -> list[Words]:
        """The distinct references in order; the first segment varies slowest."""
        return expand(self.segments, ())


def references_of(
    sentence: GoldSentence, mix: bool = True, max_references: int = 20_000
) -> MixedReferences:
    """The references of one sentence.

    With more than `max_references` combinations, there is one reference per annotator.
    """
    combinations = mixed_number(sentence)
    too_many = mix and combinations > max_references
    mixed = mix and not too_many
    segments = mixed_segments(sentence) if mixed else (tuple(annotator_references(sentence)),)
    return MixedReferences(segments, combinations, too_many)


def mixed_number(sentence: GoldSentence) -> int:
    """How many references there are if the corrections of annotators are mixed."""
    return prod(len(_choices(error)) for error in sentence.errors)


def most_words(sentence: GoldSentence) -> int:
    """No reference of the sentence has more words."""
    return len(sentence.words) + sum(
        max((sum(len(each.words) for each in choice) for choice in _choices(error)), default=0)
        for error in sentence.errors
    )


def expand(segments: Sequence[Sequence[Text]], nothing: Text) -> list[Text]:
    """All texts that join one piece from each segment, without repetition.

    A text is a tuple of words, or the bytes of their ids.
    """
    texts = [nothing]
    for segment in segments:
        texts = list(dict.fromkeys(text + piece for text in texts for piece in segment))
    return texts


def annotator_references(sentence: GoldSentence) -> list[Words]:
    """One reference per annotator, and the source if some annotator changed nothing."""
    by_annotator: dict[int, list[ErrorCorrection]] = {}
    for error in sentence.errors:
        for annotator, corrections in _first_of_each_annotator(error).items():
            by_annotator.setdefault(annotator, []).extend(corrections)
    texts = [apply(sentence.words, by_annotator[annotator]) for annotator in sorted(by_annotator)]
    if len(texts) < sentence.annotators or not texts:
        texts.append(sentence.words)
    return texts


def mixed_segments(sentence: GoldSentence) -> tuple[tuple[Words, ...], ...]:
    """The references of all combinations of alternatives; the first error varies slowest.

    If the errors are independent, each error forms a segment together with the words before it.
    If not, the whole sentence is one segment that lists all combinations.
    """
    extents = _independent_extents(sentence)
    if extents is None:
        combinations = _combinations(sentence.errors)
        whole = tuple(apply(sentence.words, corrections) for corrections in combinations)
        return (whole or (sentence.words,),)
    segments, position = [], 0
    for error, (start, end) in zip(sentence.errors, extents, strict=True):
        before, inside = sentence.words[position:start], sentence.words[start:end]
        choices = _choices(error)
        segments.append(tuple(before + _replaced(inside, choice, start) for choice in choices))
        position = end
    return (*segments, (sentence.words[position:],))


def apply(words: Words, corrections: Iterable[ErrorCorrection]) -> Words:
    """The corrected sentence; a correction that would make it empty is skipped."""
    ordered = _last_first(corrections)
    # As long as words are left before it, a correction cannot make the sentence empty.
    first = sum(1 for each in ordered if each.start > 0)
    words = _replaced(words, ordered[:first], 0)
    for each in ordered[first:]:
        words = (each.words + words[each.end :]) or words
    return words


def _replaced(words: Words, corrections: Iterable[ErrorCorrection], offset: int) -> Words:
    """The words after the corrections; `offset` is the position of the first word in the sentence.

    The last correction is applied first, so that the positions of the others stay valid.
    """
    ordered = _last_first(corrections)
    if any(before.end > after.start for after, before in pairwise(ordered)):
        for each in ordered:
            words = words[: each.start - offset] + each.words + words[each.end - offset :]
        return words
    # Corrections that do not overlap need no copy of the sentence each.
    parts: list[Words] = []
    position = 0
    for each in reversed(ordered):
        parts += [words[position : each.start - offset], each.words]
        position = each.end - offset
    return tuple(chain(*parts, words[position:]))


def _last_first(corrections: Iterable[ErrorCorrection]) -> list[ErrorCorrection]:
    return sorted(corrections, key=lambda each: (each.start, each.end), reverse=True)


def _choices(error: GoldError) -> list[tuple[ErrorCorrection, ...]]:
    """The distinct ways to correct an error; leaving it alone comes last.

    Annotators often agree, so equal alternatives are common.
    """
    choices = dict.fromkeys(_joined(alternative) for alternative in error.alternatives)
    if not error.required or not choices:
        choices[()] = None
    return list(choices)


def _joined(alternative: Alternative) -> tuple[ErrorCorrection, ...]:
    """The corrections of an alternative in order; those at the same span are joined into one."""
    by_span: dict[tuple[int, int], list[str]] = {}
    for each in alternative.corrections:
        by_span.setdefault((each.start, each.end), []).extend(each.words)
    return tuple(
        ErrorCorrection(start, end, tuple(words)) for (start, end), words in by_span.items()
    )


def _first_of_each_annotator(error: GoldError) -> dict[int, tuple[ErrorCorrection, ...]]:
    first: dict[int, tuple[ErrorCorrection, ...]] = {}
    for alternative in error.alternatives:
        first.setdefault(alternative.annotator, _joined(alternative))
    return first


def _combinations(errors: Sequence[GoldError]) -> Iterator[tuple[ErrorCorrection, ...]]:
    """One choice per error, depth first; two corrections of the same span exclude each other."""
    choices = [_choices(error) for error in errors]
    chosen: list[tuple[ErrorCorrection, ...]] = []
    taken: set[tuple[int, int]] = set()
    # One iterator over the choices of each error so far: errors may be too many for recursion.
    waiting = [iter(choices[0])] if choices else []
    if not choices:
        yield ()
    while waiting:
        corrections = next(waiting[-1], None)
        if corrections is None:
            waiting.pop()
        elif taken.isdisjoint(_spans(corrections)):
            chosen.append(corrections)
            taken |= _spans(corrections)
            if len(chosen) < len(choices):
                waiting.append(iter(choices[len(chosen)]))
                continue
            yield tuple(chain.from_iterable(chosen))
        else:
            continue
        if chosen:
            taken -= _spans(chosen.pop())


def _spans(corrections: Iterable[ErrorCorrection]) -> set[tuple[int, int]]:
    return {(each.start, each.end) for each in corrections}


def _independent_extents(sentence: GoldSentence) -> list[tuple[int, int]] | None:
    """The start and the end of each error, or None if the errors are not independent.

    Errors are not independent if they overlap, insert at the same place or are out of order, if
    corrections of one alternative overlap, or if the errors cover all words (then the sentence
    could become empty).
    """
    extents: list[tuple[int, int]] = []
    position, insertions, untouched = 0, set[int](), len(sentence.words)
    for error in sentence.errors:
        choices = _choices(error)
        spans = {(each.start, each.end) for choice in choices for each in choice}
        start = min((span[0] for span in spans), default=position)
        end = max((span[1] for span in spans), default=position)
        inserted = {span[0] for span in spans if span[0] == span[1]}
        if start < position or insertions & inserted or any(map(_overlapping, choices)):
            return None
        extents.append((start, end))
        position, insertions, untouched = end, insertions | inserted, untouched - (end - start)
    return extents if untouched else None


def _overlapping(corrections: Sequence[ErrorCorrection]) -> bool:
    spans = sorted((each.start, each.end) for each in corrections)
    return any(second[0] < first[1] for first, second in pairwise(spans))


def annotations_of(sentence: GoldSentence) -> tuple[Annotation, ...]:
    """The edits of each annotator; an annotator who corrected nothing has no edits."""
    edits: dict[int, list[Edit]] = {}
    for error in sentence.errors:
        by_annotator: dict[int, list[tuple[ErrorCorrection, ...]]] = {}
        for each in error.alternatives:
            by_annotator.setdefault(each.annotator, []).append(_joined(each))
        for annotator, own in by_annotator.items():
            edits.setdefault(annotator, []).extend(_edits_of(own, error.type))
    unseen = (number for number in count() if number not in edits)
    while len(edits) < max(1, sentence.annotators):
        edits[next(unseen)] = []
    by_position = {
        who: sorted(own, key=lambda edit: (edit.start, edit.end)) for who, own in edits.items()
    }
    return tuple(
        Annotation(annotator, tuple(by_position[annotator])) for annotator in sorted(by_position)
    )


def _edits_of(alternatives: Sequence[tuple[ErrorCorrection, ...]], kind: str) -> Iterator[Edit]:
    """The edits of an annotator's first alternative.

    Other alternatives with the same spans add accepted corrections.
    """
    spans = [(each.start, each.end) for each in alternatives[0]]
    alike = [each for each in alternatives if [(c.start, c.end) for c in each] == spans]
    for place, (start, end) in enumerate(spans):
        accepted = dict.fromkeys(" ".join(each[place].words) for each in alike)
        yield Edit(start, end, tuple(accepted), kind or UNKNOWN_TYPE)
