"""Gold errors of the I-measure and the references that they allow.

A sentence has errors; an error has alternatives that exclude one another; an alternative has one or
more corrections (spans of the source and what replaces them). From these come the references: with
mixing, every combination of one alternative for each error; without, one for each annotator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise, product
from math import prod
from typing import TypeVar

from corrigenda.edits import Annotation, Edit
from corrigenda.errors import FormatError

Words = tuple[str, ...]
Text = TypeVar("Text", Words, bytes)

# An annotator who lists several accepted corrections (`a||b`) for several overlapping edits gives the
# product of them; beyond this many the file is refused rather than the memory filled.
MAX_ALTERNATIVES = 10_000


@dataclass(frozen=True)
class Correction:
    """Replace `source[start:end]` by `words`; an insertion has `start == end`."""

    start: int
    end: int
    words: Words


@dataclass(frozen=True)
class Alternative:
    """One annotator's way to correct an error."""

    annotator: int
    corrections: tuple[Correction, ...]


@dataclass(frozen=True)
class GoldError:
    """An error: exclusive alternatives; where it is not required, leaving it alone is right, too."""

    alternatives: tuple[Alternative, ...]
    required: bool
    type: str = ""


@dataclass(frozen=True)
class GoldSentence:
    """A source sentence, its errors, and how many annotators looked at it (`numann`)."""

    words: Words
    errors: tuple[GoldError, ...]
    annotators: int

    def __post_init__(self) -> None:
        for error in self.errors:
            for alternative in error.alternatives:
                for each in alternative.corrections:
                    if not 0 <= each.start <= each.end <= len(self.words):
                        raise FormatError(
                            f"a correction at {each.start}-{each.end} in a sentence of"
                            f" {len(self.words)} words: {' '.join(self.words)}"
                        )


@dataclass(frozen=True)
class References:
    """The references of a sentence, not yet written out.

    Each reference is one text of each segment, put together; `combinations` is how many there would
    be with mixing. `too_many` says that they were wanted but are too many to be used.
    """

    segments: tuple[tuple[Words, ...], ...]
    combinations: int
    too_many: bool

    def texts(self) -> list[Words]:
        """The distinct references, in order: the first segment varies slowest."""
        return expand(self.segments, ())


def references_of(
    sentence: GoldSentence, mix: bool = True, max_references: int = 20_000
) -> References:
    """The references of one sentence; beyond `max_references` combinations, the annotators' own."""
    combinations = prod(len(_choices(error)) for error in sentence.errors)
    too_many = mix and combinations > max_references
    mixed = mix and not too_many
    segments = mixed_segments(sentence) if mixed else (tuple(annotator_references(sentence)),)
    return References(segments, combinations, too_many)


def expand(segments: Sequence[Sequence[Text]], nothing: Text) -> list[Text]:
    """All texts of one piece of each segment, without repetition; texts are words, or the bytes of ids."""
    texts = [nothing]
    for segment in segments:
        texts = list(dict.fromkeys(text + piece for text in texts for piece in segment))
    return texts


def annotator_references(sentence: GoldSentence) -> list[Words]:
    """One reference an annotator; the source, too, where some annotator changed nothing."""
    by_annotator: dict[int, list[Correction]] = {}
    for error in sentence.errors:
        for annotator, corrections in _first_of_each_annotator(error).items():
            by_annotator.setdefault(annotator, []).extend(corrections)
    texts = [apply(sentence.words, by_annotator[annotator]) for annotator in sorted(by_annotator)]
    if len(texts) < sentence.annotators or not texts:
        texts.append(sentence.words)
    return texts


def mixed_segments(sentence: GoldSentence) -> tuple[tuple[Words, ...], ...]:
    """The references of all combinations of alternatives, the first error varying slowest.

    Where the errors are independent, each is a segment of its own, with the words before it. If not,
    the whole sentence is one segment, with the combinations written out.
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


def apply(words: Words, corrections: Iterable[Correction]) -> Words:
    """The corrected sentence; a correction that would leave it empty is skipped."""
    for correction in _last_first(corrections):
        words = _replaced(words, [correction], 0) or words
    return words


def _replaced(words: Words, corrections: Iterable[Correction], offset: int) -> Words:
    """The words, which start at the offset, corrected. What comes last is done first: it moves nothing."""
    for each in _last_first(corrections):
        words = words[: each.start - offset] + each.words + words[each.end - offset :]
    return words


def _last_first(corrections: Iterable[Correction]) -> list[Correction]:
    return sorted(corrections, key=lambda each: (each.start, each.end), reverse=True)


def _choices(error: GoldError) -> list[tuple[Correction, ...]]:
    """The distinct ways to treat an error: annotators often agree. Leaving it alone comes last."""
    choices = dict.fromkeys(_joined(alternative) for alternative in error.alternatives)
    if not error.required or not choices:
        choices[()] = None
    return list(choices)


def _joined(alternative: Alternative) -> tuple[Correction, ...]:
    """An alternative's corrections, those at one span joined into one, in the order given."""
    by_span: dict[tuple[int, int], Words] = {}
    for correction in alternative.corrections:
        span = (correction.start, correction.end)
        by_span[span] = by_span.get(span, ()) + correction.words
    return tuple(Correction(start, end, words) for (start, end), words in by_span.items())


def _first_of_each_annotator(error: GoldError) -> dict[int, tuple[Correction, ...]]:
    first: dict[int, tuple[Correction, ...]] = {}
    for alternative in error.alternatives:
        first.setdefault(alternative.annotator, _joined(alternative))
    return first


def _combinations(
    errors: Sequence[GoldError], chosen: tuple[Correction, ...] = ()
) -> Iterator[tuple[Correction, ...]]:
    """One choice for each error, depth first; two corrections of one span contradict one another."""
    if not errors:
        yield chosen
        return
    taken = {(each.start, each.end) for each in chosen}
    for corrections in _choices(errors[0]):
        if taken.isdisjoint((each.start, each.end) for each in corrections):
            yield from _combinations(errors[1:], chosen + corrections)


def _independent_extents(sentence: GoldSentence) -> list[tuple[int, int]] | None:
    """From where to where each error reaches; None where a correction could get in another's way.

    That is so where errors overlap, insert at the same place or are out of order, where corrections of
    one alternative overlap, and where no word stays that keeps the sentence from becoming empty.
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


def _overlapping(corrections: Sequence[Correction]) -> bool:
    spans = sorted((each.start, each.end) for each in corrections)
    return any(second[0] < first[1] for first, second in pairwise(spans))


def annotations_of(sentence: GoldSentence) -> tuple[Annotation, ...]:
    """Each annotator's edits in the sentence; those of its annotators who corrected nothing are empty."""
    edits: dict[int, list[Edit]] = {}
    for error in sentence.errors:
        for annotator in dict.fromkeys(alternative.annotator for alternative in error.alternatives):
            own = [_joined(each) for each in error.alternatives if each.annotator == annotator]
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


def _edits_of(alternatives: Sequence[tuple[Correction, ...]], kind: str) -> Iterator[Edit]:
    """The edits of one annotator's first alternative; others with the same spans add accepted corrections."""
    spans = [(each.start, each.end) for each in alternatives[0]]
    alike = [each for each in alternatives if [(c.start, c.end) for c in each] == spans]
    for place, (start, end) in enumerate(spans):
        accepted = dict.fromkeys(" ".join(each[place].words) for each in alike)
        yield Edit(start, end, tuple(accepted), kind or "UNK")


def gold_sentence(words: Words, edits: Mapping[int, Sequence[Edit]]) -> GoldSentence:
    """The gold of one sentence of an M2 file. An annotator with a noop has an empty list of edits."""
    return GoldSentence(words, errors_of(edits), len(edits))


def errors_of(edits: Mapping[int, Sequence[Edit]]) -> tuple[GoldError, ...]:
    """Clusters the edits of all annotators by overlap; each cluster is an error.

    It is required where every annotator corrected something there.
    """
    return tuple(_error(cluster, len(edits)) for cluster in _clusters(edits))


Owned = tuple[int, Edit]


def _clusters(edits: Mapping[int, Sequence[Edit]]) -> list[list[Owned]]:
    """Groups of overlapping edits in order of position; in a group, by annotator, then as in the file."""
    by_extent: dict[tuple[int, int], list[Owned]] = {}
    extents = _extents({(edit.start, edit.end) for each in edits.values() for edit in each})
    for annotator in sorted(edits):
        for edit in edits[annotator]:
            extent = extents[edit.start, edit.end]
            by_extent.setdefault(extent, []).append((annotator, edit))
    return [by_extent[extent] for extent in sorted(by_extent)]


def _extents(spans: Iterable[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """For each span, from where to where its cluster reaches.

    Spans that share a token chain into one extent. An insertion belongs to the extent that it lies
    strictly inside: such an extent has a span round that place, or its halves would not be chained.
    """
    chained: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if chained and start < chained[-1][1]:
            chained[-1] = (chained[-1][0], max(chained[-1][1], end))
        else:
            chained.append((start, end))
    return {span: next((each for each in chained if _within(span, each)), span) for span in spans}


def _within(span: tuple[int, int], extent: tuple[int, int]) -> bool:
    start, end = span
    if start == end:
        return extent[0] < start < extent[1]
    return extent[0] <= start and end <= extent[1]


def _error(cluster: Sequence[Owned], annotators: int) -> GoldError:
    by_annotator: dict[int, list[Edit]] = {}
    for annotator, edit in cluster:
        by_annotator.setdefault(annotator, []).append(edit)
    alternatives = tuple(
        alternative
        for annotator, edits in by_annotator.items()
        for alternative in _alternatives(annotator, edits)
    )
    types = dict.fromkeys(edit.type for _, edit in cluster)
    return GoldError(alternatives, len(by_annotator) == annotators, "/".join(types))


def _alternatives(annotator: int, edits: Sequence[Edit]) -> Iterator[Alternative]:
    """One for each choice among the accepted corrections; the first has the first correction of each."""
    if prod(len(edit.corrections) for edit in edits) > MAX_ALTERNATIVES:
        span = f"{min(edit.start for edit in edits)}-{max(edit.end for edit in edits)}"
        raise FormatError(
            f"annotator {annotator} accepts more than {MAX_ALTERNATIVES} ways to correct words {span}",
            remedy="List fewer alternatives (a||b) for overlapping edits.",
        )
    for texts in product(*(edit.corrections for edit in edits)):
        corrections = (
            Correction(edit.start, edit.end, tuple(text.split()))
            for edit, text in zip(edits, texts, strict=True)
        )
        yield Alternative(annotator, tuple(corrections))
