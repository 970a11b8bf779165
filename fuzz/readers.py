"""Fuzzes every reader: changed files are read, or refused by an error of ours; nothing else.

    python fuzz/readers.py SECONDS [TARGET…]

A file that is read is written again and read again: the result must be equal. A reader may take a
second for a file of some kilobytes. Files that broke a rule go to build/fuzz/findings.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import hashlib
import io
import json
import lzma
import random
import re
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import line_readers
import pyarrow as pa
import pyarrow.parquet as pq
import runs

from corrigenda.bulk import Columns, parquet_headers, parquet_sizes
from corrigenda.bulk.parquet_reader import parquet_blocks
from corrigenda.bulk.partitions import Partition, Shard, cuts_of, unreadable
from corrigenda.bulk.readers import json_object
from corrigenda.bulk.rows import RowBlock
from corrigenda.codabench.task import SharedTask
from corrigenda.errors import CorrigendaError, FormatError
from corrigenda.formats import (
    cherrant,
    essays,
    ixml,
    jsonl,
    judgments,
    m2,
    packed,
    ratings,
    sidecar,
    text,
)
from corrigenda.formats.registry import CORPUS_FORMATS
from corrigenda.metrics import metric
from corrigenda.passport import document, verification
from corrigenda.report import against, human

FUZZ = Path(__file__).resolve().parent
FINDINGS = runs.FOLDER / "findings"
SLOW = 2.0
LARGE = 5000
WORD = re.compile(rb"[0-9]+|[A-Za-z-]+")
MOST_KEPT = 500
PIECES = [
    b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b"\t", b"|||", b"||",
    b"-NONE-", b"noop", b"S ", b"A ", b"-1 -1", b"99999999999999999999", b"9" * 400, b"9" * 5000,
    b"1e999", b"NaN", b"Infinity", b"null", b"true", b"{}", b"[]", b"[" * 2000, b'{"a":' * 2000,
    b'"\\ud800"', b"\\u0000", b'"', b"'", b",", b":", b"\\", b"&amp;", b"&#0;", b"<a>" * 100,
    b"<!DOCTYPE a>", b"]]>", b"<!--", b"numann=\"100000000\"", b"\x1b[2J", b"=1+1", b"\xc2\x85",
    b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", b" ", b"  ", b"\x0b", b"\x1e", b"\xe3\x80\x80",
    b'"edits":[[]]', b'"annotators":[5]',
]  # fmt: skip


def changed(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """The data after a few random changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        here = chance.randint(0, len(data))
        there = min(len(data), here + chance.choice((0, 1, 1, 2, 8, 40)))
        kind = chance.randrange(9)
        if kind == 0:
            data = data[:here] + chance.choice(PIECES) + data[there:]
        elif kind == 1:
            data = data[:here] + data[there:]
        elif kind == 2:
            data = data[:here] + chance.randbytes(1) + data[here + 1 :]
        elif kind == 3:
            data = data[:there] + data[here:there] * chance.randint(1, 30) + data[there:]
        elif kind == 4:
            other = chance.choice(others)
            cut = chance.randint(0, len(other))
            data = data[:here] + other[cut : cut + chance.randint(0, 200)] + data[there:]
        elif kind == 5:
            lines = data.split(b"\n")
            chance.shuffle(lines)
            data = b"\n".join(lines)
        elif kind == 6:
            data = data[:here]
        elif found := WORD.search(data, here) or WORD.search(data):
            # A number for a number, a word for a word: such a file is often read.
            word = found[0]
            other = b"%d" % chance.randint(-1, 12)
            if not word.isdigit():
                other = chance.choice(WORD.findall(chance.choice(others)) or [b"noop"])
            data = data[: found.start()] + other + data[found.end() :]
    return data[:20_000]


def check_text(path: Path) -> None:
    """Plain text; it is written and read again."""
    sentences = text.read(path)
    file = io.StringIO(newline="")
    text.write(file, sentences, "x")
    assert tuple(text.lines(io.BytesIO(file.getvalue().encode()), "x")) == sentences


def check_m2(path: Path) -> None:
    """M2: `validate` and the reader agree, and what is written is read again."""
    found, _ = m2.problems(path)
    try:
        sentences = m2.read(path)
    except CorrigendaError:
        assert found, "a file that is refused has problems"
        raise
    assert not found, "a file with problems is refused"
    file = io.StringIO(newline="")
    m2.write(sentences, file)
    again = list(m2.parse(text.lines(io.BytesIO(file.getvalue().encode()), "x"), "x"))
    assert [(one.words, one.annotations) for one in again] == [
        (one.words, one.annotations) for one in sentences
    ]


def check_jsonl(path: Path) -> None:
    """JSON lines with their systems."""
    loaded = jsonl.load(path)
    file = io.StringIO(newline="")
    jsonl.save(loaded.corpus, loaded.systems, file)
    path.write_bytes(file.getvalue().encode())
    again = jsonl.load(path)
    assert again.corpus.sources == loaded.corpus.sources
    assert again.corpus.references == loaded.corpus.references
    assert again.corpus.gold == loaded.corpus.gold


def check_ixml(path: Path) -> None:
    """The I-measure's XML."""
    sentences = ixml.read(path)
    ixml.to_corpus(sentences)
    file = io.StringIO(newline="")
    ixml.write(sentences, file)
    path.write_bytes(file.getvalue().encode())
    assert ixml.read(path) == sentences


def check_judgments(style: judgments.Format) -> Callable[[Path], None]:
    """Judgments in one of their formats."""

    def check(path: Path) -> None:
        found = judgments.read(path, style=style)
        file = io.StringIO(newline="")
        judgments.write(found, file, style)
        path.write_bytes(file.getvalue().encode())
        assert judgments.read(path, style=style).rankings == found.rankings

    return check


def check_sidecar(path: Path) -> None:
    """A sidecar, whatever the number of its lines."""
    lines = path.read_bytes().count(b"\n") + (not path.read_bytes().endswith(b"\n"))
    columns = sidecar.read_sidecar(path, lines)
    json.dumps(columns, ensure_ascii=False).encode()


def check_bulk_rows(path: Path) -> None:
    """A row of a bulk run is an object, or has a problem."""
    for raw in path.read_bytes().split(b"\n"):
        row, problem = json_object(raw.decode(errors="replace"))
        assert (row is None) == (problem is not None)


def check_parquet(path: Path) -> None:
    """A Parquet file of a bulk run: all its rows are read, and Arrow takes bounded memory."""
    shard = Shard("parquet", "input", (str(path),), (path.stat().st_size,), ("",))
    rows = 0
    for number, cut in enumerate(cuts_of(shard, 4, Columns(), None)):
        for block in _blocks(Partition(0, number, shard, cut)):
            block.check(None)
            rows += len(block)
    most = pa.default_memory_pool().max_memory()
    assert most < parquet_sizes.MOST_AT_ONCE, most
    if rows != pq.ParquetFile(path).metadata.num_rows:
        assert rows == 0, "rows are lost"


def _blocks(partition: Partition) -> Iterator[RowBlock]:
    try:
        yield from parquet_blocks(partition, Columns(), 3)
    except CorrigendaError:
        raise
    except Exception as error:  # as `read_blocks` does it
        raise unreadable(partition.label, error) from error


def check_headers(data: bytes) -> None:
    """Headers of pages: pages lie between the two places, and do not overlap."""
    at = 0
    try:
        for page in parquet_headers.pages(io.BytesIO(data), 0, len(data), 1 << 31):
            assert at < page.at <= page.at + page.packed <= len(data)
            assert min(page.values, page.unpacked, page.levels) >= 0
            at = page.at + page.packed
    except ValueError as error:
        raise FormatError(str(error)) from error


def check_packed(data: bytes) -> None:
    """A packed file is unpacked as the libraries do it, all of it, or refused."""
    packing = packed.of_begin(data[: packed.BEGIN])
    if packing is None:
        raise FormatError("it does not begin as packed files do")
    with ExitStack() as stack:
        found = packed.unpacked(io.BytesIO(data), packing, "x", stack).read()
    whole = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": _all_streams}
    if packing.suffix in whole:
        assert found == whole[packing.suffix](data)


def _all_streams(data: bytes) -> bytes:
    """All streams of xz. `lzma.decompress` forgets those that follow zeros."""
    found = b""
    while data:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ)
        found += stream.decompress(data)
        assert stream.eof
        data = stream.unused_data.lstrip(b"\0")
    return found


def check_passport(path: Path) -> None:
    """A passport: also one with a right digest, if something in it is not as it must be."""
    data = path.read_bytes()
    with contextlib.suppress(ValueError, RecursionError):
        body = json.loads(data)
        if isinstance(body, dict):
            body.pop("digest", None)
            path.write_bytes(document.rendered(body))
    body = document.load(path)
    for stated in body["results"]:
        verification.recounted(stated, metric(stated["metric"]))


def check_cherrant(path: Path) -> None:
    """ChERRANT's M2."""
    sentences = cherrant.read(path)
    file = io.StringIO(newline="")
    cherrant.write(sentences, file)
    path.write_bytes(file.getvalue().encode())
    assert [(one.words, one.annotations) for one in cherrant.read(path)] == [
        (one.words, one.annotations) for one in sentences
    ]


def check_essays(path: Path) -> None:
    """Essays with a reference: they are written and read again."""
    source = path.with_name("orig.md")
    for each in (source, path.with_name("ref1.md")):
        each.write_bytes(path.read_bytes())
    corpus = essays.load(source).corpus
    for name, content in essays.files(corpus, ()).items():
        path.with_name(name).write_bytes(content.encode())
    again = essays.load(source).corpus
    assert (again.sources, again.references) == (corpus.sources, corpus.references)
    assert again.documents == corpus.documents


TARGETS: dict[str, Callable[[Path], object]] = {
    "text": check_text,
    "m2": check_m2,
    "jsonl": check_jsonl,
    "ixml": check_ixml,
    "judgments-xml": check_judgments("xml"),
    "judgments-csv": check_judgments("csv"),
    "judgments-jsonl": check_judgments("jsonl"),
    "sidecar": check_sidecar,
    "bulk-rows": check_bulk_rows,
    "parquet": check_parquet,
    "human-table": human.from_table,
    "cherrant": check_cherrant,
    "essays": check_essays,
    "ratings": ratings.read_ratings,
    "passport": check_passport,
    "task": lambda path: SharedTask.load(path.parent, path.name),
    "against": against.from_json,
}
"""Every reader, and what must hold for a file that it reads."""

BYTES_TARGETS: dict[str, Callable[[bytes], object]] = {
    "lines": line_readers.check,
    "parquet-headers": check_headers,
    "packed": check_packed,
}
"""Readers that need no file: many more inputs are tried."""


for _name, _format in CORPUS_FORMATS.items():
    # A format without a check of its own is read, and nothing more.
    TARGETS.setdefault(_name, _format.load_module().load)


def seeds(target: str) -> list[bytes]:
    """The files to begin with: good ones, and those that once broke a rule."""
    folders = [FUZZ / "seeds" / target, FUZZ / "regressions" / target]
    if not folders[0].is_dir():
        folders = [folder for folder in (FUZZ / "seeds").iterdir() if folder.name != "kernels"]
    return [file.read_bytes() for folder in sorted(folders) for file in sorted(folder.glob("*"))]


def fuzz(target: str, seconds: float, seed: int = 0) -> tuple[int, int, list[str]]:
    """How many files were tried, how many were read, and what broke a rule.

    The seeds come first, then changes of them until the time is over. Some of the files that are
    read are changed again: they get further into a reader than files that are refused.
    """
    chance = random.Random(f"{target} {seed}")
    waiting = seeds(target)
    assert waiting, f"{target} has no seeds"
    pool = list(waiting)
    tried = read = 0
    findings: list[str] = []
    end = None
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "input"
        while len(findings) < 6 and (end is None or time.monotonic() < end):
            if not waiting and end is None:  # the first file may load modules, which takes time
                end = time.monotonic() + seconds
            data = waiting.pop() if waiting else changed(chance.choice(pool), pool, chance)
            tried += 1
            is_read, problems = _tried(target, data, path)
            read += is_read
            findings += [problem for problem in problems if problem not in findings]
            if is_read and chance.random() < 0.02 and len(data) < LARGE:
                pool.append(data)
                if len(pool) > MOST_KEPT:
                    pool.pop(chance.randrange(len(pool)))
    return tried, read, findings


def _tried(target: str, data: bytes, path: Path) -> tuple[bool, list[str]]:
    """Whether the data is read, and the rules that it breaks."""
    findings = []
    is_read = False
    begin = time.process_time()
    try:
        if target in BYTES_TARGETS:
            BYTES_TARGETS[target](data)
        else:
            path.write_bytes(data)
            TARGETS[target](path)
        is_read = True
    except CorrigendaError as error:
        if not str(error).strip():
            findings.append(_kept(target, data, "an error without words"))
    except Exception:
        findings.append(_kept(target, data, traceback.format_exc(limit=-3)))
    if (taken := time.process_time() - begin) > SLOW:
        findings.append(_kept(target, data, f"{taken:.1f} seconds"))
    return is_read, findings


def _kept(target: str, data: bytes, what: str) -> str:
    FINDINGS.mkdir(parents=True, exist_ok=True)
    name = f"{target}-{hashlib.sha256(data).hexdigest()[:12]}"
    (FINDINGS / name).write_bytes(data)
    return f"{FINDINGS / name}: {what}"


def names() -> list[str]:
    """All targets."""
    return [*BYTES_TARGETS, *TARGETS]


def main(arguments: list[str]) -> int:
    """Fuzz the targets, each for its share of the time."""
    targets = arguments[1:] or names()
    failed = False
    for target in targets:
        seconds = float(arguments[0]) / len(targets)
        tried, read, findings = fuzz(target, seconds, seed=time.time_ns())
        runs.keep(target, seconds, tried, len(findings))
        print(f"{target:16} {tried:9,} files, {read:9,} read, {len(findings)} findings", flush=True)
        print(*findings, sep="\n", end="\n" if findings else "")
        failed |= bool(findings)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
