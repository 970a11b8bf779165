"""`corrigenda explain`: one sentence, and what each metric saw in it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, options, render
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.analysis.attribution import AttributedSentence
    from corrigenda.core.explanation import Explanation
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus, Hypotheses

HELP = "show what each metric saw in one sentence"
EXAMPLES = f"""\
examples:
  corrigenda explain --line 12 --gold gold.m2 --hyps ours.txt theirs.txt
  corrigenda explain --line 12 --gold gold.m2 --hyps ours.txt --metrics green:n=2 imeasure --verbose
  corrigenda explain --text "This are it ." --reference "This is it ." --hypothesis "This was it ."
  corrigenda explain --line 12 --gold gold.m2 --hyps ours.txt --attribute green
  corrigenda explain --gold gold.m2 --hyps ours.txt --attribute green m2 --format json

The scores are those of the sentence alone (--level sentence). Its reference is also chosen for this
sentence alone.

--attribute shows what each edit did to the score. Without --line it takes all sentences.

{options.WIDTH_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("the sentence: a line of the corpus, or typed in")
    options.add_whole_number(group, "--line", "the number of the sentence, from 1", least=1)
    group.add_argument("--text", metavar="SENTENCE", help="a source sentence, tokenised")
    group.add_argument(
        "--reference", action="append", default=[], metavar="SENTENCE", help="may be repeated"
    )
    group.add_argument(
        "--hypothesis",
        action="append",
        default=[],
        metavar="[NAME=]SENTENCE",
        help="may be repeated",
    )
    group = parser.add_argument_group("what each edit did to the score")
    group.add_argument(
        "--attribute", nargs="+", metavar="METRIC", help="the value of each edit for these metrics"
    )
    group.add_argument(
        "--attribution",
        choices=("shapley", "add", "remove"),
        default="shapley",
        help="how: its share of the gain, its gain alone, or the loss without it "
        "(default: shapley)",
    )
    group.add_argument(
        "--edits-by",
        metavar="EXTRACTOR",
        default="m2",
        help="the metric that finds the edits: m2 or errant (default: m2)",
    )
    group = parser.add_argument_group("what to print")
    options.add_metrics(group)
    group.add_argument(
        "--verbose",
        "-v",
        action="store_true",
        help="all n-grams and the whole alignment, not only what differs",
    )
    options.add_text_format(group)
    options.add_no_cache(group)
    options.add_models(parser)


@dataclass(frozen=True)
class ExplainedSystem:
    """A system, with its result by each metric and the tables that explain it."""

    hypotheses: Hypotheses
    metrics: list[tuple[Result, list[Explanation]]]


def run(args: argparse.Namespace) -> None:
    """Score the sentence, then show it."""
    from corrigenda.scoring import evaluate

    if args.attribute and args.line is None and args.text is None:
        _attribute_all(args)
        return
    metrics = _metrics(args)
    with _numbered(args.line):
        corpus, systems = _sentence(args)
    shown, attributions = [], []
    with options.working(args), _numbered(args.line):
        results = evaluate(corpus, systems, metrics, level="sentence")
        for index, system in enumerate(systems):
            own = results[index * len(metrics) : (index + 1) * len(metrics)]
            attributed = [
                _attributed(args, corpus, system, result) if args.attribute else None
                for result in own
            ]
            tables = [
                result.metric.explain(corpus, system, result)
                if sentence is None
                else _attributed_tables(args, sentence)
                for result, sentence in zip(own, attributed, strict=True)
            ]
            shown.append(ExplainedSystem(system, list(zip(own, tables, strict=True))))
            attributions.append(attributed)
    if args.format == "json":
        render.print_json(_data(args, corpus, shown, attributions))
        return
    from corrigenda.cli import explain_tables

    explain_tables.print_explained(corpus, shown, verbose=args.verbose)


@contextmanager
def _numbered(line: int | None) -> Iterator[None]:
    """Errors about the only sentence of the corpus name the line that it has in its file."""
    from corrigenda.analysis.attribution import ManyEditsError
    from corrigenda.kernels.limits import SentenceSizeError

    try:
        yield
    except (ManyEditsError, SentenceSizeError) as error:
        raise error.after((line or 1) - 1) from error


def _metrics(args: argparse.Namespace) -> list[Metric]:
    """The metrics whose scores are explained, or shared out among edits."""
    if not args.attribute:
        return options.metrics_of(args)
    if args.metrics:
        raise UsageError(
            "--metrics and --attribute are both given", remedy="Give the metrics once."
        )
    from corrigenda.metrics import metric

    return list(dict.fromkeys(metric(text) for text in args.attribute))


def _attributed(
    args: argparse.Namespace, corpus: Corpus, system: Hypotheses, result: Result
) -> AttributedSentence:
    from corrigenda.analysis.attribution import attribute

    (sentence,) = attribute(
        corpus, system, result.metric, method=args.attribution, extractor=args.edits_by
    )
    return sentence


def _attributed_tables(args: argparse.Namespace, sentence: AttributedSentence) -> list[Explanation]:
    from corrigenda.cli.attribution_tables import explanation

    return [explanation(sentence, args.attribution)]


def _attribute_all(args: argparse.Namespace) -> None:
    """The edits of all sentences: a summary by type, or everything as JSON."""
    from corrigenda.analysis.attribution import attribute
    from corrigenda.cli.attribution_tables import (
        AttributedSystem,
        plain_attributions,
        print_summary,
    )

    metrics = _metrics(args)
    inputs.check_corpus_arguments(args)
    inputs.require_systems(args)
    with options.working(args):
        corpus, systems = inputs.read_corpus(args)
        attributed = [
            AttributedSystem(
                system.name,
                metric,
                attribute(corpus, system, metric, method=args.attribution, extractor=args.edits_by),
            )
            for metric in metrics
            for system in systems
        ]
    if args.format == "json":
        render.print_json(plain_attributions(attributed, args.attribution))
    else:
        print_summary(attributed, args.attribution)


def _sentence(args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    """The corpus and the systems, reduced to the one sentence."""
    if args.text is not None:
        return _typed(args)
    if args.line is None:
        raise UsageError(
            "no sentence is chosen",
            remedy="Give --line N of a corpus, or --text, --reference and --hypothesis.",
        )
    inputs.check_corpus_arguments(args)
    inputs.require_systems(args)
    corpus, systems = inputs.read_corpus(args)
    if args.line > len(corpus):
        raise UsageError(
            f"--line is {args.line}", remedy=f"The corpus has lines 1 to {len(corpus)}."
        )
    part = slice(args.line - 1, args.line)
    return corpus[part], [system[part] for system in systems]


def _typed(args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    from corrigenda.corpus import Corpus, Hypotheses

    if args.line is not None or not args.hypothesis:
        raise UsageError(
            "a typed sentence needs --reference and --hypothesis, and no --line",
            remedy='E.g. --text "This are it ." --reference "This is it ." '
            '--hypothesis "This was it ."',
        )
    typed = [_named(text, number) for number, text in enumerate(args.hypothesis, 1)]
    corpus = Corpus.from_lists(
        [args.text], [[reference] for reference in args.reference], references_by="text"
    )
    return corpus, [Hypotheses(name, (sentence,)) for name, sentence in typed]


def _named(text: str, number: int) -> tuple[str, str]:
    name, equals, sentence = text.partition("=")
    if equals and name and not any(character.isspace() for character in name):
        return name, sentence
    return f"hypothesis {number}" if number > 1 else "hypothesis", text


def _data(
    args: argparse.Namespace,
    corpus: Corpus,
    shown: list[ExplainedSystem],
    attributions: list[list[AttributedSentence | None]],
) -> object:
    return {
        "source": corpus.sources[0],
        "references": list(corpus.references[0]),
        "systems": [
            {
                "system": system.hypotheses.name,
                "hypothesis": system.hypotheses.sentences[0],
                "metrics": [
                    {
                        **result.to_dict(per_sentence=True),
                        "tables": [asdict(table) for table in tables],
                        **_attribution_data(args, sentence),
                    }
                    for (result, tables), sentence in zip(system.metrics, attributed, strict=True)
                ],
            }
            for system, attributed in zip(shown, attributions, strict=True)
        ],
    }


def _attribution_data(
    args: argparse.Namespace, sentence: AttributedSentence | None
) -> dict[str, object]:
    if sentence is None:
        return {}
    return {"attribution": {"method": args.attribution, **sentence.to_dict()}}
