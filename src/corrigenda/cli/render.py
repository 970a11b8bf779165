"""Results on the terminal and as data: table, JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from corrigenda._version import __version__
from corrigenda.core.result import Result


def results(
    results: Sequence[Result], sentences: int, references: int, style: str, *, per_sentence: bool = False
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
    writer.writerow(["system", "metric", "level", "score", "precision", "recall", "signature"])
    for result in results:
        writer.writerow(
            [
                result.system,
                result.metric,
                result.level,
                result.score,
                result.precision,
                result.recall,
                result.signature,
            ]
        )


def _sentence_csv(results: Sequence[Result]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["system", "metric", "sentence", "score", "reference"])
    for result in results:
        for number, sentence in enumerate(result.sentences(), 1):
            writer.writerow([result.system, result.metric, number, sentence["score"], sentence["reference"]])


@dataclass(frozen=True)
class Leaderboard:
    """Systems as rows, best first by the first column; scores times 100."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]
    best: tuple[float | None, ...]
    signatures: tuple[str, ...]
    level: str

    @classmethod
    def of(cls, results: Sequence[Result]) -> Leaderboard:
        """The table of many systems by many metrics; a single metric also shows precision and recall."""
        metrics = list(dict.fromkeys(str(result.metric) for result in results))
        scores: dict[str, dict[str, Result]] = {}
        for result in results:
            scores.setdefault(result.system, {})[str(result.metric)] = result
        detailed = len(metrics) == 1 and all(result.recall is not None for result in results)
        headers = (*metrics, "P", "R") if detailed else tuple(metrics)
        rows = []
        for system, by_metric in scores.items():
            row: list[float | None] = [by_metric[name].score for name in metrics]
            if detailed:
                row += [by_metric[metrics[0]].precision, by_metric[metrics[0]].recall]
            rows.append((system, tuple(row)))
        rows.sort(key=lambda row: -(row[1][0] or 0.0))
        columns = list(zip(*(values for _, values in rows), strict=True))
        best = tuple(
            max((value for value in column if value is not None), default=None) if index < len(metrics) else None
            for index, column in enumerate(columns)
        )
        signatures = tuple(dict.fromkeys(result.signature for result in results))
        return cls(
            headers,
            tuple(rows),
            best if len(rows) > 1 else (None,) * len(headers),
            signatures,
            results[0].level,
        )

    def cells(self, values: tuple[float | None, ...]) -> list[tuple[str, bool]]:
        """Each value as text, and whether it is the best of its column."""
        return [
            ("–" if value is None else f"{100 * value:.2f}", value is not None and value == best)
            for value, best in zip(values, self.best, strict=True)
        ]


def _table(board: Leaderboard) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("system", overflow="fold")
    for header in board.headers:
        table.add_column(Text(header), justify="right", overflow="fold")
    for system, values in board.rows:
        cells = [
            Text(f"{text}*" if best else f"{text} ", "bold green" if best else "")
            for text, best in board.cells(values)
        ]
        table.add_row(Text(system), *cells)
    # Piped output must not be folded to 80 columns.
    console = Console(width=None if sys.stdout.isatty() else 1000, highlight=False, soft_wrap=False)
    console.print(table)
    console.print(f"{board.level} level, scores × 100; * best of the column", style="dim")
    for signature in board.signatures:
        console.print(Text(signature), style="dim", soft_wrap=True)


def _markdown(board: Leaderboard) -> None:
    def escape(text: str) -> str:
        return text.replace("|", "\\|")

    print(f"| system | {' | '.join(map(escape, board.headers))} |")
    print(f"|:--|{'--:|' * len(board.headers)}")
    for system, values in board.rows:
        cells = [f"**{text}**" if best else text for text, best in board.cells(values)]
        print(f"| {escape(system)} | {' | '.join(cells)} |")
    print()
    for signature in board.signatures:
        print(f"`{signature}`  ")


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--",
}  # fmt: skip


def _latex(board: Leaderboard) -> None:
    def escape(text: str) -> str:
        return "".join(_LATEX_SPECIAL.get(character, character) for character in text)

    for signature in board.signatures:
        print(f"% {signature}")
    print(rf"\begin{{tabular}}{{l{'r' * len(board.headers)}}}")
    print(r"\toprule")
    print(" & ".join(["system", *map(escape, board.headers)]) + r" \\")
    print(r"\midrule")
    for system, values in board.rows:
        cells = [rf"\textbf{{{escape(text)}}}" if best else escape(text) for text, best in board.cells(values)]
        print(" & ".join([escape(system), *cells]) + r" \\")
    print(r"\bottomrule")
    print(r"\end{tabular}")
