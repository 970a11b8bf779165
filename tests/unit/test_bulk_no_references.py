"""Bulk scoring of rows without references, by metrics that need none and metrics that need them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bulk_tables import Rows, made_up_rows, scores, totals, write_jsonl, write_parquet, write_text
from corrigenda import evaluate
from corrigenda.bulk import Columns, bulk
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError, UsageError
from corrigenda.metrics import REGISTRY
from reference_free import KeptWords

ROWS = made_up_rows(40)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers make metrics from their text, so the metric must be in the registry."""
    monkeypatch.setitem(REGISTRY, "kept", "reference_free:KeptWords")


def without_references(path: Path) -> Path:
    """The rows of a JSON lines file without their references."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    kept = [{name: row[name] for name in ("id", "source", "hypothesis")} for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in kept))
    return path


def write_input(form: str, folder: Path) -> Path:
    """ROWS without references."""
    if form == "text":
        write_text(Rows(ROWS.sources, ROWS.hypotheses, [[] for _ in ROWS.sources]), folder)
        (folder / "shard.src").rename(folder / "shard.source")
        (folder / "shard.hyp").rename(folder / "shard.hypothesis")
        return folder / "shard"
    if form == "jsonl":
        return without_references(write_jsonl(ROWS, folder / "rows.jsonl"))
    table = pa.table({"source": ROWS.sources, "hypothesis": ROWS.hypotheses})
    pq.write_table(table, folder / "rows.parquet", row_group_size=10)
    return folder / "rows.parquet"


@pytest.mark.parametrize("columns", [None, Columns(references=())])
@pytest.mark.parametrize("form", ["text", "jsonl", "parquet"])
def test_the_same_as_evaluate(form: str, columns: Columns | None, tmp_path: Path) -> None:
    path = write_input(form, tmp_path)
    done = bulk([path], tmp_path / "out", ["kept"], columns=columns, workers=0, partition_rows=15)
    assert done.rejected == []
    corpus = Corpus.from_lists(ROWS.sources)
    system = Hypotheses("hypothesis", tuple(ROWS.hypotheses))
    for level in ("corpus", "sentence"):
        (expected,) = evaluate(corpus, [system], [KeptWords()], level=level)
        assert expected.to_dict() in totals(tmp_path / "out")
        if level == "sentence":
            assert scores(tmp_path / "out")["kept"] == expected.sentence_scores.tolist()


@pytest.mark.parametrize("form", ["text", "jsonl", "parquet"])
def test_a_metric_that_needs_references_is_refused_before_the_work(
    form: str, tmp_path: Path
) -> None:
    path = write_input(form, tmp_path)
    problem = {"text": "no file of references is given"}.get(
        form, "the inputs have no column 'references'"
    )
    with pytest.raises(UsageError, match=f"green needs references, but {problem}"):
        bulk([path], tmp_path / "out", ["kept", "green"], workers=0)
    assert not (tmp_path / "out").exists()


def test_columns_without_references_are_refused_for_a_metric_that_needs_them(
    tmp_path: Path,
) -> None:
    path = write_parquet(ROWS, tmp_path / "rows.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"not a table")
    columns = Columns.from_text("references=")
    assert columns == Columns(references=())
    for inputs in ([path], [path, tmp_path / "bad.parquet"]):
        with pytest.raises(UsageError, match="m2 needs references, but no column"):
            bulk(inputs, tmp_path / "out", ["m2"], columns=columns, workers=0)
    done = bulk([path], tmp_path / "out", ["kept"], columns=columns, workers=0)
    assert "|refs:0|" in done.results[0].signature


@pytest.mark.parametrize("form", ["text", "parquet"])
def test_columns_of_references_that_are_named_must_exist(form: str, tmp_path: Path) -> None:
    path = write_input(form, tmp_path)
    with pytest.raises(CorrigendaError, match=r"no column 'clean'|shard\.clean: there is no such"):
        bulk([path], tmp_path / "out", ["kept"], columns=Columns(references=("clean",)), workers=0)


def test_references_are_read_where_they_are(tmp_path: Path) -> None:
    """The signature says how many references there were, as that of `evaluate` does."""
    path = write_parquet(ROWS, tmp_path / "rows.parquet")
    assert "|refs:2|" in bulk([path], tmp_path / "out", ["kept"], workers=0).results[0].signature


def test_rows_without_references_are_rejected_if_a_metric_needs_them(tmp_path: Path) -> None:
    rows = [
        {"source": "a b", "hypothesis": "a b", "references": ["a c"]},
        {"source": "a b", "hypothesis": "a c", "references": []},
        {"source": "a b", "hypothesis": "a c"},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    both = bulk([path], tmp_path / "both", ["kept", "m2"], workers=0)
    reason = "there is no reference, but m2 needs one"
    assert [(row.row, row.reason) for row in both.rejected] == [(1, reason), (2, reason)]
    assert scores(tmp_path / "both")["kept"] == [1.0, None, None]
    bulk([path], tmp_path / "kept", ["kept"], workers=0)
    assert scores(tmp_path / "kept")["kept"] == [1.0, 0.5, 0.5]


@pytest.mark.parametrize("form", ["text", "parquet"])
def test_one_input_without_references_does_not_stop_the_others(form: str, tmp_path: Path) -> None:
    (tmp_path / "good").mkdir()
    bad = write_input(form, tmp_path)
    if form == "parquet":
        good = write_parquet(ROWS, tmp_path / "good" / "rows.parquet")
    else:
        good = write_input(form, tmp_path / "good")
        texts = "".join(f"{texts[0]}\n" for texts in ROWS.references)
        (tmp_path / "good" / "shard.references").write_text(texts)
    with pytest.raises(
        CorrigendaError,
        match=r"1 of 1 parts are done(?s:.*)there is no (column|file)(?s:.*)green needs references",
    ):
        bulk([bad, good], tmp_path / "out", ["green"], workers=0)


def test_a_json_file_that_tells_nothing_is_read(tmp_path: Path) -> None:
    """Without a single row that has a source, the rows themselves say what is wrong."""
    (tmp_path / "rows.jsonl").write_text("{}\n" * 3)
    with pytest.raises(CorrigendaError, match="no rows to score"):
        bulk([tmp_path / "rows.jsonl"], tmp_path / "out", ["green"], workers=0)
