"""What `corrigenda explain` prints for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.rule import Rule
from rich.text import Text

from corrigenda.cli.display import printable
from corrigenda.cli.labels import labels
from corrigenda.cli.rich_console import console, print_note, text_of
from corrigenda.cli.tables import Cell, Column, Row, Table
from corrigenda.cli.terminal import split, table_lines
from corrigenda.core import spec

if TYPE_CHECKING:
    from rich.console import Console

    from corrigenda.cli.explain import ExplainedSystem
    from corrigenda.core.explanation import Explanation
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus

_INDENT = "  "
_SHORT = {"precision": "P", "recall": "R", "brevity_penalty": "BP"}


def print_explained(corpus: Corpus, shown: Sequence[ExplainedSystem], *, verbose: bool) -> None:
    """Print the sentence, then what each metric saw in each system's output."""
    out = console()
    source = printable(corpus.sources[0])
    _print_sentence(out, "source", Text(source))
    for index, reference in enumerate(corpus.references[0]):
        _print_sentence(out, f"reference {index}", _difference(source, printable(reference)))
    headings = labels([result.metric for result, _ in shown[0].metrics]) if shown else {}
    for system in shown:
        out.print()
        out.print(Rule(Text(printable(system.hypotheses.name), "bold"), align="left"))
        _print_sentence(out, "", _difference(source, printable(system.hypotheses.sentences[0])))
        for result, tables in system.metrics:
            out.print()
            heading, references = headings[str(result.metric)], len(corpus.references[0])
            _print_metric(out, result, heading, references, tables, verbose=verbose)


def _print_sentence(out: Console, name: str, sentence: Text) -> None:
    """Print a sentence beside its name, folded at blanks."""
    front = f"{name:<{len('reference 0')}}  " if name else ""
    for number, part in enumerate(sentence.wrap(out, out.width - len(front))):
        part.rstrip()
        label = front if number == 0 else " " * len(front)
        out.print(Text.assemble((label, "dim"), part), soft_wrap=True)


def _difference(source: str, target: str) -> Text:
    from corrigenda.edits.difference import word_difference

    styles = {"kept": "", "deleted": "red strike", "inserted": "green bold"}
    marks = {"kept": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
    line = Text()
    for piece in word_difference(source.split(), target.split()):
        # The marks of wdiff tell changes apart where there are no colours.
        line.append(marks[piece.change].format(piece.words) + " ", styles[piece.change])
    return line if line else Text("(empty)", "dim")


def _print_metric(
    out: Console,
    result: Result,
    heading: str,
    references: int,
    tables: Sequence[Explanation],
    *,
    verbose: bool,
) -> None:
    out.print(
        Text.assemble(
            (heading, "bold cyan"),
            (f"  {100 * result.score:.2f}", "bold"),
            (f"  {'; '.join(_facts(result, references))}", "dim"),
        )
    )
    chosen = list(tables) if verbose else _short(tables)
    for table in chosen:
        _print_table(out, table, verbose=verbose)
    if not tables:
        print_note(out, json.dumps(result.counts), indent=_INDENT)


def _facts(result: Result, references: int) -> Iterator[str]:
    """The reference that was chosen, and the measures beside the score."""
    from corrigenda.core.measures import plain_measures

    if result.metric.needs_references != "none":
        yield _reference_that_counts(result, references)
    own_scale = result.metric.own_scale
    measures = [
        f"{_SHORT.get(name, name)} {value if name in own_scale else 100 * value:.2f}"
        for name, value in plain_measures(result.measures).items()
        if isinstance(value, float)
    ]
    if measures:
        yield ", ".join(measures)


def _reference_that_counts(result: Result, references: int) -> str:
    """The number of the reference that a parameter or the metric chose.

    A metric may also make references, by mixing edits.
    """
    given = spec.parameters(result.metric).get("reference")
    if isinstance(given, int):
        return f"reference {given}"
    if result.references is None or result.chosen is None:
        return "all references"
    made = int(result.chosen.statistics.references[0]) != references
    return f"{'mixed ' if made else ''}reference {int(result.references[0])}"


def _short(tables: Sequence[Explanation]) -> list[Explanation]:
    """The brief tables, where a metric has them."""
    brief = [table.brief for table in tables if table.brief is not None]
    return brief or list(tables)


def _print_table(out: Console, table: Explanation, *, verbose: bool) -> None:
    if table.title and not table.rows:
        out.print(Text(f"{_INDENT}no {table.title}", "dim"))
    elif table.title and verbose:
        out.print(Text(f"{_INDENT}{table.title}", "italic"))
    width = out.width - len(_INDENT)
    for number, part in enumerate(_parts(table, width, verbose=verbose)):
        if number:
            out.print()
        for line in table_lines(part, width, rules=verbose):
            out.print(Text(_INDENT) + text_of(line), soft_wrap=True)
    if table.note:
        print_note(out, table.note, indent=_INDENT)


def _parts(table: Explanation, width: int, *, verbose: bool) -> list[Table]:
    """The table, or the bands of an alignment: all of them, or those with differences."""
    made = _table(table)
    if not table.rows:
        return []
    if not table.in_bands:
        return [made]
    return [band for band in split(made, width) if verbose or _has_differences(band)]


def _table(table: Explanation) -> Table:
    """The last column may fold; the columns of an alignment may not."""
    last = len(table.headers) - 1
    columns = tuple(
        Column(
            header,
            left=True,
            key=table.in_bands and place == 0,
            wraps=not table.in_bands and (place == last or header in ("source", "correction")),
        )
        for place, header in enumerate(table.headers)
    )
    rows = tuple(Row(tuple(Cell(cell.text, tone=cell.tone) for cell in row)) for row in table.rows)
    return Table(columns, rows)


def _has_differences(part: Table) -> bool:
    return any(cell.tone not in ("plain", "faint") for row in part.rows for cell in row.cells)
