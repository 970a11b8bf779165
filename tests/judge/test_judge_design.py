"""Items: equal outputs merged, pairs balanced, strata, limits, overlaps and controls."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError, UsageError
from corrigenda.judge.balance import BalancedPairs
from corrigenda.judge.broken_copy import broken_copy
from corrigenda.judge.design import CampaignDesign, SentenceSelection, design
from corrigenda.judge.settings import CampaignSettings
from examples import examples
from judging import corpus_and_systems

TEXTS = st.sampled_from(["", "a b", "a  b", "b a", "c", "a b c d", "d c b a"])


def designed(corpus: Corpus, systems: list[Hypotheses], *, seed: int = 0, items: int | None = None,
             **options: object) -> CampaignDesign:  # fmt: skip
    return design(
        corpus, systems, CampaignSettings(**options), SentenceSelection(items=items), seed
    )


@st.composite
def small_campaigns(draw: st.DrawFn) -> tuple[Corpus, list[Hypotheses]]:
    sentences, systems = draw(st.integers(1, 6)), draw(st.integers(2, 5))
    rows = st.lists(TEXTS, min_size=sentences, max_size=sentences)
    sources = [text or "source" for text in draw(rows)]
    corpus = Corpus.from_lists(sources, [], references_by="text")
    return corpus, [Hypotheses(f"S{number}", draw(rows)) for number in range(systems)]


@settings(max_examples=examples(60))
@given(small_campaigns(), st.integers(2, 6), st.integers(0, 3))
def test_every_item_shows_different_outputs_of_its_sentence(
    texts: tuple[Corpus, list[Hypotheses]], size: int, seed: int
) -> None:
    corpus, systems = texts
    expected = {
        number: {" ".join(system.sentences[number].split()) for system in systems}
        for number in range(len(corpus))
    }
    try:
        found = designed(corpus, systems, candidates=size, seed=seed)
    except CorrigendaError:
        assert all(len(outputs) == 1 for outputs in expected.values())
        return
    for item in found.items:
        source = found.sources[item.source]
        shown = [" ".join(source.outputs[number].text.split()) for number in item.outputs]
        assert len(set(shown)) == len(shown) >= 2
        if item.kind == "main":
            assert len(shown) == min(size, len(expected[source.number]))
            assert set(shown) <= expected[source.number]
        else:
            assert len(shown) <= max(size, 2)
            assert {item.clean, item.broken} <= set(item.outputs)
    for source in found.sources:
        written = [system for output in source.outputs for system in output.systems]
        assert sorted(written) == list(range(len(systems)))
        assert (source.state == "agreed") == (len(expected[source.number]) == 1)
    judged = [item.source for item in found.items if item.kind == "main"]
    assert sorted(judged) == [
        place for place, source in enumerate(found.sources) if source.state == "judged"
    ]


@pytest.mark.parametrize(("systems", "size"), [(5, 2), (8, 5), (13, 5), (6, 3)])
def test_every_pair_of_systems_meets_about_equally_often(systems: int, size: int) -> None:
    balance = BalancedPairs(systems, np.random.default_rng(0))
    outputs = [(number,) for number in range(systems)]
    for _ in range(200):
        assert len(set(balance.draw(outputs, size))) == size
    met = balance.counts[np.triu_indices(systems, k=1)]
    assert met.sum() == 200 * size * (size - 1) / 2
    assert met.max() - met.min() <= 2 + 0.1 * met.mean()


def test_a_seed_decides_everything() -> None:
    texts = corpus_and_systems(20, 7)
    assert designed(*texts, seed=3, candidates=3) == designed(*texts, seed=3, candidates=3)
    assert designed(*texts, seed=3, candidates=3) != designed(*texts, seed=4, candidates=3)


def test_more_items_than_sentences_show_other_outputs() -> None:
    found = designed(*corpus_and_systems(4, 6), candidates=2, items=30, controls=0.0)
    kinds = {(item.source, item.outputs) for item in found.items}
    assert len(kinds) == len(found.items) == 30


def test_the_share_of_overlaps_is_spread_evenly() -> None:
    found = designed(*corpus_and_systems(100, 3), overlap=0.15, controls=0.1)
    main = [item.needed for item in found.items if item.kind == "main"]
    assert main.count(2) == 15
    assert all(main[begin : begin + 20].count(2) == 3 for begin in range(0, 100, 20))
    controls = [item for item in found.items if item.kind == "control"]
    assert len(controls) == 10
    for item in controls:
        outputs = found.sources[item.source].outputs
        assert outputs[item.broken].systems == ()
        assert outputs[item.clean].systems != ()


def test_every_beginning_has_the_strata_in_equal_shares() -> None:
    corpus, systems = corpus_and_systems(40, 3)
    strata = ["rare" if number % 4 == 0 else "common" for number in range(40)]
    selection = SentenceSelection(strata=strata, items=20)
    found = design(corpus, systems, CampaignSettings(controls=0.0), selection, 1)
    chosen = [found.sources[item.source].stratum for item in found.items]
    assert chosen.count("rare") == 5
    assert chosen[:8].count("rare") == 2


def test_limits_and_lists_say_why_a_sentence_is_left_out() -> None:
    corpus, systems = corpus_and_systems(10, 3)
    selection = SentenceSelection(fewest_words=8, sentences={0, 1, 2, 3})
    found = design(corpus, systems, CampaignSettings(), selection, 0)
    assert [source.state for source in found.sources] == [
        "length", "judged", "judged", "judged", *["unlisted"] * 6,
    ]  # fmt: skip


def test_source_and_reference_can_be_judged_but_not_the_shown_reference() -> None:
    corpus = Corpus.from_lists(["a b"], [["shown"], ["judged"]], references_by="text")
    systems = [Hypotheses("S", ["c"])]
    found = designed(
        corpus, systems, include=("source", "reference"), show_reference=True, controls=0.0
    )
    assert found.sources[0].reference == "shown"
    assert [(system.name, system.kind) for system in found.systems] == [
        ("S", "system"), ("INPUT", "source"), ("REFERENCE", "reference"),
    ]  # fmt: skip
    assert [output.text for output in found.sources[0].outputs] == ["c", "a b", "judged"]


def test_context_is_the_neighbours_in_the_file() -> None:
    corpus, systems = corpus_and_systems(3, 2)
    found = designed(corpus, systems, context=1)
    assert [(each.before, each.after) for each in found.sources] == [
        ("", corpus.sources[1]), (corpus.sources[0], corpus.sources[2]), (corpus.sources[1], ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["a b", "a,b", "", "a\u3000b", "a\u2028b", "a\x85b", "a\x1b[31m", "\u202ea", "a\u200b"]
)
def test_names_that_files_of_judgments_cannot_hold_are_refused(name: str) -> None:
    corpus = Corpus.from_lists(["x"], [], references_by="text")
    with pytest.raises(UsageError, match="name"):
        designed(corpus, [Hypotheses(name, ["y"]), Hypotheses("B", ["z"])])


@settings(max_examples=examples(60))
@given(st.text("ab ", min_size=1, max_size=14), st.integers(0, 5))
def test_a_broken_copy_is_longer_and_differs(text: str, seed: int) -> None:
    copy = broken_copy(text, np.random.default_rng(seed), [])
    if copy is not None:
        assert "".join(copy.split()) != "".join(text.split())
        assert len(copy) > len(" ".join(text.split())) - 1


def test_a_broken_copy_is_never_another_output() -> None:
    words = "one two three four five"
    made = broken_copy(words, np.random.default_rng(0), [])
    assert made is not None
    assert made != broken_copy(words, np.random.default_rng(0), [made])
    assert broken_copy("one", np.random.default_rng(0), []) is None
    assert broken_copy("我今天很高兴", np.random.default_rng(0), []) is not None


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"candidates": 7}, "--candidates"),
        ({"repeats": 1.5}, "--repeats"),
        ({"repeats": 0.4, "controls": 0.4}, "more than half"),
        ({"stop": "soon"}, "--stop"),
        ({"stop": "0"}, "--stop"),
        ({"completion_url": "javascript:x"}, "--completion-url"),
    ],
)
def test_settings_are_checked(options: dict[str, object], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        CampaignSettings(**options)


def test_a_pair_has_two_outputs() -> None:
    assert CampaignSettings(mode="pair").candidates == 2
    found = designed(*corpus_and_systems(6, 4), mode="pair")
    assert all(len(item.outputs) == 2 for item in found.items)
    pairs = {item.outputs for item in found.items}
    assert pairs <= set(combinations(range(6), 2))
