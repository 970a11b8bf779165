"""Parallel batches: results in order, few batches ahead, same scores with any threads."""

from __future__ import annotations

import threading

import pytest

from corrigenda.neural import settings
from corrigenda.neural.bert_pairs import BertPairs
from corrigenda.neural.model_source import find
from corrigenda.neural.parallel import in_order
from corrigenda.neural.types import pair
from tiny_models import WORDS, encoder_folder, needs_torch  # noqa: F401

pytestmark = [pytest.mark.model, needs_torch]


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_the_items(device, threads):
    assert list(in_order(lambda item: item * item, range(50), device=device, threads=threads)) == [
        item * item for item in range(50)
    ]


def test_a_gpu_is_used_by_one_thread():
    names = set(
        in_order(lambda _: threading.current_thread().name, range(20), device="cuda", threads=4)
    )
    assert names == {threading.current_thread().name}


def test_only_a_few_batches_are_computed_ahead():
    taken = []
    results = in_order(
        lambda item: item,
        (taken.append(item) or item for item in range(100)),
        device="cpu",
        threads=2,
    )
    assert next(results) == 0
    assert len(taken) == 5
    results.close()


def test_an_error_is_raised_in_the_place_of_its_batch():
    results = in_order(lambda item: 1 // item, [1, 0, 1], device="cpu", threads=2)
    assert next(results) == 1
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_scores_do_not_depend_on_the_number_of_threads(encoder_folder):  # noqa: F811
    scorer = BertPairs(find(encoder_folder), 2)
    pairs = [pair(" ".join(WORDS[: 1 + size]), " ".join(WORDS[-size:])) for size in range(1, 16)]
    with settings.using(batch_tokens=32):
        alone, together = ({**next(scorer.score(pairs, threads=threads))} for threads in (1, 3))
    assert alone.keys() == together.keys()
    for each, scores in alone.items():
        assert scores == pytest.approx(together[each], abs=1e-6)
