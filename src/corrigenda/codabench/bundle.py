"""Writes the bundle that organisers upload: competition, scoring program, reference data."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from corrigenda import writing
from corrigenda.codabench.task import CORPUS_FILE, SETTINGS_FILE, SharedTask, column_keys
from corrigenda.corpus import Corpus
from corrigenda.errors import UsageError
from corrigenda.formats import jsonl
from corrigenda.metrics import metric

METADATA = "command: python3 /app/program/score.py /app/input/ /app/output/\n"
SCORE = '''\
"""Scores a submission: input/ref and input/res, scores and details into the output folder."""

import sys

try:
    from corrigenda.codabench.scoring_program import main
except ImportError:
    sys.exit("corrigenda is not installed in the image of this competition; see README.md")

if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
'''
_EPOCH = (2000, 1, 1, 0, 0, 0)
"""The time of every file in the archive: the same bundle has the same bytes."""


def bundle_files(task: SharedTask, corpus: Corpus, *, image: str) -> Iterator[tuple[str, bytes]]:
    """Every file of the bundle with its name."""
    if corpus.errors is not None:
        raise UsageError(
            "a bundle cannot hold errors in XML", remedy="Give text, M2 gold or JSON lines."
        )
    rows = io.StringIO()
    jsonl.save(corpus, (), rows)
    texts = {
        "competition.yaml": "\n".join(_competition(task, image)) + "\n",
        "scoring_program/metadata.yaml": METADATA,
        "scoring_program/score.py": SCORE,
        f"reference_data/{SETTINGS_FILE}": task.to_json(),
        f"reference_data/{CORPUS_FILE}": rows.getvalue(),
        "pages/overview.md": _overview(task),
        "pages/terms.md": "The organisers write the terms here.\n",
        "README.md": _readme(task, image),
    }
    for name, text in texts.items():
        yield name, text.encode("utf-8")
    yield "logo.png", _logo()


def write_bundle(path: str | Path, task: SharedTask, corpus: Corpus, *, image: str) -> None:
    """Write the bundle as a ZIP archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in bundle_files(task, corpus, image=image):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            file.writestr(entry, content)
    writing.write_bytes(path, archive.getvalue())


def _competition(task: SharedTask, image: str) -> Iterator[str]:
    """The description of the competition. JSON strings are YAML strings."""
    quoted = json.dumps
    yield "version: 2"
    yield f"title: {quoted(task.title)}"
    yield f"description: {quoted('Grammatical error correction, scored by Corrigenda')}"
    yield "image: logo.png"
    yield "terms: pages/terms.md"
    yield f"docker_image: {quoted(image)}"
    yield "pages:"
    yield "  - title: Overview"
    yield "    file: pages/overview.md"
    yield "tasks:"
    yield "  - index: 0"
    yield f"    name: {quoted(task.title)}"
    yield f"    description: {quoted('Correct the sentences of the test set')}"
    yield "    scoring_program: scoring_program/"
    yield "    reference_data: reference_data/"
    yield "phases:"
    yield "  - index: 0"
    yield "    name: Evaluation"
    yield "    description: Submit your output for the test set"
    yield "    start: 2000-01-01"
    yield "    tasks:"
    yield "      - 0"
    yield "leaderboards:"
    yield "  - index: 0"
    yield "    title: Results"
    yield "    key: main"
    yield "    submission_rule: Force_Best"
    yield "    columns:"
    index = 0
    for text, keys in column_keys([metric(each) for each in task.metrics]).items():
        for key in keys:
            title = text if key == keys[0] else f"{text} {key.rpartition('_')[2]}"
            yield f"      - title: {quoted(title)}"
            yield f"        key: {key}"
            yield f"        index: {index}"
            yield "        sorting: desc"
            yield "        precision: 2"
            index += 1


def _overview(task: SharedTask) -> str:
    return (
        f"# {task.title}\n\n"
        f"Submit a ZIP archive with one file, `{task.submission}`: one corrected sentence per "
        "line, in the order of the source sentences, as UTF-8. An empty output is an empty line. "
        f"The file has at most {task.largest_bytes:,} bytes.\n\n"
        f"Submissions are ranked by {task.metrics[0]} ({task.level} level). A submission that "
        "cannot be scored has no rank; its details say what is wrong.\n"
    )


def _readme(task: SharedTask, image: str) -> str:
    return (
        f"# {task.title}: a bundle for Codabench\n\n"
        "Upload the ZIP archive under Benchmarks, Management, Upload. Before that, change "
        "`competition.yaml` (dates, phases) and `pages/`.\n\n"
        f"The scoring program runs in the image `{image}`. It must have Corrigenda "
        f"{task.version}:\n\n"
        "    FROM python:3.12-slim\n"
        f"    RUN pip install corrigenda=={task.version}\n\n"
        "Try it on your machine: put the reference data into `input/ref`, a submission into "
        "`input/res`, and run `python3 scoring_program/score.py input output`.\n"
    )


def _logo() -> bytes:
    """A small picture of one colour, because a competition must have a picture."""
    side, colour = 64, bytes((0x1D, 0x6F, 0x42))
    pixels = zlib.compress((b"\0" + colour * side) * side)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )
