"""An edit: a span of source words and the words that replace it."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from corrigenda.kernels.minimal_edits import minimal_edits
from corrigenda.kernels.ragged import one_reference, single

NOOP_TYPE = "noop"
ANNOTATOR_LIMIT = 10**18
"""The number of an annotator is smaller than this."""
UNKNOWN_TYPE = "UNK"
"""The type of an edit without a type, and of an error that was marked but not corrected."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One of `corrections` replaces the source words from `start` up to `end` (not included).

    A correction consists of words joined by single blanks; the empty string deletes. An insertion
    has `start == end`. The first correction is the one that is applied. The others are also
    accepted as right.
    """

    start: int
    end: int
    corrections: tuple[str, ...]
    type: str = UNKNOWN_TYPE

    @property
    def correction(self) -> str:
        """The first accepted correction."""
        return self.corrections[0]

    @property
    def is_insertion(self) -> bool:
        """Whether the edit replaces no source word."""
        return self.start == self.end

    def overlaps(self, other: Edit) -> bool:
        """Whether the two edits share a word, or one inserts inside the other."""
        if self.is_insertion and other.is_insertion:
            return False
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Annotation:
    """All edits by one annotator in one sentence, in file order; a `noop` has no edits."""

    annotator: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """A source sentence and its annotations, ordered by annotator.

    `line` is the line of the sentence in its file.
    """

    source: str
    annotations: tuple[Annotation, ...]
    line: int = 0

    @property
    def words(self) -> list[str]:
        """The source words that edits count."""
        return self.source.split()


def are_annotators(numbers: Sequence[int]) -> bool:
    """Whether files can hold these numbers of annotators: from 0 on, in increasing order."""
    ordered = all(first < second for first, second in itertools.pairwise(numbers))
    return ordered and all(0 <= number < ANNOTATOR_LIMIT for number in numbers)


def apply_edits(words: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """The words after each edit's first correction. Insertions at one position keep their order."""
    corrected: list[str] = []
    position = 0
    for edit in sorted(edits, key=_by_position):
        corrected.extend(words[position : edit.start])
        corrected.extend(edit.correction.split())
        position = edit.end
    corrected.extend(words[position:])
    return corrected


def _by_position(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


@dataclass
class GrowingEdits:
    """Edits of one annotator, read one by one; none of them overlaps another."""

    in_order: list[Edit] = field(default_factory=list)
    """In the order in which they came."""
    _by_place: list[Edit] = field(default_factory=list)

    def add(self, edit: Edit) -> tuple[Edit, Edit] | None:
        """Add an edit; if it overlaps another, it is not added, and both are returned."""
        place = bisect_right(self._by_place, _by_position(edit), key=_by_position)
        # Edits that do not overlap are in the order of their ends, too: only neighbours can clash.
        if place > 0 and self._by_place[place - 1].overlaps(edit):
            return self._by_place[place - 1], edit
        if place < len(self._by_place) and edit.overlaps(self._by_place[place]):
            return edit, self._by_place[place]
        self._by_place.insert(place, edit)
        self.in_order.append(edit)
        return None


def first_overlap(edits: Sequence[Edit]) -> tuple[Edit, Edit] | None:
    """The first two edits that overlap, or None."""
    ordered = sorted(edits, key=_by_position)
    for earlier, later in itertools.pairwise(ordered):
        if earlier.overlaps(later):
            return earlier, later
    return None


def extract_edits(source: Sequence[str], target: Sequence[str]) -> tuple[Edit, ...]:
    """The edits of a minimal word alignment; adjacent changes form one edit.

    The types are the operations M (missing), R (replacement) and U (unnecessary).
    """
    ids: dict[str, int] = {}
    before, after = (
        single([ids.setdefault(word, len(ids)) for word in words]) for words in (source, target)
    )
    found = minimal_edits(before, after, one_reference(), threads=1)
    return edits_of_spans(found.spans.tolist(), target)


def edits_of_spans(spans: Sequence[Sequence[int]], target: Sequence[str]) -> tuple[Edit, ...]:
    """Edits from rows of start and end in the source, then start and end in the target."""
    edits: list[Edit] = []
    for start, end, begin, finish in spans:
        operation = "M" if start == end else "U" if begin == finish else "R"
        edits.append(Edit(start, end, (" ".join(target[begin:finish]),), operation))
    return tuple(edits)
