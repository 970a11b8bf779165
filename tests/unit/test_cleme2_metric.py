"""CLEME 2.0 against its definition in slow Python, by hand, and against CLEME's own counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate, metric
from corrigenda.analysis.explain import explain
from corrigenda.edits import Annotation, Edit, apply_edits, extract_edits
from corrigenda.errors import MetricError
from corrigenda.metrics.cleme2 import COUNTS
from examples import examples
from small_corpora import cases
from tiny_models import encoder_folder, needs_torch  # noqa: F401

CORPUS_WEIGHTS = (0.45, 0.35, 0.15, 0.05)
SENTENCE_WEIGHTS = (0.35, 0.25, 0.20, 0.20)


def edits_of(source: str, text: str) -> tuple[Edit, ...]:
    return extract_edits(source.split(), text.split())


def system_of(corpus: Corpus, *outputs: str) -> Hypotheses:
    return Hypotheses("ours", outputs, tuple(map(edits_of, corpus.sources, outputs)))


def corpus_of(source: str, *references: str) -> Corpus:
    gold = tuple(Annotation(i, edits_of(source, text)) for i, text in enumerate(references))
    return Corpus((source,), (references,), (gold,))


# The definition, slowly.


def oracle_chunks(words: list[str], versions: list[tuple[Edit, ...]]) -> list[list]:
    """For each merged span: the source's words, then each version's words or None."""
    spans: list[list[int]] = []
    for start, end in sorted((edit.start, edit.end) for edits in versions for edit in edits):
        if spans and start <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([start, end])
    found = []
    for start, end in spans:
        row: list = [words[start:end]]
        for edits in versions:
            inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
            moved = [Edit(e.start - start, e.end - start, e.corrections) for e in inside]
            row.append(apply_edits(words[start:end], moved) if inside else None)
        found.append(row)
    return found


def oracle_counts(chunks: list[list], references: list[int]) -> dict[str, int]:
    counts = dict.fromkeys(("tp", "fp_needed", "fp_unneeded", "fn"), 0)
    for source, ours, *theirs in chunks:
        texts = [source if theirs[place] is None else theirs[place] for place in references]
        if ours is not None and ours in texts:
            counts["tp"] += 1
        elif ours is not None:
            changed = any(theirs[place] is not None for place in references)
            counts["fp_needed" if changed else "fp_unneeded"] += 1
        elif all(text != source for text in texts):
            counts["fn"] += 1
    return counts


def oracle_score(counts: dict[str, float], weights: tuple[float, ...]) -> float:
    tp, needed, unneeded, fn = (counts[name] for name in ("tp", "fp_needed", "fp_unneeded", "fn"))
    necessary = tp + needed + fn
    proposed = tp + needed + unneeded
    hit, wrong, under = ((x / necessary if necessary else 0) for x in (tp, needed, fn))
    over = unneeded / proposed if proposed else 0
    a, b, c, d = weights
    return a * hit + b * (1 - wrong) + c * (1 - under) + d * (1 - over)


def oracle_rows(corpus: Corpus, system: Hypotheses, *, independent: bool) -> list[list[dict]]:
    """The counts of every sentence against each reference, or against all at once."""
    found = []
    for i, source in enumerate(corpus.sources):
        texts = corpus.references[i]
        filled = [place for place, text in enumerate(texts) if text.split()]
        filled = filled or list(range(len(texts)))
        gold = [corpus.gold[i][place].edits for place in filled]
        chunks = oracle_chunks(source.split(), [system.edits[i], *gold])
        together = [list(range(len(filled)))] if independent else [[k] for k in range(len(filled))]
        found.append([oracle_counts(chunks, places) for places in together])
    return found


def add(first: dict, second: dict) -> dict:
    return {name: first[name] + second[name] for name in first}


def oracle_corpus(rows: list[list[dict]]) -> float:
    """In corpus order, the reference with the best score so far."""
    total = dict.fromkeys(rows[0][0], 0)
    for references in rows:

        def key(counts: dict, total: dict = total) -> tuple:
            wrong = counts["fp_needed"] + counts["fp_unneeded"]
            score = oracle_score(add(total, counts), CORPUS_WEIGHTS)
            return score, counts["tp"], -wrong, -counts["fn"]

        total = add(total, max(references, key=key))
    return oracle_score(total, CORPUS_WEIGHTS)


@settings(max_examples=examples(150))
@given(whole=cases(max_sentences=4, min_words=1), independent=st.booleans())
def test_it_is_the_definition(whole, independent):
    system = system_of(whole.corpus, *whole.hypotheses.sentences)
    tested = metric(f"cleme2:assumption={'independent' if independent else 'dependent'}")
    rows = oracle_rows(whole.corpus, system, independent=independent)
    (result,) = evaluate(whole.corpus, [system], [tested], level="sentence")
    best = [max(oracle_score(row, SENTENCE_WEIGHTS) for row in sentence) for sentence in rows]
    assert result.sentence_scores == pytest.approx(best)
    (result,) = evaluate(whole.corpus, [system], [tested])
    if not _has_ties(rows):
        assert result.score == pytest.approx(oracle_corpus(rows))


def _has_ties(rows: list[list[dict]]) -> bool:
    """Whether two references may have scores so far that differ only by rounding."""
    total = dict.fromkeys(rows[0][0], 0)
    for references in rows:
        scores = [oracle_score(add(total, row), CORPUS_WEIGHTS) for row in references]
        if any(
            abs(x - y) < 1e-12 and one != other
            for x, one in zip(scores, references, strict=True)
            for y, other in zip(scores, references, strict=True)
        ):
            return True
        total = add(total, references[int(np.argmax(scores))])
    return False


@settings(max_examples=examples(60))
@given(whole=cases(max_sentences=3), independent=st.booleans(), length=st.booleans())
def test_its_counts_add_up_to_those_of_cleme(whole, independent, length):
    system = system_of(whole.corpus, *whole.hypotheses.sentences)
    parameters = (
        f"assumption={'independent' if independent else 'dependent'},"
        f"weighting={'length' if length else 'none'}"
    )
    old, new = (
        metric(f"{name}:{parameters}").statistics(whole.corpus, system, threads=1).counts
        for name in ("cleme", "cleme2")
    )
    for level in (0, 1):
        ours = dict(zip(COUNTS, new[:, 5 * level : 5 * level + 5].T, strict=True))
        tp, fp, fn, tn = old[:, 4 * level : 4 * level + 4].T
        np.testing.assert_array_equal(ours["tp"], tp)
        np.testing.assert_array_equal(ours["fn"], fn)
        np.testing.assert_array_equal(ours["tn"], tn)
        np.testing.assert_allclose(ours["fp_needed"] + ours["fp_unneeded"], fp, rtol=1e-12)


# By hand.


def test_wrong_where_a_change_was_needed_and_where_none_was():
    corpus = corpus_of("a b c d e f g h i", "a X c Y e Z g h i")
    (result,) = evaluate(corpus, [system_of(corpus, "a X c W e f g V i")], ["cleme2"])
    counts = {name: result.counts[name] for name in COUNTS}
    assert counts == {"tp": 1, "fp_needed": 1, "fn": 1, "tn": 5, "fp_unneeded": 1}
    rates = {"hit": 1 / 3, "wrong": 1 / 3, "under": 1 / 3, "over": 1 / 3}
    assert dict(result.measures.more) == pytest.approx(rates)
    assert result.score == pytest.approx(0.45 / 3 + 0.55 * 2 / 3)


def test_nothing_to_correct():
    """By definition; the page says so."""
    corpus = corpus_of("a b", "a b")
    (result,) = evaluate(corpus, [system_of(corpus, "a b")], ["cleme2"])
    assert result.score == pytest.approx(0.55)


def test_the_weights_of_the_program():
    corpus = corpus_of("a b c", "a X c")
    tested = "cleme2:hit=0.5,wrong=0.4,under=0.05,over=0.05"
    (result,) = evaluate(corpus, [system_of(corpus, "a b c")], [tested])
    assert result.score == pytest.approx(0.4 + 0.05)
    assert "|hit:0.5|wrong:0.4|under:0.05|over:0.05|" in result.signature


@pytest.mark.parametrize(
    "specification",
    [
        "cleme2:hit=0.5",
        "cleme2:hit=-0.1,wrong=1.1,under=0,over=0",
        "cleme2:model=somewhere",
        "cleme2:layer=3",
        "cleme2:weighting=similarity,assumption=independent",
    ],
)
def test_parameters_that_make_no_sense(specification):
    with pytest.raises(MetricError):
        metric(specification)


def test_an_empty_reference_takes_no_part_beside_another():
    for references, chosen in ((("", "a X c"), 1), (("a X c", ""), 0)):
        corpus = corpus_of("a b c", *references)
        for level in ("corpus", "sentence"):
            (result,) = evaluate(corpus, [system_of(corpus, "a X c")], ["cleme2"], level=level)
            assert result.references.tolist() == [chosen]
            assert result.counts["tp"] == 1


def test_explanation():
    corpus = corpus_of("a b c d e", "a X c d e", "a b c Y e")
    system = system_of(corpus, "a X c Z e")
    for assumption, verdicts in (
        ("dependent", ["right", "not needed"]),
        ("independent", ["right", "wrong, but a change was needed"]),
    ):
        (result,) = evaluate(
            corpus, [system], [f"cleme2:assumption={assumption}"], level="sentence"
        )
        (table,) = explain(corpus, system, result)
        assert [row[-1].text for row in table.rows] == verdicts


@pytest.mark.model("torch")
@needs_torch
def test_weights_by_similarity_are_differences_of_bertscore(encoder_folder):  # noqa: F811
    source, reference = "he go to school every days", "he goes to school every day"
    corpus = corpus_of(source, reference)
    system = system_of(corpus, "he goes to a school every days")
    tested = metric(f"cleme2:weighting=similarity,model={encoder_folder}")
    counts = tested.statistics(corpus, system, threads=1).counts[0, :5]

    def f1(text: str) -> float:
        (result,) = evaluate(
            Corpus((source,), ((reference,),)),
            [Hypotheses("one", (text,))],
            [f"bertscore:model={encoder_folder}"],
        )
        return result.score

    before = f1(source)
    alone = {
        "tp": "he goes to school every days",
        "fp_unneeded": "he go to a school every days",
        "fn": "he go to school every day",
    }
    found = dict(zip(COUNTS, counts.tolist(), strict=True))
    for name, text in alone.items():
        assert found[name] == pytest.approx(abs(f1(text) - before), abs=1e-9)
        assert found[name] > 0
    assert found["fp_needed"] == 0
    assert found["tn"] == 3
