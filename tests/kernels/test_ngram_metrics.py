"""GREEN and GLEU equal their definitions on corpora full of repeats, ties and empty sentences."""

from __future__ import annotations

import math
from dataclasses import replace

import oracle_scores
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda import Corpus, evaluate
from corrigenda.kernels.text_ngrams import count_text_ngrams
from corrigenda.metrics.gleu import Gleu
from corrigenda.metrics.green import REGIONS, Green
from small_corpora import Case, case, cases

orders = st.integers(1, 5)
betas = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.7])
units = st.sampled_from(["word", "char"])


def split(sentence: str, unit: str) -> list[str]:
    return sentence.split() if unit == "word" else list(" ".join(sentence.split()))


def rows(case: Case, unit: str):
    """Source, references and hypothesis of each sentence, in units."""
    for source, references, hypothesis in zip(
        case.corpus.sources, case.corpus.references, case.hypotheses.sentences, strict=True
    ):
        yield (
            split(source, unit),
            [split(text, unit) for text in references],
            split(hypothesis, unit),
        )


def result_of(case: Case, metric, level: str):
    (result,) = evaluate(case.corpus, [case.hypotheses], [metric], level=level, threads=1)
    return result


@given(cases(), orders, betas, units)
def test_green(case, n, beta, unit):
    metric = Green(n=n, beta=beta, unit=unit)
    candidates = [
        [oracle_scores.regions(source, reference, hypothesis, n) for reference in references]
        for source, references, hypothesis in rows(case, unit)
    ]
    picks = [oracle_scores.green_choice(references, beta) for references in candidates]
    chosen = [references[pick] for references, pick in zip(candidates, picks, strict=True)]
    totals = [
        sum((of_sentence[k] for of_sentence in chosen), oracle_scores.Counter()) for k in range(n)
    ]

    corpus_level = result_of(case, metric, "corpus")
    assert corpus_level.references.tolist() == picks
    assert corpus_level.counts == {
        region: [total[region] for total in totals] for region in REGIONS
    }
    assert corpus_level.score == pytest.approx(oracle_scores.green(totals, beta), abs=1e-12)
    scores = [oracle_scores.green(of_sentence, beta) for of_sentence in chosen]
    sentence_level = result_of(case, metric, "sentence")
    assert sentence_level.sentence_scores.tolist() == pytest.approx(scores, abs=1e-12)
    assert sentence_level.score == pytest.approx(math.fsum(scores) / len(scores), abs=1e-12)


@pytest.mark.parametrize("n", [1, 4])
def test_green_takes_the_earlier_of_equally_good_references(n):
    """Precision 1/4 and recall 1/2, or 1/5 and 1: F is 1/3 against both."""
    tied = case(("b",), (("a", "b"),), ("a a a a b",))
    assert result_of(tied, Green(n=n, beta=1.0), "corpus").references.tolist() == [0]


def gleu_candidates(case: Case, n: int, unit: str, variant: str):
    return [
        [
            oracle_scores.gleu_counts(source, reference, hypothesis, n, variant)
            for reference in references
        ]
        for source, references, hypothesis in rows(case, unit)
    ]


variants = st.sampled_from(["official", "paper"])


@given(cases(max_references=1), orders, units, variants)
def test_gleu_of_a_single_reference(case, n, unit, variant):
    candidates = gleu_candidates(case, n, unit, variant)
    expected = oracle_scores.gleu_sampled(candidates, 1)
    for references in ("sampled", "best", "mean"):
        metric = Gleu(variant=variant, n=n, unit=unit, references=references, draws=3)
        assert result_of(case, metric, "corpus").score == pytest.approx(expected, abs=1e-12)


@st.composite
def with_equally_many_references(draw: st.DrawFn) -> Case:
    """Two or three references for every sentence, as files of references have."""
    case, number = draw(cases(max_sentences=5)), draw(st.integers(2, 3))
    pool = [reference for references in case.corpus.references for reference in references]
    references = tuple(
        (*own, *(pool[(index + k) % len(pool)] for k in range(number)))[:number]
        for index, own in enumerate(case.corpus.references)
    )
    return Case(replace(case.corpus, references=references, gold=None), case.hypotheses)


@given(with_equally_many_references(), orders, variants, st.integers(1, 9))
def test_gleu_of_sampled_references(case, n, variant, draws):
    expected = oracle_scores.gleu_sampled(gleu_candidates(case, n, "word", variant), draws)
    metric = Gleu(variant=variant, n=n, draws=draws)
    assert result_of(case, metric, "corpus").score == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("draws", [10, 500])
def test_gleu_of_sampled_ragged_references(draws):
    """A sentence with one reference also uses up a number; the next sentence gets the next one."""
    sources = ("a b", "a b c", "b c d", "d")
    ragged = case(sources, (("a b",), ("a b c",), ("b x d", "b c"), ("d", "d e")), sources)
    expected = oracle_scores.gleu_sampled(gleu_candidates(ragged, 1, "word", "official"), draws)
    assert result_of(ragged, Gleu(n=1, draws=draws), "corpus").score == pytest.approx(
        expected, abs=1e-12
    )


@given(cases(), orders, variants, st.booleans())
def test_gleu_sentences(case, n, variant, smooth):
    candidates = [
        [oracle_scores.gleu_sentence(counted, smooth=smooth) for counted in references]
        for references in gleu_candidates(case, n, "word", variant)
    ]
    means = [sum(scores) / len(scores) for scores in candidates]
    for references, expected in (
        ("sampled", means),
        ("mean", means),
        ("best", list(map(max, candidates))),
    ):
        metric = Gleu(variant=variant, n=n, smooth=smooth, references=references, draws=2)
        result = result_of(case, metric, "sentence")
        assert result.sentence_scores.tolist() == pytest.approx(expected, abs=1e-12)
        assert result.score == pytest.approx(math.fsum(expected) / len(expected), abs=1e-12)


@given(cases(), orders, variants)
def test_gleu_best_reference_at_corpus_level(case, n, variant):
    """Of several equally good references, the chosen one has the best sentence score."""
    result = result_of(case, Gleu(variant=variant, n=n, references="best"), "corpus")
    candidates = gleu_candidates(case, n, "word", variant)
    for references, pick in zip(candidates, result.references, strict=True):
        scores = [oracle_scores.gleu_sentence(counted, smooth=False) for counted in references]
        assert scores[pick] == pytest.approx(max(scores), abs=1e-12)
    chosen = [
        references[pick] for references, pick in zip(candidates, result.references, strict=True)
    ]
    total = chosen[0]
    for counted in chosen[1:]:
        total = total + counted
    assert result.score == pytest.approx(oracle_scores.gleu(total), abs=1e-12)


def test_metrics_share_their_counts_in_any_order(monkeypatch):
    """GREEN needs fewer counts than GLEU. Beside GLEU it takes GLEU's, and scores the same."""
    from corrigenda.metrics import ngrams

    calls = []

    def counted(*args, **options):
        calls.append(options["types"])
        return count_text_ngrams(*args, **options)

    monkeypatch.setattr(ngrams, "count_text_ngrams", counted)
    texts = (
        ["a b c d e", "the the cat sat"],
        [["a b x d e", "the cat sat"]],
        ["a b x e e", "the sat"],
    )

    def scores(*metrics: str) -> dict[str, float]:
        corpus = Corpus.from_lists(texts[0], texts[1], references_by="text")
        found = evaluate(corpus, {"system": texts[2]}, metrics, health="off")
        return {result.metric.name: result.score for result in found}

    alone = scores("green") | scores("gleu")
    assert calls == [False, True]
    assert scores("green", "gleu") == scores("gleu", "green") == alone
    assert calls == [False, True, True, True]
