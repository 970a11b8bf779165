"""BARTScore is the model's own loss, for any batch."""

from __future__ import annotations

import pytest

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.metrics.bartscore import BartScore
from corrigenda.neural import settings
from lazily import Lazily
from tiny_models import needs_torch, score_cache, translator_folder  # noqa: F401

torch = Lazily("torch")
transformers = Lazily("transformers")
pytestmark = [needs_torch, pytest.mark.model, pytest.mark.usefixtures("score_cache")]

REFERENCES = (("he goes to school every day", "he goes"), ("a b c d",), ("",), ("e", "d"), ("a b",))
SYSTEM = Hypotheses("ours", ("he goes to school every days", "a b c", "a", "", "a b"))
CORPUS = Corpus(("he go to school every days", "a b c", "", "d", "a a b"), REFERENCES)


def loss(folder: str, given: str, target: str) -> float:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    given_ids, target_ids = (
        tokenizer(text, return_tensors="pt").input_ids for text in (given, target)
    )
    with torch.no_grad():
        return float(model(input_ids=given_ids, labels=target_ids).loss)


@pytest.mark.parametrize("batch_tokens", [1, 4096])
def test_it_is_the_models_own_loss(translator_folder, batch_tokens):  # noqa: F811
    with settings.using(batch_tokens=batch_tokens):
        found = (
            BartScore(model=translator_folder)
            .statistics(CORPUS, SYSTEM, threads=1)
            .counts[:, 0]
            .tolist()
        )
    pairs = [
        (reference, hypothesis)
        for references, hypothesis in zip(REFERENCES, SYSTEM.sentences, strict=True)
        for reference in references
    ]
    assert found == pytest.approx([-loss(translator_folder, *pair) for pair in pairs], abs=1e-5)


def test_the_likelier_reference_counts(translator_folder):  # noqa: F811
    (result,) = evaluate(CORPUS, [SYSTEM], [f"bartscore:model={translator_folder}"])
    scores = [-loss(translator_folder, text, SYSTEM.sentences[0]) for text in REFERENCES[0]]
    assert result.references is not None
    assert result.references[0] == scores.index(max(scores))
    assert result.score == pytest.approx(result.sentence_scores.mean())
    assert result.score < 0
    assert "bartscore|model:translator|revision:" in result.signature
