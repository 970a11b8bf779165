"""The source alone: is it text as metrics expect it?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from corrigenda.health.affixes import Ends
from corrigenda.health.block import TextBlock
from corrigenda.health.finding import Code, Finding
from corrigenda.health.tally import LineTally
from corrigenda.kernels.line_traits import SCRIPTS, LineTraits, Mask, Rows, line_traits

LEAST_RAW = 0.5
"""The share of lines with glued punctuation, of the lines that have any."""
LEAST_SUBWORDS = 0.05
LEAST_SHORT = 0.01
LEAST_SHORT_OF_CORPUS = 0.5
"""At corpus level longer sentences have the largest n-grams, unless there are few of them."""
LEAST_BROKEN = 0.05
LEAST_TAGS = 0.2
_FEWEST = 5
_WITHOUT_BLANKS = SCRIPTS.index("Chinese or Japanese")


@dataclass
class SourceWatch:
    """What is known so far about the source."""

    shortest: int = 0
    """Sentences with fewer words score 0 by a metric."""
    per_sentence: bool = True
    """Whether sentences are scored one by one, and not the corpus."""
    lines: float = 0
    short: LineTally = field(default_factory=LineTally)
    raw: LineTally = field(default_factory=LineTally)
    punctuated: float = 0
    subwords: LineTally = field(default_factory=LineTally)
    tags: LineTally = field(default_factory=LineTally)
    broken: LineTally = field(default_factory=LineTally)
    ends: Ends = field(default_factory=Ends)

    def add(self, source: TextBlock, numbers: Rows) -> None:
        """Look at consecutive lines."""
        weight = source.weight
        self.lines += weight * len(source)
        traits = source.traits
        short = (traits.words > 0) & (traits.words < self.shortest)
        self.short.add(short, numbers, weight=weight)
        punctuated, raw = _raw_lines(traits)
        self.punctuated += weight * int(np.count_nonzero(punctuated))
        self.raw.add(raw, numbers, weight=weight)
        subwords = (traits.bpe + traits.sentencepiece + traits.wordpiece) > 0
        self.subwords.add(subwords, numbers, weight=weight)
        self.tags.add((traits.tags + traits.entities) > 0, numbers, weight=weight)
        self.broken.add(traits.broken > 0, numbers, weight=weight)
        self.ends.add(source.lines, weight)

    def findings(self) -> Iterator[Finding]:
        """All findings."""
        least = LEAST_SHORT if self.per_sentence else LEAST_SHORT_OF_CORPUS
        if self.short.exceeds(least, self.lines):
            consequence = (
                "they score 0 at sentence level, whatever a system does."
                if self.per_sentence
                else "they have no n-gram of that size. If no sentence has one, all scores are 0."
            )
            yield self._finding(
                "short-sentences", self.short, self.lines,
                f"have fewer than {self.shortest} words: {consequence}",
                "For rewards and for such texts, use short=available, e.g. green:short=available.",
            )  # fmt: skip
        if self.raw.exceeds(LEAST_RAW, self.punctuated, _FEWEST):
            yield self._finding(
                "raw-text", self.raw, self.punctuated,
                "are not tokenised: punctuation is one with a word, so 'word.' and 'word' are "
                "two different words for a metric.",
                "Add --tokenise auto, or tokenise all texts alike.",
            )  # fmt: skip
        if self.subwords.exceeds(LEAST_SUBWORDS, self.lines):
            yield self._finding(
                "subword-marks", self.subwords, self.lines,
                "have marks of subwords (@@, ▁, ##).", "Join the subwords to words in all texts.",
            )  # fmt: skip
        if self.tags.exceeds(LEAST_TAGS, self.lines):
            yield self._finding(
                "markup", self.tags, self.lines, "have tags or entities.",
                "Remove what is not a part of the sentence from all texts.",
            )  # fmt: skip

        if self.broken.exceeds(LEAST_BROKEN, self.lines):
            yield self._finding(
                "encoding", self.broken, self.lines,
                "have characters of a wrong encoding (Ã©, â€™, �, or ? in a word).",
                "Read and write all texts as UTF-8.",
            )  # fmt: skip

    def _finding(
        self, code: Code, tally: LineTally, of: float, message: str, remedy: str
    ) -> Finding:
        return Finding(
            code, None, "source", f"{tally.counted(of)} {message}",
            tally.share(of), tuple(tally.lines), remedy,
        )  # fmt: skip


def is_raw(lines: Sequence[str]) -> bool:
    """Whether lines are raw text: most of those with punctuation have it glued to words."""
    punctuated, raw = _raw_lines(line_traits(lines, threads=1))
    return bool(raw.any() and raw.sum() >= LEAST_RAW * punctuated.sum())


def _raw_lines(traits: LineTraits) -> tuple[Mask, Mask]:
    """The lines that show whether they are tokenised, and those of them that are not."""
    glued = traits.glued + traits.glued_contractions
    no_blanks = (traits.script == _WITHOUT_BLANKS) & (traits.letters > 4 * traits.words)
    return (glued + traits.free > 0) | no_blanks, (glued > traits.free) | no_blanks
