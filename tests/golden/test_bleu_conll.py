"""BLEU equals sacreBLEU with tokenize="none", at both levels."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from corrigenda import evaluate, metric
from corrigenda.corpus import Corpus, Hypotheses
from examples import examples
from lazily import Lazily
from public_data import CONLL_SYSTEMS, IS_FULL
from small_corpora import cases

sacrebleu = Lazily("sacrebleu")


def corpus_bleu() -> sacrebleu.BLEU:
    return sacrebleu.BLEU(tokenize="none", smooth_method="none", force=True)


def sentence_bleu() -> sacrebleu.BLEU:
    return sacrebleu.BLEU(tokenize="none", smooth_method="exp", effective_order=True)


def reference_texts(corpus: Corpus) -> list[list[str | None]]:
    """sacreBLEU's shape: a list for each reference, None where a sentence has no more of them."""
    most = max(map(len, corpus.references))
    return [[refs[k] if k < len(refs) else None for refs in corpus.references] for k in range(most)]


def words_only(sentences: tuple[str, ...]) -> list[str]:
    return [" ".join(sentence.split()) for sentence in sentences]


def compare_corpus(corpus: Corpus, hypotheses: Hypotheses) -> None:
    theirs = corpus_bleu().corpus_score(words_only(hypotheses.sentences), reference_texts(corpus))
    ours = evaluate(corpus, [hypotheses], [metric("bleu")])[0]
    assert ours.counts["matches"] == theirs.counts
    assert ours.counts["ngrams"] == theirs.totals
    assert ours.counts["hypothesis_length"] == theirs.sys_len
    assert ours.counts["reference_length"] == theirs.ref_len
    assert 100 * ours.score == pytest.approx(theirs.score, abs=1e-9)


def compare_sentences(corpus: Corpus, hypotheses: Hypotheses) -> None:
    ours = evaluate(corpus, [hypotheses], [metric("bleu")], level="sentence")[0]
    bleu = sentence_bleu()
    rows = zip(
        words_only(hypotheses.sentences), corpus.references, ours.sentence_scores, strict=True
    )
    for sentence, references, score in rows:
        theirs = bleu.sentence_score(sentence, list(references)).score
        assert 100 * score == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("system", [*(CONLL_SYSTEMS if IS_FULL else CONLL_SYSTEMS[::3]), "NULL"])
def test_corpus_level_on_conll(conll, conll_systems, system):
    compare_corpus(conll, conll_systems[system])


@pytest.mark.parametrize("system", ["AMU", "NULL"])
def test_every_sentence_on_conll(conll, conll_systems, system):
    compare_sentences(conll, conll_systems[system])


@settings(max_examples=examples(50))
@given(cases())
def test_corpus_level_on_small_texts(case):
    compare_corpus(case.corpus, case.hypotheses)


@settings(max_examples=examples(50))
@given(cases())
def test_sentence_level_on_small_texts(case):
    compare_sentences(case.corpus, case.hypotheses)
