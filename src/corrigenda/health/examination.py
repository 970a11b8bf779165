"""Examines sources, references and outputs, block by block, before or while they are scored.

The first lines are examined one by one. Of later blocks only a part is examined, so that health
costs little beside a score; `whole=True` examines all lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.health.block import TextBlock
from corrigenda.health.copies import Copies, Hashes
from corrigenda.health.finding import Finding
from corrigenda.health.line_checks import Mask
from corrigenda.health.roles import ReferenceRoles, SystemRoles
from corrigenda.health.source_watch import SourceWatch
from corrigenda.health.text_watch import TextWatch
from corrigenda.kernels import default_threads
from corrigenda.kernels.line_traits import Rows

BLOCK_LINES = 8192
PART_OF_LATER_BLOCKS = 256
MOST_REFERENCES = 8
"""Further references are not examined."""


def examine(
    corpus: Corpus, systems: Sequence[Hypotheses] = (), *, threads: int | None = None
) -> tuple[Finding, ...]:
    """Everything about these texts that would make their scores doubtful, line by line."""
    examination = Examination(whole=True)
    examination.add(corpus, systems, threads=threads)
    return examination.findings()


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
    references: list[TextWatch] = field(default_factory=list)
    systems: list[TextWatch] = field(default_factory=list)
    reference_roles: ReferenceRoles = field(default_factory=ReferenceRoles)
    system_roles: list[SystemRoles] = field(default_factory=list)
    copies: Copies = field(default_factory=lambda: Copies(()))

    def add(
        self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int | None = None
    ) -> None:
        """Examine the next sentences of the corpus, with the outputs of all systems for them."""
        threads = threads or default_threads()
        # Texts are examined as they were given, also if they were tokenised before scoring.
        self.tokenised = self.tokenised or corpus.given is not None
        corpus = corpus.given or corpus
        systems = [each.given or each for each in systems]
        for begin in range(0, len(corpus), BLOCK_LINES):
            end = min(begin + BLOCK_LINES, len(corpus))
            last = end if self.whole or not self.seen else min(end, begin + PART_OF_LATER_BLOCKS)
            self._add_part(corpus, systems, slice(begin, last), threads)
            self.seen += end - begin

    def _add_part(
        self, corpus: Corpus, systems: Sequence[Hypotheses], part: slice, threads: int
    ) -> None:
        source = TextBlock.of(corpus.sources[part], threads=threads)
        first = self.first_line + self.seen
        numbers = np.arange(first, first + len(source))
        self.source.add(source, numbers)
        references = list(_reference_blocks(corpus, part, threads))
        for place, (rows, block) in enumerate(references):
            if place == len(self.references):
                name = f"reference {place + 1}"
                self.references.append(TextWatch(None, name, is_reference=True))
            beside = source if rows is None else source.at(rows)
            here = numbers if rows is None else numbers[rows]
            self.references[place].add(beside, block, here, threads)
        texts = [block for rows, block in references if rows is None]
        self.reference_roles.add(source, texts, numbers)
        if not self.systems:
            self.systems = [TextWatch(each.name, "hypothesis") for each in systems]
            self.system_roles = [SystemRoles(each.name) for each in systems]
            self.copies = Copies([each.name for each in systems])
        of_source = source.traits.hashes[:, 0]
        wrong = _all_differ([each.traits.hashes[:, 0] for each in texts], of_source)
        outputs = []
        for watch, roles, system in zip(self.systems, self.system_roles, systems, strict=True):
            block = TextBlock.of(system.sentences[part], threads=threads)
            watch.add(source, block, numbers, threads, wrong)
            roles.add(source, block, texts, numbers, self.reference_roles.words)
            outputs.append(block.traits.hashes[:, 0])
        self.copies.add(of_source, outputs, numbers)

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
        yield from self.source.findings()
        others = [self.source.ends]
        for watch in self.references:
            yield from watch.findings(others)
        wrong_references = list(self.reference_roles.findings())
        yield from wrong_references
        others += [watch.ends for watch in self.references]
        for watch, roles in zip(self.systems, self.system_roles, strict=True):
            found = watch.findings(others, self.references)
            yield from found
            yield from roles.findings(is_sound=not found and not wrong_references)
        yield from self.copies.findings()


def _all_differ(texts: Sequence[Hashes], source: Hashes) -> Mask | None:
    """The lines that all of the texts change; None if there are no texts."""
    return np.all([text != source for text in texts], axis=0) if texts else None


def _reference_blocks(
    corpus: Corpus, part: slice, threads: int
) -> Iterator[tuple[Rows | None, TextBlock]]:
    """Each reference text with its rows; None if every sentence has that reference."""
    references = corpus.references[part]
    if isinstance(references, ReferenceTexts):
        for text in references.texts[:MOST_REFERENCES]:
            yield None, TextBlock.of(text, threads=threads)
        return
    most = max(map(len, references), default=0)
    for place in range(min(most, MOST_REFERENCES)):
        rows = [row for row, found in enumerate(references) if len(found) > place]
        lines = [references[row][place] for row in rows]
        block = TextBlock.of(lines, threads=threads)
        yield (None if len(rows) == len(references) else np.array(rows)), block
