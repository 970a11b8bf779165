"""Bulk scoring gives the bits of `evaluate`, for any division of the rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bulk_tables import Rows, made_up_rows, scores, write_jsonl, write_parquet, write_text
from corrigenda import evaluate
from corrigenda.bulk import Columns, bulk
from corrigenda.metrics import default_metrics
from examples import examples

PLAIN = [each.name for each in default_metrics()]
METRICS = [
    *PLAIN,
    "green:unit=char",
    "gleu:variant=2015,lambda=0.1",
    "gleu:references=best",
    "gleu:draws=7",
    "m2:choice=optimal",
    "pt-m2:scorer=self",
    "pt-m2:scorer=self,choice=optimal",
]
TEXT = Columns.from_text("source=src,hypothesis=hyp,references=ref0+ref1")


def check_same(rows: Rows, output: Path, *, metrics: list[str] = METRICS) -> None:
    corpus, hypotheses = rows.corpus()
    table = scores(output)
    found = bulk_results(output)
    for level in ("corpus", "sentence"):
        for expected in evaluate(corpus, [hypotheses], metrics, level=level, threads=1):
            data = expected.to_dict()
            # Error types are not counted in bulk.
            data.pop("types", None)
            assert found[str(expected.metric), level] == data
            if level == "sentence":
                assert table[str(expected.metric)] == expected.sentence_scores.tolist()


def bulk_results(output: Path) -> dict[tuple[object, object], dict[str, object]]:
    from bulk_tables import totals

    return {(result["metric"], result["level"]): result for result in totals(output)}


@pytest.mark.slow
@pytest.mark.parametrize("partition_rows", [23])
def test_any_partitioning(partition_rows: int, tmp_path: Path) -> None:
    rows = made_up_rows(120)
    write_text(rows, tmp_path)
    done = bulk(
        [str(tmp_path / "shard")],
        str(tmp_path / "out"),
        METRICS,
        columns=TEXT,
        workers=0,
        partition_rows=partition_rows,
    )
    assert done.rows == 120
    check_same(rows, tmp_path / "out")
    assert scores(tmp_path / "out")["row"] == list(range(120))


@pytest.mark.slow
@settings(max_examples=examples(8))
@given(
    st.lists(
        st.tuples(
            st.text("ab \t\u00a0é", max_size=12),
            st.text("ab \t\u00a0é", max_size=12),
            st.lists(st.text("ab é", max_size=12), min_size=1, max_size=3),
        ),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 5),
    st.integers(1, 12),
)
def test_any_rows(rows: list[tuple[str, str, list[str]]], partition_rows: int, cut: int) -> None:
    import tempfile

    made = Rows(*(list(column) for column in zip(*rows, strict=True)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        parts = [made[begin : begin + cut] for begin in range(0, len(made), cut)]
        inputs = [
            str(write_jsonl(part, folder / f"{number:03}.jsonl"))
            for number, part in enumerate(parts)
        ]
        bulk(inputs, str(folder / "out"), METRICS, workers=0, partition_rows=partition_rows)
        check_same(made, folder / "out")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "text.gz", "jsonl", "jsonl.gz", "parquet"])
def test_any_format(form: str, tmp_path: Path) -> None:
    rows = made_up_rows(250)
    columns = None
    folder = tmp_path / "in"
    folder.mkdir()
    if form.startswith("text"):
        inputs = [str(write_text(rows, folder, compress=form.endswith("gz")))]
        columns = TEXT
    elif form.startswith("jsonl"):
        write_jsonl(rows[:100], folder / f"a.{form}")
        write_jsonl(rows[100:], folder / f"b.{form}")
        inputs = [str(folder)]
    else:
        write_parquet(rows[:100], folder / "a.parquet", row_group=30)
        write_parquet(rows[100:], folder / "b.parquet", row_group=400)
        inputs = [str(folder / "*.parquet")]
    done = bulk(
        inputs,
        str(tmp_path / "out"),
        ["green", "m2"],
        columns=columns,
        workers=0,
        partition_rows=60,
    )
    assert done.rows == 250
    check_same(rows, tmp_path / "out", metrics=["green", "m2"])


def test_counts_and_keys(tmp_path: Path) -> None:
    rows = made_up_rows(50)
    write_parquet(rows, tmp_path / "rows.parquet", row_group=20)
    bulk(
        [str(tmp_path / "rows.parquet")],
        str(tmp_path / "out"),
        ["m2", "green"],
        columns=Columns(key="number"),
        counts=True,
        workers=0,
    )
    table = scores(tmp_path / "out")
    assert table["number"] == list(range(50))
    corpus, hypotheses = rows.corpus()
    m2, green = evaluate(corpus, [hypotheses], ["m2", "green"], level="sentence")
    for result, columns in ((m2, ("correct", "proposed", "gold")), (green, ("tk.1", "ui.4"))):
        for column in columns:
            name, _, number = column.partition(".")
            expected = [sentence["counts"][name] for sentence in result.sentences()]
            if number:
                expected = [values[int(number) - 1] for values in expected]
            assert table[f"{result.metric}.{column}"] == expected


@pytest.mark.slow
def test_processes_give_the_same(tmp_path: Path) -> None:
    rows = made_up_rows(300)
    write_jsonl(rows, tmp_path / "rows.jsonl")
    for workers in (1, 2):
        output = tmp_path / str(workers)
        bulk(
            [str(tmp_path / "rows.jsonl")],
            str(output),
            ["green", "m2"],
            workers=workers,
            partition_rows=40,
        )
        check_same(rows, output, metrics=["green", "m2"])
