"""`corrigenda m2`: validate, split, merge, apply, stats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corrigenda.cli import main
from corrigenda.data import SAMPLE

GOLD = str(SAMPLE / "gold.m2")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["m2", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_validate_a_good_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "validate", GOLD) == (0, f"{GOLD}: 60 sentences, no problem\n", "")


def test_validate_reports_all_problems(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.m2"
    bad.write_text(
        "S one two\nA 0 3|||X|||y|||REQUIRED|||-NONE-|||0\n\nS one\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||zero\n"
    )
    code, out, err = run(capsys, "validate", GOLD, str(bad))
    assert code == 1
    assert out.splitlines()[1:] == [
        f"{bad}:2: the span 0 3 is not within the sentence of 2 words",
        f"{bad}:5: the annotator is 'zero', not a number",
    ]
    assert "2 problems found" in err


def test_validate_an_empty_or_absent_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "empty.m2").write_text("")
    code, out, _ = run(capsys, "validate", str(tmp_path / "empty.m2"))
    assert code == 1
    assert "there are no sentences" in out
    assert run(capsys, "validate", str(tmp_path / "absent.m2"))[0] == 1


def test_split_and_merge(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "split", GOLD, "--out", str(tmp_path))
    assert code == 1
    assert f"{GOLD}:1: the sentence has no annotator 2" in err
    assert list(tmp_path.iterdir()) == []
    code, out, _ = run(capsys, "split", GOLD, "--out", str(tmp_path), "--fill-missing", "source")
    files = out.split()
    assert code == 0
    assert files == [str(tmp_path / f"gold.{annotator}.m2") for annotator in (0, 1, 2)]
    merged = tmp_path / "merged.m2"
    assert run(capsys, "merge", *files, "--out", str(merged))[0] == 0
    # Only the sentences that annotator 2 had left out are different now.
    again = tmp_path / "again.m2"
    assert run(capsys, "merge", *files[:2], "--out", str(again))[0] == 0
    without = [line for line in Path(GOLD).read_text().splitlines() if not line.endswith("|2")]
    assert again.read_text().splitlines() == without


def test_merge_of_different_sources(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = Path(GOLD).read_text().splitlines(keepends=True)
    second = next(i for i, line in enumerate(lines) if i and line.startswith("S "))
    lines[second] = "S Something else .\n"
    other = tmp_path / "other.m2"
    other.write_text("".join(line for line in lines if line.startswith(("S", "\n"))))
    code, _, err = run(capsys, "merge", GOLD, str(other))
    assert code == 1
    assert f"{other}:3: the source is 'Something else .', but {GOLD}:{second + 1} has" in err
    assert run(capsys, "merge", GOLD)[0] == 2
    assert run(capsys, "merge", "-", "-")[0] == 2


def test_apply(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for annotator in (0, 1):
        _, out, _ = run(capsys, "apply", GOLD, "--annotator", str(annotator))
        assert out == (SAMPLE / f"ref{annotator}.txt").read_text()
    assert run(capsys, "apply", GOLD)[1] == (SAMPLE / "ref0.txt").read_text()
    code, _, err = run(capsys, "apply", GOLD, "--annotator", "7")
    assert code == 1
    assert "has no annotator 7" in err
    assert run(capsys, "apply", GOLD, "--annotator", "2")[0] == 1
    written = tmp_path / "out.txt"
    assert (
        run(
            capsys,
            "apply",
            GOLD,
            "--annotator",
            "2",
            "--fill-missing",
            "first",
            "--out",
            str(written),
        )[0]
        == 0
    )
    assert len(written.read_text().splitlines()) == 60


def test_stats(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "stats", GOLD, "--format", "json")
    data = json.loads(out)
    assert code == 0
    assert (data["sentences"], data["edits"]) == (
        60,
        sum(row["edits"] for row in data["annotators"]),
    )
    assert [row["annotator"] for row in data["annotators"]] == [0, 1, 2]
    for row in data["annotators"]:
        assert (
            row["insertions"] + row["deletions"] + row["replacements"]
            == row["edits"]
            == sum(row["types"].values())
        )
    code, out, _ = run(capsys, "stats", GOLD)
    assert code == 0
    assert "60 sentences" in out
    assert all(name in out for name in ("annotator 2", "noop sentences", "SVA"))


def test_stats_of_an_empty_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "empty.m2").write_text("")
    assert run(capsys, "stats", str(tmp_path / "empty.m2"))[0] == 0


@pytest.mark.parametrize("action", ["validate", "split", "merge", "apply", "stats"])
def test_help_has_an_example(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["m2", action, "--help"]) == 0
    assert f"corrigenda m2 {action} " in capsys.readouterr().out.partition("example")[2]
