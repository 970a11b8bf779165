"""The edits of a minimal word alignment, word by word in plain Python."""

from __future__ import annotations

from collections.abc import Sequence


def changed_spans(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Everything between matched words: start, end in the source, begin, finish in the target."""
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
    """The matched positions on a cheapest path.

    The path is read from the end. It prefers diagonal steps, then deletions.
    """
    table = _levenshtein(source, target)
    matches: list[tuple[int, int]] = []
    i, j = len(source), len(target)
    while i and j:
        equal = source[i - 1] == target[j - 1]
        if equal or table[i][j] == table[i - 1][j - 1] + 1:
            i, j = i - 1, j - 1
            if equal:
                matches.append((i, j))
        elif table[i][j] == table[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
    return matches[::-1]


def _levenshtein(source: Sequence[str], target: Sequence[str]) -> list[list[int]]:
    table = [list(range(len(target) + 1))]
    for i, word in enumerate(source, 1):
        row = [i]
        for j, other in enumerate(target, 1):
            row.append(min(table[-1][j - 1] + (word != other), table[-1][j] + 1, row[-1] + 1))
        table.append(row)
    return table
