"""`corrigenda compare --fail-if-worse`: a gate for continuous integration, and what it writes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from corrigenda import writing
from corrigenda.cli import inputs, options, outputs
from corrigenda.errors import CorrigendaError, UsageError

if TYPE_CHECKING:
    from corrigenda.analysis.gate import GateCheck
    from corrigenda.cli.tables import Row, Table
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result

_SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
HELP_TEXT = """\
With --fail-if-worse the exit code is 3 if a system fails the gate. Without --margin it fails if it
is significantly worse than the baseline. With --margin 0.2 it fails unless the test shows that it
is at most 0.2 points worse (non-inferiority); a test set that is too small fails, too."""


class GateFailedError(CorrigendaError):
    """A system failed the gate; the exit code differs from that of an error."""

    exit_code = 3


def add_gate(parser: argparse.ArgumentParser) -> None:
    """The options of the gate."""
    group = parser.add_argument_group("a gate for continuous integration")
    group.add_argument(
        "--fail-if-worse",
        action="store_true",
        help="exit code 3 if a system is significantly worse than the baseline",
    )
    group.add_argument(
        "--margin",
        type=options.number_of("--margin", least=0),
        metavar="POINTS",
        help="with --fail-if-worse: fail unless it is shown that the system is at most this much "
        "worse, in points (scores × 100)",
    )
    group.add_argument("--junit", metavar="FILE", help="also write the checks as JUnit XML")
    group.add_argument(
        "--job-summary",
        nargs="?",
        const="",
        metavar="FILE",
        help=f"also append the checks as Markdown (default FILE: ${_SUMMARY_VARIABLE})",
    )


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not fit together, before the work."""
    for name in ("margin", "junit", "job_summary"):
        if getattr(args, name) is not None and not args.fail_if_worse:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} describes the gate", remedy="Add --fail-if-worse.")
    if args.fail_if_worse and args.pairs:
        raise UsageError(
            "--fail-if-worse does not go with --pairs: it is about the baseline",
            remedy="Leave one of them out.",
        )
    if args.margin == 0:
        raise UsageError(
            "--margin is 0",
            remedy="Leave it out to fail only if a system is significantly worse. "
            "A margin is above 0, e.g. --margin 0.2.",
        )
    if args.job_summary == "":
        args.job_summary = os.environ.get(_SUMMARY_VARIABLE)
        if not args.job_summary:
            raise UsageError(
                f"--job-summary needs a file: ${_SUMMARY_VARIABLE} is not set",
                remedy="Write --job-summary FILE.",
            )
    if args.junit and args.job_summary and _are_same(args.junit, args.job_summary):
        raise UsageError(
            "--junit and --job-summary name the same file", remedy="Give each a file of its own."
        )


def check_outputs(metrics: Sequence[Metric], args: argparse.Namespace) -> None:
    """Refuse files that cannot be written or are inputs, before the work."""
    given = [*inputs.given_files(args), *options.files_of(metrics)]
    outputs.check_file("--junit", args.junit, given)
    outputs.check_file("--job-summary", args.job_summary, given)


def _are_same(one: str, other: str) -> bool:
    return not writing.is_stream(one) and os.path.realpath(one) == os.path.realpath(other)


def checks(by_metric: Sequence[Sequence[Result]], args: argparse.Namespace) -> list[GateCheck]:
    """The checks, if a gate is wanted."""
    if not args.fail_if_worse:
        return []
    from corrigenda.analysis.gate import gate_checks

    return gate_checks(
        by_metric,
        margin=args.margin,
        resamples=args.resamples,
        seed=args.seed,
        confidence=args.confidence,
        correction=args.correction,
    )


def plain(found: Sequence[GateCheck]) -> dict[str, object]:
    """The part of the JSON about the gate; nothing without a gate."""
    return {"gate": [{**asdict(each), "reason": each.reason} for each in found]} if found else {}


def tables(found: Sequence[GateCheck]) -> list[Table]:
    """One table for all metrics; nothing without a gate."""
    from corrigenda.cli.tables import Column, Table, key_column

    if not found:
        return []
    return [
        Table(
            (
                key_column("gate"),
                key_column("system"),
                Column("difference"),
                Column("bound"),
                Column("p"),
                Column("", left=True),
            ),
            tuple(_row(each) for each in found),
            notes=(_rule(found[0]),),
        )
    ]


def _rule(check: GateCheck) -> str:
    sure = f"{100 * check.confidence:g} %"
    if check.rule == "non-inferior":
        return (
            f"passes if the lower bound of the difference ({sure}, one-sided) is above "
            f"-{100 * check.margin:g} points"
        )
    return f"fails if the upper bound of the difference ({sure}, one-sided) is below 0"


def _row(check: GateCheck) -> Row:
    from corrigenda.cli.tables import Row, percent, probability, text

    return Row(
        (
            text(check.metric),
            text(check.system),
            percent(check.difference, signed=True),
            percent(check.bound, signed=True),
            probability(check.p_value, 4),
            text("passed", "good") if check.passed else text("failed", "bad"),
        )
    )


def finish(found: Sequence[GateCheck], args: argparse.Namespace) -> None:
    """Write the files, then fail if a check failed."""
    if not found:
        return
    if args.junit:
        writing.write_bytes(args.junit, junit(found).encode("utf-8"))
    if args.job_summary:
        # A step may have written its own summary before.
        writing.append(args.job_summary, job_summary(found).encode("utf-8"))
    failed = [check for check in found if not check.passed]
    if failed:
        raise GateFailedError(
            f"{len(failed)} of {len(found)} checks of the gate failed",
            remedy="\n  ".join(f"{c.system} by {c.metric}: {c.reason}." for c in failed),
        )


def junit(found: Sequence[GateCheck]) -> str:
    """The checks as JUnit XML: a suite per metric, a case per system."""
    failed = sum(not check.passed for check in found)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<testsuites name="corrigenda" tests="{len(found)}" failures="{failed}">')
    for metric in dict.fromkeys(check.metric for check in found):
        of_metric = [check for check in found if check.metric == metric]
        bad = sum(not check.passed for check in of_metric)
        suite = f"name={quoteattr(metric)} tests={quoteattr(str(len(of_metric)))}"
        lines.append(f'  <testsuite {suite} failures="{bad}" errors="0" skipped="0">')
        for check in of_metric:
            name = quoteattr(_clean(f"{check.system} against {check.baseline}"))
            lines.append(f"    <testcase classname={quoteattr(metric)} name={name}>")
            if not check.passed:
                kind = quoteattr(check.rule)
                message = quoteattr(check.reason)
                lines.append(
                    f"      <failure type={kind} message={message}>"
                    f"{escape(check.signature)}</failure>"
                )
            else:
                lines.append(f"      <system-out>{escape(check.reason)}</system-out>")
            lines.append("    </testcase>")
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _clean(text: str) -> str:
    """XML cannot hold control characters, not even escaped."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def job_summary(found: Sequence[GateCheck]) -> str:
    """The checks as Markdown."""
    from corrigenda.cli.render import markdown_escaped

    failed = sum(not check.passed for check in found)
    verdict = f"❌ {failed} of {len(found)} checks failed" if failed else "✅ all checks passed"
    rows = [
        f"| {'✅' if check.passed else '❌'} | {markdown_escaped(_clean(check.system))} "
        f"| {markdown_escaped(check.metric)} | {100 * check.score:.2f} "
        f"| {100 * check.baseline_score:.2f} | {markdown_escaped(check.reason)} |"
        for check in found
    ]
    return "\n".join(
        [
            f"### Correction quality against {markdown_escaped(_clean(found[0].baseline))}: "
            f"{verdict}",
            "",
            "| | system | metric | score | baseline | difference |",
            "|:-:|:--|:--|--:|--:|:--|",
            *rows,
            "",
            f"{_rule(found[0])[0].upper()}{_rule(found[0])[1:]}. Scores × 100.",
            "",
            "",
        ]
    )
