"""Inputs of bulk runs that were made to do harm: repeated keys, bombs, open doors."""

from __future__ import annotations

import gzip
import json
from io import BytesIO
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corrigenda.bulk import (
    block_scores,
    bulk,
    cluster,
    line_source,
    parquet_reader,
    parquet_sizes,
    readers,
    worker,
)
from corrigenda.bulk import run as bulk_run
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.rows import RowBlock
from corrigenda.errors import CorrigendaError
from corrigenda.formats import json_text, packed, text

ROW = {"source": "a b", "hypothesis": "a b", "references": ["a b"]}


def run(file: Path, **options: object):
    return bulk([str(file)], str(file.parent / "out"), ["green"], workers=0, **options)


def test_a_row_with_a_repeated_key_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    twice = '{"source": "a", "hypothesis": "a", "hypothesis": "x", "references": ["a"]}'
    half = json.dumps(ROW | {"source": "\ud800"})
    large = json.dumps(ROW)[:-1] + ', "n": ' + "9" * 5000 + "}"
    file.write_text("\n".join([json.dumps(ROW), twice, half, large, "[" * 100_000]) + "\n")
    done = run(file)
    assert done.rows == 5
    reasons = [rejected.reason for rejected in done.rejected]
    assert [reason.split(" (")[0][:24] for reason in reasons] == [
        'the key "hypothesis" occ',
        "\\ud800 in column 13 is h",
        "a number has 5,000 digit",
        "the JSON is nested too d",
    ]


def test_a_line_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "LONGEST_LINE", 1 << 20)
    file = tmp_path / "x.jsonl.gz"
    file.write_bytes(gzip.compress(b'{"source": "' + b"a" * (4 << 20) + b'"}\n'))
    with pytest.raises(CorrigendaError, match="the line has more than 1 MB"):
        run(file)


def test_a_file_that_grows_out_of_proportion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "FREE_BYTES", 1 << 16)
    monkeypatch.setattr(packed, "MOST_EXPANSION", 20)
    file = tmp_path / "x.jsonl.gz"
    file.write_bytes(gzip.compress((json.dumps(ROW) + "\n").encode() * 20_000))
    with pytest.raises(CorrigendaError, match="more than 20 times as large"):
        run(file)
    monkeypatch.setattr(packed, "MOST_EXPANSION", 1_000)
    assert run(file, restart=True).rows == 20_000


def test_a_parquet_column_that_grows_out_of_proportion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_sizes, "FREE_BYTES", 1 << 10)
    file = tmp_path / "x.parquet"
    large = " ".join("a" * 200_000)
    table = pa.table({name: [large] for name in ("source", "hypothesis", "references")})
    pq.write_table(table, file, compression="zstd", use_dictionary=False)
    with pytest.raises(CorrigendaError, match="column 'source' becomes more than 200 times"):
        run(file)


NAMES = ("source", "hypothesis", "references")
LONG = ["a b " * 5_000, "a c", "", "d " * 3_000]
"""Texts of Parquet files that repeat long texts in few bytes."""


def _repeated(times: int) -> pa.Array:
    numbers = pa.array([place % len(LONG) for place in range(times)], pa.int32())
    return pa.DictionaryArray.from_arrays(numbers, pa.array(LONG))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (pa.string(), {}),
        (pa.dictionary(pa.int32(), pa.string()), {}),
        (pa.large_string(), {"compression": "zstd"}),
        (pa.string_view(), {}),
        (pa.string(), {"use_dictionary": False, "column_encoding": "DELTA_BYTE_ARRAY"}),
        (pa.string(), {"use_dictionary": False, "data_page_version": "2.0"}),
        (pa.list_(pa.string()), {}),
        (pa.list_(pa.string()), {"data_page_version": "2.0", "compression": "gzip"}),
        (pa.large_list(pa.large_string()), {"compression": "none"}),
    ],
)
def test_repeated_texts_are_unpacked_in_small_parts(
    kind: pa.DataType, options: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, file = 600, tmp_path / "x.parquet"
    texts = _repeated(rows).cast(pa.string())
    references = texts
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        references = pa.array([[text] * 3 for text in texts.to_pylist()], kind)
        kind = pa.string()
    table = pa.table(dict(zip(NAMES, (texts.cast(kind), texts, references), strict=True)))
    if options.get("column_encoding"):
        options = options | {"column_encoding": dict.fromkeys(NAMES, options["column_encoding"])}
    pq.write_table(table, file, row_group_size=450, **options)
    usual = run(file).results
    monkeypatch.setattr(parquet_sizes, "_MOST_REPEATED", 1 << 20)
    monkeypatch.setattr(parquet_reader, "_BLOCK_BYTES", 1 << 18)
    read = pq.ParquetFile.iter_batches
    seen: list[int] = []

    def iter_batches(self: pq.ParquetFile, size: int, **given: object) -> object:
        for batch in read(self, size, **given):
            seen.append(batch.num_rows)
            yield batch

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", iter_batches)
    assert run(file, restart=True).results == usual
    assert sum(seen) == rows
    if options.get("use_dictionary", True):
        assert max(seen) * 20_000 * 3 <= 1 << 20


def test_rows_and_pages_that_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.parquet"
    texts = pa.array(["a " * 50_000, "b"])
    pq.write_table(pa.table(dict.fromkeys(NAMES, texts)), file, compression="none")
    monkeypatch.setattr(parquet_sizes, "MOST_AT_ONCE", 1 << 18)
    with pytest.raises(CorrigendaError, match="a row or a page of the column 'source' may become"):
        run(file)
    lists = pa.array([["a"] * 100_000])
    table = {"source": ["a"], "hypothesis": ["a"], "references": lists}
    pq.write_table(pa.table(table), file)
    with pytest.raises(CorrigendaError, match=r"a row or a page of the column 'references\."):
        run(file)


def test_a_footer_that_lies_about_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.parquet"
    texts = pa.array([" ".join("a" * 200_000)])
    pq.write_table(
        pa.table(dict.fromkeys(NAMES, texts)), file, compression="zstd", use_dictionary=False
    )
    monkeypatch.setattr(parquet_sizes, "FREE_BYTES", 1 << 10)
    chunk = pq.read_metadata(file).row_group(0).column(0)
    size = _varint(2 * chunk.total_uncompressed_size)
    content = file.read_bytes()
    lie = bytes([128, 129, *([128] * (len(size) - 3)), 0])  # 64, in as many bytes
    begin = chunk.total_compressed_size * 3 + 4
    file.write_bytes(content[:begin] + content[begin:].replace(size, lie))
    assert pq.read_metadata(file).row_group(0).column(0).total_uncompressed_size == 64
    with pytest.raises(CorrigendaError, match="column 'source' becomes more than 200 times"):
        run(file)


def _varint(number: int) -> bytes:
    made = []
    while number >= 128:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


@pytest.mark.parametrize("kind", ["jsonl", "list", "list_view", "large_list"])
def test_references_of_a_row_and_of_a_block_are_bounded(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_reader, "MOST_REFERENCES", 20)
    monkeypatch.setattr(readers, "MOST_REFERENCES", 20)
    file = tmp_path / f"x.{'jsonl' if kind == 'jsonl' else 'parquet'}"
    numbers = [3, 30, 20, 1, 21, 20, 7, 0]
    lists = [["a b", "a c"] * (number // 2) + ["x"] * (number % 2) for number in numbers]
    if kind == "jsonl":
        rows = [ROW | {"references": references} for references in lists]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        made = {"list": pa.list_, "list_view": pa.list_view, "large_list": pa.large_list}[kind]
        texts = pa.array(["a b"] * len(lists))
        table = {"source": texts, "hypothesis": texts}
        pq.write_table(pa.table(table | {"references": pa.array(lists, made(pa.string()))}), file)
    usual = run(file)
    assert [(rejected.row, rejected.reason[:31]) for rejected in usual.rejected] == [
        (1, "the sentence has 30 references;"),
        (4, "the sentence has 21 references;"),
        (7, "there is no reference, but gree"),
    ]
    seen: list[int] = []
    counted = block_scores.score_block

    def score_block(block: RowBlock, *rest: object) -> object:
        seen.append(sum(map(len, block.references)))
        return counted(block, *rest)

    monkeypatch.setattr(worker, "score_block", score_block)
    monkeypatch.setattr(readers, "REFERENCES_AT_ONCE", 25)
    monkeypatch.setattr(parquet_reader, "REFERENCES_AT_ONCE", 25)
    again = run(file, restart=True)
    assert (again.results, again.rejected) == (usual.results, usual.rejected)
    assert len(seen) > 1
    assert max(seen) <= 45


def test_small_values_of_json_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "_MOST_VALUES", 50)
    for line in ('{"a": [' + "{}," * 60 + "1]}", '{"a": [' + '"b",' * 60 + "1]}"):
        with pytest.raises(json_text.JsonError, match="more than 50 values"):
            json_text.parsed_object(line)
    inside = {"a": ",[{" * 100 + '"\\', "b": [1] * 40}
    assert json_text.parsed_object(json.dumps(inside)) == inside
    for broken in ('{"a": "' + '\\",' * 100, '{"a": "' + '\\",' * 100 + "\\"):
        with pytest.raises(json_text.JsonError, match="not JSON"):
            json_text.parsed_object(broken)


def test_a_parquet_file_that_is_packed_again(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet.gz"
    file.write_bytes(gzip.compress(b"PAR1" + b"\x00" * 1000))
    with pytest.raises(CorrigendaError, match="compressed as a whole"):
        run(file)


def test_a_footer_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_reader, "_LONGEST_FOOTER", 100)
    file = tmp_path / "x.parquet"
    pq.write_table(pa.table({name: ["a"] for name in NAMES}), file)
    with pytest.raises(CorrigendaError, match="the footer of the file has more than"):
        run(file)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_the_list_of_rejected_rows_is_bounded(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_run, "MOST_REJECTED", 1_000)
    file = tmp_path / f"x.{form}"
    if form == "jsonl":
        file.write_text(json.dumps(ROW) + "\n" * 3_000)
    else:
        texts = pa.array(["a", *([None] * 2_999)])
        pq.write_table(pa.table(dict.fromkeys(NAMES, texts)), file)
    with pytest.raises(CorrigendaError, match="more than 1,000 rows are rejected, the first is"):
        run(file)
    assert len(run(file, restart=True, max_errors=3_000).rejected) == 2_999


def test_long_rows_of_parquet_are_taken_in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = pa.record_batch({"a": ["x" * 100] * 9})
    columns = Columns(references=())
    monkeypatch.setattr(parquet_reader, "_BLOCK_BYTES", 250)
    parts = list(parquet_reader._in_small_parts(batch, columns, "x"))
    assert pa.Table.from_batches(parts).equals(pa.Table.from_batches([batch]))
    assert max(part.nbytes for part in parts) <= 250
    monkeypatch.setattr(parquet_reader, "_BLOCK_BYTES", 50)
    with pytest.raises(CorrigendaError, match="a row has more than"):
        list(parquet_reader._in_small_parts(batch, columns, "x"))


def test_blocks_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_source, "_BLOCK_BYTES", 10)
    sources = [line_source.LineSource(BytesIO(line * 6), "x") for line in (b"aaaa\n", b"bb\n")]
    counts = []
    while any(block := line_source.next_lines(sources, 100)):
        assert len(block[0]) == len(block[1])
        counts.append(len(block[0]))
    assert counts == [2, 2, 2]


def listening_ports(process: psutil.Process) -> list[tuple[str, int]]:
    return [
        tuple(each.laddr) for each in process.net_connections() if each.status == psutil.CONN_LISTEN
    ]


@pytest.mark.slow
def test_processes_listen_on_no_port() -> None:
    before = listening_ports(psutil.Process())
    others = set(psutil.Process().children())
    with cluster.started(cluster.WorkerChoice(2)) as workers:
        assert sorted(workers.apply(abs, [-1, 2, -3])) == [(-3, 3), (-1, 1), (2, 2)]
        children = set(psutil.Process().children()) - others
        assert len([each for each in children if "spawn_main" in " ".join(each.cmdline())]) == 2
        for process in children:
            assert listening_ports(process) == []
        assert listening_ports(psutil.Process()) == before


@pytest.mark.cluster
@pytest.mark.slow
def test_with_a_dashboard_nothing_listens_beyond_this_machine() -> None:
    with cluster._cluster(1) as started:
        addresses = [started.scheduler_address, *(w.address for w in started.workers.values())]
        assert all(address.startswith("tcp://127.0.0.1:") for address in addresses)
        ports = {
            place.partition(":")[0]
            for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
            for _, place, _, state in [line.split()[:4]]
            if state == "0A" and place.endswith(f":{started.scheduler.http_server.port:04X}")
        }
    assert ports == {"0100007F"}


def test_a_worker_that_dies_at_its_start_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    tried = []

    def start(**options: object) -> str:
        tried.append(options)
        if len(tried) < 3:
            raise RuntimeError("Nanny failed to start.")
        return "a cluster"

    monkeypatch.setattr(distributed, "LocalCluster", start)
    assert cluster._cluster(2) == "a cluster"
    assert {str(each["dashboard_address"]) for each in tried} == {"127.0.0.1:0"}
    tried.clear()
    monkeypatch.setattr(cluster, "_ATTEMPTS", 2)
    with pytest.raises(CorrigendaError, match="cannot be started: Nanny"):
        cluster._cluster(2)
