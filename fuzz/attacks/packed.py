"""Attacks by packed files, and by rows of tables in `bulk`."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from pathlib import Path

from attacks.registry import ROW, attack, new_file


def _long_row(folder: Path, inside: str) -> list[str]:
    content = f'{{"source": "a", "hypothesis": "a", {inside}}}\n'
    good = '{"source": "a", "hypothesis": "a", "references": ["a"]}\n'
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", new_file(folder, "x.jsonl", content + good), *out]


@attack("JSON lines: 19 million empty references in one row", 0, "1 row rejected", huge=True)
def _json_references(folder: Path) -> list[str]:
    return _long_row(folder, '"references": [' + '"",' * 19_000_000 + '""]')


@attack("JSON lines: 19 million empty objects in one row", 0, "1 row rejected", huge=True)
def _json_objects(folder: Path) -> list[str]:
    return _long_row(folder, '"references": ["a"], "x": [' + "{}," * 19_000_000 + "{}]")


@attack("a gzip bomb of one line in a bulk run", 1, "200 times as large", huge=True)
def _bomb(folder: Path) -> list[str]:
    content = b'{"source": "' + b"a" * (200 << 20) + b'"}\n'
    file = new_file(folder, "x.jsonl.gz", gzip.compress(content, 1))
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", file, *out]


@attack("a gzip bomb of many lines in a bulk run", 1, "200 times as large", huge=True)
def _lines_bomb(folder: Path) -> list[str]:
    content = (json.dumps(ROW | {"hypothesis": "a b"}) + " " * 4_000 + "\n").encode() * 25_000
    file = new_file(folder, "x.jsonl.gz", gzip.compress(content, 9))
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", file, *out]


@attack("a Parquet bomb in a bulk run", 1, "200 times as large", huge=True)
def _parquet_bomb(folder: Path) -> list[str]:
    import pyarrow
    import pyarrow.parquet

    rows = 5_000
    long_text = pyarrow.array(["a " * 10_000] * rows)
    references = pyarrow.array([["a"]] * rows)
    table = {"source": long_text, "hypothesis": long_text, "references": references}
    file = folder / "x.parquet"
    # Without a dictionary, each row holds its text.
    made = pyarrow.table(table)
    pyarrow.parquet.write_table(made, file, compression="zstd", use_dictionary=False)
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", str(file), *out]


def _parquet(folder: Path, columns: dict[str, object], **options: object) -> list[str]:
    import pyarrow
    import pyarrow.parquet

    file = folder / "x.parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns), file, **options)
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", str(file), *out]


_COLUMNS = ("source", "hypothesis", "references")


@attack("Parquet: 20,000 rows repeat a text of 20 kB by a dictionary", 0, "20,000 rows", huge=True)
def _dictionary(folder: Path) -> list[str]:
    return _parquet(folder, {name: ["a " * 10_000] * 20_000 for name in _COLUMNS})


@attack("Parquet: 300 rows share a beginning of 1 MB", 0, "300 rows", huge=True)
def _beginnings(folder: Path) -> list[str]:
    texts = [f"{'a ' * 500_000}{place}" for place in range(300)]
    encoding = dict.fromkeys(_COLUMNS, "DELTA_BYTE_ARRAY")
    columns = dict.fromkeys(_COLUMNS, texts)
    return _parquet(folder, columns, use_dictionary=False, column_encoding=encoding)


@attack("Parquet: 40 million references of one row", 1, "the column 'references", huge=True)
def _long_list(folder: Path) -> list[str]:
    import pyarrow

    number = 40_000_000
    texts = pyarrow.array([""]).take(pyarrow.nulls(number, pyarrow.int32()).fill_null(0))
    lists = pyarrow.ListArray.from_arrays(pyarrow.array([0, number], pyarrow.int32()), texts)
    return _parquet(folder, {"source": ["a"], "hypothesis": ["a"], "references": lists})


@attack("Parquet: 20 million empty rows in one row group", 1, "1,000,000 rows are", huge=True)
def _empty_rows(folder: Path) -> list[str]:
    import pyarrow

    nothing = pyarrow.nulls(20_000_000, pyarrow.string())
    return _parquet(folder, dict.fromkeys(_COLUMNS, nothing), row_group_size=20_000_000)


@attack("JSON lines: 60 million empty lines by gzip", 1, "1,000,000 rows are", huge=True)
def _empty_lines(folder: Path) -> list[str]:
    file = new_file(folder, "x.jsonl.gz", gzip.compress(b"\n" * (60 << 20)))
    return ["bulk", file, "--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]


@attack("a gzip bomb as the output of a system", 1, "200 times as large", huge=True)
def _text_bomb(folder: Path) -> list[str]:
    file = new_file(folder, "x.txt.gz", gzip.compress(b"a b c\n" * (20 << 20), 9))
    plain = new_file(folder, "x.txt", "a b c\n")
    return ["score", "--source", plain, "--refs", plain, "--hyps", file, "--metrics", "green"]


def _packed_rows(folder: Path, name: str, content: bytes) -> list[str]:
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", new_file(folder, name, content), *out]


_ROWS = (json.dumps({"source": "a", "hypothesis": "a", "references": ["a"]}) + "\n").encode() * 100


@attack("xz that ends too early in a bulk run", 1, "the file ends too early")
def _cut_xz(folder: Path) -> list[str]:
    packed = lzma.compress(_ROWS)
    return _packed_rows(folder, "x.jsonl.xz", packed + packed[:-30])


@attack("bzip2 whose second stream is damaged in a bulk run", 1, "cannot unpack it")
def _damaged_bz2(folder: Path) -> list[str]:
    return _packed_rows(folder, "x.jsonl.bz2", bz2.compress(_ROWS) + bz2.compress(_ROWS)[1:])


@attack("an empty file with the name of a packed one", 1, "the file is empty")
def _empty_gzip(folder: Path) -> list[str]:
    return _packed_rows(folder, "x.jsonl.gz", b"")


@attack("a bomb of xz in a bulk run", 1, "200 times as large", huge=True)
def _xz_bomb(folder: Path) -> list[str]:
    content = (_ROWS.split(b"\n")[0] + b" " * 4_000 + b"\n") * 40_000
    return _packed_rows(folder, "x.jsonl.xz", lzma.compress(content, preset=0))
