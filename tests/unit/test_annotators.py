"""The annotators en, any, ud and zh, and those of other packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from corrigenda import Corpus, evaluate
from corrigenda.annotation import ANNOTATORS, find_annotator, registry, spacy_annotator
from corrigenda.annotation.annotator import AnnotatorChoice, Merger
from corrigenda.annotation.request import Request
from corrigenda.annotation.text_annotator import TextAnnotator
from corrigenda.edits import Edit
from corrigenda.errors import CorrigendaError, MetricError
from errant_model import cache  # noqa: F401

PLAIN = "the annotator any needs neither spaCy nor errant"


def edits(name: str, source: str, target: str, merger: Merger = "auto", **choice: str):
    annotator = find_annotator(name, AnnotatorChoice(merger, **choice))
    wanted = Request(source, target)
    return [
        (edit.start, edit.end, edit.type, edit.correction)
        for edit in annotator.annotate([wanted], threads=1)[wanted]
    ]


SOURCE, TARGET = "Der Hund bellen laut .", "Der großer Hunde bellt laut und lang ."


def test_any_with_each_merger():
    assert edits("any", SOURCE, TARGET) == edits("any", SOURCE, TARGET, "all-merge")
    assert edits("any", SOURCE, TARGET, "all-merge") == [
        (1, 3, "R", "großer Hunde bellt"),
        (4, 4, "M", "und lang"),
    ]
    assert edits("any", SOURCE, TARGET, "all-split") == [
        (1, 1, "M", "großer"),
        (1, 2, "R", "Hunde"),
        (2, 3, "R", "bellt"),
        (4, 4, "M", "und"),
        (4, 4, "M", "lang"),
    ]
    assert edits("any", SOURCE, TARGET, "all-equal") == [
        (1, 1, "M", "großer"),
        (1, 3, "R", "Hunde bellt"),
        (4, 4, "M", "und lang"),
    ]


def test_any_of_equal_and_empty_sentences():
    assert edits("any", "a b", "a b") == []
    assert edits("any", "", "a b") == [(0, 0, "M", "a b")]
    assert edits("any", "a b", "") == [(0, 2, "U", "")]


@pytest.mark.parametrize("name", ["any", "zh"])
def test_given_spans_get_types_and_lose_equal_ends(name):
    spans = ((0, 2, 0, 2), (2, 3, 2, 2), (3, 3, 2, 3))
    wanted = Request("a b c", "a x d", spans)
    found = find_annotator(name, AnnotatorChoice()).annotate([wanted], threads=1)[wanted]
    types = {"any": ("R", "U", "M"), "zh": ("S", "R", "M")}[name]
    assert found == (
        Edit(1, 2, ("x",), types[0]),
        Edit(2, 3, ("",), types[1]),
        Edit(3, 3, ("d",), types[2]),
    )


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("我 每 天 跑 步", "我 每 天 都 跑 步", [(3, 3, "M", "都")]),
        ("我 很 很 高 兴", "我 很 高 兴", [(1, 2, "R", "")]),
        ("我 建 康", "我 健 康", [(1, 2, "S", "健")]),
        # Characters that change places are one edit.
        ("我 书 读", "我 读 书", [(1, 3, "W", "读 书")]),
        # So are two texts around one that stays,
        ("小 猫 追 大 狗", "大 狗 追 小 猫", [(0, 5, "W", "大 狗 追 小 猫")]),
        # and a text that was moved, with one other character at most.
        ("我 昨 天 去 了 学 校", "我 去 了 学 校 昨 天", [(1, 7, "W", "去 了 学 校 昨 天")]),
        # Neighbouring substitutions are one edit, and other changes join them.
        ("买 1 0 个", "买 十 个", [(1, 3, "S", "十")]),
        ("我 想 要 去", "我 希 望 能 去", [(1, 3, "S", "希 望 能")]),
        # Punctuation does not move.
        ("， 我 们 走", "我 们 走 ，", [(0, 1, "R", ""), (4, 4, "M", "，")]),
    ],
)
def test_chinese_by_characters(source, target, expected):
    assert edits("zh", source, target) == expected


def test_chinese_needs_blanks_between_characters():
    with pytest.raises(CorrigendaError, match="has no blanks") as error:
        edits("zh", "我每天跑步", "我每天都跑步")
    assert "--tokenise zh" in str(error.value)


@pytest.mark.parametrize(
    "metric", ["errant", "cleme", "cleme2", "gotoscorer", "pt-errant:scorer=self"]
)
@pytest.mark.parametrize("name", ["any", "zh"])
def test_every_metric_of_typed_edits_takes_every_annotator(metric, name, monkeypatch):
    monkeypatch.setenv("CORRIGENDA_SPACY_MODEL", "/no/such/folder")
    corpus = Corpus.from_lists(["她 是 很 高 兴 。", "我 书 读"], [["她 很 高 兴 。", "我 读 书"]])
    asked = f"{metric}{',' if ':' in metric else ':'}edits={name}"
    (result,) = evaluate(corpus, {"system": ["她 很 高 兴 。", "我 书 读"]}, [asked])
    assert 0 < result.score < 1
    merger = {"any": "all-merge", "zh": "rules"}[name]
    assert f"|annotator:{name}|rules:1|merger:{merger}|" in result.signature


def test_any_needs_neither_spacy_nor_errant(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    corpus = Corpus.from_lists(["ein Hund"], [["ein Hund bellt"]])
    (result,) = evaluate(corpus, {"system": ["ein Hund bellt"]}, ["errant:edits=any"])
    assert result.score == 1, PLAIN


def test_wrong_names_and_mergers_are_refused_when_the_metric_is_made():
    from corrigenda import metric

    with pytest.raises(MetricError, match="there is no annotator 'anny'") as error:
        metric("errant:edits=anny")
    assert "Did you mean 'any'? The annotators are: en, any, ud, zh" in str(error.value)
    with pytest.raises(MetricError, match="'any' has no merger 'rules'") as error:
        metric("cleme:edits=any,merger=rules")
    assert "It has: all-merge, all-split, all-equal." in str(error.value)
    with pytest.raises(MetricError, match="merger is 'none'"):
        metric("errant:merger=none")


def test_every_registered_annotator_has_what_the_registry_asks_for():
    for name in ANNOTATORS:
        found = registry.annotator_class(name)
        assert found.mergers
        assert "auto" not in found.mergers
        assert isinstance(found.packages, tuple)


class LengthAnnotator(TextAnnotator):
    """An annotator of another package: one edit for the whole sentence."""

    version = "7"

    def spans(self, source, target):
        return [(0, len(source), 0, len(target))]

    def type_of(self, source, target):
        return f"R:{len(source)}"


@pytest.fixture
def plugged_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    point = EntryPoint("lengths", f"{__name__}:LengthAnnotator", registry.ENTRY_POINTS)

    def entry_points(*, group: str):
        return [point] if group == "corrigenda_annotators" else []

    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry._added.cache_clear()
    yield
    registry._added.cache_clear()
    registry._found.cache_clear()


def test_another_package_adds_an_annotator_by_an_entry_point(plugged_in):
    corpus = Corpus.from_lists(["a b c"], [["a b d"]])
    (result,) = evaluate(corpus, {"system": ["a b d"]}, ["errant:edits=lengths"])
    assert result.counts == {"tp": 1, "fp": 0, "fn": 0}
    assert result.types["both"].keys() == {"R:3"}
    assert "|annotator:lengths|rules:7|merger:rules|" in result.signature


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A German pipeline that knows a few words."""
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("de")
    ruler = nlp.add_pipe("attribute_ruler")
    for words, lemma, kind in [
        ("der die den Der Die", "der", "DET"),
        ("Hund Hunde hund", "Hund", "NOUN"),
        ("Katze Katzen", "Katze", "NOUN"),
        ("bellt bellen", "bellen", "VERB"),
        ("laut", "laut", "ADV"),
        (".", ".", "PUNCT"),
    ]:
        for word in words.split():
            ruler.add([[{"ORTH": word}]], {"POS": kind, "LEMMA": lemma})
    folder = tmp_path_factory.mktemp("models") / "de_tiny"
    nlp.to_disk(folder)
    yield str(folder)
    registry._found.cache_clear()
    spacy_annotator.loaded.cache_clear()


@pytest.mark.model("spacy")
@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("Hund bellt", "der Hund bellt", [(0, 0, "M:DET", "der")]),
        ("der Hund bellt laut", "der Hund bellt", [(3, 4, "U:ADV", "")]),
        ("der Hunde bellt", "der Hund bellt", [(1, 2, "R:NOUN:FORM", "Hund")]),
        ("der Katze bellt", "der Hund bellt", [(1, 2, "R:NOUN", "Hund")]),
        ("der hund bellt", "der Hund bellt", [(1, 2, "R:ORTH", "Hund")]),
        ("der laut bellt", "der Hund bellt", [(1, 2, "R:OTHER", "Hund")]),
        ("der bellt Hund", "der Hund bellt", [(1, 3, "R:WO", "Hund bellt")]),
        ("der Wal bellt", "der Hai bellt", [(1, 2, "R:OTHER", "Hai")]),
    ],
)
def test_parts_of_speech_of_any_pipeline(german, cache, source, target, expected):  # noqa: F811
    assert edits("ud", source, target, spacy_model=german) == expected


@pytest.mark.model("spacy")
def test_parts_of_speech_in_a_metric(german, cache):  # noqa: F811
    corpus = Corpus.from_lists(["der Hunde bellen ."], [["der Hund bellt ."]])
    asked = f"errant:edits=ud,spacy_model={german}"
    (result,) = evaluate(corpus, {"system": ["der Hund bellen ."]}, [asked])
    assert result.counts == {"tp": 1, "fp": 0, "fn": 1}
    assert result.types["both"].keys() == {"R:NOUN:FORM", "R:VERB:FORM"}
    assert "|annotator:ud|rules:1|merger:all-split|spacy:" in result.signature
    assert "|spacy_model:de_pipeline-0.0.0|" in result.signature
    merged = f"{asked},merger=all-merge"
    (result,) = evaluate(corpus, {"system": ["der Hund bellen ."]}, [merged])
    assert result.counts == {"tp": 0, "fp": 1, "fn": 1}


@pytest.mark.model("spacy")
def test_a_pipeline_without_parts_of_speech_is_refused(tmp_path: Path, cache):  # noqa: F811
    spacy = pytest.importorskip("spacy")
    spacy.blank("cs").to_disk(tmp_path / "blank")
    with pytest.raises(CorrigendaError, match="gives no parts of speech") as error:
        edits("ud", "pes", "psi", spacy_model=str(tmp_path / "blank"))
    assert "write edits=any" in str(error.value)
