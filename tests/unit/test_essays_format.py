"""Essays as in MultiGEC-2025: read, written, and aligned by their ids."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError
from corrigenda.formats import essays, read_essays
from examples import examples

ORIGINAL = """\
### essay_id = 7
Ich gehe in Schule .

Das ist gut .

### essay_id = A-2
Er haben Hunger .
"""
FIRST = ORIGINAL.replace("in Schule", "in die Schule").replace("haben", "hat")
SECOND = "### essay_id = A-2\nEr hat großen Hunger .\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in {"orig": ORIGINAL, "ref1": FIRST, "ref2": SECOND}.items():
        (tmp_path / f"de-merlin-{name}-dev.md").write_text(content, encoding="utf-8")
    return tmp_path


def test_sources_references_and_ids(folder: Path):
    corpus = read_essays(folder / "de-merlin-orig-dev.md")
    assert corpus.documents == ("7", "A-2")
    assert corpus.sources == (
        "Ich gehe in Schule .\u2028\u2028Das ist gut .",
        "Er haben Hunger .",
    )
    assert [len(references) for references in corpus.references] == [1, 2]
    assert corpus.references[1] == ("Er hat Hunger .", "Er hat großen Hunger .")
    assert " ".join(corpus.sources[0].split()) == "Ich gehe in Schule . Das ist gut ."


def test_references_are_ordered_by_number(folder: Path):
    for number in (10, 9):
        (folder / f"de-merlin-ref{number}-dev.md").write_text(
            f"### essay_id = 7\nnumber {number}\n", encoding="utf-8"
        )
    (folder / "xx-merlin-ref3-dev.md").write_text("", encoding="utf-8")
    corpus = read_essays(folder / "de-merlin-orig-dev.md")
    assert corpus.references[0][1:] == ("number 9", "number 10")


def test_a_system_is_aligned_by_ids(folder: Path):
    corpus = read_essays(folder / "de-merlin-orig-dev.md")
    (folder / "ours.md").write_text(
        "### essay_id = A-2\nEr hat Hunger .\n### essay_id = 7\nIch gehe .\n\n", encoding="utf-8"
    )
    system = essays.read_system(folder / "ours.md", "ours", corpus)
    assert system == Hypotheses("ours", ("Ich gehe .", "Er hat Hunger ."))
    (result,) = evaluate(corpus, [system], ["errant:edits=any"])
    assert result.counts["tp"] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("### essay_id = 7\nx\n", "the essay 'A-2' is missing"),
        (ORIGINAL + "### essay_id = 3\n", "the essay '3' is not in the source"),
        ("", "the essays '7', 'A-2' are missing"),
        ("### essay_id = 1\n", "are missing; the essay '1' is not in the source"),
    ],
)
def test_unequal_ids_are_an_error(folder: Path, content: str, message: str):
    corpus = read_essays(folder / "de-merlin-orig-dev.md")
    (folder / "ours.md").write_text(content, encoding="utf-8")
    with pytest.raises(AlignmentError, match="every essay of the source") as error:
        essays.read_system(folder / "ours.md", "ours", corpus)
    assert message in str(error.value)
    assert "ours.md" in str(error.value)


def test_a_reference_with_another_id_is_an_error(folder: Path):
    (folder / "de-merlin-ref3-dev.md").write_text("### essay_id = 8\n", encoding="utf-8")
    with pytest.raises(AlignmentError, match=r"ref3-dev\.md.*'8' is not in .*orig-dev\.md"):
        read_essays(folder / "de-merlin-orig-dev.md")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("Hello\n### essay_id = 1\n", 1, "before the first essay"),
        ("### essay_id = 1\n### essay_id = 1\n", 2, "another essay with the id '1'"),
        ("\n### essay_id = \n", 2, "the essay has no id"),
    ],
)
def test_mistakes_name_the_line(tmp_path: Path, content: str, line: int, message: str):
    path = tmp_path / "orig.md"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=message) as error:
        essays.read(path)
    assert error.value.location is not None
    assert error.value.location.line == line


def test_a_source_without_orig_in_its_name_is_refused(tmp_path: Path):
    (tmp_path / "essays.md").write_text(ORIGINAL, encoding="utf-8")
    with pytest.raises(CorrigendaError, match="does not contain 'orig'"):
        read_essays(tmp_path / "essays.md")


def test_sentences_of_a_document_become_one_essay(tmp_path: Path):
    corpus = Corpus(
        ("a b", "c", "d"), (("A b", "x"), ("C", "y"), ("D",)), documents=("one", "one", "two")
    )
    files = essays.files(corpus, [Hypotheses("ours", ("1", "2", "3"))])
    assert files == {
        "orig.md": "### essay_id = one\na b\nc\n\n### essay_id = two\nd\n\n",
        "ref1.md": "### essay_id = one\nA b\nC\n\n### essay_id = two\nD\n\n",
        "ref2.md": "### essay_id = one\nx\ny\n\n",
        "ours.md": "### essay_id = one\n1\n2\n\n### essay_id = two\n3\n\n",
    }


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (Corpus(("a", "b", "c"), ((),) * 3, documents=("1", "2", "1")), "do not stand together"),
        (Corpus(("a",), ((),), documents=(" ",)), "cannot be the id"),
        (Corpus(("### essay_id = 4",), ((),)), "begins with '### essay_id = '"),
        (Corpus(("a\u2028### essay_id = 4",), ((),)), "begins with '### essay_id = '"),
        (Corpus(("a\r\u2028b",), ((),)), "carriage return"),
        (Corpus(("a",), (("b\r",),)), "carriage return"),
        (Corpus(("\u2028a",), ((),)), "empty line"),
        (Corpus(("a",), (("a\u2028",),)), "empty line"),
    ],
)
def test_what_would_be_read_as_something_else_is_not_written(corpus: Corpus, message: str):
    with pytest.raises(CorrigendaError, match=message):
        essays.files(corpus, [])


LINES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\x00\u2028"), max_size=8
)
ESSAYS = st.lists(LINES, min_size=1, max_size=4).map("\u2028".join)


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(ESSAYS, ESSAYS), min_size=1, max_size=4))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, pairs):
    # Empty lines around an essay belong to the file, not to the essay.
    stripped = [(source.strip("\u2028"), reference.strip("\u2028")) for source, reference in pairs]
    ids = tuple(str(number) for number in range(len(pairs)))
    corpus = Corpus(
        tuple(source for source, _ in stripped),
        tuple((reference,) for _, reference in stripped),
        documents=ids,
    )
    folder = tmp_path_factory.mktemp("essays")
    for name, content in essays.files(corpus, []).items():
        (folder / name).write_bytes(content.encode())
    assert read_essays(folder / "orig.md") == corpus
