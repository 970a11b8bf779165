"""Which parts of a large file deserve a closer look? A quick survey of all lines tells.

The first block is examined line by line, and shows how its texts differ from the source: in
lengths, in the kinds of characters, in how many lines are equal. Where a later part differs in
another way, it is examined, too. Of the rest, a sample is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from corrigenda.kernels.line_survey import ByteCounts, LineSurvey

CHUNK_LINES = 512
SAMPLE_LINES = 256
"""This many lines of a later block are examined in any case, if the block has a sample."""
_SAMPLED_SHARE = 0.5
_FEWEST_SAMPLED = 131072
"""A sample is taken when this many lines, or this share of all, were not looked at closely."""
SUSPICIOUS = 3.5
"""The distance from what is usual, in standard deviations, from which a part is examined."""
STRIKING = 12.0
"""The distance from which the whole block is examined."""
LINES_BEFORE = 64
"""A closer look begins a little earlier: a damage may begin at the end of another chunk."""
MOST_STRIKING_LINES = 16384
MOST_SUSPICIOUS_LINES = 2048
MOST_SUSPICIOUS_SHARE = 0.02
"""Of all lines, so that health costs little even if every part looks strange."""
_KINDS = (b".", b",", b"?!;:", b"'", b'"', b"-", b"<>", b"&", b"@", b"#*_`", b" ", b"0123456789")

Signals = npt.NDArray[np.float64]


class Stretch(NamedTuple):
    """Lines to examine, from 0 in their block, and how many lines each of them stands for."""

    begin: int
    end: int
    weight: float


@dataclass(frozen=True)
class Usual:
    """How a text differs from the source in the first block: per signal."""

    mean: Signals
    deviation: Signals

    @classmethod
    def of(cls, source: ByteCounts, text: LineSurvey) -> Usual:
        """What is usual for a text, by the chunks of the first block."""
        signals = signals_of(source, text)
        # Few chunks were seen: a share that is 0 in all of them may well be 1 % elsewhere.
        return cls(signals.mean(axis=0), 1.5 * signals.std(axis=0) + 4 / CHUNK_LINES)

    def distance(self, signals: Signals) -> Signals:
        """How far each chunk is from that, by its strangest signal."""
        away = np.abs(signals - self.mean) / self.deviation
        return np.asarray(away.max(axis=1, initial=0.0))


@dataclass
class Screening:
    """Chooses the parts of later blocks that are examined."""

    usual: list[Usual] = field(default_factory=list)
    lines: int = 0
    unseen_lines: int = 0
    """Lines that no sample stands for yet."""
    last_gap: tuple[int, int] = (0, 0)
    """The longest stretch of the last block that was not looked at closely."""
    striking_lines: int = 0
    suspicious_lines: int = 0

    def learn(self, source: ByteCounts, texts: Sequence[LineSurvey], lines: int) -> None:
        """See what is usual in the first block, of which all lines are examined."""
        self.lines += lines
        self.usual += [Usual.of(source, text) for text in texts]

    def parts(self, source: ByteCounts, texts: Sequence[LineSurvey], lines: int) -> list[Stretch]:
        """The parts of a later block to examine; each line of the block is stood for once."""
        self.lines += lines
        if len(texts) != len(self.usual):
            return self._with_sample([], lines)
        distance = distances(self.usual, source, texts)
        if (
            distance.max(initial=0.0) >= STRIKING
            and self.striking_lines + lines <= MOST_STRIKING_LINES
        ):
            self.striking_lines += lines
            return [Stretch(0, lines, 1)]
        chosen = []
        for chunk in np.argsort(-distance, kind="stable").tolist():
            most = MOST_SUSPICIOUS_LINES + MOST_SUSPICIOUS_SHARE * self.lines
            if distance[chunk] < SUSPICIOUS or self.suspicious_lines + CHUNK_LINES > most:
                break
            self.suspicious_lines += CHUNK_LINES
            chosen.append(chunk)
        return self._with_sample(sorted(chosen), lines)

    def _with_sample(self, chunks: Sequence[int], lines: int) -> list[Stretch]:
        """The chunks, each with a few lines before it, and a sample of the lines between them."""
        parts: list[Stretch] = []
        gaps: list[tuple[int, int]] = []
        done = 0
        for chunk in chunks:
            begin = max(done, chunk * CHUNK_LINES - LINES_BEFORE)
            end = min(lines, (chunk + 1) * CHUNK_LINES)
            if begin > done:
                gaps.append((done, begin))
            parts.append(Stretch(begin, end, 1))
            done = end
        if done < lines:
            gaps.append((done, lines))
        self.unseen_lines += sum(end - begin for begin, end in gaps)
        self.last_gap = max(gaps, key=lambda gap: gap[1] - gap[0], default=(0, 0))
        if self.unseen_lines >= min(_FEWEST_SAMPLED, _SAMPLED_SHARE * self.lines):
            parts += [part for part in [self.last_part()] if part is not None]
        return sorted(parts)

    def last_part(self) -> Stretch | None:
        """A sample of the last block that stands for all lines that no sample stands for yet."""
        begin, end = self.last_gap
        end = min(end, begin + SAMPLE_LINES)
        if begin == end or not self.unseen_lines:
            return None
        weight = self.unseen_lines / (end - begin)
        self.unseen_lines = 0
        return Stretch(begin, end, weight)


def distances(usual: Sequence[Usual], source: ByteCounts, texts: Sequence[LineSurvey]) -> Signals:
    """How far each chunk of a block is from what is usual, by its strangest signal."""
    farthest = np.zeros(len(source))
    for of_text, text in zip(usual, texts, strict=True):
        farthest = np.maximum(farthest, of_text.distance(signals_of(source, text)))
    return farthest


def signals_of(source: ByteCounts, text: LineSurvey) -> Signals:
    """What each chunk of a text is like beside its source: [chunks, signals]."""
    chunks = len(source)
    sizes = np.full((chunks, 1), CHUNK_LINES)
    sizes[-1:] = len(text.marks) - CHUNK_LINES * (chunks - 1)
    # The bytes of each 16th line are counted; the usual deviation is that of such counts.
    kinds = (text.byte_counts - source).astype(np.float64) @ _OF_KIND
    # A line counts for little more than one: a few long lines are no sign of anything.
    widths = np.maximum(source.sum(axis=1, keepdims=True), 1) / sizes
    return np.concatenate([text.counts / sizes, kinds / sizes / np.sqrt(widths)], axis=1)


def _of_kind() -> Signals:
    """Which of the kinds each byte is: [256, kinds]."""
    kinds = [np.isin(np.arange(256), list(kind)) for kind in _KINDS]
    values = np.arange(256)
    upper = (values >= ord("A")) & (values <= ord("Z"))
    lower = (values >= ord("a")) & (values <= ord("z"))
    others = values >= 0xC0
    return np.stack([*kinds, upper, lower, others], axis=1).astype(np.float64)


_OF_KIND = _of_kind()
