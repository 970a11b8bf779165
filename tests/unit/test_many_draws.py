"""Many draws of references for many sentences: bounded, and the same whatever the blocks are."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from corrigenda.core.choice import SeededDraws
from corrigenda.core.statistics import Statistics, concatenate
from corrigenda.errors import CorrigendaError


def _statistics(references: list[int]) -> Statistics:
    offsets = np.cumsum([0, *references]).astype(np.int64)
    return Statistics(np.arange(2 * offsets[-1]).reshape(-1, 2), offsets)


@pytest.mark.parametrize(("references", "size"), [(2, 1), (256, 1), (257, 2), (65_537, 4)])
def test_a_draw_takes_as_few_bytes_as_it_can(references: int, size: int) -> None:
    chosen = SeededDraws(3, 101).choose(_statistics([references, 1, 2]))
    assert chosen.picks is not None
    assert chosen.picks.dtype == np.dtype(f"u{size}")
    assert chosen.rows is not None
    assert chosen.rows.dtype == np.int64


def test_blocks_with_more_and_fewer_references_are_joined() -> None:
    references = [2, 3, 1, 1, 400, 2, 300, 1]
    at_once = SeededDraws(9, 101).choose(_statistics(references))
    choose = SeededDraws(9, 101).start()
    joined = concatenate([choose(_statistics(references[at : at + 2])) for at in (0, 2, 4, 6)])
    np.testing.assert_array_equal(joined.rows, at_once.rows)
    assert joined.picks is not None
    assert joined.picks.dtype == np.uint16


def test_many_draws_of_a_corpus_are_bounded() -> None:
    """8 bytes per draw and sentence were 400 MB here, and generators 250 MB."""
    tracemalloc.start()
    try:
        chosen = SeededDraws(20_000, 101).choose(_statistics([2] * 2_500))
        totals = chosen.exact_totals().value()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert totals.shape == (20_000, 2)
    assert chosen.picks is not None
    assert chosen.picks.nbytes == 50_000_000
    assert peak < 100e6


def test_weighted_sums_take_some_draws_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    chosen = SeededDraws(120, 101).choose(_statistics(generator.integers(1, 6, 200).tolist()))
    weights = generator.integers(0, 4, (5, 200)).astype(np.float32)
    expected = chosen.totals(weights)
    monkeypatch.setattr("corrigenda.core.statistics._CELLS_AT_ONCE", 1)
    np.testing.assert_array_equal(chosen.totals(weights), expected)


def test_too_many_draws_for_the_sentences_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corrigenda.core.statistics._MOST_PICKS", 100)
    choose = SeededDraws(20, 101).start()
    blocks = [choose(_statistics([2] * 4)) for _ in range(2)]
    with pytest.raises(CorrigendaError, match=r"20 draws .* 8 sentences") as refused:
        concatenate(blocks)
    assert refused.value.remedy is not None
    assert "at most 12 draws" in refused.value.remedy
    with pytest.raises(CorrigendaError, match=r"20 draws .* 6 sentences"):
        SeededDraws(20, 101).choose(_statistics([2] * 6))
