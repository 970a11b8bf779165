"""Scribendi, IMPARA, SOME, PT-ERRANT and GoToScorer equal the package gec-metrics on the sample.

The file of results was made by make_gec_metrics.py; the tests do not need gec-metrics.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sample_results import golden, texts
from stable_models import all_models

from corrigenda import Corpus, evaluate
from corrigenda.data import SAMPLE
from corrigenda.formats import read_hypotheses
from corrigenda.metrics.gotoscorer import COUNTS
from errant_model import model  # noqa: F401
from tiny_models import minilm_folder, needs_torch

SYSTEMS = ("strong", "cautious", "eager", "unchanged")
"""gec-metrics divides by zero if it asks a language model about an empty text."""
OVERLOOKED_INSERTION = 58
pytestmark = [pytest.mark.slow, pytest.mark.model, needs_torch]


@pytest.fixture(scope="module", autouse=True)
def _own_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRIGENDA_CACHE", str(tmp_path_factory.mktemp("scores")))
        yield


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return all_models(Path(tmp_path_factory.mktemp("models")))


def sources() -> Corpus:
    corpus = texts()
    return Corpus(tuple(corpus.sources), ((),) * len(corpus))


def sentence_scores(corpus: Corpus, specification: str) -> dict[str, np.ndarray]:
    outputs = [read_hypotheses(SAMPLE / f"{name}.txt") for name in SYSTEMS]
    results = evaluate(corpus, outputs, [specification], level="sentence", threads=1)
    return {result.system: result.sentence_scores for result in results}


def test_scribendi(models: dict[str, str]) -> None:
    found = sentence_scores(sources(), f"scribendi:model={models['language model']}")
    expected = golden("gec_metrics.json")["scribendi"]
    assert {-1.0, 0.0, 1.0} == {score for system in SYSTEMS for score in expected[system]}
    for system in SYSTEMS:
        assert found[system].tolist() == expected[system]


@pytest.mark.parametrize("threshold", [0.0, 0.9])
def test_impara(models: dict[str, str], threshold: float) -> None:
    folders = f"model={models['grammaticality']},similarity_model={models['encoder']}"
    found = sentence_scores(sources(), f"impara:{folders},threshold={threshold},max_length=64")
    expected = golden("gec_metrics.json")[f"impara {threshold}"]
    for system in SYSTEMS:
        np.testing.assert_allclose(found[system], expected[system], atol=2e-5)


def test_some(models: dict[str, str]) -> None:
    names = ("grammaticality", "fluency", "meaning")
    found = sentence_scores(sources(), "some:" + ",".join(f"{n}={models[n]}" for n in names))
    for system in SYSTEMS:
        expected = golden("gec_metrics.json")["some"][system]
        np.testing.assert_allclose(found[system], expected, atol=2e-5)


@pytest.mark.parametrize("system", SYSTEMS)
def test_pt_errant(model: str, system: str) -> None:  # noqa: F811
    """Weighted counts and F of the corpus, and F of each sentence."""
    expected = golden("gec_metrics.json")["pt-errant"][system]
    specification = f"pt-errant:model={minilm_folder()},layer=6,spacy_model={model}"
    output = read_hypotheses(SAMPLE / f"{system}.txt")
    for level in ("corpus", "sentence"):
        (result,) = evaluate(texts(), [output], [specification], level=level, threads=1)
        if level == "corpus":
            right, proposed, gold = (
                result.counts[name] for name in ("correct", "proposed", "gold")
            )
            found = [right, proposed - right, gold - right, result.score]
            assert found == pytest.approx(expected["corpus"], abs=2e-5)
        else:
            np.testing.assert_allclose(result.sentence_scores, expected["sentences"], atol=2e-5)


@pytest.mark.parametrize("system", SYSTEMS)
def test_gotoscorer(model: str, system: str) -> None:  # noqa: F811
    """True and false positives and negatives of every sentence, without weights."""
    expected = golden("gec_metrics.json")["gotoscorer"][system]
    output = read_hypotheses(SAMPLE / f"{system}.txt")
    (result,) = evaluate(texts("ref0"), [output], [f"gotoscorer:spacy_model={model}"], threads=1)
    found = result.selection.chosen.statistics.counts[:, [0, 1, 2, 3]].tolist()
    assert COUNTS[:4] == ("tp", "fp", "fn", "tn")
    differ = [place for place in range(len(found)) if found[place] != expected[place]]
    assert differ == [OVERLOOKED_INSERTION] * (system == "eager")


def test_gotoscorer_overlooks_an_insertion(model: str) -> None:  # noqa: F811
    """Its fault: `the` is missing inside a replacement, and that counts as rightly unchanged."""
    theirs = golden("gec_metrics.json")["gotoscorer"]["eager"][OVERLOOKED_INSERTION]
    corpus = texts("ref0").at([OVERLOOKED_INSERTION])
    output = read_hypotheses(SAMPLE / "eager.txt").at([OVERLOOKED_INSERTION])
    (result,) = evaluate(corpus, [output], [f"gotoscorer:spacy_model={model}"], threads=1)
    ours = [result.counts[name] for name in COUNTS[:4]]
    assert [a - b for a, b in zip(ours, theirs, strict=True)] == [0, 0, 1, -1]
