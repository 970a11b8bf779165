"""Tables of texts, the first column left, the others right, in the formats that people paste."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from corrigenda.cli.render import latex_escaped, markdown_escaped

Rows = Sequence[Sequence[str]]


def print_table(title: str, headers: Sequence[str], rows: Rows, style: str) -> None:
    """Print one table with its title: `table`, `markdown` or `latex`."""
    {"table": _table, "markdown": _markdown, "latex": _latex}[style](title, headers, rows)


def _table(title: str, headers: Sequence[str], rows: Rows) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=Text(title), title_justify="left")
    for place, header in enumerate(headers):
        table.add_column(Text(header), justify="right" if place else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    # Piped output must not be folded to 80 columns.
    Console(width=None if sys.stdout.isatty() else 1000, highlight=False).print(table)


def _markdown(title: str, headers: Sequence[str], rows: Rows) -> None:
    print(f"\n{markdown_escaped(title)}\n")
    print(f"| {' | '.join(map(markdown_escaped, headers))} |")
    print(f"|:--|{'--:|' * (len(headers) - 1)}")
    for row in rows:
        print(f"| {' | '.join(map(markdown_escaped, row))} |")


def _latex(title: str, headers: Sequence[str], rows: Rows) -> None:
    print(f"\n% {title}")
    print(rf"\begin{{tabular}}{{l{'r' * (len(headers) - 1)}}}")
    print(r"\toprule")
    print(" & ".join(map(latex_escaped, headers)) + r" \\")
    print(r"\midrule")
    for row in rows:
        print(" & ".join(map(latex_escaped, row)) + r" \\")
    print(r"\bottomrule")
    print(r"\end{tabular}")
