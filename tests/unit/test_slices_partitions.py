"""Which sentences belong to which slice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corrigenda.analysis.slices import by_column, by_edits, by_length, by_type, slices_by
from corrigenda.corpus import Corpus
from corrigenda.edits import Annotation, Edit
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError, UsageError
from corrigenda.formats.sidecar import read_sidecar


def members(slices) -> dict[str, list[int]]:
    return {part.label: part.sentences.tolist() for part in slices}


def corpus_of_lengths(*lengths: int) -> Corpus:
    sources = [" ".join("w" * length) for length in lengths]
    return Corpus.from_lists(sources, [sources], references_by="text")


def annotated(*sentences: list[list[str]]) -> Corpus:
    """A corpus whose gold edits have the given types: for each sentence, for each annotator."""
    gold = tuple(
        tuple(
            Annotation(
                number,
                tuple(Edit(place, place + 1, ("x",), kind) for place, kind in enumerate(types)),
            )
            for number, types in enumerate(annotators)
        )
        for annotators in sentences
    )
    return Corpus(
        ("a b c d e f",) * len(gold),
        tuple(("r",) * len(annotators) for annotators in sentences),
        gold,
    )


class TestLength:
    def test_bounds_are_the_last_length_of_their_slice(self):
        corpus = corpus_of_lengths(0, 10, 11, 20, 41)
        assert members(by_length(corpus)) == {"≤10": [0, 1], "11–20": [2, 3], "41+": [4]}

    def test_bounds_can_be_chosen(self):
        corpus = corpus_of_lengths(1, 2, 3, 4)
        assert members(by_length(corpus, [2, 3])) == {"≤2": [0, 1], "3": [2], "4+": [3]}

    def test_every_sentence_is_in_exactly_one_slice(self):
        found = sorted(
            index for part in by_length(corpus_of_lengths(*range(60))) for index in part.sentences
        )
        assert found == list(range(60))

    def test_bounds_that_do_not_rise_are_refused(self):
        with pytest.raises(CorrigendaError, match="do not rise"):
            by_length(corpus_of_lengths(1), [20, 10])


class TestEdits:
    def test_the_mean_over_annotators_counts(self):
        corpus = annotated([[]], [["a"], ["a", "b"]], [["a"]], [["a"] * 5])
        assert members(by_edits(corpus)) == {"0": [0], "1": [2], "2": [1], "5+": [3]}


class TestType:
    def test_any_annotator_puts_a_sentence_into_the_slice(self):
        corpus = annotated([["Prep"], []], [["Vt", "Prep"], ["Vt"]], [[], []])
        assert members(by_type(corpus)) == {"Prep": [0, 1], "Vt": [1]}

    @pytest.mark.parametrize(
        ("category", "labels"),
        [
            (1, ["M", "R", "UNK"]),
            (2, ["NOUN:NUM", "UNK"]),
            (3, ["M:NOUN:NUM", "R:NOUN:NUM", "UNK"]),
        ],
    )
    def test_errant_types_can_be_shortened(self, category: int, labels: list[str]):
        corpus = annotated([["R:NOUN:NUM"]], [["M:NOUN:NUM"]], [["UNK"]])
        assert sorted(members(by_type(corpus, category))) == labels

    def test_text_references_give_operations(self):
        corpus = Corpus.from_lists(["a b", "a b"], [["a c", "a"]], references_by="text")
        assert members(by_type(corpus)) == {"R": [0], "U": [1]}


class TestWithoutReferences:
    def test_length_and_columns_need_none(self):
        corpus = Corpus.from_lists(["a b", "a b c", "a"])
        assert members(by_length(corpus, [2])) == {"≤2": [0, 2], "3+": [1]}
        assert members(slices_by(corpus, "level", {"level": ["A", "B", "A"]}))["A"] == [0, 2]

    @pytest.mark.parametrize("by", ["edits", "type"])
    @pytest.mark.parametrize("gold", [None, ((), ())])
    def test_edits_and_types_need_some(self, by: str, gold):
        for corpus in (Corpus.from_lists(["a b", "c"]), Corpus(("a b", "c"), ((), ()), gold)):
            with pytest.raises(UsageError, match=f"slices by {by} need references") as raised:
                slices_by(corpus, by)
            assert "slice by length or by a column" in str(raised.value)

    def test_sentences_without_references_are_in_no_slice_of_edits(self):
        corpus = Corpus(("a b", "a b", "a b"), (("a b",), (), ("a c",)))
        assert members(by_edits(corpus)) == {"0": [0], "1": [2]}
        assert members(by_type(corpus)) == {"R": [2]}

    def test_given_gold_edits_count(self):
        corpus = Corpus.from_lists(["a b", "c"])
        gold = [[[Edit(0, 1, ("x",), "R:DET")]], []]
        assert members(by_type(corpus, gold=gold)) == {"R:DET": [0]}
        assert members(by_edits(corpus, gold=gold)) == {"1": [0]}


class TestColumn:
    def test_texts_truth_and_nothing(self):
        assert members(by_column("x", ["b", None, "a", True])) == {
            "a": [2],
            "b": [0],
            "yes": [3],
            "(none)": [1],
        }

    def test_lists_put_a_sentence_into_several_slices(self):
        assert members(by_column("x", [["a", "b"], ["b", "b"], []])) == {
            "a": [0],
            "b": [0, 1],
            "(none)": [2],
        }

    def test_few_numbers_stay_numbers_in_their_order(self):
        assert list(members(by_column("x", [10, 9, 2.5]))) == ["2.5", "9", "10"]

    def test_many_numbers_become_ranges_and_each_is_in_one(self):
        slices = by_column("x", [*range(100), None])
        assert [len(part) for part in slices] == [25, 25, 25, 25, 1]
        assert sorted(index for part in slices for index in part.sentences) == list(range(101))


class TestSidecar:
    def write(self, folder: Path, *rows: object) -> Path:
        path = folder / "side.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    def test_columns_of_lines_that_may_lack_them(self, tmp_path: Path):
        of_the_corpus = {"source": "left out", "references": [], "annotators": [0, 2]}
        path = self.write(
            tmp_path, {"level": "B1"}, {}, {"level": "C1", "native": True, **of_the_corpus}
        )
        assert read_sidecar(path, 3) == {"level": ["B1", None, "C1"], "native": [None, None, True]}

    def test_a_wrong_number_of_lines_is_said_with_both_numbers(self, tmp_path: Path):
        with pytest.raises(AlignmentError, match="1 lines, but the corpus has 2 sentences"):
            read_sidecar(self.write(tmp_path, {}), 2)

    @pytest.mark.parametrize("row", [["a"], {"x": {"y": 1}}, {"x": [[1]]}])
    def test_what_is_not_a_column_is_refused_with_its_line(self, tmp_path: Path, row: object):
        with pytest.raises(FormatError) as raised:
            read_sidecar(self.write(tmp_path, {}, row), 2)
        assert raised.value.location is not None
        assert raised.value.location.line == 2

    def test_broken_json_is_refused_with_its_line(self, tmp_path: Path):
        path = tmp_path / "side.jsonl"
        path.write_text('{}\n{"a": \n', encoding="utf-8")
        with pytest.raises(FormatError, match="not JSON"):
            read_sidecar(path, 2)

    def test_a_column_that_occurs_twice_is_refused(self, tmp_path: Path):
        path = tmp_path / "side.jsonl"
        path.write_text('{"level": "A1", "level": "B1"}\n', encoding="utf-8")
        with pytest.raises(FormatError, match='the key "level" occurs twice'):
            read_sidecar(path, 1)


def test_a_column_is_found_by_its_name():
    assert members(slices_by(corpus_of_lengths(1, 2), "level", {"level": ["A", "B"]})) == {
        "A": [0],
        "B": [1],
    }


def test_an_unknown_name_lists_what_there_is():
    with pytest.raises(CorrigendaError, match="cannot slice by 'colour'") as raised:
        slices_by(corpus_of_lengths(1), "colour", {"level": ["A"]})
    assert "length, edits, type, level" in str(raised.value)
