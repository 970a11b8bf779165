"""Is each file what it is said to be? Source, references and outputs may be exchanged."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from corrigenda.health.block import TextBlock
from corrigenda.health.corrections import Corrections
from corrigenda.health.exchanges import Choices
from corrigenda.health.finding import Code, Finding
from corrigenda.health.spelling import Misspellings
from corrigenda.health.tally import LineTally
from corrigenda.kernels.line_traits import Mask, Rows

LEAST_EQUAL = 0.95
"""The share of lines on which two texts are equal that must not be."""
LEAST_EQUAL_TO_SOURCE = 0.99
FEWEST_CHANGED = 20
FEWEST_WITHOUT_BALANCE = 12
"""Misspellings that only the references tell: they may not know the words of a few lines."""
MORE_CHANGED = 2
"""If an output alone changes this many times as many lines as a reference alone, ask."""
_CHECK = "Check which file is the source, which are references and which are outputs."
_LINES_FOR_WORDS = 2048


@dataclass
class ReferenceRoles:
    """The references beside the source and beside one another."""

    lines: float = 0
    equal_to_source: list[LineTally] = field(default_factory=list)
    changed: dict[tuple[int, int], float] = field(default_factory=dict)
    equal: dict[tuple[int, int], LineTally] = field(default_factory=dict)
    corrections: dict[tuple[int, int], Corrections] = field(default_factory=dict)
    lines_with_words: int = 0
    words: set[str] = field(default_factory=set)
    """The words of the references, in small letters."""

    def add(self, source: TextBlock, references: Sequence[TextBlock], numbers: Rows) -> None:
        """Look at consecutive lines."""
        weight = source.weight
        self.lines += weight * len(source)
        of_source = source.traits.hashes[:, 0]
        hashes = [each.traits.hashes[:, 0] for each in references]
        while len(self.equal_to_source) < len(references):
            self.equal_to_source.append(LineTally())
        for place, reference in enumerate(references):
            self.equal_to_source[place].add(hashes[place] == of_source, numbers, weight=weight)
            if (wanted := _LINES_FOR_WORDS - self.lines_with_words) > 0:
                self.words.update("\n".join(reference.lines[:wanted]).lower().split())
        self.lines_with_words += len(source)
        for pair in itertools.combinations(range(len(references)), 2):
            one, other = hashes[pair[0]], hashes[pair[1]]
            # Two empty references are missing, not copies.
            there = references[pair[1]].traits.words > 0
            changed = ((one != of_source) | (other != of_source)) & there
            more = weight * int(np.count_nonzero(changed))
            self.changed[pair] = self.changed.get(pair, 0) + more
            equal = changed & (one == other)
            self.equal.setdefault(pair, LineTally()).add(equal, numbers, weight=weight)
            found = self.corrections.setdefault(pair, Corrections())
            found.add(_pairs(source, references[pair[0]], equal))

    def findings(self) -> Iterator[Finding]:
        """All findings."""
        for place, tally in enumerate(self.equal_to_source):
            if tally.exceeds(LEAST_EQUAL_TO_SOURCE, self.lines, FEWEST_CHANGED):
                yield _finding(
                    "wrong-roles", place, tally, self.lines, "are equal to the source.", _CHECK
                )
        for (one, other), tally in self.equal.items():
            is_copy = tally.exceeds(LEAST_EQUAL, self.changed[one, other], FEWEST_CHANGED)
            if is_copy and self.corrections[one, other].are_many:
                message = f"of those that change something are equal to reference {one + 1}."
                remedy = "Give each reference once: the same text twice adds nothing."
                yield _finding(
                    "wrong-roles", other, tally, self.changed[one, other], message, remedy
                )


def exchanged_with_source(choices: Choices) -> Iterator[Finding]:
    """The reference that may be the source, and the source a reference."""
    if (found := choices.reference_as_source()) is not None:
        place, added, mended = found
        message = (
            f"it adds {len(added)} different misspellings to the source and removes {mended}: it "
            "may be the source, and the source a reference."
        )
        share = len(added) / max(1, choices.lines)
        yield Finding(
            "wrong-roles", None, f"reference {place + 1}", message, share, added.lines, _CHECK
        )


def _pairs(source: TextBlock, text: TextBlock, rows: Mask) -> Iterator[tuple[str, str]]:
    return ((source.lines[row], text.lines[row]) for row in np.flatnonzero(rows).tolist())


def _finding(
    code: Code, place: int, tally: LineTally, of: float, message: str, remedy: str
) -> Finding:
    return Finding(
        code, None, f"reference {place + 1}",
        f"{tally.counted(of)} {message}", tally.share(of), tuple(tally.lines), remedy,
    )  # fmt: skip


@dataclass
class SystemRoles:
    """The output of a system beside the references and the source."""

    system: str
    equal: list[LineTally] = field(default_factory=list)
    changed: list[float] = field(default_factory=list)
    changed_alone: list[float] = field(default_factory=list)
    """Lines that the output changes and a reference does not."""
    kept_alone: list[float] = field(default_factory=list)
    """Lines that a reference changes and the output does not."""
    corrections: list[Corrections] = field(default_factory=list)
    misspellings: Misspellings = field(default_factory=Misspellings)

    def add(
        self,
        source: TextBlock,
        output: TextBlock,
        references: Sequence[TextBlock],
        numbers: Rows,
        known: Collection[str],
    ) -> None:
        """Look at consecutive lines; `known` are the words of the references."""
        of_source, of_output = source.traits.hashes[:, 0], output.traits.hashes[:, 0]
        made = of_output != of_source
        for place, reference in enumerate(references):
            if place == len(self.equal):
                self.equal.append(LineTally())
                self.changed.append(0.0)
                self.changed_alone.append(0.0)
                self.kept_alone.append(0.0)
                self.corrections.append(Corrections())
            of_reference = reference.traits.hashes[:, 0]
            changed = of_reference != of_source
            self.changed[place] += source.weight * int(np.count_nonzero(changed))
            self.changed_alone[place] += source.weight * int(np.count_nonzero(made & ~changed))
            self.kept_alone[place] += source.weight * int(np.count_nonzero(changed & ~made))
            equal = changed & (of_output == of_reference)
            self.equal[place].add(equal, numbers, weight=source.weight)
            self.corrections[place].add(_pairs(source, reference, equal))
        if references:
            pairs = _pairs(source, output, made)
            self.misspellings.add(pairs, numbers[made].tolist(), known)

    def findings(
        self, choices: Choices, output: int, *, is_sound: bool, is_sole: bool
    ) -> Iterator[Finding]:
        """All findings of the output with this number.

        `is_sound`: there is no other finding, which could explain misspellings; `is_sole`: nor is
        there one about a reference.
        """
        for place, tally in enumerate(self.equal):
            is_copy = tally.exceeds(LEAST_EQUAL, self.changed[place], FEWEST_CHANGED)
            if is_copy and self.corrections[place].are_many:
                message = (
                    f"{tally.counted(self.changed[place])} that reference {place + 1} "
                    "changes are equal to it: it is the reference, or made from it."
                )
                yield self._finding(message, tally.share(self.changed[place]), tally.lines)
                is_sole = False
        if not is_sound:
            return
        is_reference = list(self._as_reference(choices, output)) if is_sole else []
        yield from is_reference or self._as_source(choices, output)

    def _as_source(self, choices: Choices, output: int) -> Iterator[Finding]:
        """The output has misspellings that its source has not."""
        found = self.misspellings
        if not found.are_on_the_wrong_side:
            return
        share = found.new / max(1, found.compared)
        balance = choices.balance(output)
        if balance <= 0 and found.new < FEWEST_WITHOUT_BALANCE:
            return
        if balance < 0:
            # Its new words are right: it is the references that have the source's misspellings.
            message = (
                f"it has {found.new} different words that the references know as misspellings "
                "alone: it may be a reference, and a reference an output."
            )
        else:
            message = (
                f"it adds {found.new} different misspellings to the source and removes "
                f"{found.gone}: it may be the source, and the source an output."
            )
        yield self._finding(message, share, found.lines)

    def _as_reference(self, choices: Choices, output: int) -> Iterator[Finding]:
        """The reference that may be an output, and the output a reference."""
        for place, alone in enumerate(self.changed_alone):
            if alone < MORE_CHANGED * self.kept_alone[place]:
                continue
            if (found := choices.kept(place, output)) is not None:
                kept, both = found
                message = (
                    f"reference {place + 1} keeps {len(kept)} of {len(kept) + both} misspellings "
                    "that this output mends, and changes fewer lines: the two may be exchanged."
                )
                yield self._finding(message, len(kept) / max(1, choices.lines), kept.lines)
                return

    def _finding(self, message: str, share: float, lines: Sequence[int]) -> Finding:
        return Finding(
            "wrong-roles", self.system, "hypothesis", message, share, tuple(lines), _CHECK
        )
