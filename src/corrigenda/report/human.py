"""Human scores of systems: from rankings, or from a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from corrigenda.errors import FormatError, Location, brief
from corrigenda.formats import input_file, text
from corrigenda.text.numerals import decimal
from corrigenda.text.sentences import Path


@dataclass(frozen=True)
class HumanScores:
    """The scores that people gave to the systems: one score per system; larger is better."""

    name: str
    scores: Mapping[str, float]


def from_judgments(path: Path) -> HumanScores:
    """Expected Wins of the rankings in a file."""
    from corrigenda.formats import judgments
    from corrigenda.human.expected_wins import expected_wins

    pairs = judgments.read(path).pairs
    scores = expected_wins(pairs.wins()).tolist()
    return HumanScores("Expected Wins", dict(zip(pairs.systems, scores, strict=True)))


def from_table(path: Path) -> HumanScores:
    """Scores from a file with a system, a tab and a score on each line."""
    scores: dict[str, float] = {}
    for number, line in enumerate(text.read(path), 1):
        if line.strip():
            at = Location(input_file.shown(path), number)
            name, _, score = line.rstrip().rpartition("\t")
            value = _score(name.strip(), score, at)
            if name.strip() in scores:
                raise FormatError(
                    f"the system {brief(name.strip())} occurs twice",
                    at=at,
                    remedy="Give one score per system.",
                )
            scores[name.strip()] = value
    return HumanScores(input_file.stem(path), scores)


def _score(name: str, score: str, at: Location) -> float:
    value = decimal(score.strip())
    if not name or value is None:
        raise FormatError(
            "the line is not a system and its score",
            at=at,
            remedy="Write a system, a tab and a number.",
        )
    return value
