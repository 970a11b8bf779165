"""BERTScore as a metric, with a tiny encoder: matched by hand, batched, rescaled, cached."""

from __future__ import annotations

from unittest.mock import Mock

import numpy as np
import pytest

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.errors import CorrigendaError, FormatError, MetricError
from corrigenda.metrics.bertscore import BertScore
from corrigenda.neural import settings
from corrigenda.neural.baselines import read_baseline, unrelated_pairs
from corrigenda.progress import listening
from lazily import Lazily
from tiny_models import encoder_folder, needs_torch, score_cache  # noqa: F401

torch = Lazily("torch")
transformers = Lazily("transformers")
pytestmark = [needs_torch, pytest.mark.model, pytest.mark.usefixtures("score_cache")]

SOURCES = ("he go to school every days", "a b c", "", "d", "a a b")
REFERENCES = (
    ("he goes to school every day", "he goes to school"),
    ("a b c d",),
    ("",),
    ("e", "d"),
    ("",),
)
SYSTEM = Hypotheses("ours", ("he goes to school every days", "a b c", "a", "", "a b"))


def corpus() -> Corpus:
    return Corpus(SOURCES, REFERENCES)


def by_hand(folder: str, candidate: str, reference: str, layer: int) -> tuple[float, float, float]:
    """One pair, all layers computed, no batch."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    vectors = []
    for text in (candidate, reference):
        with torch.no_grad():
            output = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True)
        hidden = output.hidden_states[layer][0]
        vectors.append(hidden / hidden.norm(dim=-1, keepdim=True))
    similar = vectors[0] @ vectors[1].T
    precision = similar.max(1).values[1:-1].mean().item()
    recall = similar.max(0).values[1:-1].mean().item()
    return precision, recall, 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_one_pair_by_hand(encoder_folder, layer):  # noqa: F811
    metric = BertScore(model=encoder_folder, layer=layer)
    counts = metric.statistics(corpus(), SYSTEM, threads=1).counts
    for row, (hypothesis, reference) in zip(
        counts, [(SYSTEM.sentences[0], text) for text in REFERENCES[0]], strict=False
    ):
        np.testing.assert_allclose(
            row[:3], by_hand(encoder_folder, hypothesis, reference, layer), atol=1e-6
        )
    assert counts[:, 3].tolist() == [1.0] * 7


def test_empty_sentences_score_nothing(encoder_folder):  # noqa: F811
    (result,) = evaluate(corpus(), [SYSTEM], [BertScore(model=encoder_folder)])
    assert result.sentence_scores.tolist()[2:] == [0.0, 0.0, 0.0]
    assert result.score == pytest.approx(result.sentence_scores.mean())
    assert result.references is not None


def test_the_default_layer_is_the_last(encoder_folder):  # noqa: F811
    scores = [
        result.score
        for result in evaluate(
            corpus(),
            [SYSTEM],
            [BertScore(model=encoder_folder), BertScore(model=encoder_folder, layer=2)],
        )
    ]
    assert scores[0] == scores[1]
    (result,) = evaluate(corpus(), [SYSTEM], [f"bertscore:model={encoder_folder}"])
    assert "|model:encoder|revision:" in result.signature
    assert "|layer:2|idf:false|measure:f1|baseline:none|" in result.signature


def test_batches_change_scores_only_by_rounding(encoder_folder, monkeypatch):  # noqa: F811
    metric = BertScore(model=encoder_folder)
    with settings.using(batch_tokens=1):
        alone = metric.statistics(corpus(), SYSTEM, threads=1).counts
    monkeypatch.setattr("corrigenda.neural.bert_pairs._BYTES_OF_VECTORS", 1)
    monkeypatch.setenv("CORRIGENDA_CACHE", "/dev/null/nothing")
    with pytest.warns(UserWarning, match="continuing without the cache"):
        together = metric.statistics(corpus(), SYSTEM, threads=2).counts
    np.testing.assert_allclose(alone, together, atol=1e-6)


def encoding_reports(listener: Mock) -> list[list[object]]:
    """What the model reported: done, total, detail."""
    reports = [tuple(call.args) for call in listener.report.call_args_list]
    return [rest for what, *rest in reports if what == "distinct sentences encoded"]


def test_every_distinct_sentence_is_encoded_once_and_then_never_again(encoder_folder):  # noqa: F811
    systems = [SYSTEM, Hypotheses("source", SOURCES), Hypotheses("again", SYSTEM.sentences)]
    with listening(listener := Mock()):
        first = evaluate(corpus(), systems, [BertScore(model=encoder_folder)])
    distinct = {text for texts in (SOURCES, *REFERENCES, SYSTEM.sentences) for text in texts}
    reports = encoding_reports(listener)
    assert reports[0] == [0, None, "loading encoder"]
    assert reports[-1] == [len(distinct), len(distinct), "bertscore, encoder, layer 2"]
    with listening(listener := Mock()):
        second = evaluate(corpus(), systems, [BertScore(model=encoder_folder)])
    assert encoding_reports(listener) == []
    assert [result.to_dict() for result in first] == [result.to_dict() for result in second]


def test_measures_and_rescaling(encoder_folder, tmp_path):  # noqa: F811
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R,F\n1,0.1,0.1,0.1\n2,0.2,0.3,0.5\n")
    given = {"model": encoder_folder}
    plain, recall, value, file = (
        result
        for result in evaluate(
            corpus(),
            [SYSTEM],
            [
                BertScore(**given),
                BertScore(**given, measure="recall"),
                BertScore(**given, baseline="0.5"),
                BertScore(**given, baseline=str(path)),
            ],
        )
    )
    assert plain.score == plain.measures["f1"]
    assert recall.score == recall.measures["recall"]
    assert value.score == pytest.approx((plain.score - 0.5) / 0.5)
    assert file.score == pytest.approx((plain.score - 0.5) / 0.5)
    assert file.measures["recall"] == pytest.approx((plain.measures["recall"] - 0.3) / 0.7)
    assert "baseline:0.2,0.3,0.5" in file.signature


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (None, CorrigendaError, "neither a number nor a file"),
        ("LAYER,P,R,F\n1,0,0,0\n", MetricError, "no baseline for layer 2"),
        ("LAYER,P,R,F\n2,x,0,0\n", FormatError, "is not a baseline"),
        ("LAYER,P,R,F\n2,1,0,0\n", MetricError, "not below 1"),
    ],
)
def test_baselines_that_cannot_be_used(tmp_path, text, error, message):
    path = tmp_path / "file.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(error, match=message):
        read_baseline(str(path), 2)


def test_unrelated_pairs_share_no_sentence():
    pairs = unrelated_pairs(["a", "b", "c", "a", "", "d  e", "f"], 10, seed=1)
    texts = [text for pair in pairs for text in pair]
    assert len(pairs) == 2
    assert len(set(texts)) == 4
    assert pairs == unrelated_pairs(["f", "d e", "c", "b", "a"], 10, seed=1)
    with pytest.raises(CorrigendaError, match="two different sentences"):
        unrelated_pairs(["a", "a"], 10, seed=1)


def test_no_layer_of_that_number(encoder_folder):  # noqa: F811
    with pytest.raises(MetricError, match="has no layer 3"):
        evaluate(corpus(), [SYSTEM], [BertScore(model=encoder_folder, layer=3)])


def test_no_such_device(encoder_folder):  # noqa: F811
    with (
        settings.using(device="abacus"),
        pytest.raises(CorrigendaError, match="the device 'abacus' cannot be used"),
    ):
        evaluate(corpus(), [SYSTEM], [BertScore(model=encoder_folder)])
