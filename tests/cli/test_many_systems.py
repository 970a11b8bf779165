"""Output of hundreds of systems, and of very long names: no longer than it must be."""

from __future__ import annotations

import io
import json
import tracemalloc
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from corrigenda.cli import main
from corrigenda.cli.tables import Cell, Column, Row, Table, key_column
from corrigenda.cli.terminal import print_table, table_lines


def _tied(folder: Path, systems: int) -> str:
    path = folder / "x.jsonl"
    ranks = {f"s{number:03}": 1 for number in range(systems)}
    path.write_text(json.dumps({"sentence": "1", "judge": "j", "ranks": ranks}) + "\n")
    return str(path)


def test_the_first_undecided_pairs_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line for each of the pairs of 999 systems was 21 MB."""
    main(["rank", _tied(tmp_path, 60)])
    said = [line for line in capsys.readouterr().out.splitlines() if "never decided" in line]
    assert said[0] == "never decided, counted as 0: s000 and s001"
    assert said[10:] == ["never decided, counted as 0: 1,760 more pairs of systems (--format json)"]
    main(["rank", _tied(tmp_path, 60), "--format", "json"])
    assert len(json.loads(capsys.readouterr().out)["never_decided"]) == 1_770
    main(["rank", _tied(tmp_path, 5)])
    assert capsys.readouterr().out.count("never decided") == 10


def test_findings_of_many_systems_are_few_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, reference = tmp_path / "s.txt", tmp_path / "r.txt"
    source.write_text("a b c d e\n" * 30)
    reference.write_text("a b c d f\n" * 30)
    outputs = [tmp_path / f"h{number:02}.txt" for number in range(25)]
    for number, output in enumerate(outputs):
        output.write_text("\n" * (29 - number % 3) + "a b\n" * (1 + number % 3))
    given = ["--source", source, "--refs", reference, "--hyps", *outputs, "--metrics", "green"]
    main(["score", *map(str, given)])
    empty = [line for line in capsys.readouterr().err.splitlines() if " empty: " in line]
    assert len(empty) == 11
    assert empty[-1] == "corrigenda: health: empty: 15 more (`corrigenda check` shows all)"


def test_a_large_table_is_printed_line_by_line() -> None:
    """The lines and the columns of the whole table took 700 bytes per cell."""
    size = 300
    rows = tuple(
        Row((Cell(f"s{row}"), *(Cell(f"{row * column % 89 / 100}") for column in range(size))))
        for row in range(size)
    )
    table = Table((key_column(""), *(Column(f"s{column}") for column in range(size))), rows)
    with redirect_stdout(_Counter()) as shown:
        tracemalloc.start()
        print_table(table)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert shown.characters > 4 * size**2
    assert peak < 5e6


class _Counter(io.StringIO):
    """Counts what is written, and keeps none of it."""

    characters = 0

    def write(self, text: str) -> int:
        self.characters += len(text)
        return len(text)


@pytest.mark.parametrize("letter", ["x", "漢", "e\u0301"])
def test_a_very_long_name_is_folded_into_lines(letter: str) -> None:
    """The graphemes of the rest were found again for each line."""
    name = letter * 20_000
    table = Table((key_column("system"), Column("score")), (Row((Cell(name), Cell("1"))),))
    lines = [line.plain for line in table_lines(table, 80)][2:]
    assert "".join(line.split()[0] for line in lines) == name
    assert lines[0].endswith(" 1")


def test_a_very_long_name_of_many_words_is_folded() -> None:
    name = "a-b_c " * 5_000
    table = Table((key_column("system"), Column("score")), (Row((Cell(name), Cell("1"))),))
    lines = [line.plain for line in table_lines(table, 80)][2:]
    shown = "".join(line.removesuffix("  1").replace(" ", "") for line in lines)
    assert shown == name.replace(" ", "")
