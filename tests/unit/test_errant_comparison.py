"""Counts and choices equal those of the errant package's scorer, also for repeated edits."""

from __future__ import annotations

from argparse import Namespace
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.edits import Annotation, Edit, apply_edits, first_overlap
from corrigenda.edits.matching import category
from examples import examples

WORDS = ["w0", "w1", "w2", "w3"]
FLAGS = {"correction": "cs", "correction-type": "cse", "detection": "ds", "token-detection": "dt"}
TYPES = ("R:NOUN", "M:DET", "U:DET", "R:VERB:SVA", "UNK")


@st.composite
def edit_lists(draw: st.DrawFn) -> tuple[Edit, ...]:
    spans = st.integers(0, 4).flatmap(
        lambda start: st.tuples(st.just(start), st.integers(start, min(start + 2, 4)))
    )
    edits: list[Edit] = []
    for (start, end), text, kind in draw(
        st.lists(
            st.tuples(spans, st.sampled_from(["", "x", "y"]), st.sampled_from(TYPES)), max_size=4
        )
    ):
        found = Edit(start, end, (text,), kind)
        if first_overlap([*edits, found]) is None:
            edits.append(found)
    return tuple(edits)


@pytest.fixture(scope="module")
def scorer() -> ModuleType:
    """The errant package's own scorer."""
    return pytest.importorskip("errant.commands.compare_m2")


SENTENCES = st.lists(
    st.tuples(edit_lists(), st.lists(edit_lists(), min_size=1, max_size=3)), min_size=1, max_size=4
)


def original(scorer, sentences, mode, beta):
    """The total counts of errant_compare, and its counts per type."""
    args = Namespace(
        dt=mode == "token-detection", ds=mode == "detection", cse=mode == "correction-type",
        beta=beta, single=False, multi=False, filt=[], verbose=False,
    )  # fmt: skip
    best, by_type = {"tp": 0, "fp": 0, "fn": 0}, {}

    def rows(edits, coder):
        noop = [[-1, -1, "noop", "-NONE-", coder]]
        return [[edit.start, edit.end, edit.type, edit.correction, coder] for edit in edits] or noop

    for system, references in sentences:
        gold = [row for coder, edits in enumerate(references) for row in rows(edits, coder)]
        counts, types = scorer.evaluate_edits(
            scorer.process_edits(rows(system, 0), args),
            scorer.process_edits(gold, args),
            best,
            0,
            "",
            args,
        )
        best = {name: best[name] + counts[name] for name in best}
        by_type = scorer.merge_dict(by_type, types)
    return best, by_type


def scored(sentences, specification):
    source = " ".join(WORDS)
    corpus = Corpus(
        (source,) * len(sentences),
        tuple(
            tuple(" ".join(apply_edits(WORDS, edits)) for edits in refs) for _, refs in sentences
        ),
        tuple(tuple(Annotation(i, edits) for i, edits in enumerate(refs)) for _, refs in sentences),
    )
    outputs = tuple(" ".join(apply_edits(WORDS, edits)) for edits, _ in sentences)
    system = Hypotheses("system", outputs, tuple(edits for edits, _ in sentences))
    return evaluate(corpus, [system], [specification])[0]


@pytest.mark.model
@pytest.mark.parametrize("mode", FLAGS)
@settings(max_examples=examples(60))
@given(sentences=SENTENCES, beta=st.sampled_from([0.5, 1.0]))
def test_counts_choices_and_types_are_the_original_ones(scorer, mode, sentences, beta):
    result = scored(sentences, f"errant:mode={mode},beta={beta}")
    counts, types = original(scorer, sentences, mode, beta)
    assert result.counts == counts
    ours = {
        kind: tuple(entry.counts.values()) for kind, entry in result.types.get("both", {}).items()
    }
    assert ours == {kind: tuple(numbers) for kind, numbers in types.items()}
    for place, tier in enumerate(("operation", "type"), 1):
        # The original changes the lists that it gets, so each call needs copies.
        grouped = scorer.processCategories(
            {kind: list(numbers) for kind, numbers in types.items()}, place
        )
        ours = {
            kind: list(entry.counts.values()) for kind, entry in result.types.get(tier, {}).items()
        }
        assert ours == grouped


def test_any_listed_correction_is_accepted():
    gold = (Edit(0, 1, ("x", "y"), "R:NOUN"),)
    result = scored([((Edit(0, 1, ("y",), "R:NOUN"),), [gold])], "errant")
    assert result.counts == {"tp": 1, "fp": 0, "fn": 0}


def test_unknown_errors_can_be_kept_or_dropped():
    marked = (Edit(0, 1, ("",), "UNK"),)
    assert scored([((), [marked])], "errant").counts["fn"] == 0
    assert scored([((), [marked])], "errant:unk=keep").counts["fn"] == 1
    assert scored([((), [marked])], "errant:mode=detection").counts["fn"] == 1
    assert scored([((), [marked])], "errant:mode=detection,unk=drop").counts["fn"] == 0


def test_types_of_other_schemes_get_their_operation():
    assert category(Edit(1, 1, ("x",), "ArtOrDet")) == "M:ArtOrDet"
    assert category(Edit(1, 2, ("",), "ArtOrDet")) == "U:ArtOrDet"
    assert category(Edit(1, 2, ("x",), "ArtOrDet")) == "R:ArtOrDet"
    assert category(Edit(1, 2, ("x",), "UNK")) == "UNK"


def test_signature_of_given_edits_names_no_versions():
    signature = scored([((), [()])], "errant").signature
    assert "|gold:annotated|edits:given|" in signature
    assert "spacy" not in signature


def test_sentence_without_edits_on_either_side_scores_one():
    result = scored([((), [()])], "errant")
    assert result.score == 1.0
    assert result.sentence_scores.tolist() == [1.0]
