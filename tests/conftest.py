"""What all tests share: the settings of Hypothesis, and the public data where it is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import read_hypotheses, read_text
from public_data import CONLL_SYSTEMS

REPOSITORY = Path(__file__).resolve().parents[1]

# A busy machine must not fail a test: no deadline for a single example.
settings.register_profile("corrigenda", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("corrigenda")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public data and golden results, which is no part of the project."""
    given = os.environ.get("CORRIGENDA_SHARED")
    folder = Path(given) if given else REPOSITORY.parent / "shared"
    if not (folder / "data" / "conll14" / "source.txt").is_file():
        pytest.skip(
            f"no shared data in {folder}: set CORRIGENDA_SHARED to the folder with data/ and golden/"
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
