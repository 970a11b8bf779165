"""The same words at the beginning or the end of many lines, which the source does not have."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

LEAST_LINES = 0.25
"""The share of the lines that begin or end alike."""
LEAST_SHORT = 0.6
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
    """The beginnings and the ends, backwards, of a sample of lines: small letters, numbers as 0."""

    beginnings: list[str] = field(default_factory=list)
    endings: list[str] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)

    def add(self, lines: Sequence[str]) -> None:
        """Take a sample of the lines: many of the first, few of the later ones."""
        wanted = _LATER_SAMPLE if self.beginnings else _SAMPLE
        if len(self.beginnings) > _MOST:
            return
        if wanted < len(lines):
            lines = random.Random(0).sample(lines, wanted)
        for line in lines:
            short = " ".join(line[: 2 * _LONGEST].split()).casefold()
            self.beginnings.append(_NUMBER.sub("0", short)[:_LONGEST])
            end = " ".join(line[-2 * _LONGEST :].split()).casefold()
            self.endings.append(end[::-1][:_LONGEST])
            self.widths.append(len(line))


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
    if len(text.beginnings) < FEWEST:
        return None
    longer = [mine - theirs for mine, theirs in zip(text.widths, source.widths, strict=True)]
    found = _common(text.beginnings, [each.beginnings for each in others])
    if found is not None and _is_added(found[0], text.beginnings, longer):
        return Affix(found[0], found[1], at_end=False)
    found = _common(text.endings, [each.endings for each in others])
    if found is None or _ORDINARY_END.fullmatch(found[0]):
        return None
    if not _is_added(found[0], text.endings, longer):
        return None
    return Affix(found[0][::-1], found[1], at_end=True)


def _is_added(affix: str, lines: Sequence[str], longer: Sequence[int]) -> bool:
    """Whether the lines with the affix are longer than their sources, as if it was added."""
    more = [width for line, width in zip(lines, longer, strict=True) if line.startswith(affix)]
    return bool(more) and 2 * median(more) >= len(affix.strip())


def _common(lines: Sequence[str], others: Sequence[Sequence[str]]) -> tuple[str, float] | None:
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
        if all(share > _RARER_ELSEWHERE * _share(beginning, other) for other in others):
            found = beginning, share
    return found


def _share(beginning: str, lines: Sequence[str]) -> float:
    return sum(line.startswith(beginning) for line in lines) / max(1, len(lines))
