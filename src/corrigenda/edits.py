"""An edit: a span of source words and what it becomes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

NOOP_TYPE = "noop"


@dataclass(frozen=True)
class Edit:
    """Source words `start` up to `end` (not included) become any one of `corrections`.

    A correction is words joined by single blanks; the empty string deletes. An insertion has
    `start == end`. The first correction is the one that is applied; the others are accepted, too.
    """

    start: int
    end: int
    corrections: tuple[str, ...]
    type: str = "UNK"

    @property
    def correction(self) -> str:
        """The first accepted correction."""
        return self.corrections[0]

    @property
    def is_insertion(self) -> bool:
        """Whether it takes no source word away."""
        return self.start == self.end

    def overlaps(self, other: Edit) -> bool:
        """Whether the two cannot both be applied: they share a word, or one inserts inside the other."""
        if self.is_insertion and other.is_insertion:
            return False
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Annotation:
    """All edits that one annotator made in one sentence, in the order of the file; none is a `noop`."""

    annotator: int
    edits: tuple[Edit, ...]


def apply_edits(words: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """The words after every edit's first correction; edits at one position keep their order."""
    corrected: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        corrected.extend(words[position : edit.start])
        corrected.extend(edit.correction.split())
        position = edit.end
    corrected.extend(words[position:])
    return corrected


def first_overlap(edits: Sequence[Edit]) -> tuple[Edit, Edit] | None:
    """Two edits of the sequence that overlap, if there are any."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for earlier, later in itertools.pairwise(ordered):
        if earlier.overlaps(later):
            return earlier, later
    return None


def extract_edits(source: Sequence[str], target: Sequence[str]) -> tuple[Edit, ...]:
    """The edits of a minimal word alignment; neighbouring changes are one edit.

    Types are the operations M(issing), R(eplacement) and U(nnecessary).
    """
    edits: list[Edit] = []
    for source_begin, source_end, target_begin, target_end in _changed_spans(source, target):
        operation = "M" if source_begin == source_end else "U" if target_begin == target_end else "R"
        correction = " ".join(target[target_begin:target_end])
        edits.append(Edit(source_begin, source_end, (correction,), operation))
    return tuple(edits)


def _changed_spans(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int, int, int]]:
    prefix = _common_prefix(source, target)
    suffix = _common_prefix(source[prefix:][::-1], target[prefix:][::-1])
    source_middle = source[prefix : len(source) - suffix]
    target_middle = target[prefix : len(target) - suffix]
    spans: list[tuple[int, int, int, int]] = []
    previous = (0, 0)
    for i, j in [*_matches(source_middle, target_middle), (len(source_middle), len(target_middle))]:
        if (i, j) != previous:
            spans.append((prefix + previous[0], prefix + i, prefix + previous[1], prefix + j))
        previous = (i + 1, j + 1)
    return spans


def _common_prefix(left: Sequence[str], right: Sequence[str]) -> int:
    length = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        length += 1
    return length


def _matches(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """The matched positions on a cheapest path of the Levenshtein table, diagonal steps preferred."""
    columns = _levenshtein(source, target)
    matches: list[tuple[int, int]] = []
    i, j = len(source), len(target)
    while i and j:
        free_diagonal, costly_deletion = columns[j - 1]
        equal = source[i - 1] == target[j - 1]
        if equal or not free_diagonal >> (i - 1) & 1:
            i, j = i - 1, j - 1
            if equal:
                matches.append((i, j))
        elif costly_deletion >> (i - 1) & 1:
            i -= 1
        else:
            j -= 1
    return matches[::-1]


def _levenshtein(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """The columns of the table as differences, a bit a row, so that a column takes a handful of operations.

    For each target word: the rows whose cell costs no more than its diagonal neighbour, and the rows
    whose cell costs one more than the cell above. After Myers (1999) in the form of Hyyrö (2003).
    """
    places: dict[str, int] = {}
    for row, word in enumerate(source):
        places[word] = places.get(word, 0) | 1 << row
    everywhere = (1 << len(source)) - 1
    more, less = everywhere, 0  # rows whose cell costs one more, or one less, than the cell above
    columns: list[tuple[int, int]] = []
    for word in target:
        equal = places.get(word, 0)
        free_diagonal = ((((equal & more) + more) ^ more) | equal | less) & everywhere
        more_than_left = (less | ~(free_diagonal | more)) << 1 | 1
        less_than_left = (free_diagonal & more) << 1
        more = (less_than_left | ~(free_diagonal | more_than_left)) & everywhere
        less = more_than_left & free_diagonal
        columns.append((free_diagonal, more))
    return columns
