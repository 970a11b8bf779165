"""Ways to write a test for every metric of the registry, and to compare what it gives."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from registered import METRICS, PUBLISHED, TRIED, as_parameters, label, marks, tolerance

from corrigenda import evaluate
from corrigenda.core.metric import LEVELS, Metric
from corrigenda.core.result import Result
from examples import examples
from small_corpora import Case, case

Check = Callable[..., None]
_MANY = 12


def over_registry(**strategies: st.SearchStrategy) -> Callable[[Check], Check]:
    """A test for each metric of the registry: every example is checked with all its variants.

    Metrics with models or many variants get fewer examples, because an example costs many times
    more. Those of models are the same in every run: in rare examples a model's rounding decides
    between two references.
    """

    def decorate(check: Check) -> Check:
        @functools.wraps(check)
        def test(name: str) -> None:
            has_model = any(tested.modules_in_use for tested in TRIED[name])

            most = 2 if has_model or len(TRIED[name]) > _MANY else 6

            @settings(max_examples=examples(most), derandomize=has_model)
            @given(**strategies)
            def check_all(**example: Any) -> None:
                for tested in TRIED[name]:
                    note(f"metric: {LABELS[tested]}")
                    check(tested, **example)

            check_all()

        del test.__wrapped__  # its arguments are not the check's
        parameters = [pytest.param(name, marks=marks(*of_name)) for name, of_name in TRIED.items()]
        return pytest.mark.parametrize("name", parameters)(test)

    return decorate


LABELS = {tested: label(tested) for tested in METRICS}
each_metric = pytest.mark.parametrize("tested", as_parameters(METRICS))
each_metric_mostly_published = pytest.mark.parametrize(
    "tested", as_parameters(METRICS, choices=False)
)
"""Where all choices go the same way, they need CORRIGENDA_FULL."""
each_published = pytest.mark.parametrize("tested", as_parameters(PUBLISHED))
each_level = pytest.mark.parametrize("level", LEVELS)


def result_of(tested: Metric, given_case: Case, level: str = "corpus", threads: int = 1) -> Result:
    (result,) = evaluate(
        given_case.corpus, [given_case.hypotheses], [tested], level=level, threads=threads
    )
    return result


def assert_same(first: Any, second: Any) -> None:
    """Equal plain values; floats must have the same bits."""
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first:
            assert_same(first[key], second[key])
    elif isinstance(first, list):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    else:
        assert first == second


def assert_same_result(first: Result, second: Result) -> None:
    """The same bits. Where batches move scores, the score and the sentences' scores are close."""
    if allowed := tolerance(first.metric):
        assert second.score == pytest.approx(first.score, abs=allowed)
        np.testing.assert_allclose(second.sentence_scores, first.sentence_scores, atol=allowed)
    else:
        assert_same(first.to_dict(per_sentence=True), second.to_dict(per_sentence=True))


def assert_close_counts(tested: Metric, found: Any, expected: Any) -> None:
    """The same counts; where batches move scores, close ones."""
    allowed = tolerance(tested)
    np.testing.assert_allclose(found, expected, rtol=allowed, atol=allowed)


def many_sentences(count: int = 200) -> Case:
    """More than a chunk of the kernels, with up to three references."""
    generator = random.Random(11)

    def sentence() -> str:
        return " ".join(generator.choices("abcd", k=generator.randrange(10)))

    sources = tuple(sentence() for _ in range(count))
    references = tuple(tuple(sentence() for _ in range(1 + i % 3)) for i in range(count))
    return case(sources, references, tuple(sentence() for _ in range(count)))
