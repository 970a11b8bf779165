"""The same words at the beginning or the end of many lines, which the source does not have."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import median

LEAST_LINES = 0.25
"""The share of the lines that begin or end alike."""
LEAST_SHORT = 0.3
"""The same for one or two characters, such as a quote."""
FEWEST = 10
_RARER_ELSEWHERE = 5
"""How much rarer it must be in the source and in the references."""
_LONGEST = 48
_SAMPLE = 1000
_LATER_SAMPLE = 20
_MOST = 3000
_NUMBER = re.compile(r"\d+")
_ORDINARY_END = re.compile(r"[\s.?!。？！\"']*")


@dataclass
class Ends:
    """A sample of lines. Their beginnings and ends are made when somebody looks at them."""

    lines: list[str] = field(default_factory=list)
    """Of a long line, its beginning and its end."""
    widths: list[int] = field(default_factory=list)

    def add(self, lines: Sequence[str]) -> None:
        """Take a sample of the lines: many of the first, few of the later ones."""
        wanted = _LATER_SAMPLE if self.lines else _SAMPLE
        if len(self.lines) > _MOST:
            return
        if wanted < len(lines):
            lines = [lines[place] for place in _places(len(lines), wanted)]
        self.widths += map(len, lines)
        self.lines += [line if len(line) <= 4 * _LONGEST else _cut(line) for line in lines]

    def beginnings(self) -> list[str]:
        """The beginnings: small letters, numbers as 0."""
        return _beginnings(tuple(self.lines))

    def endings(self) -> list[str]:
        """The ends, backwards: small letters."""
        return _endings(tuple(self.lines))


def _cut(line: str) -> str:
    return line[: 2 * _LONGEST] + line[-2 * _LONGEST :]


@lru_cache
def _places(lines: int, wanted: int) -> list[int]:
    return random.Random(0).sample(range(lines), wanted)


# Each system is compared with the same source and references.
@lru_cache(maxsize=16)
def _beginnings(lines: tuple[str, ...]) -> list[str]:
    shortened = (" ".join(line[: 2 * _LONGEST].split()).casefold() for line in lines)
    return [_NUMBER.sub("0", short)[:_LONGEST] for short in shortened]


@lru_cache(maxsize=16)
def _endings(lines: tuple[str, ...]) -> list[str]:
    return [" ".join(line[-2 * _LONGEST :].split()).casefold()[::-1][:_LONGEST] for line in lines]


@dataclass(frozen=True)
class Affix:
    """What lines have in common."""

    text: str
    share: float
    at_end: bool


def constant_affix(text: Ends, source: Ends, others: Sequence[Ends]) -> Affix | None:
    """The common beginning or end that is added to many lines, if no other text has it.

    `source` has the sources of the same lines as `text`.
    """
    if len(text.lines) < FEWEST:
        return None
    longer = [mine - theirs for mine, theirs in zip(text.widths, source.widths, strict=True)]
    if _begin_alike(text.lines):
        beginnings = text.beginnings()
        found = _common(beginnings, [each.beginnings for each in others])
        if found is not None and _is_added(found[0], beginnings, longer):
            return Affix(found[0], found[1], at_end=False)
    endings = text.endings()
    found = _common(endings, [each.endings for each in others])
    if found is None or _ORDINARY_END.fullmatch(found[0]):
        return None
    if not _is_added(found[0], endings, longer):
        return None
    return Affix(found[0][::-1], found[1], at_end=True)


def _begin_alike(lines: Sequence[str]) -> bool:
    """Whether enough lines begin with the same character: without that, no beginning is common."""
    firsts = Counter(line[: 2 * _LONGEST].lstrip()[:1].casefold()[:1] for line in lines)
    digits = sum(count for first, count in firsts.items() if _NUMBER.match(first))
    return max(digits, firsts.most_common(1)[0][1]) >= LEAST_LINES * len(lines)


def _is_added(affix: str, lines: Sequence[str], longer: Sequence[int]) -> bool:
    """Whether the lines with the affix are longer than their sources, as if it was added."""
    more = [width for line, width in zip(lines, longer, strict=True) if line.startswith(affix)]
    return bool(more) and 2 * median(more) >= len(affix.strip())


def _common(
    lines: Sequence[str], others: Sequence[Callable[[], Sequence[str]]]
) -> tuple[str, float] | None:
    """The longest beginning of many lines that is rare in the other texts, and its share."""
    found = None
    for length in range(1, _LONGEST + 1):
        beginning, count = Counter(line[:length] for line in lines).most_common(1)[0]
        share = count / len(lines)
        if share < LEAST_LINES:
            break
        if len(beginning) < length or (length < 3 and share < LEAST_SHORT):
            continue
        if found is not None and share < 0.9 * found[1]:
            break  # it goes on with the words of a part of the lines
        if all(share > _RARER_ELSEWHERE * _share(beginning, other()) for other in others):
            found = beginning, share
    return found


def _share(beginning: str, lines: Sequence[str]) -> float:
    return sum(line.startswith(beginning) for line in lines) / max(1, len(lines))
