"""A reward is the score of a sentence, to the last bit, for any batches in any order."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corrigenda
from corrigenda.corpus import Corpus
from corrigenda.errors import (
    AlignmentError,
    CorrigendaError,
    FormatError,
    MetricError,
    UsageError,
)
from corrigenda.metrics import metric
from corrigenda.rewards.counting import CorpusCounter
from corrigenda.rewards.recent import Recent
from corrigenda.text.sentences import one_line
from examples import examples
from reference_free import KeptWords

METRICS = [
    "green",
    "green:n=1,beta=0.5",
    "green:unit=char",
    "green:unit=char,whitespace=raw,n=3",
    "gleu",
    "gleu:variant=paper,references=best",
    "gleu:variant=2015,lambda=0.1",
    "gleu:unit=char,n=2",
    "gleu:words=ascii",
    "green:unit=grapheme",
    "green:unit=grapheme,whitespace=raw,n=3",
    "bleu",
    "bleu:effective_order=false",
    "m2",
    "imeasure",
    "pt-m2:scorer=self",
]
pieces = st.sampled_from(
    ["a", "b", "c", "é", "\udc80", " ", "  ", "\u2003", "e\u0301", "\t", " a b c a b "]
)
sentences = st.lists(pieces, max_size=10).map("".join)
outputs = st.one_of(
    sentences, st.lists(st.one_of(pieces, st.sampled_from(["zz", "\n", "\x00"]))).map("".join)
)
targets = st.tuples(sentences, st.lists(sentences, min_size=1, max_size=3))


@st.composite
def batches(draw):
    """Several hypotheses for some of the sources, in any order."""
    of_epoch = draw(st.lists(targets, min_size=1, max_size=4))
    return draw(st.lists(st.tuples(st.sampled_from(of_epoch), outputs), min_size=1, max_size=8))


def arguments(batch):
    return (
        [source for (source, _), _ in batch],
        [hypothesis for _, hypothesis in batch],
        [references for (_, references), _ in batch],
    )


def expected(name, batch):
    sources, hypotheses, references = arguments(batch)
    corpus = Corpus.from_lists(sources, references, references_by="sentence")
    system = {"": [one_line(hypothesis) for hypothesis in hypotheses]}
    return corrigenda.evaluate(corpus, system, [name], level="sentence")[0].sentence_scores


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=examples(8))
@given(data=st.data())
def test_rewards_are_sentence_scores(name, data):
    reward = corrigenda.reward(name, cache_size=data.draw(st.integers(0, 3)))
    for batch in data.draw(st.lists(batches(), min_size=1, max_size=3)):
        scores = reward(*arguments(batch))
        assert scores.dtype == np.float64
        np.testing.assert_array_equal(scores, expected(name, batch))


def test_real_text(conll, conll_systems):
    """Every sentence of a system, in batches of 64, twice."""
    reward = corrigenda.reward("green")
    system = conll_systems["AMU"]
    whole = corrigenda.evaluate(conll, [system], ["green"], level="sentence")[0].sentence_scores
    for _ in range(2):
        parts = [
            reward(conll.sources[part], system.sentences[part], conll.references[part])
            for part in conll.blocks(64)
        ]
        np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_one_reference_needs_no_list():
    reward = corrigenda.reward("green")
    one = reward(["a b", "c"], ["a b", "d"], ["a b", "c"])
    np.testing.assert_array_equal(one, reward(["a b", "c"], ["a b", "d"], [["a b"], ["c"]]))


def test_sequences_of_other_kinds():
    reward = corrigenda.reward("green")
    arrays = reward(np.array(["a b"]), np.array(["a b"]), np.array([["a b", "b"]]))
    np.testing.assert_array_equal(arrays, reward(("a b",), ("a b",), (("a b", "b"),)))


def test_a_metric_without_references_takes_none():
    """References may be left out, be None, be empty, or be given all the same."""
    sources, hypotheses = ["a b c d", "a b", "a b c d"], ["a b c x", "a b\n", "d"]
    expected = [0.75, 1.0, 0.25]
    for references in ((), (None,), ([],), ([[], None, []],), (["a", "b", "c"],)):
        reward = corrigenda.reward(KeptWords())
        for _ in range(2):
            assert reward(sources, hypotheses, *references).tolist() == expected
    over = corrigenda.reward(KeptWords(), baseline="source")(sources, hypotheses)
    assert over.tolist() == [-0.25, 0.0, -0.75]


def test_an_empty_batch_has_no_scores():
    for name in ("green", "m2"):
        assert corrigenda.reward(name)([], [], []).shape == (0,)
        assert corrigenda.reward(name)([], []).shape == (0,)


def test_a_baseline_is_the_score_of_the_unchanged_source():
    sources, hypotheses, references = (
        ["a b c d", "a b c d"],
        ["a x c d", "a b c d"],
        [["a x c d"], ["a y c d"]],
    )
    plain = corrigenda.reward("green")
    over = corrigenda.reward("green", baseline="source")(sources, hypotheses, references)
    np.testing.assert_array_equal(
        over, plain(sources, hypotheses, references) - plain(sources, sources, references)
    )
    assert over[0] > 0
    assert over[1] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["green", "m2"])
def test_threads_may_share_a_reward(name):
    reward = corrigenda.reward(name, cache_size=50)
    batches = [
        ([f"a b {i % 7}"] * 40, [f"a {j} {i}" for j in range(40)], [[f"a c {i % 5}", "a b"]] * 40)
        for i in range(60)
    ]
    alone = [corrigenda.reward(name)(*batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda batch: reward(*batch), batches))
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_reward_can_be_pickled():
    reward = corrigenda.reward("green:beta=1", baseline="source", threads=1, cache_size=5)
    reward(["a"], ["b"], ["a"])
    again = pickle.loads(pickle.dumps(reward))
    assert (
        repr(again)
        == repr(reward)
        == "reward('green:beta=1', baseline='source', threads=1, cache_size=5)"
    )
    np.testing.assert_array_equal(again(["a"], ["b"], ["a"]), reward(["a"], ["b"], ["a"]))


@pytest.mark.parametrize("name", ["cleme", "bertscore:idf=true", "pt-m2:idf=true"])
def test_metrics_of_a_whole_corpus_are_refused(name):
    with pytest.raises(MetricError, match="needs the whole corpus"):
        corrigenda.reward(name)


@pytest.mark.parametrize("name", ["cleme:weighting=none", "bertscore", "pt-errant", "bartscore"])
def test_metrics_that_only_share_work_are_allowed(name):
    assert corrigenda.reward(name).metric == metric(name)


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (
            (["a"], ["a", "b"], ["a"]),
            AlignmentError,
            "1 sources, 2 hypotheses, references for 1 sentences",
        ),
        (("a", ["a"], ["a"]), FormatError, "sources is one string"),
        ((["a"], ["a"], "a"), FormatError, "references is one string"),
        ((["a"], 1, ["a"]), FormatError, "hypotheses is int, not a list"),
        (({"a": 1}, ["a"], ["a"]), FormatError, "sources is dict, not a list"),
        ((["a"], {"a"}, ["a"]), FormatError, "hypotheses is set, not a list"),
        ((["a"], ["a"], iter(["a"])), FormatError, "references is list_iterator, not a list"),
        ((["a"], [None], ["a"]), FormatError, "hypotheses: item 1 is NoneType, not a string"),
        (
            (["a"], ["a"], [3]),
            FormatError,
            "references: item 1 is int, not a list of strings",
        ),
        ((["a"], ["a"], [[]]), UsageError, "{name} needs references, but the source 'a' has none"),
        ((["a"], ["a"], []), UsageError, "{name} needs references, but the source 'a' has none"),
        ((["a"], ["a"], None), UsageError, "{name} needs references, but the source 'a' has none"),
        (
            (["a"], ["a"], [None]),
            UsageError,
            "{name} needs references, but the source 'a' has none",
        ),
        ((["a"], ["a"]), UsageError, "{name} needs references, but the source 'a' has none"),
        ((["a"], ["a"], [[None]]), FormatError, "references: sentence 1 is NoneType"),
        (
            (["a"], ["a"], [[["a"]]]),
            FormatError,
            "references of sentence 1: item 1 is list, not a string",
        ),
        (([3], ["a"], ["a"]), FormatError, "source: sentence 1 is int"),
        (([["a"]], ["a"], ["a"]), FormatError, "sources: item 1 is list"),
        ((["a\nb"], ["a"], ["a"]), FormatError, "contains a line end"),
    ],
)
@pytest.mark.parametrize("name", ["green", "m2"])
def test_mistakes_are_named(name, given, kind, message):
    with pytest.raises(kind, match=message.format(name=name)):
        corrigenda.reward(name)(*given)


@pytest.mark.parametrize("options", [{"threads": 0}, {"cache_size": -1}, {"baseline": "reference"}])
def test_options_are_checked(options):
    with pytest.raises(CorrigendaError, match=next(iter(options))):
        corrigenda.reward("green", **options)


def test_references_of_a_batch_are_prepared_once(monkeypatch):
    """Eight outputs per source are eight systems of one corpus. The next batch finds it again."""
    made = []
    monkeypatch.setattr(
        "corrigenda.rewards.counting.Corpus", lambda *given: made.append(given) or Corpus(*given)
    )
    reward = corrigenda.reward("m2")
    assert isinstance(reward._counter, CorpusCounter)
    sources = [source for source in ("a b", "c d") for _ in range(8)]
    for epoch in range(3):
        reward(
            sources, [f"{source} {epoch} {n}" for n, source in enumerate(sources)], [["a x"]] * 16
        )
    assert [sources for sources, _ in made] == [("a b", "c d")]


def test_recent_values_are_kept_within_bounds():
    recent = Recent(3)
    made = []

    def make(key):
        made.append(key)
        return f"value {key}"

    for key in range(100):
        assert recent.get_all([key, max(0, key - 1), max(0, key - 2)], make)[0] == f"value {key}"
        assert len(recent) <= 6
    assert made == list(range(100))
    recent.get_all([0], make)
    assert made[-1] == 0


def test_recent_values_may_weigh_more():
    recent = Recent(10, len)
    for text in ("abcd", "efgh", "ijkl", "x" * 11, "mnop", ""):
        assert recent.get_all([text], str.upper)[0] == text.upper()
    assert len(recent) <= 5
