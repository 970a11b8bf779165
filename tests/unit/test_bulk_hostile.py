"""Inputs of bulk runs that were made to do harm: repeated keys, bombs, open doors."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corrigenda.bulk import bulk, cluster, parquet_reader, readers
from corrigenda.errors import CorrigendaError
from corrigenda.formats import text

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
    monkeypatch.setattr(text, "FREE_BYTES", 1 << 16)
    monkeypatch.setattr(text, "MOST_EXPANSION", 20)
    file = tmp_path / "x.jsonl.gz"
    file.write_bytes(gzip.compress((json.dumps(ROW) + "\n").encode() * 20_000))
    with pytest.raises(CorrigendaError, match="more than 20 times as large"):
        run(file)
    monkeypatch.setattr(text, "MOST_EXPANSION", 1_000)
    assert run(file, restart=True).rows == 20_000


def test_a_parquet_column_that_grows_out_of_proportion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_reader, "FREE_BYTES", 1 << 10)
    file = tmp_path / "x.parquet"
    large = " ".join("a" * 200_000)
    table = pa.table({name: [large] for name in ("source", "hypothesis", "references")})
    pq.write_table(table, file, compression="zstd", use_dictionary=False)
    with pytest.raises(CorrigendaError, match="column 'source' becomes more than 200 times"):
        run(file)


def test_long_rows_of_parquet_are_taken_in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = pa.record_batch({"a": ["x" * 100] * 9})
    monkeypatch.setattr(parquet_reader, "_BLOCK_BYTES", 250)
    parts = list(parquet_reader._in_small_parts(batch, "x"))
    assert pa.Table.from_batches(parts).equals(pa.Table.from_batches([batch]))
    assert max(part.nbytes for part in parts) <= 250
    monkeypatch.setattr(parquet_reader, "_BLOCK_BYTES", 50)
    with pytest.raises(CorrigendaError, match="a row has more than"):
        list(parquet_reader._in_small_parts(batch, "x"))


def test_blocks_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "_BLOCK_BYTES", 10)
    streams = [iter([b"aaaa"] * 6), iter([b"bb"] * 6)]
    counts = []
    while any(block := readers._next_lines(streams, 100)):
        assert len(block[0]) == len(block[1])
        counts.append(len(block[0]))
    assert counts == [2, 2, 2]


@pytest.mark.cluster
@pytest.mark.slow
def test_nothing_listens_beyond_this_machine() -> None:
    with cluster._cluster(1, dashboard=False) as started:
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
    assert cluster._cluster(2, dashboard=True) == "a cluster"
    assert {str(each["dashboard_address"]) for each in tried} == {"127.0.0.1:0"}
    tried.clear()
    monkeypatch.setattr(cluster, "_ATTEMPTS", 2)
    with pytest.raises(CorrigendaError, match="cannot be started: Nanny"):
        cluster._cluster(2, dashboard=False)
