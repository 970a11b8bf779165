"""Words for the raw text of a bulk run. All partitions make them in the same way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict

from corrigenda.bulk.rows import SYSTEM, RowBlock
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.tokens import DECIDING_SENTENCES, Retokeniser


class PlainTokenPlan(TypedDict):
    """A plan as JSON has it."""

    choice: str
    name: str
    raw_references: bool
    raw_hypotheses: bool


@dataclass(frozen=True)
class TokenPlan:
    """What the first rows of all inputs show about the texts; it holds for every partition."""

    choice: str
    """What was asked for: `auto`, `intl`, …"""
    name: str
    """How words are made, as signatures say it."""
    raw_references: bool
    """Whether the references are raw text, as the source is; so is `raw_hypotheses`."""
    raw_hypotheses: bool

    @classmethod
    def of(cls, choice: str, blocks: Iterable[RowBlock]) -> TokenPlan:
        """The plan that the first rows lead to."""
        parts: list[tuple[Corpus, Hypotheses]] = []
        rows = 0
        for block in blocks:
            usable = block.usable[: DECIDING_SENTENCES - rows]
            parts.append(block.as_corpus(usable))
            rows += len(usable)
            if rows == DECIDING_SENTENCES:
                break
        made = Retokeniser(choice)
        if parts:
            corpora, hypotheses = zip(*parts, strict=True)
            made.decide(Corpus.joined(corpora), [Hypotheses.joined(hypotheses)])
        raw_references, raw_hypotheses = made.raw.get(None, False), made.raw.get(SYSTEM, False)
        return cls(choice, made.name or choice, raw_references, raw_hypotheses)

    def retokeniser(self) -> Retokeniser:
        """What makes words by this plan."""
        raw = {None: self.raw_references, SYSTEM: self.raw_hypotheses}
        return Retokeniser(self.choice, self.name, raw=raw)
