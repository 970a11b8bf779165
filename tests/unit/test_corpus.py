"""A corpus is aligned, or it is refused; it may have no references."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda import Annotation, Corpus, Edit, Hypotheses
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError
from corrigenda.formats import read_hypotheses, read_text

SOURCE = ["a b", "c", "d"]


def test_lists_by_text():
    corpus = Corpus.from_lists(SOURCE, [["A", "B", "C"], ["X", "Y", "Z"]])
    assert corpus.sources == ("a b", "c", "d")
    assert corpus.references == (("A", "X"), ("B", "Y"), ("C", "Z"))
    assert corpus.gold is None


def test_lists_by_sentence():
    corpus = Corpus.from_lists(
        SOURCE, [["A", "X"], ["B"], ["C", "Y", "Z"]], references_by="sentence"
    )
    assert corpus.references == (("A", "X"), ("B",), ("C", "Y", "Z"))
    assert corpus.reference_range == (1, 3)


def test_a_single_reference_may_be_a_plain_list():
    assert Corpus.from_lists(SOURCE, ["A", "B", "C"]).references == (("A",), ("B",), ("C",))


def test_the_square_is_ambiguous():
    square = [["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]]
    with pytest.raises(FormatError, match="two ways") as caught:
        Corpus.from_lists(SOURCE, square)
    assert 'references_by="text"' in caught.value.remedy
    by_text = Corpus.from_lists(SOURCE, square, references_by="text")
    by_sentence = Corpus.from_lists(SOURCE, square, references_by="sentence")
    assert by_text.references[0] == ("A", "D", "G")
    assert by_sentence.references[0] == ("A", "B", "C")


def test_one_sentence_with_one_reference_is_not_ambiguous():
    assert Corpus.from_lists(["a"], [["A"]]).references == (("A",),)


def test_one_sentence_with_several_references_by_sentence():
    assert Corpus.from_lists(["a"], [["A", "B"]], references_by="sentence").references == (
        ("A", "B"),
    )


def test_lists_by_sentence_are_refused_with_a_hint_without_references_by():
    with pytest.raises(AlignmentError) as caught:
        Corpus.from_lists(SOURCE, [["A", "X"], ["B"], ["C"]])
    assert 'references_by="sentence"' in str(caught.value)


@pytest.mark.parametrize(
    ("references", "shape"),
    [
        ([["A", "B"]], None),
        ([["A", "B", "C"], ["A", "B"]], "text"),
        ([["A", "B", "C", "D"]], "text"),
        (["A", "B"], None),
        ([["A"], ["B"]], "sentence"),
    ],
)
def test_counts_that_differ_are_refused_with_both_counts(references, shape):
    with pytest.raises(AlignmentError, match=r"3 source sentences but .*\b[1-9]\b") as caught:
        Corpus.from_lists(SOURCE, references, references_by=shape)
    assert caught.value.remedy


@pytest.mark.parametrize(
    "references", ["ABC", [["A", "B", "C"], "D"], [["A", "B", 3]], [["A", "B", None]]]
)
def test_shapes_that_are_not_references(references):
    with pytest.raises(CorrigendaError):
        Corpus.from_lists(SOURCE, references)


@pytest.mark.parametrize("references", [None, []])
@pytest.mark.parametrize("shape", [None, "text"])
def test_a_corpus_may_have_sources_alone(references, shape):
    corpus = Corpus.from_lists(SOURCE, references, references_by=shape)
    assert corpus.references == ((), (), ())
    assert corpus.reference_range == (0, 0)


def test_a_sentence_may_have_no_reference():
    corpus = Corpus.from_lists(SOURCE, [["A"], [], ["C"]], references_by="sentence")
    assert corpus.references == (("A",), (), ("C",))
    assert corpus.reference_range == (0, 1)


def test_references_belong_to_sentences():
    with pytest.raises(AlignmentError, match="1 source sentences but references for 2"):
        Corpus(("a",), (("A",), ("B",)))


@pytest.mark.parametrize("bad", ["a\nb", "a\0b", 3, None, b"a"])
def test_sentences_are_strings_of_one_line(bad):
    with pytest.raises(FormatError, match="sentence 2"):
        Corpus.from_lists(["a", bad], ["A", "B"])
    with pytest.raises(FormatError, match="sentence 2"):
        Corpus.from_lists(["a", "b"], [["A", bad]])


def test_one_string_is_not_a_list_of_sentences():
    with pytest.raises(FormatError, match="not one string"):
        Corpus.from_lists("abc", ["A", "B", "C"])


def test_from_text_wants_a_list_of_files(tmp_path):
    file = tmp_path / "text.txt"
    file.write_text("a\n", encoding="utf-8")
    for single in (file, str(file)):
        with pytest.raises(FormatError, match="list of files"):
            read_text(file, single)


def test_from_text_without_references(tmp_path):
    (tmp_path / "source.txt").write_text("a\nb\n", encoding="utf-8")
    assert read_text(tmp_path / "source.txt") == Corpus.from_lists(["a", "b"])


def test_from_text_names_every_file_with_its_count(tmp_path):
    for name, lines in (("source", 3), ("ref0", 3), ("ref1", 2)):
        (tmp_path / f"{name}.txt").write_text("x\n" * lines, encoding="utf-8")
    with pytest.raises(AlignmentError) as caught:
        read_text(tmp_path / "source.txt", [tmp_path / "ref0.txt", tmp_path / "ref1.txt"])
    lines = str(caught.value).splitlines()
    for name, count in (("source", 3), ("ref0", 3), ("ref1", 2)):
        assert any(f"{name}.txt" in line and str(count) in line.split() for line in lines)


def test_empty_lists():
    assert len(Corpus.from_lists([], [[]])) == 0
    assert Corpus.from_lists([], [[], []]).reference_range == (0, 0)


def test_sentences_are_kept_as_they_are():
    odd = ["  a \t b\u3000", "", "\u2028"]
    assert Corpus.from_lists(odd, [odd]).sources == tuple(odd)


def test_it_cannot_be_changed():
    corpus = Corpus.from_lists(SOURCE, [SOURCE])
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus.sources = ()
    hypotheses = Hypotheses("system", ("a",))
    with pytest.raises(dataclasses.FrozenInstanceError):
        hypotheses.name = "other"


@given(st.integers(0, 12), st.integers(1, 14))
def test_blocks_cover_the_corpus_in_order(sentences, size):
    gold = tuple((Annotation(0, (Edit(0, 0, (str(i),)),)),) for i in range(sentences))
    corpus = Corpus(
        tuple(map(str, range(sentences))), tuple((f"r{i}",) for i in range(sentences)), gold
    )
    parts = [corpus[part] for part in corpus.blocks(size)]
    assert all(1 <= len(part) <= size for part in parts)
    assert tuple(source for part in parts for source in part.sources) == corpus.sources
    assert tuple(refs for part in parts for refs in part.references) == corpus.references
    assert tuple(annotations for part in parts for annotations in part.gold) == corpus.gold


def test_what_is_computed_once_is_kept_for_the_corpus_alone():
    corpus, other = (Corpus.from_lists(SOURCE, [SOURCE]) for _ in range(2))
    values = iter(range(10))
    assert [corpus.once("key", lambda: next(values)) for _ in range(3)] == [0, 0, 0]
    assert other.once("key", lambda: next(values)) == 1
    first, second = Hypotheses("a", ("x",)), Hypotheses("a", ("x",))
    assert [corpus.latest("system key", first, lambda: next(values)) for _ in range(2)] == [2, 2]
    assert (
        corpus.latest("system key", second, lambda: next(values)) == 3
    )  # equal, but another system
    assert corpus == other  # computed values are not part of the value of a corpus


def test_hypotheses_are_named_after_their_file(tmp_path):
    file = tmp_path / "my.system.txt"
    file.write_text("a\nb\n", encoding="utf-8")
    assert read_hypotheses(file) == Hypotheses("my.system", ("a", "b"))
    assert read_hypotheses(file, name="ours").name == "ours"
