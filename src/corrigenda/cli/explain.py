"""`corrigenda explain`: one sentence, and what each metric saw in it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corrigenda.cli import inputs
from corrigenda.cli.model_options import add_model_arguments, model_settings
from corrigenda.cli.progress_bar import bars
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from corrigenda.core.explanation import Explanation, Tone
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus, Hypotheses

HELP = "show what each metric saw in one sentence"
EXAMPLES = """\
examples:
  corrigenda explain --line 12 --gold gold.m2 --hyps ours.txt theirs.txt
  corrigenda explain --line 12 --gold gold.m2 --hyps ours.txt --metrics green:n=2 imeasure
  corrigenda explain --text "This are a test ." --reference "This is a test ." --hypothesis "This is test ."

Scores are those of the sentence by itself (--level sentence): so is the choice of its reference.
"""
_STYLES: dict[Tone, str] = {
    "plain": "",
    "good": "green",
    "bad": "red",
    "missed": "yellow",
    "faint": "dim",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("the sentence: a line of the corpus, or typed in")
    group.add_argument(
        "--line", type=int, metavar="N", help="the sentence's number, counted from 1"
    )
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
    group = parser.add_argument_group("what to print")
    group.add_argument(
        "--metrics", "-m", nargs="+", metavar="METRIC", help="(default: all that need no extra)"
    )
    group.add_argument(
        "--format", "-f", choices=("text", "json"), default="text", help="(default: text)"
    )
    add_model_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Score the sentence, then show it."""
    from corrigenda.analysis.explain import explain
    from corrigenda.metrics import default_metrics, metric
    from corrigenda.scoring import evaluate

    corpus, systems = _sentence(args)
    metrics = [metric(text) for text in args.metrics] if args.metrics else default_metrics()
    shown: list[tuple[Hypotheses, list[tuple[Result, list[Explanation]]]]] = []
    with bars(), model_settings(args):
        results = evaluate(corpus, systems, metrics, level="sentence")
        for index, system in enumerate(systems):
            of_system = results[index * len(metrics) : (index + 1) * len(metrics)]
            shown.append(
                (system, [(result, explain(corpus, system, result)) for result in of_system])
            )
    if args.format == "json":
        _print_json(corpus, shown)
    else:
        _print_text(corpus, shown)


def _sentence(args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    """The corpus and the systems, cut down to the one sentence."""
    from corrigenda.corpus import Corpus, Hypotheses

    if args.text is not None:
        if args.line is not None or not args.reference or not args.hypothesis:
            raise UsageError(
                "a typed sentence needs --reference and --hypothesis, and no --line",
                remedy='E.g. --text "This are it ." --reference "This is it ." --hypothesis "This was it ."',
            )
        typed = [_named(text, number) for number, text in enumerate(args.hypothesis, 1)]
        corpus = Corpus.from_lists(
            [args.text], [[reference] for reference in args.reference], references_by="text"
        )
        return corpus, [Hypotheses(name, (sentence,)) for name, sentence in typed]
    if args.line is None:
        raise UsageError(
            "which sentence?",
            remedy="Give --line N of a corpus, or --text, --reference and --hypothesis.",
        )
    inputs.check_corpus_arguments(args)
    inputs.require_systems(args)
    corpus, systems = inputs.read_corpus(args)
    if not 1 <= args.line <= len(corpus):
        raise UsageError(
            f"--line is {args.line}", remedy=f"The corpus has lines 1 to {len(corpus)}."
        )
    part = slice(args.line - 1, args.line)
    return corpus[part], [system[part] for system in systems]


def _named(text: str, number: int) -> tuple[str, str]:
    name, equals, sentence = text.partition("=")
    if equals and name and not any(character.isspace() for character in name):
        return name, sentence
    return f"hypothesis {number}" if number > 1 else "hypothesis", text


def _print_json(
    corpus: Corpus, shown: list[tuple[Hypotheses, list[tuple[Result, list[Explanation]]]]]
) -> None:
    data: dict[str, Any] = {
        "source": corpus.sources[0],
        "references": list(corpus.references[0]),
        "systems": [
            {
                "system": system.name,
                "hypothesis": system.sentences[0],
                "metrics": [
                    {
                        **result.to_dict(per_sentence=True),
                        "tables": [asdict(table) for table in tables],
                    }
                    for result, tables in explained
                ],
            }
            for system, explained in shown
        ],
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
    print()


def _print_text(
    corpus: Corpus, shown: list[tuple[Hypotheses, list[tuple[Result, list[Explanation]]]]]
) -> None:
    from rich.console import Console
    from rich.rule import Rule
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    source = corpus.sources[0]
    console.print(Text.assemble(("source       ", "dim"), source))
    for index, reference in enumerate(corpus.references[0]):
        console.print(
            Text.assemble((f"reference {index}  ", "dim"), _difference(source, reference))
        )
    for system, explained in shown:
        console.print(Rule(Text(system.name, "bold"), align="left"))
        console.print(_difference(source, system.sentences[0]))
        console.print()
        for result, tables in explained:
            _print_metric(console, result, tables)


def _difference(source: str, target: str) -> Text:
    from rich.text import Text

    from corrigenda.edits.difference import word_difference

    styles = {"kept": "", "deleted": "red strike", "inserted": "green bold"}
    marks = {"kept": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
    line = Text()
    for piece in word_difference(source.split(), target.split()):
        # The marks of wdiff tell changes apart where there are no colours.
        line.append(marks[piece.change].format(piece.words) + " ", styles[piece.change])
    return line if line else Text("(empty)", "dim")


def _print_metric(console: Console, result: Result, tables: list[Explanation]) -> None:
    from rich.text import Text

    references = result.references
    kind = "mixed reference" if getattr(result.metric, "mix", False) else "reference"
    chosen = "all references" if references is None else f"{kind} {int(references[0])}"
    details = ", ".join(
        f"{name} {100 * value:.2f}"
        for name, value in result.measures.items()
        if isinstance(value, float)
    )
    console.print(
        Text.assemble(
            (str(result.metric), "bold cyan"),
            (f"  {100 * result.score:.2f}", "bold"),
            (f"  {chosen}" + (f"; {details}" if details else ""), "dim"),
        )
    )
    for table in tables:
        console.print(_rich_table(table))
    if not tables:
        console.print(Text(json.dumps(result.counts), "dim"))
    console.print()


def _rich_table(table: Explanation) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    rich_table = RichTable(
        title=Text(table.title, "italic"), title_justify="left", box=SIMPLE_HEAD, pad_edge=False
    )
    for header in table.headers:
        rich_table.add_column(Text(header), overflow="fold")
    for row in table.rows:
        rich_table.add_row(*(Text(cell.text, _STYLES[cell.tone]) for cell in row))
    if table.note:
        rich_table.caption = Text(table.note, "dim")
    return Padding(rich_table, (0, 0, 0, 2), expand=False)
