"""Random rows for bulk scoring, as lists and as files of every format."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corrigenda import Corpus, Hypotheses

WORDS = (
    "the",
    "a",
    "of",
    "cat",
    "dog",
    "sat",
    "ran",
    "mat",
    "in",
    "on",
    "was",
    "is",
    ".",
    ",",
    "and",
    "he",
    "it",
)


@dataclass(frozen=True)
class Rows:
    sources: list[str]
    hypotheses: list[str]
    references: list[list[str]]

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, part: slice) -> Rows:
        return Rows(self.sources[part], self.hypotheses[part], self.references[part])

    def corpus(self) -> tuple[Corpus, Hypotheses]:
        return Corpus(tuple(self.sources), tuple(map(tuple, self.references))), Hypotheses(
            "hypothesis", tuple(self.hypotheses)
        )


def made_up_rows(count: int, references: int = 2, seed: int = 1) -> Rows:
    rng = random.Random(seed)

    def changed(words: list[str]) -> list[str]:
        words = list(words)
        for _ in range(rng.randint(0, 3)):
            place = rng.randrange(len(words) + 1)
            words[place : place + rng.randint(0, 1)] = rng.choices(WORDS, k=rng.randint(0, 2))
        return words

    rows = Rows([], [], [])
    for _ in range(count):
        truth = rng.choices(WORDS, k=rng.randint(3, 12))
        rows.sources.append(" ".join(changed(truth)))
        rows.hypotheses.append(" ".join(changed(truth)))
        rows.references.append(
            [" ".join(truth), *(" ".join(changed(truth)) for _ in range(references - 1))]
        )
    return rows


def write_text(rows: Rows, folder: Path, name: str = "shard", *, compress: bool = False) -> Path:
    """Files name.src, name.hyp, name.ref0, …; all rows must have the same number of references."""
    columns = {"src": rows.sources, "hyp": rows.hypotheses}
    columns |= {
        f"ref{place}": list(texts) for place, texts in enumerate(zip(*rows.references, strict=True))
    }
    for suffix, sentences in columns.items():
        data = "".join(f"{sentence}\n" for sentence in sentences).encode()
        path = folder / f"{name}.{suffix}{'.gz' if compress else ''}"
        path.write_bytes(gzip.compress(data) if compress else data)
    return folder / name


def write_jsonl(rows: Rows, path: Path, first: int = 0) -> Path:
    lines = [
        json.dumps(
            {
                "id": f"row {first + number}",
                "source": source,
                "hypothesis": hypothesis,
                "references": references,
            }
        )
        for number, (source, hypothesis, references) in enumerate(
            zip(rows.sources, rows.hypotheses, rows.references, strict=True)
        )
    ]
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def write_parquet(rows: Rows, path: Path, *, row_group: int = 100) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(
        {
            "number": list(range(len(rows))),
            "source": rows.sources,
            "hypothesis": rows.hypotheses,
            "references": rows.references,
        }
    )
    pq.write_table(table, path, row_group_size=row_group)
    return path


def scores(output: Path | str) -> dict[str, Sequence[object]]:
    """The table of scores of a run, column by column."""
    import pyarrow.parquet as pq

    columns: dict[str, Sequence[object]] = pq.read_table(Path(output) / "scores").to_pydict()
    return columns


def totals(output: Path | str) -> list[dict[str, object]]:
    """The results of a run."""
    results: list[dict[str, object]] = json.loads((Path(output) / "totals.json").read_text())[
        "results"
    ]
    return results
