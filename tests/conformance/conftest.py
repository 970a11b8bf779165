"""What the conformance tests need around them: models, and a cache of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from errant_model import find_model
from tiny_models import MODELS, shared_model

pytest.register_assert_rewrite("over_metrics")


@pytest.fixture(scope="session")
def cache_of_session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module", autouse=True)
def _surroundings(cache_of_session: Path) -> Iterator[None]:
    """Annotations are kept between tests; scores of pretrained models are computed every time.

    Otherwise kept scores would hide that batches change them.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRIGENDA_CACHE", str(cache_of_session))
        patch.setattr("corrigenda.neural.pair_scores._store", lambda scorer: None)
        yield


@pytest.fixture(scope="module")
def _spacy_model(_surroundings: None) -> Iterator[None]:
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
