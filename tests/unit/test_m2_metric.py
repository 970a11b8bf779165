"""M² as a metric: its parameters, its gold, its limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from corrigenda.analysis.extraction import compare_system, extractor_options, extractors
from corrigenda.core.f_scores import edit_keys
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Annotation, Edit, apply_edits
from corrigenda.errors import CorrigendaError, FormatError, MetricError, UsageError
from corrigenda.metrics import metric
from corrigenda.metrics.m2 import M2
from corrigenda.scoring import evaluate
from small_corpora import Case, cases

SOURCE = "This are a sentence ."


def corpus_of(*annotators: list[Edit], source: str = SOURCE) -> Corpus:
    gold = tuple(Annotation(number, tuple(edits)) for number, edits in enumerate(annotators))
    return Corpus((source,), (tuple(source for _ in annotators),), (gold,))


def counts(corpus: Corpus, hypothesis: str, specification: str = "m2") -> tuple[int, int, int]:
    found = evaluate(corpus, {"system": [hypothesis]}, [specification])[0].counts
    return found["correct"], found["proposed"], found["gold"]


IS = Edit(1, 2, ("is", "was"), "SVA")


def test_right_wrong_and_missing() -> None:
    corpus = corpus_of([IS])
    assert counts(corpus, "This is a sentence .") == (1, 1, 1)
    assert counts(corpus, "This was a sentence .") == (1, 1, 1)
    assert counts(corpus, "This be a sentence .") == (0, 1, 1)
    assert counts(corpus, SOURCE) == (0, 0, 1)
    assert counts(corpus, "") == (0, 1, 1)


def test_blanks_do_not_matter() -> None:
    assert counts(corpus_of([IS]), "  This  is a\tsentence . ") == (1, 1, 1)


def test_the_better_annotator_counts() -> None:
    corpus = corpus_of([Edit(0, 1, ("These",))], [IS])
    result = evaluate(corpus, {"system": ["This is a sentence ."]}, ["m2"])[0]
    assert result.references is not None
    assert result.references.tolist() == [1]
    assert result.score == 1.0


def test_gold_from_reference_texts_and_the_signature_says_so() -> None:
    texts = Corpus.from_lists(
        [SOURCE], [["This is a sentence ."], ["These are sentences ."]], references_by="text"
    )
    result = evaluate(texts, {"system": ["These are sentences ."]}, ["m2"])[0]
    assert "|gold:extracted|" in result.signature
    assert "|refs:2|" in result.signature
    assert result.counts == {"correct": 2, "proposed": 2, "gold": 2}
    annotated = evaluate(corpus_of([IS]), {"system": [SOURCE]}, ["m2"])[0]
    assert "|gold:annotated|" in annotated.signature


def test_case_and_blanks_can_be_ignored() -> None:
    corpus = corpus_of([IS, Edit(3, 4, ("Sentence",))])
    hypothesis = "this is a sen tence ."
    assert counts(corpus, hypothesis) == (1, 3, 2)
    assert counts(corpus, hypothesis, "m2:ignore_case_whitespace=true") == (1, 1, 2)
    assert counts(corpus, "This are a Sentence .", "m2:ignore_case_whitespace=true") == (0, 0, 2)


def test_nothing_to_correct() -> None:
    corpus = corpus_of([])
    assert evaluate(corpus, {"system": [SOURCE]}, ["m2"])[0].score == 1.0
    assert evaluate(corpus, {"system": ["This is a sentence ."]}, ["m2"])[0].score == 0.0


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2])
def test_score_is_f_beta_of_precision_and_recall(beta: float) -> None:
    m2 = M2(beta=beta)
    totals = np.array([[c, p, g] for p in range(4) for g in range(4) for c in range(min(p, g) + 1)])
    measures = m2.measures(totals, "corpus")
    for precision, recall, found in zip(
        measures["precision"], measures["recall"], m2.score(totals), strict=True
    ):
        below = beta * beta * precision + recall
        expected = (1 + beta * beta) * precision * recall / below if below else 0.0
        assert found == pytest.approx(expected)


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2])
def test_choice_compares_the_score(beta: float) -> None:
    m2 = M2(beta=beta)
    for totals in [(0, 0, 0), (0, 0, 3), (0, 2, 0), (1, 2, 3)]:
        assert edit_keys(totals, beta)[0] == pytest.approx(float(m2.score(np.array(totals))))


@pytest.mark.parametrize("wrong", ["beta=-1", "beta=nan", "beta=inf", "max_unchanged_words=-1"])
def test_wrong_parameters(wrong: str) -> None:
    with pytest.raises(MetricError):
        metric(f"m2:{wrong}")


def test_gold_edit_beyond_the_sentence_of_a_corpus_made_by_hand() -> None:
    corpus = Corpus(
        ("a b", "a"),
        (("a b",), ("a",)),
        ((Annotation(0, ()),), (Annotation(0, (Edit(1, 2, ("x",)),)),)),
    )
    with pytest.raises(FormatError, match="sentence 2 has 1 words, but a gold edit has the span"):
        M2().statistics(corpus, Hypotheses("system", ("a b", "a")), threads=1)


@given(cases())
def test_threads_do_not_matter(case: Case) -> None:
    one = M2().statistics(case.corpus, case.hypotheses, threads=1)
    several = M2().statistics(case.fresh().corpus, case.hypotheses, threads=3)
    assert np.array_equal(one.counts, several.counts)
    assert np.array_equal(one.offsets, several.offsets)


@given(cases())
def test_extracted_edits_rebuild_the_hypothesis_and_agree_with_the_counts(case: Case) -> None:
    statistics = M2().statistics(case.corpus, case.hypotheses, threads=1)
    compared = compare_system(case.corpus, case.hypotheses, threads=1)
    rows = [comparison for sentence in compared for comparison in sentence.comparisons]
    assert [list(row.counts.values()) for row in rows] == statistics.counts.tolist()
    for sentence in compared:
        for comparison in sentence.comparisons:
            edits = [matched.edit for matched in comparison.edits]
            assert " ".join(apply_edits(sentence.source.split(), edits)) == " ".join(
                sentence.hypothesis.split()
            )
            used = [matched.gold for matched in comparison.edits if matched.gold is not None]
            assert sorted([*used, *comparison.missed]) == list(range(len(comparison.gold)))


@given(cases())
def test_chosen_annotators_are_those_of_the_corpus_score(case: Case) -> None:
    result = evaluate(case.corpus, [case.hypotheses], ["m2:beta=1"])[0]
    compared = compare_system(case.corpus, case.hypotheses, threads=1, beta=1.0)
    assert result.references is not None
    assert [sentence.chosen for sentence in compared] == result.references.tolist()
    totals = [sum(s.comparisons[s.chosen].counts[name] for s in compared) for name in result.counts]
    assert totals == list(result.counts.values())


def test_extracted_edits_without_case_changes() -> None:
    compared = compare_system(
        corpus_of([IS]),
        Hypotheses("s", ("this is a sentence .",)),
        threads=1,
        ignore_case_whitespace=True,
    )
    assert [matched.edit for matched in compared[0].comparisons[0].edits] == [
        Edit(1, 2, ("is",), "SVA")
    ]


def test_no_sentences_have_no_edits() -> None:
    assert compare_system(Corpus((), (), ()), Hypotheses("s", ()), threads=1) == []


def test_extractors_are_the_metrics_that_offer_it() -> None:
    assert extractors() == ["m2", "errant"]
    assert "max_unchanged_words" in extractor_options("m2")
    with pytest.raises(CorrigendaError, match="no extractor 'green'"):
        compare_system(Corpus((), (), ()), Hypotheses("s", ()), extractor="green", threads=1)


@pytest.mark.parametrize(
    ("references", "what"), [(((), ()), "the corpus"), ((("a",), ()), "sentence 2")]
)
def test_edits_without_references_are_a_usage_error(references, what):
    corpus = Corpus(("a", "b"), references)
    with pytest.raises(UsageError, match=f"m2 needs references, but {what} has none"):
        M2().compare(corpus, Hypotheses("one", ("a", "c")), threads=1)


def test_a_line_too_far_from_its_source_for_the_exact_rule_is_remarked() -> None:
    source = " ".join(f"s{i}" for i in range(640))
    corpus = corpus_of([Edit(0, 1, ("h0",))], source=source)
    far = " ".join(f"h{i}" for i in range(640))
    with pytest.warns(UserWarning, match="m2: 1 sentence is so long and so far .* in far"):
        result = evaluate(corpus, {"far": [far]}, ["m2"])[0]
    assert result.remarks == {"sentences_by_short_form": 1}
    assert result.counts == {"correct": 1, "proposed": 2, "gold": 1}
    assert evaluate(corpus, {"near": [source]}, ["m2"])[0].remarks == {}
