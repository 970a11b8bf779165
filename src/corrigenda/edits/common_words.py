"""The words that two versions of a sentence have in common, in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from corrigenda.kernels.limits import alignment_memory, too_large

Places = npt.NDArray[np.int64]


def common_words(source: Sequence[str], target: Sequence[str]) -> Places:
    """A longest common subsequence: rows of a place in the source and its place in the target.

    Where there are several, the pair is read from the left. Equal words are taken together;
    otherwise the target word is left out, unless that makes the subsequence shorter.
    """
    first = _equal_at_start(source, target)
    last = _equal_at_start(source[first:][::-1], target[first:][::-1])
    inner = _inner(source[first : len(source) - last], target[first : len(target) - last])
    begin = np.arange(first)
    end = np.arange(-last, 0)
    return np.concatenate(
        [
            np.stack([begin, begin], axis=1),
            np.array(inner, np.int64).reshape(-1, 2) + first,
            np.stack([end + len(source), end + len(target)], axis=1),
        ]
    )


def _equal_at_start(source: Sequence[str], target: Sequence[str]) -> int:
    number = 0
    for one, other in zip(source, target, strict=False):
        if one != other:
            break
        number += 1
    return number


def _inner(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    if not set(source) & set(target):
        return []
    lengths = _lengths(source, target)
    found, i, j = [], 0, 0
    while i < len(source) and j < len(target):
        if source[i] == target[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i, j + 1] >= lengths[i + 1, j]:
            j += 1
        else:
            i += 1
    return found


def _lengths(source: Sequence[str], target: Sequence[str]) -> npt.NDArray[np.int32]:
    """The length of the longest common subsequence of source[i:] and target[j:]."""
    if 4 * (len(source) + 1) * (len(target) + 1) > alignment_memory():
        raise too_large(
            f"the common words of texts of {len(source):,} and {len(target):,} words need more "
            f"than {alignment_memory() >> 20} MB"
        )
    numbers: dict[str, int] = {}
    reversed_target = np.array([numbers.setdefault(word, len(numbers)) for word in target[::-1]])
    table = np.zeros((len(source) + 1, len(target) + 1), np.int32)
    for i in range(len(source) - 1, -1, -1):
        after = table[i + 1, ::-1]
        equal = reversed_target == numbers.get(source[i], -1)
        table[i, ::-1][1:] = np.maximum.accumulate(np.maximum(after[1:], after[:-1] + equal))
    return table
