"""`corrigenda verify`: is a score what its passport says?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, options, render
from corrigenda.errors import CorrigendaError, UsageError

if TYPE_CHECKING:
    from corrigenda.cli.tables import Cell, Records, Row, Table
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.passport.document import PassportBody, StatedResult
    from corrigenda.passport.verification import CheckedScore, TextDifference

HELP = "check scores against a passport"
EXAMPLES = f"""\
examples:
  corrigenda score --gold gold.m2 --hyps ours.txt --metrics m2 --passport ours.passport.json
  corrigenda verify ours.passport.json --gold gold.m2 --hyps ours.txt
  corrigenda verify ours.passport.json

The passport says which metrics and settings to use. The program computes the scores again and says
that they are equal, or names the first sentence that differs. Without a corpus it checks that no
byte of the passport was changed and that its counts give its scores. A passport made with
--with-text contains the corpus. If a metric has a model in a folder, name your copy of it:
--metrics bertscore:model=FOLDER.

The exit code is 0 if all is equal, and 1 otherwise.

{options.WIDTH_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("passport", metavar="FILE", help="the passport")
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("how to compute and print")
    group.add_argument(
        "--metrics",
        "-m",
        nargs="+",
        metavar="METRIC",
        default=[],
        help="metrics of the passport with your own folders of models",
    )
    options.add_format(group)
    options.add_threads(group)
    options.add_no_cache(group)
    options.add_models(parser)


class NotEqualError(CorrigendaError):
    """The scores or the texts are not those of the passport."""


def run(args: argparse.Namespace) -> None:
    """Check, print, and fail if anything differs."""
    from corrigenda.passport import document
    from corrigenda.passport.verification import all_equal

    body = document.load(args.passport)
    texts, scores = _checked(body, args)
    equal = all_equal(texts, scores)
    render.output(
        args,
        data=lambda: {
            "passport": args.passport,
            "digest": document.digest_of(body),
            "equal": equal,
            "texts": [asdict(each) for each in texts],
            "scores": [asdict(each) for each in scores],
        },
        records={"scores": lambda: _records(scores)},
        tables=lambda: [_table(body, texts, scores, args)],
    )
    if not equal:
        raise NotEqualError(f"not equal to {args.passport}", remedy=_first(texts, scores))


def _checked(
    body: PassportBody, args: argparse.Namespace
) -> tuple[list[TextDifference], list[CheckedScore]]:
    from corrigenda.passport.marks import TextMarker
    from corrigenda.passport.verification import recomputed, recounted, text_differences

    metrics = _metrics(body, args.metrics)
    if not inputs.has_corpus(args) and "rows" not in body:
        return [], [recounted(each, metrics[each["metric"]]) for each in body["results"]]
    corpus, systems = _corpus(body, args)
    marker = TextMarker()
    marker.add(corpus, systems)
    texts = text_differences(body["texts"], marker.marks())
    results = _results(body, corpus, systems, metrics, args)
    return texts, [recomputed(each, results.get(_key(each))) for each in body["results"]]


def _corpus(body: PassportBody, args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    from corrigenda.formats import jsonl

    if not inputs.has_corpus(args):
        corpus, held = jsonl.load_lines(map(json.dumps, body["rows"]), args.passport)
        return corpus, list(held)
    corpus, systems = inputs.read_corpus(args)
    if not systems:
        raise inputs.no_system()
    known = {each["system"] for each in body["results"]}
    if not known & {system.name for system in systems}:
        raise UsageError(
            f"the passport is about {', '.join(sorted(known))}, not about "
            f"{', '.join(system.name for system in systems)}",
            remedy="Give the outputs the names of the passport: --hyps NAME=FILE.",
        )
    return corpus, systems


def _key(stated: StatedResult) -> tuple[str, str, str]:
    return stated["system"], stated["metric"], stated["level"]


def _results(
    body: PassportBody,
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    metrics: dict[str, Metric],
    args: argparse.Namespace,
) -> dict[tuple[str, str, str], Result]:
    from corrigenda.scoring import evaluate

    _check_services(metrics, args.metrics)
    printed = {metric: name for name, metric in metrics.items()}
    found: dict[tuple[str, str, str], Result] = {}
    with options.working(args):
        for level in dict.fromkeys(each["level"] for each in body["results"]):
            wanted = [each["metric"] for each in body["results"] if each["level"] == level]
            chosen = [metrics[name] for name in dict.fromkeys(wanted)]
            for result in evaluate(
                corpus, systems, chosen, level=level, threads=args.threads, health="off"
            ):
                found[result.system, printed[result.metric], level] = result
    return found


def _check_services(metrics: dict[str, Metric], given: Sequence[str]) -> None:
    """Refuse to send texts and a key to an address that the passport alone names."""
    from corrigenda.metrics import metric

    own = list(map(metric, given))
    for name, one in metrics.items():
        if one.asks_a_service and one not in own:
            raise UsageError(
                f"the passport asks for {name}, which sends the texts to a service",
                remedy="If you trust its address, give the metric yourself: --metrics METRIC.",
            )


def _metrics(body: PassportBody, given: Sequence[str]) -> dict[str, Metric]:
    """The metrics of the passport; a given one replaces the one that is shown alike."""
    from corrigenda.metrics import metric
    from corrigenda.passport.document import shown_metric

    stated = list(dict.fromkeys(each["metric"] for each in body["results"]))
    found = {name: metric(name) for name in stated}
    for text in given:
        own = metric(text)
        alike = [name for name in stated if name == shown_metric(own)] or [
            name for name in stated if metric(name).name == own.name
        ]
        if len(alike) != 1:
            raise UsageError(
                f"--metrics {text} does not stand for one metric of the passport",
                remedy=f"The passport has {', '.join(stated)}.",
            )
        found[alike[0]] = own
    return found


def _first(texts: Sequence[TextDifference], scores: Sequence[CheckedScore]) -> str:
    """The first difference, in words: a text if one differs, else the counts of a metric."""
    if texts:
        places = [each for each in texts if each.sentence is not None]
        first = min(places, key=lambda each: each.sentence or 0) if places else texts[0]
        if first.sentence is None:
            return f"{first.text}: {first.problem}."
        return f"Sentence {first.sentence} is the first that differs ({first.text})."
    wrong = [score for score in scores if not score.equal]
    first_score = min(wrong, key=lambda each: each.sentence or 0)
    versions = "".join(f" {each}." for each in first_score.other_versions)
    what = f"{first_score.metric} of {first_score.system}: {first_score.problem}."
    if first_score.sentence is not None:
        what = (
            f"Sentence {first_score.sentence} is the first whose counts differ "
            f"({first_score.metric} of {first_score.system})."
        )
    return what + versions


def _records(scores: Sequence[CheckedScore]) -> Records:
    from corrigenda.cli.tables import Records

    return Records(
        ("system", "metric", "level", "stated", "found", "equal", "sentence", "problem"),
        [
            (s.system, s.metric, s.level, s.stated, s.found, s.equal, s.sentence, s.problem)
            for s in scores
        ],
    )


def _table(
    body: PassportBody,
    texts: Sequence[TextDifference],
    scores: Sequence[CheckedScore],
    args: argparse.Namespace,
) -> Table:
    from corrigenda.cli.tables import Column, Table, key_column
    from corrigenda.passport.document import digest_of

    checked = inputs.has_corpus(args) or "rows" in body
    notes = [
        f"{args.passport}: no byte was changed; its digest is {digest_of(body)}",
        "computed again from the texts"
        if checked
        else "computed from the counts of the passport; give the corpus to check these",
        *(_text_note(each) for each in texts),
        *dict.fromkeys(
            f"other than in the passport: {v}" for score in scores for v in score.other_versions
        ),
        *(f"health when it was made: {each.get('message')}" for each in body["health"]),
    ]
    return Table(
        (
            key_column("system"),
            key_column("metric"),
            Column("stated"),
            Column("found"),
            Column("", left=True),
        ),
        tuple(_row(score) for score in scores),
        notes=tuple(notes),
    )


def _text_note(each: TextDifference) -> str:
    where = "" if each.sentence is None else f", sentence {each.sentence}"
    return f"{each.text}{where}: {each.problem}"


def _row(score: CheckedScore) -> Row:
    from corrigenda.cli.tables import Cell, Row, percent, text

    verdict: Cell = text("equal", "good") if score.equal else text(score.problem, "bad")
    found = Cell("") if score.found is None else percent(score.found)
    return Row((text(score.system), text(score.metric), percent(score.stated), found, verdict))
