"""The I-measure as a metric: the corpus in blocks, systems together, what is reported."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Annotation, Corpus, Edit, Hypotheses, evaluate
from corrigenda.core import evaluate as evaluation
from corrigenda.kernels.limits import SentenceSizeError
from corrigenda.metrics import imeasure_references
from corrigenda.metrics.imeasure import IMeasure
from examples import examples
from small_corpora import Case, cases

# --- blocks and threads ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("optimise", ["sentence", "corpus"])
@pytest.mark.parametrize("size", [1, 2, 3])
@settings(max_examples=examples(15))
@given(
    case=cases(min_sentences=2, max_sentences=7, max_words=5),
    level=st.sampled_from(["corpus", "sentence"]),
)
def test_blocks_of_any_size_give_the_same(case: Case, level: Any, size: int, optimise: str) -> None:
    specification = f"imeasure:optimise={optimise},max_references=2"
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        (whole,) = evaluate(case.corpus, [case.hypotheses], [specification], level=level)
        patch.setattr(evaluation, "BLOCK_SENTENCES", size)
        (blocks,) = evaluate(case.fresh().corpus, [case.hypotheses], [specification], level=level)
    assert blocks.to_dict(per_sentence=True) == whole.to_dict(per_sentence=True)


@settings(max_examples=examples(30))
@given(
    case=cases(min_sentences=2, max_sentences=7, max_words=5),
    batch=st.sampled_from([0, 2_000]),
    remembered=st.sampled_from([0, 2_000]),
)
def test_batches_of_any_size_give_the_same(case: Case, batch: int, remembered: int) -> None:
    """References that are dropped and made again for each system change nothing."""
    systems = [case.hypotheses, Hypotheses("source", case.corpus.sources)]
    whole = evaluate(case.corpus, systems, ["imeasure"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imeasure_references, "_BATCH_BYTES", batch)
        patch.setattr(imeasure_references, "_REMEMBERED_BYTES", remembered)
        batches = evaluate(case.fresh().corpus, systems, ["imeasure"])
    assert [each.to_dict(per_sentence=True) for each in batches] == [
        each.to_dict(per_sentence=True) for each in whole
    ]


@given(
    st.lists(st.lists(st.sampled_from([0, 1, 1 << 40]), min_size=3, max_size=3), max_size=12),
)
def test_the_first_of_equal_rows(rows: list[list[int]]) -> None:
    found = imeasure_references._first_of_equal(np.array(rows, np.int64).reshape(-1, 3))
    assert found.tolist() == [place for place, row in enumerate(rows) if row not in rows[:place]]


def test_references_with_equal_counts_share_a_row() -> None:
    """Each of three errors may be left alone: of eight references, only four counts differ."""
    edits = tuple(Edit(at, at + 1, ("x",)) for at in range(3))
    corpus = Corpus(
        ("a b c d",), (("x x x d", "a b c d"),), ((Annotation(0, edits), Annotation(1, ())),)
    )
    (result,) = evaluate(corpus, [Hypotheses("system", ("a b x d",))], ["imeasure"])
    assert result.chosen is not None
    statistics = result.chosen.statistics
    assert statistics.references.tolist() == [8]
    assert len(statistics.counts) == len(np.unique(statistics.counts, axis=0)) < 8
    assert result.references is not None
    assert result.references.tolist() == [6]  # the last error is corrected, the others are not


def test_too_many_different_counts_are_refused_with_the_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CORRIGENDA_MAX_MEMORY", "1")
    corpus = many_errors(8)
    copies = corpus.at([1] + [0] * 4_000)
    system = Hypotheses("system", copies.sources)
    with pytest.raises(SentenceSizeError, match=r"^sentence 3496: the 3,496 different counts"):
        evaluate(copies, [system], ["imeasure"])


@settings(max_examples=examples(40))
@given(cases(min_sentences=2, max_sentences=7))
def test_threads_give_the_same(case: Case) -> None:
    results = [
        evaluate(case.fresh().corpus, [case.hypotheses], ["imeasure"], threads=threads)[0].to_dict(
            per_sentence=True
        )
        for threads in (1, 4)
    ]
    assert results[0] == results[1]


@settings(max_examples=examples(40))
@given(cases(min_sentences=1, max_sentences=4), cases(min_sentences=1, max_sentences=4))
def test_systems_share_work_and_not_results(case: Case, other: Case) -> None:
    """Scored together or alone, first or last, a system has the same result."""
    sentences = [
        (*other.hypotheses.sentences, *case.corpus.sources)[: len(case.corpus)],
        case.hypotheses.sentences,
    ]
    systems = [
        Hypotheses("other", tuple(sentences[0])),
        case.hypotheses,
        replace(case.hypotheses, name="again"),
    ]
    together = evaluate(case.corpus, systems, ["imeasure"])
    alone = [evaluate(case.fresh().corpus, [system], ["imeasure"])[0] for system in systems]
    assert [result.to_dict() for result in together] == [result.to_dict() for result in alone]


# --- what is reported -----------------------------------------------------------------------------

COUNTS = {"tp", "tn", "fp", "fn", "fpn"}
MEASURES = {"precision", "recall", "f", "acc", "wacc", "wacc_base", "i"}


@settings(max_examples=examples(40))
@given(cases())
def test_the_shape_of_the_json(case: Case) -> None:
    (result,) = evaluate(case.corpus, [case.hypotheses], ["imeasure"])
    data = json.loads(json.dumps(result.to_dict(per_sentence=True)))
    assert list(data["counts"]) == ["detection", "correction"]
    for aspect in ("detection", "correction"):
        assert set(data["counts"][aspect]) == COUNTS
        assert all(type(count) is int for count in data["counts"][aspect].values())
        assert set(data[aspect]) == MEASURES
    assert data["score"] == data["correction"]["i"]
    assert (data["precision"], data["recall"]) == (
        data["correction"]["precision"],
        data["correction"]["recall"],
    )
    assert data["remarks"] == {"sentences_not_mixed": 0}
    for sentence in data["sentences"]:
        assert {name: set(counts) for name, counts in sentence["counts"].items()} == {
            "detection": COUNTS, "correction": COUNTS,
        }  # fmt: skip
    for aspect in ("detection", "correction"):
        for name in COUNTS:
            counts = [sentence["counts"][aspect][name] for sentence in data["sentences"]]
            assert sum(counts) == data["counts"][aspect][name]


@settings(max_examples=examples(40))
@given(cases(), st.sampled_from([1.5, 2.0, 4.0]))
def test_the_papers_properties(case: Case, weight: float) -> None:
    """I lies in [-1, 1]; the source has I 0 unless it is right already, and its WAcc is its Acc."""
    source = Hypotheses("source", case.corpus.sources)
    system, unchanged = evaluate(case.corpus, [case.hypotheses, source], [IMeasure(w=weight)])
    assert -1 <= system.score <= 1
    assert unchanged.counts["detection"] == unchanged.counts["correction"]
    values = unchanged.measures["correction"]
    assert values["wacc"] == values["acc"] == values["wacc_base"]
    perfect = unchanged.counts["correction"]["fn"] == 0
    assert unchanged.score == (1.0 if perfect else 0.0)


def many_errors(errors: int) -> Corpus:
    """Two sentences: one without errors, and one in which every second word has two corrections."""
    words = [f"w{number}" for number in range(2 * errors)]
    gold = tuple(
        Annotation(
            who, tuple(Edit(at, at + 1, (f"{words[at]}-{who}",)) for at in range(0, len(words), 2))
        )
        for who in (0, 1)
    )
    references = tuple(
        " ".join(f"{word}-{who}" if place % 2 == 0 else word for place, word in enumerate(words))
        for who in (0, 1)
    )
    nothing = (Annotation(0, ()), Annotation(1, ()))
    return Corpus((" ".join(words), "fine"), (references, ("fine", "fine")), (gold, nothing))


def test_too_many_references_are_reported_and_never_made() -> None:
    corpus = many_errors(60)  # 2 ** 60 mixed references
    system = Hypotheses("system", (corpus.references[0][1], "fine"))
    with pytest.warns(
        UserWarning, match=r"1 of 2 sentences \(the first is: w0 w1 .* …\) allow more than 20000"
    ):
        (result,) = evaluate(corpus, [system], ["imeasure"])
    assert result.remarks == {"sentences_not_mixed": 1}
    assert result.to_dict()["remarks"] == {"sentences_not_mixed": 1}
    assert result.references is not None
    assert result.references.tolist() == [1, 0]
    assert result.score == 1


def test_the_bound_is_the_number_of_combinations() -> None:
    half = Hypotheses(
        "half",
        (" ".join(f"w{n}-{n // 2 % 2}" if n % 2 == 0 else f"w{n}" for n in range(8)), "fine"),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (mixed,) = evaluate(many_errors(4), [half], ["imeasure:max_references=16"])
        (own,) = evaluate(many_errors(4), [half], ["imeasure:mix=false"])
    assert (mixed.score, mixed.remarks) == (1, {"sentences_not_mixed": 0})
    assert own.remarks == {}
    with pytest.warns(UserWarning, match="more than 15 mixed references"):
        (bounded,) = evaluate(many_errors(4), [half], ["imeasure:max_references=15"])
    assert bounded.score == own.score < 1
    assert bounded.remarks == {"sentences_not_mixed": 1}
