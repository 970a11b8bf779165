"""How bulk scoring finds, cuts and reads its inputs, and which rows it rejects."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem
from hypothesis import given
from hypothesis import strategies as st

from bulk_tables import made_up_rows, scores, write_jsonl, write_text
from corrigenda.bulk import Columns, bulk
from corrigenda.bulk.partitions import line_starts
from corrigenda.errors import CorrigendaError, MetricError, SentenceError, UsageError

GOOD = {"source": "a b", "hypothesis": "a c", "references": ["a c", "a d"]}


@given(st.binary(max_size=60).map(lambda data: data.replace(b"\x00", b"\n")), st.integers(1, 5))
def test_lines_begin_where_a_file_has_them(data: bytes, every: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        lines = _split(data)
        starts, count = line_starts(str(path), every)
    if data == b"\xef\xbb\xbf":
        assert (starts, count) == ([], 0)
        return
    offsets = [sum(map(len, lines[:number])) for number in range(0, len(lines), every)]
    assert (starts, count) == (offsets, len(lines))


def _split(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def run_jsonl(tmp_path: Path, lines: list[bytes], metric: str = "green", **options: object) -> Path:
    (tmp_path / "rows.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    inputs = [str(tmp_path / "rows.jsonl")]
    bulk(inputs, str(tmp_path / "out"), [metric], workers=0, **options)  # type: ignore[arg-type]
    return tmp_path / "out"


def rejected(output: Path) -> list[tuple[int, str]]:
    return [
        (row["row"], row["reason"])
        for row in map(json.loads, (output / "rejected.jsonl").read_text().splitlines())
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"source": "\xff"}', "byte 13 is not UTF-8"),
        (b"not json", "not JSON"),
        (b"", "the line is empty"),
        (b"[]", "not a JSON object"),
        (b'{"source": "a", "references": ["b"]}', "no hypothesis"),
        (b'{"source": null, "hypothesis": "a", "references": ["b"]}', "no source"),
        (
            b'{"source": "a", "hypothesis": "a", "references": []}',
            "no reference, but green needs one",
        ),
        (b'{"source": "a", "hypothesis": "a"}', "no reference, but green needs one"),
        (b'{"source": "a", "hypothesis": 3, "references": ["b"]}', "'hypothesis' is not a string"),
        (b'{"source": "a", "hypothesis": "a", "references": [1]}', "'references' is neither"),
        (b'{"source": "a\\nb", "hypothesis": "a", "references": ["b"]}', "line end"),
        (b'{"source": "\\ud83d", "hypothesis": "a", "references": ["b"]}', "half of a character"),
    ],
)
def test_rejected_rows(line: bytes, reason: str, tmp_path: Path) -> None:
    good = json.dumps(GOOD).encode()
    output = run_jsonl(tmp_path, [good, line, good], partition_rows=2)
    ((row, found),) = rejected(output)
    assert row == 1
    assert reason in found
    assert [score is None for score in scores(output)["green"]] == [False, True, False]
    assert json.loads((output / "totals.json").read_text())["scored"] == 2


def test_references_missing_in_some_columns(tmp_path: Path) -> None:
    rows = [
        {"source": "a", "hypothesis": "b", "r0": "b", "r1": None},
        {"source": "a", "hypothesis": "b", "r1": "b"},
    ]
    columns = Columns.from_text("references=r0+r1")
    output = run_jsonl(tmp_path, [json.dumps(row).encode() for row in rows], "m2", columns=columns)
    assert rejected(output) == []
    assert scores(output)["m2"] == [1.0, 1.0]


def test_bad_utf8_in_parquet_and_in_text(tmp_path: Path) -> None:
    raw = pa.array([b"a b", b"\xff", b"a"], pa.binary())
    texts = pa.Array.from_buffers(pa.string(), 3, raw.buffers())
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), pa.array(["a c"] * 3))
    pq.write_table(
        pa.table({"source": texts, "hypothesis": ["a c"] * 3, "references": lists}),
        tmp_path / "a.parquet",
    )
    bulk([str(tmp_path / "a.parquet")], str(tmp_path / "out"), ["green"], workers=0)
    assert rejected(tmp_path / "out") == [(1, "byte 1 is not UTF-8")]
    (tmp_path / "t.source").write_bytes(b"a b\n\xff\xfe\na\x00b\n")
    for suffix in ("hypothesis", "references"):
        (tmp_path / f"t.{suffix}").write_bytes(b"a c\n" * 3)
    bulk([str(tmp_path / "t")], str(tmp_path / "out2"), ["green"], workers=0)
    assert [row for row, _ in rejected(tmp_path / "out2")] == [1, 2]


def test_a_mark_and_windows_line_ends(tmp_path: Path) -> None:
    (tmp_path / "t.source").write_bytes(b"\xef\xbb\xbfa b\r\nc\r\n")
    (tmp_path / "t.hypothesis").write_bytes(b"a b\nd")
    (tmp_path / "t.references").write_bytes(b"a b\nd\n")
    bulk([str(tmp_path / "t")], str(tmp_path / "out"), ["m2"], workers=0, partition_rows=1)
    assert scores(tmp_path / "out")["m2"] == [1.0, 1.0]


def test_text_that_does_not_line_up(tmp_path: Path) -> None:
    write_text(made_up_rows(5), tmp_path)
    (tmp_path / "shard.ref1").write_text("one\n")
    columns = Columns.from_text("source=src,hypothesis=hyp,references=ref0+ref1")
    write_text(made_up_rows(6), tmp_path, "good")
    inputs = [str(tmp_path / "shard"), str(tmp_path / "good")]
    with pytest.raises(
        CorrigendaError, match=r"1 of 1 parts are done(?s:.*)same number of sentences"
    ):
        bulk(inputs, str(tmp_path / "out"), ["green"], columns=columns, workers=0)


def test_a_column_that_is_missing_or_not_text(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"source": [1], "hypothesis": ["a"], "references": ["a"]}), tmp_path / "a.parquet"
    )
    with pytest.raises(CorrigendaError, match="the column 'source' holds int64"):
        bulk([str(tmp_path / "a.parquet")], str(tmp_path / "out"), ["green"], workers=0)
    columns = Columns.from_text("source=src")
    with pytest.raises(
        CorrigendaError, match=r"there is no column 'src'(?s:.*)Its columns: source, hypothesis"
    ):
        bulk(
            [str(tmp_path / "a.parquet")],
            str(tmp_path / "out2"),
            ["green"],
            columns=columns,
            workers=0,
        )


@pytest.mark.parametrize(
    ("text", "problem"),
    [("source", "does not name a column"), ("origin=a", "does not name a column"),
     ("source=", "does not name a column"), ("source=a,source=b", "twice"),
     ("references=a++b", "no name")],
)  # fmt: skip
def test_columns_that_make_no_sense(text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        Columns.from_text(text)


def test_inputs_that_make_no_sense(tmp_path: Path) -> None:
    output = str(tmp_path / "out")
    rows = str(write_jsonl(made_up_rows(3), tmp_path / "rows.jsonl"))
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "README.md").write_text("nothing here")
    for inputs, problem in (
        ([str(tmp_path / "nothing.jsonl")], "no such file"),
        ([rows, rows], "given twice"),
        ([str(write_jsonl(made_up_rows(3), tmp_path / "rows.txt"))], "does not show the format"),
        ([], "no inputs to score"),
        (["foo://bar/x.jsonl"], "URLs of this kind cannot be opened"),
        ([str(tmp_path / "nothing*.jsonl")], "no file matches this pattern"),
        ([str(tmp_path / "empty")], "holds no Parquet and no JSON lines"),
    ):
        with pytest.raises(CorrigendaError, match=problem):
            bulk(inputs, output, ["green"], workers=0)
    with pytest.raises(UsageError, match="given twice"):
        bulk([rows], output, ["green", "green"], workers=0)
    with pytest.raises(MetricError, match="cannot be computed in parts"):
        bulk([rows], output, ["bertscore:idf=true"], workers=0)


def test_empty_inputs(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b""))
    (tmp_path / "b.jsonl").write_bytes(b"")
    with pytest.raises(CorrigendaError, match="no rows to score"):
        bulk([str(tmp_path / "*.jsonl*")], str(tmp_path / "out"), ["green", "m2"], workers=0)


def test_a_row_that_a_metric_refuses_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from corrigenda.metrics.green import Green

    count = Green.statistics

    def choosy(self: Green, corpus: object, hypotheses: object, *, threads: int) -> object:
        if any("poison" in source for source in corpus.sources):  # type: ignore[attr-defined]
            raise SentenceError("too strange")
        return count(self, corpus, hypotheses, threads=threads)  # type: ignore[arg-type]

    monkeypatch.setattr(Green, "statistics", choosy)
    lines = [
        json.dumps(GOOD | {"source": "poison" if number in (3, 8) else "a b"}).encode()
        for number in range(10)
    ]
    output = run_jsonl(tmp_path, lines)
    assert rejected(output) == [(3, "too strange"), (8, "too strange")]
    # If every row is refused, the rows are not the reason.
    (tmp_path / "all").mkdir()
    with pytest.raises(SentenceError, match="too strange"):
        run_jsonl(tmp_path / "all", [json.dumps(GOOD | {"source": "poison"}).encode()] * 3)


def test_corrupt_parquet_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and then nothing")
    with pytest.raises(CorrigendaError, match=r"bad\.parquet: cannot be read"):
        bulk([str(tmp_path / "bad.parquet")], str(tmp_path / "out"), ["green"], workers=0)


def test_urls_of_another_file_system(tmp_path: Path) -> None:
    """Inputs and output that are not on a disk of this machine."""
    memory = fsspec.filesystem("memory")
    rows = made_up_rows(20)
    for number, part in enumerate((rows[:12], rows[12:])):
        memory.pipe(
            f"/in/{number}.jsonl", write_jsonl(part, tmp_path / f"{number}.jsonl").read_bytes()
        )
    urls = ["memory://in/*.jsonl"]
    done = bulk(urls, "memory://out", ["green", "m2"], workers=0, partition_rows=5)
    assert done.rows == 20
    here = bulk([str(tmp_path / "*.jsonl")], str(tmp_path / "out"), ["green", "m2"], workers=0)
    assert done.results == here.results
    assert not [name for name in memory.find("/out") if name.endswith(".tmp")]
    again = bulk(urls, "memory://out", ["green", "m2"], workers=0)
    assert again.rows_by_this_run == 0
    assert again.results == done.results
    bulk(urls, "memory://out", ["green"], workers=0, restart=True)


TEXT = Columns.from_text("source=src,hypothesis=hyp,references=ref0+ref1")


class FetchedFile(AbstractBufferedFile):
    """A file at a URL that counts the bytes that were asked for."""

    fetched: ClassVar[list[int]] = []

    def _fetch_range(self, start: int, end: int) -> bytes:
        self.fetched.append(end - start)
        return Path(self.path).read_bytes()[start:end]


class FetchedFiles(AbstractFileSystem):
    """A file system for URLs that begin with fetched://"""

    protocol = "fetched"

    def info(self, path: str, **_: object) -> dict:
        path = self._strip_protocol(path)
        return {"name": path, "size": Path(path).stat().st_size, "type": "file"}

    def _open(self, path: str, mode: str = "rb", **options: object) -> FetchedFile:
        return FetchedFile(self, path, mode, **options)


def test_a_parquet_file_at_a_url_is_read_once(tmp_path: Path) -> None:
    fsspec.register_implementation("fetched", FetchedFiles, clobber=True)
    chance = random.Random(1)
    texts = [" ".join(f"{chance.randrange(10**9)}" for _ in range(10)) for _ in range(60_000)]
    file = tmp_path / "x.parquet"
    table = pa.table(dict.fromkeys(("source", "hypothesis", "references"), texts))
    pq.write_table(table, file, row_group_size=20_000, data_page_size=1 << 16)
    FetchedFile.fetched.clear()
    done = bulk([f"fetched://{file}"], str(tmp_path / "out"), ["green"], workers=0, health=False)
    assert done.rows == len(texts)
    # The footer is also read when the work is planned, with what is beside it.
    assert sum(FetchedFile.fetched) < 1.6 * file.stat().st_size


def test_patterns_of_parallel_text(tmp_path: Path) -> None:
    rows = made_up_rows(30)
    for number in range(3):
        write_text(
            rows[10 * number : 10 * number + 10], tmp_path, f"u{number}", compress=number == 1
        )
    done = bulk([str(tmp_path / "u?")], str(tmp_path / "out"), ["green"], columns=TEXT, workers=0)
    assert done.rows == 30
    (tmp_path / "a.src").write_text("alone\n")
    with pytest.raises(CorrigendaError, match=r"a\.hyp: there is no such file"):
        bulk([str(tmp_path / "?")], str(tmp_path / "out2"), ["green"], columns=TEXT, workers=0)


def test_folders_below_folders_and_strange_names(tmp_path: Path) -> None:
    rows = made_up_rows(30)
    for number, name in enumerate(("year=1/a[1].jsonl", "year=2/b c.jsonl", "_hidden/x.jsonl")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_jsonl(rows[10 * number : 10 * number + 10], tmp_path / name)
    (tmp_path / "README.md").write_text("about these")
    assert bulk([tmp_path], tmp_path / "out", ["green"], workers=0).rows == 20
    literal = bulk([tmp_path / "year=1" / "a[1].jsonl"], tmp_path / "out2", ["green"], workers=0)
    assert literal.rows == 10


def test_count_columns_where_the_first_part_has_none(tmp_path: Path) -> None:
    import pandas as pd

    path = write_jsonl(made_up_rows(12), tmp_path / "rows.jsonl")
    path.write_bytes(b"{}\n" * 4 + path.read_bytes())
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b""))
    inputs = [str(tmp_path / "a.jsonl.gz"), str(path)]
    for _ in range(2):  # the second run finds everything done
        done = bulk(inputs, str(tmp_path / "out"), ["m2"], counts=True, workers=0, partition_rows=4)
        table = pd.read_parquet(tmp_path / "out" / "scores")
        assert table["m2.correct"].isna().sum() == 4
        assert len(table) == done.rows == 16
    assert done.rows_by_this_run == 0


@pytest.mark.parametrize("key", ["file", "row", "green"])
def test_keys_with_the_name_of_another_column(key: str, tmp_path: Path) -> None:
    path = write_jsonl(made_up_rows(3), tmp_path / "rows.jsonl")
    with pytest.raises(UsageError, match=f"the key is called {key!r}"):
        bulk([path], tmp_path / "out", ["green"], columns=Columns(key=key), workers=0)


def test_keys_of_several_types(tmp_path: Path) -> None:
    texts = {"source": ["a b"], "hypothesis": ["a c"], "references": ["a c"]}
    tables = {"a": pa.array([1]), "b": pa.nulls(1), "c": pa.array(["x"])}
    for name, key in tables.items():
        pq.write_table(pa.table({"id": key, **texts}), tmp_path / f"{name}.parquet")
    columns = Columns(key="id")
    bulk(
        [tmp_path / "b.parquet", tmp_path / "a.parquet"],
        tmp_path / "out",
        ["m2"],
        columns=columns,
        workers=0,
    )
    assert scores(tmp_path / "out")["id"] == [None, 1]
    with pytest.raises(CorrigendaError, match=r"the key 'id' is int64 in .* and string in"):
        bulk([tmp_path], tmp_path / "out2", ["m2"], columns=columns, workers=0)


def test_keys_of_a_type_that_arrow_cannot_read_from_its_name(tmp_path: Path) -> None:
    import pandas as pd

    kind = pa.timestamp("us", tz="Europe/Berlin")
    texts = {"source": ["a b"], "hypothesis": ["a c"], "references": ["a c"]}
    pq.write_table(pa.table({"id": pa.nulls(1), **texts}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"id": pa.array([0], kind), **texts}), tmp_path / "b.parquet")
    bulk([tmp_path], tmp_path / "out", ["m2"], columns=Columns(key="id"), workers=0)
    assert pd.read_parquet(tmp_path / "out" / "scores")["id"].isna().tolist() == [True, False]
    assert (
        pq.read_schema(tmp_path / "out" / "scores" / "part-00000-00000.parquet").field("id").type
        == kind
    )


def test_keys_that_are_missing_or_broken(tmp_path: Path) -> None:
    lines = [json.dumps({**GOOD, "id": value}).encode() for value in ("a", "\ud800", None, 7)]
    output = run_jsonl(tmp_path, lines, columns=Columns(key="id"))
    assert scores(output)["id"] == ["a", None, None, "7"]
    assert [row for row, _ in rejected(output)] == [1]
    with pytest.raises(CorrigendaError, match=r"rows.jsonl:1: the first row has no 'iD'"):
        bulk(
            [tmp_path / "rows.jsonl"],
            tmp_path / "out2",
            ["green"],
            columns=Columns(key="iD"),
            workers=0,
        )


def test_a_column_of_references_that_no_row_has(tmp_path: Path) -> None:
    row = {"source": "a b", "hypothesis": "a c"}
    lines = [json.dumps(each).encode() for each in (row, {**row, "r0": "a c"}, {**row, "r1": "x"})]
    columns = Columns(references=("r0", "r1"))
    assert len(rejected(run_jsonl(tmp_path, [b"{", *lines], columns=columns))) == 2
    with pytest.raises(CorrigendaError, match=r"rows.jsonl:1: the first rows have no 'r2'"):
        bulk(
            [tmp_path / "rows.jsonl"],
            tmp_path / "out2",
            ["green"],
            columns=Columns(references=("r0", "r2")),
            workers=0,
        )


def test_columns_without_any_value(tmp_path: Path) -> None:
    table = {"source": ["a b"], "hypothesis": ["a c"], "r0": ["a c"], "r1": pa.nulls(1)}
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    columns = Columns(references=("r0", "r1"))
    assert (
        bulk(
            [tmp_path / "a.parquet"], tmp_path / "out", ["m2"], columns=columns, workers=0
        ).rejected
        == []
    )


def test_wrong_column_names_stop_the_run_at_once(tmp_path: Path) -> None:
    path = write_jsonl(made_up_rows(300), tmp_path / "rows.jsonl")
    columns = Columns(source="sorce")
    with pytest.raises(CorrigendaError, match=r"none of the first 200 rows(?s:.*)--columns"):
        bulk([path], tmp_path / "out", ["green"], columns=columns, workers=0, partition_rows=200)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"inputs": "rows.jsonl"}, "inputs must be a list"),
        ({"metrics": "green"}, "metrics must be a list"),
        ({"workers": -1}, "workers is -1"),
        ({"workers": 10**6}, "workers is 1000000"),
        ({"partition_rows": 0}, "partition_rows is 0"),
        ({"partition_rows": 2.5}, "partition_rows is 2.5"),
        ({"columns": {"source": "a"}}, "columns is dict"),
        ({"input_format": "csv"}, "the input format is 'csv'"),
    ],
)
def test_arguments_that_make_no_sense(
    options: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    given: dict[str, Any] = {
        "inputs": [tmp_path / "x.jsonl"],
        "metrics": ["green"],
        "workers": 0,
    } | options
    with pytest.raises(UsageError, match=problem):
        bulk(output=tmp_path / "out", **given)


@pytest.mark.slow
def test_text_stays_bytes_and_nothing_loads_pandas(tmp_path: Path) -> None:
    for suffix in ("source", "hypothesis", "references"):
        (tmp_path / f"x.{suffix}").write_text("a b c d e\nb c d\n", encoding="utf-8")
    code = (
        "import sys\n"
        "from corrigenda.bulk import bulk, rows\n"
        "def refuse(*_): raise AssertionError('a text became strings')\n"
        "rows.RowBlock._texts = refuse\n"
        f"bulk(['{tmp_path}/x'], '{tmp_path}/out', ['green', 'm2'], workers=0, health=False)\n"
        "print('pandas' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.strip() == "False"


def test_one_reference_may_be_named_without_a_tuple() -> None:
    assert Columns(references="clean").references == ("clean",)  # type: ignore[arg-type]
