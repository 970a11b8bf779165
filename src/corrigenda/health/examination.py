"""Examines sources, references and outputs, block by block, before or while they are scored.

The first lines are examined one by one. Later blocks are surveyed, which is quick; parts that look
unusual and a sample are examined, so that health costs little beside a score. `whole=True` examines
all lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health.block import TextBlock
from corrigenda.health.copies import Copies
from corrigenda.health.exchanges import FEWER_LINES, Choices
from corrigenda.health.finding import Finding
from corrigenda.health.long_lines import examined_references, without_long_lines
from corrigenda.health.roles import ReferenceRoles, SystemRoles, exchanged_with_source
from corrigenda.health.screening import Screening, Stretch
from corrigenda.health.source_beside import SourceBeside
from corrigenda.health.source_watch import SourceWatch
from corrigenda.health.surveys import BlockSurvey
from corrigenda.health.text_watch import TextWatch
from corrigenda.kernels import default_threads, threads_of
from corrigenda.kernels.line_traits import Mask, Rows

BLOCK_LINES = 8192


def examine(
    corpus: Corpus, systems: Sequence[Hypotheses] = (), *, threads: int | None = None
) -> tuple[Finding, ...]:
    """Everything about these texts that would make their scores doubtful, line by line."""
    examination = Examination(whole=True)
    examination.add(corpus, systems, threads=threads)
    return examination.findings()


class LastBlock(NamedTuple):
    """A block, and the number of lines before it."""

    corpus: Corpus
    systems: Sequence[Hypotheses]
    seen: int


@dataclass
class Examination:
    """What is known so far. Blocks are added in the order of the corpus."""

    whole: bool = False
    tokenised: bool = False
    """Whether the texts were tokenised alike before scoring."""
    first_line: int = 1
    """The number of the first line, for messages."""
    seen: int = 0
    source: SourceWatch = field(default_factory=SourceWatch)
    source_beside: SourceBeside = field(default_factory=SourceBeside)
    references: list[TextWatch] = field(default_factory=list)
    systems: list[TextWatch] = field(default_factory=list)
    reference_roles: ReferenceRoles = field(default_factory=ReferenceRoles)
    system_roles: list[SystemRoles] = field(default_factory=list)
    choices: Choices = field(default_factory=Choices)
    copies: Copies = field(default_factory=lambda: Copies(()))
    screening: Screening = field(default_factory=Screening)
    last: LastBlock | None = None
    """The last block, as long as no sample stands for it."""

    def add(
        self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int | None = None
    ) -> None:
        """Examine the next sentences of the corpus, with the outputs of all systems for them."""
        threads = threads_of(threads)
        # Texts are examined as they were given, also if they were tokenised before scoring.
        self.tokenised = self.tokenised or corpus.given is not None
        corpus = corpus.given or corpus
        systems = [each.given or each for each in systems]
        for begin in range(0, len(corpus), BLOCK_LINES):
            end = min(begin + BLOCK_LINES, len(corpus))
            block = corpus, systems
            if end - begin < len(corpus):
                block = corpus[begin:end], [each[begin:end] for each in systems]
            is_first = not self.seen
            if self.whole or is_first:
                self._add_part(*block, Stretch(0, end - begin, 1), threads, is_block=True)
            if not self.whole and (not is_first or end - begin == BLOCK_LINES):
                self._survey(*block, threads, is_first=is_first)
            self.seen += end - begin

    def _survey(
        self, corpus: Corpus, systems: Sequence[Hypotheses], threads: int, *, is_first: bool
    ) -> None:
        """Look at all lines quickly, and at the unusual ones of a later block closely."""
        source, references, outputs = BlockSurvey.of(corpus, systems)
        if is_first:
            self.screening.learn(source, [*references, *outputs], len(corpus))
            return
        for part in self.screening.parts(source, [*references, *outputs], len(corpus)):
            self._add_part(corpus, systems, part, threads)
        self.last = LastBlock(corpus, systems, self.seen)
        self._watch_unmade(
            [~each.equal for each in references], [(~each.equal, each.empty) for each in outputs]
        )

    def _add_part(
        self,
        corpus: Corpus,
        systems: Sequence[Hypotheses],
        part: Stretch,
        threads: int,
        *,
        is_block: bool = False,
        seen: int | None = None,
    ) -> None:
        """Examine the lines of a part, or of a whole block; `seen` lines come before the block."""
        here = slice(part.begin, part.end)
        corpus, systems, places = without_long_lines(corpus[here], [each[here] for each in systems])
        source = TextBlock.of(corpus.sources, threads=threads, weight=part.weight)
        first = self.first_line + (self.seen if seen is None else seen) + part.begin
        numbers = first + places
        self.source.add(source, numbers)
        texts = self._add_references(corpus, source, numbers, threads)
        if not self.systems:
            self.systems = [TextWatch(each.name, "hypothesis") for each in systems]
            self.system_roles = [SystemRoles(each.name) for each in systems]
            self.copies = Copies([each.name for each in systems])
        outputs = [TextBlock.of(each.sentences, threads=threads) for each in systems]
        for watch, roles, output in zip(self.systems, self.system_roles, outputs, strict=True):
            watch.add(source, output, numbers, threads)
            roles.add(source, output, texts, numbers, self.reference_roles.words)
        if not self.whole and len(source) >= BLOCK_LINES // 2:
            self.choices.most_lines = FEWER_LINES
        self.choices.add(source, texts, outputs, numbers)
        of_source = source.traits.hashes[:, 0]
        of_outputs = [output.traits.hashes[:, 0] for output in outputs]
        self.copies.add(of_source, of_outputs, numbers, part.weight)
        if is_block:
            empty = [(source.traits.words > 0) & (each.traits.words == 0) for each in outputs]
            references = [each.traits.hashes[:, 0] != of_source for each in texts]
            changed = [each != of_source for each in of_outputs]
            self._watch_unmade(references, list(zip(changed, empty, strict=True)))

    def _add_references(
        self, corpus: Corpus, source: TextBlock, numbers: Rows, threads: int
    ) -> list[TextBlock]:
        """Examine the references; those that every sentence has."""
        texts = []
        for place, (rows, lines) in enumerate(examined_references(corpus)):
            if place == len(self.references):
                name = f"reference {place + 1}"
                self.references.append(TextWatch(None, name, is_reference=True))
            block = TextBlock.of(lines, threads=threads)
            beside = source if rows is None else source.at(rows)
            here = numbers if rows is None else numbers[rows]
            self.references[place].add(beside, block, here, threads)
            if rows is None:
                texts.append(block)
        if texts:
            self.source_beside.add(source, texts[0], numbers)
        self.reference_roles.add(source, texts, numbers)
        return texts

    def _watch_unmade(
        self, references: Sequence[Mask], outputs: Sequence[tuple[Mask, Mask]]
    ) -> None:
        """Look at all lines of a block: which the references and the outputs change.

        Of each output also which lines are empty.
        """
        # The lines that all references change.
        wrong = np.all(references, axis=0) if references else None
        for watch, (changed, empty) in zip(self.systems, outputs, strict=True):
            watch.unmade.add(changed, empty, self.first_line + self.seen, wrong)

    def _complete(self) -> None:
        """Take a sample of the last block, for the lines that no sample stands for."""
        if self.last is not None and (part := self.screening.last_part()) is not None:
            corpus, systems, seen = self.last
            self._add_part(corpus, systems, part, default_threads(), seen=seen)
        self.last = None

    def findings(self) -> tuple[Finding, ...]:
        """The findings about source and references, then those about each system."""
        return tuple(self._all_findings())

    def of_system(self, system: str) -> tuple[Finding, ...]:
        """The findings that concern the score of a system."""
        return tuple(each for each in self._all_findings() if each.system in (None, system))

    def _all_findings(self) -> Iterator[Finding]:
        for finding in self._every_finding():
            if not (self.tokenised and finding.code in ("raw-text", "tokenised-differently")):
                yield finding

    def _every_finding(self) -> Iterator[Finding]:
        self._complete()
        of_source = list(self.source.findings())
        yield from of_source
        ends = [watch.ends for watch in (*self.references, *self.systems)]
        codes = {each.code for each in of_source}
        yield from (each for each in self.source_beside.findings(ends) if each.code not in codes)
        others = [self.source.ends]
        of_references: list[Finding] = []
        for watch in self.references:
            of_references += watch.findings(
                [
                    *others,
                    *(each.ends for each in (*self.references, *self.systems) if each is not watch),
                ]
            )
        wrong_references = list(self.reference_roles.findings())
        others += [watch.ends for watch in self.references]
        of_outputs = [watch.findings(others, self.references) for watch in self.systems]
        # Another damage could explain misspellings.
        if not of_references and not wrong_references and not any(of_outputs):
            wrong_references += exchanged_with_source(self.choices)
        yield from of_references
        yield from wrong_references
        for place, (roles, found) in enumerate(zip(self.system_roles, of_outputs, strict=True)):
            yield from found
            is_sound = not found and not wrong_references
            is_sole = is_sound and not of_references
            yield from roles.findings(self.choices, place, is_sound=is_sound, is_sole=is_sole)
        yield from self.copies.findings()
