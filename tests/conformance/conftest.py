"""What the conformance tests need around them: models."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from errant_model import find_model
from tiny_models import MODELS, shared_model

pytest.register_assert_rewrite("over_metrics")


@pytest.fixture(scope="module", autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Scores of pretrained models are computed every time.

    Scores from the cache would hide that batches change them.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("corrigenda.neural.pair_scores._store", lambda scorer: None)
        yield


@pytest.fixture(scope="module")
def _spacy_model() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRIGENDA_SPACY_MODEL", find_model())
        yield


@pytest.fixture(scope="session")
def _tiny_models() -> None:
    for name in MODELS:
        shared_model(name)


@pytest.fixture(autouse=True)
def _models(request: pytest.FixtureRequest) -> None:
    """Prepare the models that the marks of the test name; skip where there are none."""
    needed = {module for mark in request.node.iter_markers("model") for module in mark.args}
    for module, fixture in (("spacy", "_spacy_model"), ("torch", "_tiny_models")):
        if module in needed:
            request.getfixturevalue(fixture)
