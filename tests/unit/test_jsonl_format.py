"""JSON lines: one object per sentence, read strictly."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda import Annotation, Corpus, Edit, Hypotheses
from corrigenda.errors import FormatError, Location
from corrigenda.formats import jsonl, read_jsonl
from corrigenda.formats.registry import LoadedCorpus


@pytest.fixture
def path(tmp_path):
    return tmp_path / "corpus.jsonl"


def write_rows(path, *rows) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


EDIT = {"start": 0, "end": 1, "corrections": ["x"], "type": "R"}


def test_sources_references_and_systems(path):
    write_rows(
        path,
        {"source": "a", "references": ["A", "B"], "hypotheses": {"one": "x", "two": ""}},
        {"source": "", "references": ["C"], "hypotheses": {"two": "z", "one": "y"}},
    )
    loaded = jsonl.load(path)
    assert loaded.corpus == Corpus(("a", ""), (("A", "B"), ("C",)))
    assert loaded.systems == (Hypotheses("one", ("x", "y")), Hypotheses("two", ("", "z")))
    assert read_jsonl(path) == loaded.corpus


def test_documents_are_read_and_written(path):
    write_rows(
        path,
        {"document": 7, "source": "a", "references": ["A"]},
        {"document": "x 8", "source": "b", "references": ["B"]},
    )
    corpus = read_jsonl(path)
    assert corpus.documents == ("7", "x 8")
    assert corpus[1:].documents == corpus.at([1]).documents == ("x 8",)
    assert Corpus.joined([corpus[:1], corpus[1:]]) == corpus
    assert "document" in corpus.columns()
    file = io.StringIO()
    jsonl.save(corpus, (), file)
    assert file.getvalue().startswith('{"document": "7", "source": "a"')
    path.write_text(file.getvalue(), encoding="utf-8")
    assert read_jsonl(path) == corpus


@pytest.mark.parametrize(
    ("second", "message"),
    [({}, "some sentences have"), ({"document": [1]}, "is"), ({"document": 1.5}, "is 1.5")],
)
def test_documents_are_for_all_sentences_and_are_texts(path, second, message):
    write_rows(path, {"document": "a", "source": "a"}, {"source": "b", **second})
    with pytest.raises(FormatError, match=message):
        read_jsonl(path)


def test_edits_alone_give_the_references(path):
    second = {"start": 1, "end": 1, "corrections": ["y z", "w"]}
    write_rows(path, {"source": "a b", "edits": [[EDIT, second], []]})
    corpus = read_jsonl(path)
    assert corpus.references == (("x y z b", "a b"),)
    edits = (Edit(0, 1, ("x",), "R"), Edit(1, 1, ("y z", "w"), "UNK"))
    assert corpus.gold == ((Annotation(0, edits), Annotation(1, ())),)


@pytest.mark.parametrize("missing", [{}, {"references": None}, {"references": []}])
def test_a_sentence_may_have_no_references(path, missing):
    write_rows(path, {"source": "a", **missing}, {"source": "b", "references": ["B"]})
    assert read_jsonl(path) == Corpus(("a", "b"), ((), ("B",)))


@pytest.mark.parametrize("missing", [{}, {"references": None}, {"references": []}])
def test_a_sentence_without_annotators_has_no_references(path, missing):
    write_rows(path, {"source": "a", "edits": [], **missing}, {"source": "b", "edits": [[]]})
    assert read_jsonl(path) == Corpus(("a", "b"), ((), ("b",)), ((), (Annotation(0, ()),)))


def test_an_empty_file(path):
    path.write_bytes(b"")
    assert len(jsonl.load(path).corpus) == 0


def test_crlf_and_byte_order_mark(path):
    path.write_bytes(b'\xef\xbb\xbf{"source": "a", "references": ["b"]}\r\n')
    assert read_jsonl(path).references == (("b",),)


GOOD = {"source": "a b", "references": ["x b"]}
ANNOTATED = {**GOOD, "edits": [[EDIT]]}
VIOLATIONS = {
    "not JSON": "{",
    "an empty line": "",
    "two objects": '{"source": "a", "references": ["b"]} {}',
    "a list": "[]",
    "no source": {"references": ["b"]},
    "source is not a string": {"source": ["a"], "references": ["b"]},
    "references are one string": {"source": "a", "references": "b"},
    "a reference is null": {"source": "a", "references": ["b", None]},
    "hypotheses are a list": {**GOOD, "hypotheses": ["c"]},
    "a hypothesis is null": {**GOOD, "hypotheses": {"system": None}},
    "a system is missing": {**GOOD, "hypotheses": {}},
    "another system": {**GOOD, "hypotheses": {"system": "c", "other": "d"}},
    "a line feed in the source": {"source": "a\nb", "references": ["b"]},
    "a line feed in a reference": {"source": "a", "references": ["b\nc"]},
    "a line feed in a hypothesis": {**GOOD, "hypotheses": {"system": "c\nd"}},
    "a NUL": {"source": "a\0", "references": ["b"]},
    "half of a character": {"source": "a \ud800", "references": ["b"]},
}
EDIT_VIOLATIONS = {
    "edits are not lists": {**GOOD, "edits": [EDIT]},
    "edits are an object": {**GOOD, "edits": {}},
    "an edit is a number": {**GOOD, "edits": [[3]]},
    "an edit without an end": {**GOOD, "edits": [[{"start": 0, "corrections": ["x"]}]]},
    "a span beyond the sentence": {**GOOD, "edits": [[{**EDIT, "end": 3}]]},
    "a span before the sentence": {**GOOD, "edits": [[{**EDIT, "start": -1}]]},
    "a span reversed": {**GOOD, "edits": [[{**EDIT, "start": 2}]]},
    "annotators without edits": {**GOOD, "annotators": [3]},
    "a misspelt type": {**GOOD, "edits": [[{**EDIT, "types": "R"}]]},
    "a type in capitals": {**GOOD, "edits": [[{**EDIT, "Type": "R"}]]},
    "a span of strings": {**GOOD, "edits": [[{**EDIT, "start": "0"}]]},
    "corrections are one string": {**GOOD, "edits": [[{**EDIT, "corrections": "x"}]]},
    "no corrections": {**GOOD, "edits": [[{**EDIT, "corrections": []}]]},
    "a type that is not a string": {**GOOD, "edits": [[{**EDIT, "type": 3}]]},
    "overlapping edits": {**GOOD, "edits": [[EDIT, {**EDIT, "end": 2}]]},
    "edits of too few annotators": {**GOOD, "edits": []},
    "edits of too many annotators": {**GOOD, "edits": [[], []]},
    "edits without references for them": {**GOOD, "references": [], "edits": [[]]},
    "a NUL in a correction": {**GOOD, "edits": [[{**EDIT, "corrections": ["x", "\0"]}]]},
    "half of a character in a type": {**GOOD, "edits": [[{**EDIT, "type": "\ud800"}]]},
}


def first_line(name: str) -> dict:
    """A good line, from which the violation differs only in what its name says."""
    if name in EDIT_VIOLATIONS:
        return ANNOTATED
    return {**GOOD, "hypotheses": {"system": "x"}} if "hypotheses" in VIOLATIONS[name] else GOOD


def error_in_line_two(path, first: dict, second: dict | str) -> FormatError:
    text = second if isinstance(second, str) else json.dumps(second)
    path.write_text(f"{json.dumps(first)}\n{text}\n{json.dumps(first)}\n", encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        jsonl.load(path)
    assert caught.value.location == Location(str(path), 2)
    return caught.value


@pytest.mark.parametrize("name", VIOLATIONS)
def test_violations_are_refused_with_file_and_line(path, name):
    error_in_line_two(path, first_line(name), VIOLATIONS[name])


@pytest.mark.parametrize("name", EDIT_VIOLATIONS)
def test_violations_in_edits_are_refused_with_file_and_line(path, name):
    error_in_line_two(path, first_line(name), EDIT_VIOLATIONS[name])


@pytest.mark.parametrize("name", [*VIOLATIONS, *EDIT_VIOLATIONS])
def test_violations_have_a_remedy(path, name):
    assert error_in_line_two(path, first_line(name), {**VIOLATIONS, **EDIT_VIOLATIONS}[name]).remedy


def test_edits_for_some_sentences_only(path):
    error = error_in_line_two(path, ANNOTATED, GOOD)
    assert error.remedy
    error = error_in_line_two(path, GOOD, ANNOTATED)
    assert error.remedy


@pytest.mark.parametrize(
    "key",
    [
        "hypothesis",
        "reference",
        "edit",
        "References",
        "refrences",
        "documents",
        "annotator",
        "Edits ",
    ],
)
def test_misspelt_keys_are_refused(path, key):
    error_in_line_two(path, GOOD, {**GOOD, key: {"system": "x"}})


def test_a_key_given_twice_is_refused(path):
    error_in_line_two(path, GOOD, '{"source": "a", "source": "b", "references": ["c"]}')


def test_a_span_of_booleans_is_refused(path):
    error_in_line_two(path, ANNOTATED, {**GOOD, "edits": [[{**EDIT, "end": True}]]})


def test_nesting_without_end_is_refused(path):
    error_in_line_two(path, GOOD, "[" * 100_000)


def test_bytes_that_are_not_text_are_refused(path):
    for bad in (b"\x00", b"\xff"):
        path.write_bytes(json.dumps(GOOD).encode() + b"\n" + bad + b"\n")
        with pytest.raises(FormatError) as caught:
            jsonl.load(path)
        assert caught.value.location == Location(str(path), 2)


sentences = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]), max_size=8)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[str, tuple[Annotation, ...]]:
    source = draw(st.lists(st.sampled_from("abc"), max_size=4))
    corrections = st.lists(st.sampled_from(["", "x", "x y"]), min_size=1, max_size=2).map(tuple)
    annotations = []
    for annotator in range(draw(st.integers(0, 2))):
        # Bounds that never fall make edits that do not overlap.
        bounds = sorted(draw(st.lists(st.integers(0, len(source)), max_size=4)))
        spans = zip(bounds[::2], bounds[1::2], strict=False)
        edits = tuple(Edit(start, end, draw(corrections), "T") for start, end in spans)
        annotations.append(Annotation(annotator, edits))
    return " ".join(source), tuple(annotations)


def read_again(folder, corpus: Corpus, systems) -> LoadedCorpus:
    file = io.StringIO()
    jsonl.save(corpus, systems, file)
    path = folder / "corpus.jsonl"
    path.write_text(file.getvalue(), encoding="utf-8", newline="\n")
    return jsonl.load(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("jsonl")


@given(
    rows=st.lists(
        st.tuples(sentences, st.lists(sentences, max_size=3).map(tuple), sentences),
        min_size=1,
    )
)
def test_text_is_read_back(folder, rows):
    corpus = Corpus(tuple(row[0] for row in rows), tuple(row[1] for row in rows))
    systems = (
        Hypotheses("é", tuple(row[2] for row in rows)),
        Hypotheses("b", tuple(row[0] for row in rows)),
    )
    again = read_again(folder, corpus, systems)
    assert again.corpus == corpus
    assert again.systems == systems


@given(rows=st.lists(annotated(), min_size=1, max_size=4))
def test_edits_are_read_back(folder, rows):
    corpus = Corpus(
        tuple(source for source, _ in rows),
        tuple(("some reference",) * len(annotations) for _, annotations in rows),
        tuple(annotations for _, annotations in rows),
    )
    assert read_again(folder, corpus, ()).corpus == corpus


def test_annotators_keep_their_numbers(folder):
    corpus = Corpus(("a",), (("a", "a"),), ((Annotation(0, ()), Annotation(2, ())),))
    assert read_again(folder, corpus, ()).corpus == corpus


def test_a_corpus_without_references_is_read_back(folder):
    corpus = Corpus.from_lists(["a b", "c"])
    systems = (Hypotheses("ours", ("a", "c")),)
    again = read_again(folder, corpus, systems)
    assert again.corpus == corpus
    assert again.systems == systems


def test_the_keys_of_a_line_keep_their_order():
    corpus = Corpus(("a",), (("b",),), ((Annotation(1, (Edit(0, 1, ("b", ""), "R"),)),),))
    file = io.StringIO()
    jsonl.save(corpus, [Hypotheses("é", ("c",))], file)
    assert file.getvalue() == (
        '{"source": "a", "references": ["b"], "annotators": [1], "edits": [[{"start": 0, "end": 1, '
        '"corrections": ["b", ""], "type": "R"}]], "hypotheses": {"é": "c"}}\n'
    )


def test_very_many_systems_are_refused(tmp_path):
    path = tmp_path / "many.jsonl"
    outputs = {f"s{number}": "a" for number in range(1_001)}
    path.write_text(json.dumps({"source": "a", "references": ["a"], "hypotheses": outputs}))
    with pytest.raises(FormatError, match="more than 1,000 systems"):
        jsonl.load(path)
