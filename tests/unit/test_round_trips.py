"""What the writers write, the readers read: equal, or refused when it is written."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import AnnotatedSentence, Annotation, Edit, GrowingEdits
from corrigenda.errors import CorrigendaError
from corrigenda.formats import ixml, jsonl, judgments, m2, text
from corrigenda.judgments import Judgments, RankedOutput, Ranking
from examples import examples

SPECIAL = (
    "",
    "noop",
    "-NONE-",
    "|",
    "||",
    "a|||b",
    "A",
    "S",
    "\r",
    "\n",
    "\0",
    "\x1b[31m",
    "\u2028",
)
SPECIAL_MORE = ("\ufeff", "\u0085", "\ud800", "<", "&amp;", '"', "=1+1", "é", "\U0001f600", "\x0b")
texts = st.sampled_from(SPECIAL + SPECIAL_MORE) | st.text(max_size=4)
sentences = st.lists(texts, max_size=4).map(" ".join)
numbers = st.integers(-1, 4) | st.sampled_from([10**17, 10**18, 10**400])


@st.composite
def annotations(draw: st.DrawFn, words: int) -> tuple[Annotation, ...]:
    found = []
    for annotator in draw(st.lists(numbers, max_size=2)):
        edits = GrowingEdits()
        for _ in range(draw(st.integers(0, 2))):
            start, end = sorted(draw(st.tuples(*[st.integers(0, words)] * 2)))
            corrections = tuple(draw(st.lists(sentences, min_size=1, max_size=2)))
            edits.add(Edit(start, end, corrections, draw(texts)))
        found.append(Annotation(annotator, tuple(edits.in_order)))
    return tuple(found)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Corpus, list[Hypotheses]]:
    size = draw(st.integers(0, 3))
    sources = [draw(sentences) for _ in range(size)]
    gold = [draw(annotations(len(source.split()))) for source in sources]
    references = [tuple(draw(sentences) for _ in of_sentence) for of_sentence in gold]
    try:
        systems = [
            Hypotheses(draw(texts), tuple(draw(sentences) for _ in sources))
            for _ in range(draw(st.integers(0, 2)))
        ]
        return Corpus(tuple(sources), tuple(references), tuple(gold)), systems
    except CorrigendaError:  # it cannot be in memory, either
        return Corpus((), ()), []


def written(save: Callable[[io.StringIO], None]) -> bytes | None:
    """The bytes, or None if the writer or UTF-8 refuses the content."""
    file = io.StringIO(newline="")
    try:
        save(file)
        return file.getvalue().encode()
    except (CorrigendaError, UnicodeEncodeError):
        return None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round")


@settings(max_examples=examples(80))
@given(given_corpus=corpora())
def test_jsonl(folder: Path, given_corpus: tuple[Corpus, list[Hypotheses]]) -> None:
    corpus, systems = given_corpus
    content = written(lambda file: jsonl.save(corpus, systems, file))
    if content is None:
        return
    (folder / "x.jsonl").write_bytes(content)
    read = jsonl.load(folder / "x.jsonl")
    assert read.corpus.sources == corpus.sources
    assert read.corpus.references == corpus.references
    if len(corpus):
        assert [(s.name, s.sentences) for s in read.systems] == [
            (s.name, s.sentences) for s in systems
        ]
    for ours, theirs in zip(read.corpus.gold or (), corpus.gold or (), strict=False):
        assert [each.annotator for each in ours] == [each.annotator for each in theirs]
        assert [normal(each) for each in ours] == [normal(each) for each in theirs]


def normal(annotation: Annotation) -> list[tuple[int, int, tuple[str, ...], str]]:
    """Corrections are words: blanks between them do not count."""
    return [
        (each.start, each.end, tuple(" ".join(c.split()) for c in each.corrections), each.type)
        for each in annotation.edits
    ]


@settings(max_examples=examples(80))
@given(given_corpus=corpora())
def test_m2(given_corpus: tuple[Corpus, list[Hypotheses]]) -> None:
    corpus, _ = given_corpus
    gold = corpus.gold or ()
    made = [
        AnnotatedSentence(source, of_sentence)
        for source, of_sentence in zip(corpus.sources, gold, strict=True)
    ]
    content = written(lambda file: m2.write(made, file))
    if content is None:
        return
    read = list(m2.parse(text.lines(io.BytesIO(content), "x.m2"), "x.m2"))
    assert [sentence.words for sentence in read] == [sentence.words for sentence in made]
    for ours, theirs in zip(read, made, strict=True):
        # A sentence without annotators cannot be written: it is read as one who changed nothing.
        expected = theirs.annotations or (Annotation(0, ()),)
        assert ours.annotations == expected


@settings(max_examples=examples(60))
@given(given_corpus=corpora())
def test_ixml(folder: Path, given_corpus: tuple[Corpus, list[Hypotheses]]) -> None:
    corpus, _ = given_corpus
    content = written(lambda file: ixml.save(corpus, (), file))
    if content is None or not len(corpus):
        return
    (folder / "x.xml").write_bytes(content)
    again = written(lambda file: ixml.write(ixml.read(folder / "x.xml"), file))
    assert again == content


@settings(max_examples=examples(60))
@given(made=st.lists(sentences, max_size=4))
def test_text(made: list[str]) -> None:
    content = written(lambda file: text.write(file, made, "x.txt"))
    if content is not None and not any("\n" in each or "\0" in each for each in made):
        assert list(text.lines(io.BytesIO(content), "x.txt")) == made


outputs = st.builds(RankedOutput, st.lists(texts, max_size=2).map(tuple), numbers)
rankings = st.builds(Ranking, texts, texts, st.lists(outputs, max_size=3).map(tuple))


@settings(max_examples=examples(80))
@given(
    made=st.lists(rankings, max_size=2).map(tuple), style=st.sampled_from(("xml", "csv", "jsonl"))
)
def test_judgments(folder: Path, made: tuple[Ranking, ...], style: judgments.Format) -> None:
    content = written(lambda file: judgments.write(Judgments(made), file, style))
    if content is None or not made or not all(ranking.outputs for ranking in made):
        return
    (folder / f"j.{style}").write_bytes(content)
    assert judgments.read(folder / f"j.{style}").rankings == made
