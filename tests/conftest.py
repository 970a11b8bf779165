"""What all tests share: settings, marks, a cache of their own, and public data if it is there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import examples  # noqa: F401  (loads the profile of Hypothesis)
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import read_hypotheses, read_text
from public_data import CONLL_SYSTEMS

REPOSITORY = Path(__file__).resolve().parents[1]


MODEL_FIXTURES = {"model", "errant_ready", "encoder_folder", "translator_folder", "minilm"}
"""Fixtures that load a trained model, or torch."""

SETTINGS = (
    "CORRIGENDA_BATCH_TOKENS",
    "CORRIGENDA_CACHE_MEGABYTES",
    "CORRIGENDA_DATA",
    "CORRIGENDA_DEVICE",
    "CORRIGENDA_DTYPE",
    "CORRIGENDA_LLM_KEY",
    "CORRIGENDA_MAX_MEMORY",
    "CORRIGENDA_THREADS",
)
"""What a user may have set for the program, and tests must not depend on."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ask for a model or for public data: `make quick` leaves them out."""
    for item in items:
        if item.path.parent.name == "golden":
            item.add_marker("golden")
        if MODEL_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("model")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tests leave the user's cache and settings alone. All processes of a run share one cache."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        for variable in SETTINGS:
            patch.delenv(variable, raising=False)
        patch.setenv("CORRIGENDA_CACHE", str(folder / "cache"))
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public data and golden results, which is not a part of the project."""
    given = os.environ.get("CORRIGENDA_SHARED")
    folder = Path(given) if given else REPOSITORY.parent / "shared"
    if not (folder / "data" / "conll14" / "source.txt").is_file():
        pytest.skip(
            f"no shared data in {folder}: CORRIGENDA_SHARED names the folder of data/ and golden/"
        )
    return folder


@pytest.fixture(scope="session")
def golden(shared: Path) -> Path:
    """The folder with what the original tools gave."""
    return shared / "golden"


@pytest.fixture(scope="session")
def conll_folder(shared: Path) -> Path:
    return shared / "data" / "conll14"


@pytest.fixture(scope="session")
def conll(conll_folder: Path) -> Corpus:
    """The CoNLL-2014 test set with the texts of its two annotators."""
    return read_text(
        conll_folder / "source.txt", [conll_folder / "ref0.txt", conll_folder / "ref1.txt"]
    )


@pytest.fixture(scope="session")
def conll_systems(conll_folder: Path, conll: Corpus) -> dict[str, Hypotheses]:
    """The 13 systems as shipped, and NULL, which answers every sentence with nothing."""
    systems = {
        name: read_hypotheses(conll_folder / "systems" / f"{name}.txt") for name in CONLL_SYSTEMS
    }
    systems["NULL"] = Hypotheses("NULL", ("",) * len(conll))
    return systems
