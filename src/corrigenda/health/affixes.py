"""The same words at the beginning or the end of many lines, which the source does not have."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from corrigenda.health.finding import Finding

LEAST_LINES = 0.25
"""The share of the lines that begin or end alike."""
LEAST_SHORT = 0.3
"""The same for one or two characters, such as a quote."""
LEAST_LONG = 0.1
"""The same for whole words: many lines do not begin so by accident."""
_LONG = 8
_FEWEST_LONG = 5
FEWEST = 10
_RARER_ELSEWHERE = 5
"""How much rarer it must be in the source and in the references."""
_LONGEST = 48
_SAMPLE = 500
_LATER_SAMPLE = 20
_MOST = 3000
_NUMBER = re.compile(r"\d+")
_COMPARED = 4
"""So many letters beside an affix are compared with the source."""
_ORDINARY_END = re.compile(r"[\s.?!。？！\"']*")


@dataclass
class Ends:
    """A sample of lines. Their beginnings and ends are made when somebody looks at them."""

    lines: list[str] = field(default_factory=list)
    """Of a long line, its beginning and its end."""
    widths: list[tuple[int, int]] = field(default_factory=list)
    """The lengths of the lines, with blanks and without."""
    weights: list[float] = field(default_factory=list)
    """How many lines of the text each of them stands for."""

    def add(self, lines: Sequence[str], weight: float = 1) -> None:
        """Take a sample of the lines: many of the first, few of the later ones."""
        wanted = _LATER_SAMPLE if self.lines else _SAMPLE
        if len(self.lines) > _MOST or not len(lines):
            return
        self.weights += [weight * max(1.0, len(lines) / wanted)] * min(len(lines), wanted)
        if wanted < len(lines):
            lines = [lines[place] for place in _places(len(lines), wanted)]
        self.widths += [(len(line), len(line) - line.count(" ")) for line in lines]
        self.lines += [line if len(line) <= 4 * _LONGEST else _cut(line) for line in lines]

    def by_weight(self, lines: Sequence[str]) -> list[tuple[float, list[str]]]:
        """What was made of the lines, in groups of one weight."""
        groups: defaultdict[float, list[str]] = defaultdict(list)
        for line, weight in zip(lines, self.weights, strict=True):
            groups[weight].append(line)
        return list(groups.items())

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
    # Blanks may be lost or added everywhere, or be other characters: count with and without them.
    longer = [
        min(mine - theirs for mine, theirs in zip(own, of_source, strict=True))
        for own, of_source in zip(text.widths, source.widths, strict=True)
    ]
    if _begin_alike(text):
        lines, of_source = text.beginnings(), source.beginnings()
        for found, share in _common(text, lines, [(each, each.beginnings) for each in others]):
            if _is_added(found, lines, of_source, longer):
                return Affix(found, share, at_end=False)
    lines, of_source = text.endings(), source.endings()
    for found, share in _common(text, lines, [(each, each.endings) for each in others]):
        if not _ORDINARY_END.fullmatch(found) and _is_added(found, lines, of_source, longer):
            return Affix(found[::-1], share, at_end=True)
    return None


def affix_finding(affix: Affix, system: str | None, text: str) -> Finding:
    """What is said about an affix."""
    verb = "end" if affix.at_end else "begin"
    any_number = " (0: any number)" if "0" in affix.text and not affix.at_end else ""
    other = "reference 1" if text == "source" else "the source"
    message = (
        f"about {100 * affix.share:.0f} % of the lines {verb} with {affix.text.strip()!r}"
        f"{any_number}, and {other} does not."
    )
    remedy = "Remove what is not a part of the sentence."
    return Finding("constant-affix", system, text, message, affix.share, (), remedy)


def _begin_alike(text: Ends) -> bool:
    """Whether enough lines begin with the same character: without that, no beginning is common."""
    firsts: defaultdict[str, float] = defaultdict(float)
    for line, weight in zip(text.lines, text.weights, strict=True):
        first = line[: 2 * _LONGEST].lstrip()[:1].casefold()[:1]
        firsts["0" if _NUMBER.match(first) else first] += weight
    return max(firsts.values()) >= LEAST_LONG * sum(text.weights)


def _is_added(
    affix: str, lines: Sequence[str], sources: Sequence[str], longer: Sequence[int]
) -> bool:
    """Whether the lines look as if the affix was added to them.

    They are longer than their sources, or, if it has no letters, have more marks there. Without the
    affix they begin as their sources do. And the affix is no part of a word, as the `s` of a plural
    is.
    """
    with_affix = [
        (line, line[len(affix) :], source, width)
        for line, source, width in zip(lines, sources, longer, strict=True)
        if line.startswith(affix)
    ]
    # Nothing was added to lines that have nothing else. The end of a longer line is not known.
    if 2 * sum(not each[1] for each in with_affix) > len(with_affix) and len(affix) < _LONGEST:
        return False
    rests = [(rest, source) for _, rest, source, _ in with_affix if rest]
    in_words = sum(affix[-1].isalnum() and rest[0].isalnum() for rest, _ in rests)
    alike = sum(_first_letters(source).startswith(_first_letters(rest)) for rest, source in rests)
    if _first_letters(affix):
        least = len(affix.replace(" ", ""))
        more = sum(2 * width >= least for *_, width in with_affix)
    else:
        more = sum(_has_more_marks(line, source) for line, _, source, _ in with_affix)
    return 2 * more >= len(with_affix) and 2 * in_words <= len(rests) <= 2 * alike


def _has_more_marks(line: str, source: str) -> bool:
    """Whether a line begins with more marks than its source.

    Other characters may stand for blanks: marks are counted with blanks and without.
    """
    marks, of_source = _marks(line), _marks(source)
    inks = [len("".join(each.split())) for each in (marks, of_source)]
    return len(marks) > len(of_source) and inks[0] > inks[1]


def _marks(text: str) -> str:
    """The marks and blanks at the beginning."""
    return "".join(itertools.takewhile(lambda letter: not letter.isalnum(), text))


def _first_letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))[:_COMPARED]


def _common(
    text: Ends, lines: Sequence[str], others: Sequence[tuple[Ends, Callable[[], Sequence[str]]]]
) -> Iterator[tuple[str, float]]:
    """Beginnings of many lines that are rare in the other texts, with their shares.

    The most frequent one comes first. Each is as long as nearly the same lines have it.
    """
    found: tuple[str, float] | None = None
    groups = text.by_weight(lines)
    total = sum(text.weights)
    for length in range(1, _LONGEST + 1):
        counts: defaultdict[str, float] = defaultdict(float)
        for weight, group in groups:
            for beginning, count in Counter(line[:length] for line in group).items():
                counts[beginning] += count * weight
        beginning, weighed = max(counts.items(), key=lambda each: each[1])
        share = weighed / total
        if share < LEAST_LONG:
            break
        if len(beginning) < length or share < _least(length, len(lines)):
            continue
        if found is not None and share < 0.9 * found[1]:
            yield found  # it goes on with the words of a part of the lines
            found = None
        if all(share > _RARER_ELSEWHERE * _share(beginning, *other) for other in others):
            found = beginning, share
    if found is not None:
        yield found


def _least(length: int, lines: int) -> float:
    """The share of so many lines that must begin with so many characters."""
    if length >= _LONG:
        return min(LEAST_LINES, max(LEAST_LONG, _FEWEST_LONG / lines))
    return LEAST_LINES if length > 2 else LEAST_SHORT


def _share(beginning: str, text: Ends, lines: Callable[[], Sequence[str]]) -> float:
    weighed = zip(lines(), text.weights, strict=True)
    found = sum(weight for line, weight in weighed if line.startswith(beginning))
    return found / max(1.0, sum(text.weights))
