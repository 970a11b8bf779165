"""Results on the terminal and as data: table, JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from corrigenda._version import __version__
from corrigenda.cli.leaderboard import Cell, Leaderboard
from corrigenda.core.result import Interval, Result

if TYPE_CHECKING:
    from rich.text import Text


def results(
    results: Sequence[Result],
    sentences: int,
    references: int,
    style: str,
    *,
    per_sentence: bool = False,
) -> None:
    """Print results in one of the formats."""
    if style == "json":
        _json(results, sentences, references, per_sentence)
    elif style == "csv":
        (_sentence_csv if per_sentence else _csv)(results)
    else:
        board = Leaderboard.of(results)
        {"table": _table, "markdown": _markdown, "latex": _latex}[style](board)


def _json(results: Sequence[Result], sentences: int, references: int, per_sentence: bool) -> None:
    data = {
        "version": __version__,
        "corpus": {"sentences": sentences, "references": references},
        "results": [result.to_dict(per_sentence=per_sentence) for result in results],
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=None if per_sentence else 2)
    print()


def _csv(results: Sequence[Result]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    with_intervals = any(result.interval is not None for result in results)
    bounds = ["low", "high"] if with_intervals else []
    writer.writerow(
        ["system", "metric", "level", "score", *bounds, "precision", "recall", "signature"]
    )
    for result in results:
        measured = [result.score, *_bounds(result.interval), result.precision, result.recall]
        writer.writerow([result.system, result.metric, result.level, *measured, result.signature])


def _bounds(interval: Interval | None) -> list[float]:
    return [] if interval is None else [interval.low, interval.high]


def _sentence_csv(results: Sequence[Result]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["system", "metric", "sentence", "score", "reference"])
    for result in results:
        for number, sentence in enumerate(result.sentences(), 1):
            writer.writerow(
                [result.system, result.metric, number, sentence["score"], sentence["reference"]]
            )


def _table(board: Leaderboard) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("system", overflow="fold")
    for header in board.headers:
        table.add_column(Text(header), justify="right", overflow="fold")
    for system, cells in board.rows:
        table.add_row(Text(system), *(_styled(cell) for cell in cells))
    # Piped output must not be folded to 80 columns.
    console = Console(width=None if sys.stdout.isatty() else 1000, highlight=False)
    console.print(table)
    console.print(f"{board.level} level, scores × 100; * best of the column", style="dim")
    for signature in board.signatures:
        console.print(Text(signature), style="dim", soft_wrap=True)


def _styled(cell: Cell) -> Text:
    from rich.text import Text

    interval = (f" {cell.interval}", "dim") if cell.interval else ""
    # The mark stands before the number, so that the numbers stay aligned.
    return Text.assemble(
        (f"*{cell.text}" if cell.best else cell.text, "bold green" if cell.best else ""), interval
    )


def markdown_escaped(text: str) -> str:
    """The text for a cell of a Markdown table."""
    return text.replace("|", "\\|")


def _markdown(board: Leaderboard) -> None:
    print(f"| system | {' | '.join(map(markdown_escaped, board.headers))} |")
    print(f"|:--|{'--:|' * len(board.headers)}")
    for system, cells in board.rows:
        texts = [
            f"**{cell.text}** {cell.interval}" if cell.best else f"{cell.text} {cell.interval}"
            for cell in cells
        ]
        print(f"| {markdown_escaped(system)} | {' | '.join(text.strip() for text in texts)} |")
    print()
    for signature in board.signatures:
        print(f"`{signature}`  ")


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--",
}  # fmt: skip


def _latex(board: Leaderboard) -> None:
    for signature in board.signatures:
        print(f"% {signature}")
    print(rf"\begin{{tabular}}{{l{'r' * len(board.headers)}}}")
    print(r"\toprule")
    print(" & ".join(["system", *map(latex_escaped, board.headers)]) + r" \\")
    print(r"\midrule")
    for system, cells in board.rows:
        print(" & ".join([latex_escaped(system), *map(_latex_cell, cells)]) + r" \\")
    print(r"\bottomrule")
    print(r"\end{tabular}")


def _latex_cell(cell: Cell) -> str:
    text = latex_escaped(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else text
    return rf"{text} {{\small {cell.interval}}}" if cell.interval else text


def latex_escaped(text: str) -> str:
    """The text for LaTeX."""
    return "".join(_LATEX_SPECIAL.get(character, character) for character in text)
