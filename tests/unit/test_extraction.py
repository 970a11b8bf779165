"""The edits of a system where some sentences, or all of them, have no references."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corrigenda.analysis.extraction import compare_system
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import sample_systems
from corrigenda.edits import Edit, apply_edits, extract_edits
from corrigenda.edits.comparison import ComparedSentence
from errant_model import cache, errant_ready, model  # noqa: F401
from reference_free import without_references
from small_corpora import sentences


def edits(sentence: ComparedSentence) -> list[Edit]:
    (comparison,) = sentence.comparisons
    assert comparison.annotator is None
    assert comparison.gold == comparison.missed == ()
    assert sentence.chosen == 0
    assert all(matched.gold is None for matched in comparison.edits)
    return [matched.edit for matched in comparison.edits]


@given(st.lists(st.tuples(sentences(), sentences()), max_size=4))
def test_without_references_edits_lead_to_the_output(pairs: list[tuple[str, str]]) -> None:
    """They are those of M², which may cut ties in another way than `extract_edits`."""
    corpus = Corpus.from_lists([source for source, _ in pairs])
    compared = compare_system(
        corpus, Hypotheses("s", tuple(output for _, output in pairs)), threads=1
    )
    assert [(each.source, each.hypothesis) for each in compared] == pairs
    for each, (source, output) in zip(compared, pairs, strict=True):
        words = source.split()
        assert apply_edits(words, edits(each)) == output.split()
        assert len(edits(each)) == len(extract_edits(words, output.split()))


def test_some_sentences_have_references() -> None:
    corpus, system = without_references(every=3), sample_systems()[0]
    compared = compare_system(corpus, system, threads=1)
    assert [each.hypothesis for each in compared] == list(system.sentences)
    judged = [place for place in range(len(corpus)) if place % 3]
    for place, each in enumerate(compared):
        assert all((found.annotator in (0, 1, 2)) == (place % 3 > 0) for found in each.comparisons)
    assert [compared[place] for place in judged] == compare_system(
        corpus.at(judged), system.at(judged), threads=1
    )


def test_options_of_the_extractor_count() -> None:
    corpus, system = Corpus.from_lists(["this is it"]), Hypotheses("s", ("This is them",))
    (every,) = compare_system(corpus, system, threads=1)
    assert edits(every) == [Edit(0, 1, ("This",), "R"), Edit(2, 3, ("them",), "R")]
    (real,) = compare_system(corpus, system, threads=1, ignore_case_whitespace=True)
    assert edits(real) == [Edit(2, 3, ("them",), "R")]


def test_errant_has_types_of_its_own(errant_ready) -> None:  # noqa: F811
    corpus, system = Corpus.from_lists(["He go home ."]), Hypotheses("s", ("He goes home today .",))
    (found,) = compare_system(corpus, system, extractor="errant", threads=1)
    assert edits(found) == [
        Edit(1, 2, ("goes",), "R:VERB:SVA"),
        Edit(3, 3, ("today",), "M:NOUN"),
    ]
