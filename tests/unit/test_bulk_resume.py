"""A run that continues: nothing is done twice, nothing is mixed, and the totals are the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bulk_tables import made_up_rows, scores, totals, write_jsonl
from corrigenda import progress
from corrigenda.bulk import Columns, bulk, cluster, execution, planning
from corrigenda.bulk.storage import Folder, locked
from corrigenda.errors import CorrigendaError

METRICS = ["green", "m2"]
ROWS = made_up_rows(60)


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    return [
        str(write_jsonl(ROWS[:25], tmp_path / "a.jsonl")),
        str(write_jsonl(ROWS[25:], tmp_path / "b.jsonl", first=25)),
    ]


class Watching:
    """A listener that remembers what it hears."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.reports: list[tuple[str, int, int | None, str]] = []

    def report(self, what: str, done: int, total: int | None, detail: str) -> None:
        self.reports.append((what, done, total, detail))

    def note(self, text: str) -> None:
        self.notes.append(text)

    @property
    def rows(self) -> int:
        """The number of rows that were scored while it listened."""
        scored = [done for what, done, _, _ in self.reports if what == "rows scored"]
        return scored[-1] - scored[0] if scored else 0


def score(
    inputs: list[str], output: Path, metrics: list[str] = METRICS, **options: Any
) -> Watching:
    heard = Watching()
    with progress.listening(heard):
        bulk(inputs, str(output), metrics, **{"workers": 0, "partition_rows": 10} | options)
    return heard


@pytest.fixture
def expected(inputs: list[str], tmp_path: Path) -> list[dict[str, object]]:
    score(inputs, tmp_path / "expected", partition_rows=1000)
    return totals(tmp_path / "expected")


def fail_after(monkeypatch: pytest.MonkeyPatch, partitions: int, error: Exception) -> None:
    """Let the work fail after some partitions."""
    real, done = execution.score_partition, 0

    def failing(*arguments: Any) -> Any:
        nonlocal done
        done += 1
        if done > partitions:
            raise error
        return real(*arguments)

    monkeypatch.setattr(execution, "score_partition", failing)


def test_continues_where_it_was_stopped(
    inputs: list[str], tmp_path: Path, expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        fail_after(patched, 3, KeyboardInterrupt())  # type: ignore[arg-type]
        with pytest.raises(KeyboardInterrupt):
            score(inputs, tmp_path / "out")
    heard = score(inputs, tmp_path / "out")
    assert heard.rows == 35  # 10 + 10 + 5 were done
    assert heard.reports[0] == ("rows scored", 25, 60, "")
    assert heard.reports[-1] == ("rows scored", 60, 60, "")
    assert heard.notes == ["an earlier run has scored 25 rows; they are kept"]
    assert totals(tmp_path / "out") == expected
    assert len(scores(tmp_path / "out")["row"]) == 60


def test_a_finished_run_does_nothing_again(
    inputs: list[str], tmp_path: Path, expected: object
) -> None:
    score(inputs, tmp_path / "out")
    (tmp_path / "out" / "totals.json").unlink()
    assert score(inputs, tmp_path / "out", workers=5).rows == 0
    assert totals(tmp_path / "out") == expected


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["torn", "gone", "changed"])
@pytest.mark.parametrize(
    "file", ["scores/part-00000-00001.parquet", "statistics/1-m2/part-00001-00000.parquet"]
)
def test_a_damaged_file_is_made_again(
    damage: str, file: str, inputs: list[str], tmp_path: Path, expected: object
) -> None:
    score(inputs, tmp_path / "out")
    path = tmp_path / "out" / file
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(whole[:-20] if damage == "torn" else whole[:20] + b"?" + whole[21:])
    heard = score(inputs, tmp_path / "out")
    assert heard.rows == 10
    assert "is damaged: its rows are scored again" in heard.notes[0]
    assert path.read_bytes() == whole
    assert totals(tmp_path / "out") == expected


def test_a_damaged_record_is_made_again(
    inputs: list[str], tmp_path: Path, expected: object
) -> None:
    score(inputs, tmp_path / "out")
    record = tmp_path / "out" / "records" / "part-00000-00000.json"
    record.write_text(record.read_text()[:50])
    assert score(inputs, tmp_path / "out").rows == 10
    assert totals(tmp_path / "out") == expected


def test_leftovers_of_a_killed_worker_are_removed(inputs: list[str], tmp_path: Path) -> None:
    score(inputs, tmp_path / "out")
    left = tmp_path / "out" / "scores" / ".part-00000-00000.parquet.1234.tmp"
    left.write_bytes(b"half")
    (tmp_path / "out" / "records" / "part-00000-00000.json").unlink()
    score(inputs, tmp_path / "out")
    assert not left.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"metrics": ["green"]}, "other metrics"),
        ({"columns": Columns(key="id")}, "other columns"),
        ({"counts": True}, "other counts"),
        ({"partition_rows": 11}, "other rows per partition"),
    ],
)
def test_other_settings_are_refused(
    change: dict[str, Any], problem: str, inputs: list[str], tmp_path: Path
) -> None:
    score(inputs, tmp_path / "out")
    with pytest.raises(CorrigendaError, match=problem) as raised:
        score(inputs, tmp_path / "out", **change)
    assert "--restart" in str(raised.value)
    score(inputs, tmp_path / "out", **change, restart=True)


def test_other_versions_are_refused(
    inputs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    score(inputs, tmp_path / "out")
    monkeypatch.setattr(planning, "versions", lambda: {"corrigenda": "9.9", "numpy": "1"})
    with pytest.raises(CorrigendaError, match="other version of corrigenda"):
        score(inputs, tmp_path / "out")


def test_other_inputs_are_refused(inputs: list[str], tmp_path: Path) -> None:
    score(inputs, tmp_path / "out")
    with pytest.raises(CorrigendaError, match="other inputs"):
        score(inputs[:1], tmp_path / "out")


@pytest.mark.slow
def test_an_input_that_changed_is_scored_again_and_nothing_else(
    inputs: list[str], tmp_path: Path
) -> None:
    score(inputs, tmp_path / "out")
    write_jsonl(ROWS[5:15], Path(inputs[0]))
    heard = score(inputs, tmp_path / "out")
    assert heard.rows == 10
    assert "a.jsonl has changed since a part of it was scored" in heard.notes[0]
    score(inputs, tmp_path / "new")
    assert totals(tmp_path / "out") == totals(tmp_path / "new")
    assert scores(tmp_path / "out") == scores(tmp_path / "new")


def test_content_that_changed_at_the_same_size(inputs: list[str], tmp_path: Path) -> None:
    score(inputs, tmp_path / "out")
    content = Path(inputs[0]).read_bytes()
    Path(inputs[0]).write_bytes(content.replace(b" cat", b" dog"))
    assert score(inputs, tmp_path / "out").rows == 25


def test_records_without_a_manifest_are_neither_used_nor_removed(
    inputs: list[str], tmp_path: Path
) -> None:
    score(inputs, tmp_path / "out")
    (tmp_path / "out" / "manifest.json").unlink()
    for options in ({}, {"restart": True}):
        with pytest.raises(CorrigendaError, match="not empty"):
            score(inputs, tmp_path / "out", **options)
    assert (tmp_path / "out" / "scores" / "part-00000-00000.parquet").exists()


def test_continues_from_another_folder(
    inputs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    score(["a.jsonl", "b.jsonl"], Path("out"))
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert score(["../a.jsonl", "../b.jsonl"], Path("../out")).rows == 0


def test_a_bad_shard_stops_only_itself_and_can_be_replaced(
    inputs: list[str], tmp_path: Path, expected: object
) -> None:
    compressed = [str(write_jsonl(ROWS[:25], tmp_path / "a.jsonl.gz")), inputs[1]]
    good = Path(compressed[0]).read_bytes()
    Path(compressed[0]).write_bytes(good[:-30])
    with pytest.raises(
        CorrigendaError, match=r"4 of 5 parts are done(?s:.*)a\.jsonl\.gz: cannot unpack it"
    ):
        score(compressed, tmp_path / "out")
    assert not (tmp_path / "out" / "totals.json").exists()
    Path(compressed[0]).write_bytes(good)
    assert score(compressed, tmp_path / "out").rows == 25
    assert totals(tmp_path / "out") == expected
    assert scores(tmp_path / "out")["row"] == [*range(25), *range(35)]


def test_progress_says_what_is_done(tmp_path: Path) -> None:
    path = write_jsonl(ROWS[:15], tmp_path / "rows.jsonl")
    path.write_bytes(b"{}\n" + path.read_bytes())
    assert score([str(path)], tmp_path / "out").reports == [
        ("inputs counted", 1, 1, str(path)),
        ("rows scored", 0, 16, ""),
        ("rows scored", 10, 16, "1 rejected"),
        ("rows scored", 16, 16, "1 rejected"),
    ]


def test_too_many_rejected_rows(tmp_path: Path) -> None:
    path = write_jsonl(ROWS, tmp_path / "rows.jsonl")
    path.write_bytes(path.read_bytes() + b"{}\n{}\n")
    with pytest.raises(CorrigendaError, match="2 rows were rejected, but --max-errors is 1"):
        score([str(path)], tmp_path / "out", max_errors=1)
    rejected = [
        json.loads(line) for line in (tmp_path / "out" / "rejected.jsonl").read_text().splitlines()
    ]
    assert [row["row"] for row in rejected] == [60, 61]
    assert score([str(path)], tmp_path / "out", max_errors=2).rows == 0


def test_another_run_in_the_same_folder_is_refused(inputs: list[str], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with locked(Folder(str(tmp_path / "out"))), pytest.raises(CorrigendaError, match="another run"):
        score(inputs, tmp_path / "out")


def test_a_folder_with_other_files_is_not_touched(inputs: list[str], tmp_path: Path) -> None:
    (tmp_path / "out" / "scores").mkdir(parents=True)
    (tmp_path / "out" / "scores" / "mine.txt").write_text("")
    (tmp_path / "out" / "thesis.tex").write_text("")
    for options in ({}, {"restart": True}):
        with pytest.raises(CorrigendaError, match="not empty"):
            score(inputs, tmp_path / "out", **options)
    left = {path.relative_to(tmp_path / "out").as_posix() for path in tmp_path.rglob("out/**/*")}
    assert left == {"scores", "scores/mine.txt", "thesis.tex"}, "not even a lock is added"


@pytest.mark.slow
def test_no_scheduler_answers(
    inputs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_FOR_SCHEDULER", 1)
    for address in (str(tmp_path / "cluster.json"), "tcp://127.0.0.1:1"):
        with pytest.raises(CorrigendaError, match="no Dask scheduler answers"):
            score(inputs, tmp_path / "out", workers=None, scheduler=address)
