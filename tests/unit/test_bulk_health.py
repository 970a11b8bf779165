"""Health of bulk runs: all rows are surveyed, and what looks unusual is examined."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import damages
from corrigenda.bulk import bulk, examining
from corrigenda.bulk.finishing import Bulk
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health.surveys import FEWEST_LINES, FirstRows

WORDS = (
    "house", "river", "apple", "quickly", "green", "seven", "Monday", "window", "thought", "never",
    "bring", "mother", "station", "paper", "yellow", "before", "music", "travel", "corner", "bread",
)  # fmt: skip
ROWS = 30_000
PARTITION = 10_000
Texts = tuple[list[str], list[str], list[str]]


def changed(words: list[str], generator: random.Random) -> str:
    copy = list(words)
    if generator.random() < 0.6:
        copy[generator.randrange(len(copy))] = generator.choice(WORDS)
    return " ".join([*copy, "."]).capitalize()


@pytest.fixture(scope="module")
def texts() -> Texts:
    """Sources, references and outputs."""
    generator = random.Random(1)
    sentences = [generator.choices(WORDS, k=generator.randrange(5, 20)) for _ in range(ROWS)]
    source, reference, output = (
        [changed(words, generator) for words in sentences] for _ in range(3)
    )
    return source, reference, output


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The first lines of the blocks that are examined."""
    found: list[int] = []
    examine = examining._examined

    def noted(corpus: Corpus, hypotheses: Hypotheses, first_line: int) -> object:
        found.append(first_line)
        return examine(corpus, hypotheses, first_line)

    monkeypatch.setattr(examining, "_examined", noted)
    return found


def scored(
    texts: Texts, outputs: Sequence[str], folder: Path, partition_rows: int = PARTITION
) -> Bulk:
    names = ("source", "references", "hypothesis")
    table = pa.table(dict(zip(names, (*texts[:2], list(outputs)), strict=True)))
    pq.write_table(table, folder / "rows.parquet", row_group_size=partition_rows)
    return bulk(
        [folder / "rows.parquet"],
        folder / "out",
        ["green"],
        workers=0,
        partition_rows=partition_rows,
    )


def test_healthy_rows(texts: Texts, tmp_path: Path, examined: list[int]) -> None:
    done = scored(texts, texts[2], tmp_path)
    assert done.health == []
    assert examined == [1], "only the first block of the file"


LATE: dict[str, tuple[str, int, int, str, Callable[[list[str]], list[str]]]] = {
    "shifted": ("out-of-step", 24_000, ROWS, "24,001", lambda lines: damages.shifted(lines, 1)),
    "shuffled": ("out-of-step", 12_000, 16_000, "", damages.shuffled),
    "lower": ("case", 10_000, 20_000, "", lambda lines: [line.lower() for line in lines]),
    "tags": ("markup", 28_600, 29_900, "", lambda lines: [f"<s> {line}" for line in lines]),
    "empty": ("empty", 21_000, 22_000, "", lambda lines: [""] * len(lines)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LATE)
def test_late_damage(texts: Texts, tmp_path: Path, examined: list[int], name: str) -> None:
    """It is found also in a partition that is not examined in any case, and behind its beginning."""
    code, begin, end, line, change = LATE[name]
    output = texts[2]
    damaged = [*output[:begin], *change(output[begin:end]), *output[end:]]
    (finding,) = scored(texts, damaged, tmp_path).health
    assert finding["code"] == code
    assert finding["message"].startswith(f"part-00000-{begin // PARTITION:05}: ")
    if line:
        assert f"from line {line} on" in finding["message"]
        assert finding["first_line"] == begin + 1
    assert len(examined) <= 4


def test_some_partitions_are_examined_in_any_case(
    texts: Texts, tmp_path: Path, examined: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examining, "EXAMINED_PARTITIONS", 2)
    scored(texts, texts[2], tmp_path, PARTITION // 2)
    assert examined == [1, 10_001, 20_001]


def test_small_partitions_are_all_examined(
    texts: Texts, tmp_path: Path, examined: list[int]
) -> None:
    """The first rows are too few to show what is usual."""
    scored(texts, texts[2], tmp_path, PARTITION // 4)
    assert examined == list(range(1, ROWS, PARTITION // 4))


def test_few_lines_at_the_end_are_not_unusual(texts: Texts) -> None:
    source, reference, output = texts

    def rows(begin: int, end: int) -> tuple[Corpus, list[Hypotheses]]:
        part = slice(begin, end)
        corpus = Corpus.from_lists(source[part], [reference[part]], references_by="text")
        return corpus, [Hypotheses("ours", tuple(output[part]))]

    assert FirstRows.of(*rows(0, FEWEST_LINES - 1)) is None
    first = FirstRows.of(*rows(0, FEWEST_LINES))
    assert first is not None
    distances = [first.distance(*rows(begin, begin + 515)) for begin in range(5000, 25_000, 515)]
    assert max(distances) < 3.5
    two_references = Corpus.from_lists(
        source[:9], [reference[:9], reference[:9]], references_by="text"
    )
    assert first.distance(two_references, [Hypotheses("ours", tuple(output[:9]))]) == float("inf")
