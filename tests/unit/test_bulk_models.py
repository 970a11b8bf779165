"""Bulk scoring by metrics with models: the same numbers, and one model per process."""

from __future__ import annotations

from pathlib import Path

import pytest
from distributed import Client, LocalCluster
from test_bulk_equal import check_same

from bulk_tables import made_up_rows, write_jsonl
from corrigenda import evaluate
from corrigenda.bulk import ModelOptions, bulk
from corrigenda.errors import UsageError
from errant_model import cache, errant_ready, model  # noqa: F401
from tiny_models import encoder_folder, score_cache  # noqa: F401

METRICS = [
    "errant",
    "errant:choice=optimal",
    "cleme",
    "cleme:assumption=independent",
    "cleme:choice=optimal",
]


@pytest.mark.usefixtures("errant_ready")
def test_errant_and_cleme(tmp_path: Path) -> None:
    """CLEME's weights depend on a mean over all partitions."""
    rows = made_up_rows(40)
    path = write_jsonl(rows, tmp_path / "rows.jsonl")
    bulk([str(path)], str(tmp_path / "out"), METRICS, workers=0, partition_rows=9)
    check_same(rows, tmp_path / "out", metrics=METRICS)


@pytest.mark.slow
@pytest.mark.usefixtures("errant_ready")
def test_one_model_per_worker(tmp_path: Path) -> None:
    """Every worker loads the model at most once, for any number of partitions."""
    rows = made_up_rows(60)
    path = write_jsonl(rows, tmp_path / "rows.jsonl")
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50
    )
    with cluster, Client(cluster) as client:
        bulk(
            [str(path)],
            str(tmp_path / "out"),
            ["errant"],
            client=client,
            partition_rows=5,
            cache=False,
        )
        loads = client.run(times_loaded)
    assert set(loads.values()) <= {0, 1}
    assert sum(loads.values()) >= 1
    check_same(rows, tmp_path / "out", metrics=["errant"])


def times_loaded() -> int:
    """How often this process has loaded spaCy's model."""
    from corrigenda.annotation.spacy_annotator import loaded

    return loaded.cache_info().misses


@pytest.mark.usefixtures("score_cache")
def test_a_pretrained_model(tmp_path: Path, encoder_folder: str) -> None:  # noqa: F811
    """Models compute in batches, so partitions change their scores a little."""
    rows = made_up_rows(40)
    path = write_jsonl(rows, tmp_path / "rows.jsonl")
    metrics = [f"bertscore:model={encoder_folder}", f"pt-m2:model={encoder_folder}"]
    done = bulk(
        [str(path)],
        str(tmp_path / "out"),
        metrics,
        workers=0,
        partition_rows=9,
        models=ModelOptions(batch_tokens=64),
    )
    corpus, hypotheses = rows.corpus()
    for level in ("corpus", "sentence"):
        for expected in evaluate(corpus, [hypotheses], metrics, level=level, threads=1):
            (found,) = [
                result
                for result in done.results
                if str(result.metric) == str(expected.metric) and result.level == level
            ]
            assert found.score == pytest.approx(expected.score, abs=1e-5)
            assert found.signature == expected.signature


def test_model_options_are_checked_at_once() -> None:
    with pytest.raises(UsageError, match="'float8' is not a number type"):
        ModelOptions(dtype="float8")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the number of tokens per batch is 0"):
        ModelOptions(batch_tokens=0)
