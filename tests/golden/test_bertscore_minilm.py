"""BERTScore with real weights (MiniLM) is what the bert-score package gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.metrics.bertscore import BertScore
from public_data import full
from tiny_models import minilm_folder, score_cache  # noqa: F401

pytestmark = pytest.mark.usefixtures("score_cache")
SENTENCES = 30


@pytest.fixture(scope="module")
def minilm() -> str:
    return str(minilm_folder())


@full
@pytest.mark.parametrize("name", ["AMU", "INPUT"])
def test_conll_against_the_first_annotator(
    minilm: str, name: str, conll: Corpus, conll_systems: dict[str, Hypotheses], golden: Path
) -> None:
    key = {"AMU": "L6_AMU_ref0", "INPUT": "L6_src_ref0"}[name]
    expected = json.loads((golden / "bertscore-minilm.json").read_text())[key]
    corpus = Corpus(
        conll.sources[:SENTENCES], tuple(texts[:1] for texts in conll.references[:SENTENCES])
    )
    metric = BertScore(model=minilm, layer=6)
    found = metric.statistics(corpus, conll_systems[name][:SENTENCES], threads=1).counts
    for place, measure in enumerate("PRF"):
        np.testing.assert_allclose(found[:, place], expected[measure][:SENTENCES], atol=1e-5)


@pytest.mark.parametrize(("layer", "idf"), [pytest.param(6, False, marks=full), (4, True)])
def test_the_bert_score_package(minilm: str, layer: int, idf: bool) -> None:
    bert_score = pytest.importorskip("bert_score")
    references = [
        "He goes to school every day .",
        "The museum is closed on Mondays .",
        "I like it .",
        "A test .",
    ]
    candidates = ["He go to school every days .", "The museum is open .", "I like it .", "It test"]
    precision, recall, f1 = bert_score.score(
        candidates,
        references,
        model_type=minilm,
        num_layers=layer,
        idf=idf,
        nthreads=0,
        device="cpu",
    )
    corpus = Corpus.from_lists(references, [references], references_by="text")
    system = Hypotheses("ours", tuple(candidates))
    found = (
        BertScore(model=minilm, layer=layer, idf=idf).statistics(corpus, system, threads=1).counts
    )
    for place, expected in enumerate((precision, recall, f1)):
        np.testing.assert_allclose(found[:, place], expected.numpy(), atol=1e-5)


def test_several_references_as_the_package_has_them(minilm: str) -> None:
    bert_score = pytest.importorskip("bert_score")
    references = (("He goes home .", "He went home ."), ("It is a test .", "This is it ."))
    candidates = ("He go home .", "It is it .")
    _, _, f1 = bert_score.score(
        list(candidates),
        [list(texts) for texts in references],
        model_type=minilm,
        num_layers=6,
        nthreads=0,
        device="cpu",
    )
    (result,) = evaluate(
        Corpus(candidates, references), {"ours": candidates}, [BertScore(model=minilm, layer=6)]
    )
    np.testing.assert_allclose(result.sentence_scores, f1.numpy(), atol=1e-5)
