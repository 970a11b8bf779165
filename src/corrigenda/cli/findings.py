"""How commands deal with findings about texts: --strict, --no-health, and lines on stderr."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, options
from corrigenda.cli.display import printable
from corrigenda.cli.last_net import tell
from corrigenda.errors import CorrigendaError

if TYPE_CHECKING:
    from corrigenda.cli.options import Group
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.health.finding import Finding, PlainFinding
    from corrigenda.scoring import HealthChoice
    from corrigenda.tokens import PlainTokenisation


_MOST_SHOWN = 10
"""Findings of one kind: hundreds of systems may share a mistake."""


def add_arguments(group: Group) -> None:
    """What happens if texts are not what they should be."""
    group.add_argument(
        "--strict",
        action="store_true",
        help="a finding about the texts (lines out of step, other tokens, …) is an error",
    )
    group.add_argument(
        "--no-health", action="store_true", help="do not examine the texts before scoring"
    )


def scored(
    args: argparse.Namespace,
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    metrics: Sequence[Metric],
) -> list[Result]:
    """The results of all systems and metrics; what health finds is printed."""
    from corrigenda.scoring import evaluate

    with options.working(args):
        results = evaluate(
            corpus,
            systems,
            metrics,
            level=args.level,
            threads=args.threads,
            health=choice(args),
        )
    show(results, args)
    return results


def choice(args: argparse.Namespace) -> HealthChoice:
    """Whether the library examines the texts; the command prints the findings itself."""
    return "off" if args.no_health else "quiet"


def show(results: Iterable[Result], args: argparse.Namespace) -> None:
    """Print one line per finding on stderr; with --strict they are an error."""
    from corrigenda.health.finding import findings_of

    show_tokenisation(tokenisation(args))
    show_findings(findings_of(results), strict=args.strict)


def show_findings(found: Sequence[Finding], *, strict: bool) -> None:
    """The same for findings that are known; of one kind, those of the first ten texts."""
    seen: Counter[str] = Counter()
    for finding in found:
        seen[finding.code] += 1
        if seen[finding.code] <= _MOST_SHOWN:
            tell(f"health: {printable(line_of(finding))}")
    for code, number in seen.items():
        if number > _MOST_SHOWN:
            tell(f"health: {code}: {number - _MOST_SHOWN:,} more (`corrigenda check` shows all)")
    if strict:
        refuse(len(found))


def refuse(found: int) -> None:
    """With --strict, findings are an error."""
    if found:
        raise CorrigendaError(
            f"the texts have {found} finding{'s' * (found > 1)}, and --strict is given",
            remedy="Correct the files, or leave --strict out.",
        )


def tokenisation(args: argparse.Namespace) -> PlainTokenisation | None:
    """How raw text was tokenised, if it was."""
    made = inputs.retokeniser(args)
    return None if made is None else made.to_dict()


def show_tokenisation(made: PlainTokenisation | None) -> None:
    """Print how raw text was tokenised, and how many edits that removed."""
    if made is not None:
        counts = ", ".join(f"{system}: {count:,}" for system, count in made["removed"].items())
        tell(f"note: tokenised ({made['by']}); differences in blanks alone: {printable(counts)}")


def line_of(finding: Finding) -> str:
    """Where, what, on which lines, and what to do, in one line."""
    lines = ", ".join(f"{line:,}" for line in finding.lines)
    where = f" (lines {lines}{', …' if len(finding.lines) > 4 else ''})" if lines else ""
    message = finding.message.removesuffix(".")
    return f"{finding.subject}: {finding.code}: {message}{where}. {finding.remedy}"


def data(results: Iterable[Result]) -> list[PlainFinding]:
    """The findings ready for JSON."""
    from corrigenda.health.finding import findings_of

    return [finding.to_dict() for finding in findings_of(results)]
