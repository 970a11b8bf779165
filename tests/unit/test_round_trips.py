"""What the writers write, the readers read: equal, or refused when it is written."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import convert, evaluate
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import AnnotatedSentence, Annotation, Edit, GrowingEdits, apply_edits
from corrigenda.errors import CorrigendaError
from corrigenda.formats import cherrant, essays, ixml, jsonl, judgments, m2, text
from corrigenda.formats.registry import CORPUS_FORMATS
from corrigenda.judgments import Judgments, RankedOutput, Ranking
from corrigenda.passport import document
from corrigenda.passport.marks import MarkedTexts
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
SPECIAL_MORE = (
    "没有错误",
    "无法标注",
    "NA",
    "T0-A0",
    "### essay_id = ",
    "\u3000",
    "\ufeff", "\u0085", "\ud800", "<", "&amp;", '"', "=1+1", "é", "\U0001f600", "\x0b",
)  # fmt: skip
texts = st.sampled_from(SPECIAL + SPECIAL_MORE) | st.text(max_size=4)
sentences = st.lists(texts, max_size=4).map(" ".join)
numbers = st.integers(-1, 4) | st.sampled_from([10**9, 10**17, 10**18, 10**400])


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
def corpora(draw: st.DrawFn, *, annotated: bool = True) -> tuple[Corpus, list[Hypotheses]]:
    size = draw(st.integers(0, 3))
    sources = [draw(sentences) for _ in range(size)]
    gold = [draw(annotations(len(source.split()))) for source in sources] if annotated else None
    counts = [len(each) for each in gold] if gold else [draw(st.integers(0, 2)) for _ in sources]
    references = [tuple(draw(sentences) for _ in range(count)) for count in counts]
    documents = tuple(draw(texts) for _ in sources) if draw(st.booleans()) else None
    try:
        systems = [
            Hypotheses(draw(texts), tuple(draw(sentences) for _ in sources))
            for _ in range(draw(st.integers(0, 2)))
        ]
        annotated_by = None if gold is None else tuple(gold)
        return Corpus(tuple(sources), tuple(references), annotated_by, documents=documents), systems
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
        assert read.corpus.documents == corpus.documents
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


@settings(max_examples=examples(80))
@given(given_corpus=corpora())
def test_cherrant(folder: Path, given_corpus: tuple[Corpus, list[Hypotheses]]) -> None:
    corpus, _ = given_corpus
    gold = zip(corpus.sources, corpus.gold or (), strict=True)
    made = [AnnotatedSentence(source, of_sentence) for source, of_sentence in gold]
    content = written(lambda file: cherrant.write(made, file))
    if content is None:
        return
    (folder / "x.m2").write_bytes(content)
    read = cherrant.read(folder / "x.m2")
    assert [sentence.words for sentence in read] == [sentence.words for sentence in made]
    assert [each.annotations for each in read] == [each.annotations for each in made]


def words_of(texts_of_sentences: Iterable[Iterable[str]]) -> list[list[list[str]]]:
    """Formats with edits hold words: blanks between them do not count."""
    return [[text.split() for text in of_sentence] for of_sentence in texts_of_sentences]


@pytest.mark.parametrize("style", ["m2", "cherrant", "ixml"])
@settings(max_examples=examples(80))
@given(given_corpus=corpora(annotated=False))
def test_references_as_edits(
    folder: Path, style: str, given_corpus: tuple[Corpus, list[Hypotheses]]
) -> None:
    corpus, _ = given_corpus
    module = CORPUS_FORMATS[style].load_module()
    content = written(lambda file: module.save(corpus, (), file))
    if content is None:
        return
    (folder / "edits").write_bytes(content)
    read = module.load(folder / "edits").corpus
    assert words_of([read.sources]) == words_of([corpus.sources])
    assert words_of(read.references) == words_of(corpus.references)


@settings(max_examples=examples(60))
@given(given_corpus=corpora())
def test_ixml(folder: Path, given_corpus: tuple[Corpus, list[Hypotheses]]) -> None:
    """Edits that touch become one error. The annotators and their references stay."""
    corpus, _ = given_corpus
    content = written(lambda file: ixml.save(corpus, (), file))
    if content is None or corpus.gold is None:
        return
    (folder / "x.xml").write_bytes(content)
    read = ixml.read_corpus(folder / "x.xml")
    assert [[each.annotator for each in of_sentence] for of_sentence in read.gold or ()] == [
        [each.annotator for each in of_sentence] for of_sentence in corpus.gold
    ]
    assert words_of(read.references) == [
        [apply_edits(source.split(), each.edits) for each in of_sentence]
        for source, of_sentence in zip(corpus.sources, corpus.gold, strict=True)
    ]
    again = written(lambda file: ixml.write(ixml.read(folder / "x.xml"), file))
    assert again == content


@settings(max_examples=examples(60))
@given(given_corpus=corpora(annotated=False))
def test_text(
    tmp_path_factory: pytest.TempPathFactory, given_corpus: tuple[Corpus, list[Hypotheses]]
) -> None:
    corpus, systems = given_corpus
    folder = tmp_path_factory.mktemp("text")
    try:
        convert(corpus, systems, to="text", out=folder)
    except CorrigendaError:
        assert list(folder.iterdir()) == []
        return
    references = [folder / f"ref{number}.txt" for number in range(corpus.reference_range[1])]
    read = text.read_corpus(folder / "source.txt", references)
    assert (tuple(read.sources), tuple(read.references)) == (corpus.sources, corpus.references)
    for system in systems:
        found = text.read_hypotheses(folder / f"{system.name}.txt")
        assert tuple(found.sentences) == system.sentences


@settings(max_examples=examples(60))
@given(given_corpus=corpora(annotated=False))
def test_essays(
    tmp_path_factory: pytest.TempPathFactory, given_corpus: tuple[Corpus, list[Hypotheses]]
) -> None:
    corpus, systems = given_corpus
    folder = tmp_path_factory.mktemp("essays")
    try:
        convert(corpus, systems, to="essays", out=folder)
    except CorrigendaError:
        assert list(folder.iterdir()) == []
        return
    ids = corpus.documents or tuple(str(number + 1) for number in range(len(corpus)))
    if len(set(ids)) < len(ids):  # the sentences of a document become one essay
        return
    read = essays.load(folder / "orig.md").corpus
    assert (read.sources, read.references) == (corpus.sources, corpus.references)
    assert (read.documents or ()) == ids
    for system in systems:
        found = essays.read_system(folder / f"{system.name}.md", system.name, read)
        assert found.sentences == system.sentences


@pytest.fixture(scope="module")
def passport() -> document.PassportBody:
    corpus, systems = Corpus.from_lists(["a b"], ["a c"]), [Hypotheses("x", ("a c",))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = evaluate(corpus, systems, ["green"])
    return document.make(list(results), MarkedTexts(1, {}, {}))


@settings(max_examples=examples(60))
@given(given_corpus=corpora(), name=texts)
def test_passports(
    folder: Path,
    passport: document.PassportBody,
    given_corpus: tuple[Corpus, list[Hypotheses]],
    name: str,
) -> None:
    corpus, systems = given_corpus
    rows = list(jsonl.rows(corpus, systems))
    files: list[document.FileDigest] = [{"option": name, "name": name, "sha256": name}]
    body = document.PassportBody(**{**passport, "files": files, "rows": rows})
    (folder / "p.json").write_bytes(document.rendered(body))
    assert document.load(folder / "p.json") == json.loads(json.dumps(body))


outputs = st.builds(RankedOutput, st.lists(texts, max_size=2).map(tuple), numbers)
rankings = st.builds(Ranking, texts, texts, st.lists(outputs, max_size=3).map(tuple))


STYLES: dict[str, Callable[[Judgments, io.StringIO], None]] = {
    "xml": lambda made, file: judgments.write(made, file, "xml"),
    "wmt.xml": judgments.write_ranking_result,
    "csv": lambda made, file: judgments.write(made, file, "csv"),
    "jsonl": lambda made, file: judgments.write(made, file, "jsonl"),
}


@settings(max_examples=examples(80))
@given(made=st.lists(rankings, max_size=2).map(tuple), style=st.sampled_from([*STYLES]))
def test_judgments(folder: Path, made: tuple[Ranking, ...], style: str) -> None:
    content = written(lambda file: STYLES[style](Judgments(made), file))
    if content is None or not made or not all(ranking.outputs for ranking in made):
        return
    (folder / f"j.{style}").write_bytes(content)
    assert judgments.read(folder / f"j.{style}").rankings == made


def one_edit(correction: str, kind: str, annotator: int = 0) -> AnnotatedSentence:
    edit = Edit(0, 1, (correction,), kind)
    return AnnotatedSentence("我 好", (Annotation(annotator, (edit,)),))


@pytest.mark.parametrize(
    "made",
    [
        one_edit("你", "NA"),  # the type of a sentence that nobody can correct
        AnnotatedSentence("我", (Annotation(0, (Edit(0, 1, ("没有错误",), "S"),)),)),
        one_edit("你", "S", annotator=10**17),
    ],
)
def test_what_cherrant_has_words_for(folder: Path, made: AnnotatedSentence) -> None:
    content = written(lambda file: cherrant.write([made], file))
    assert content is not None
    (folder / "x.m2").write_bytes(content)
    assert cherrant.read(folder / "x.m2")[0].annotations == made.annotations


@pytest.mark.parametrize("style", ["text", "essays", "m2", "cherrant", "ixml", "jsonl"])
@pytest.mark.parametrize("sentence", ["a\nb", "a\0", "\ud83d"])
@pytest.mark.parametrize("place", ["source", "reference", "system"])
def test_sentences_that_no_file_can_hold(
    tmp_path: Path, style: str, sentence: str, place: str
) -> None:
    """A corpus that is made without `from_lists` may have them."""
    source, reference = (sentence if place == each else "a" for each in ("source", "reference"))
    systems = [Hypotheses("s", (sentence,))] if place == "system" else []
    if systems and style in ("m2", "cherrant", "ixml"):
        pytest.skip("this format holds no systems")
    out = tmp_path / "out"
    with pytest.raises(CorrigendaError, match=r"line end or a NUL|half of a character"):
        convert(Corpus((source,), ((reference,),)), systems, to=style, out=out)
    assert not out.exists()


def test_annotators_that_xml_would_number_anew() -> None:
    """An annotator who changed nothing has no number in XML."""
    edits = (Edit(0, 1, ("b",), "R"),)
    corpus = Corpus(("a",), (("b", "a"),), ((Annotation(1, edits), Annotation(7, ())),))
    with pytest.raises(CorrigendaError, match=r"cannot hold the annotators \[1, 7\]"):
        convert(corpus, to="ixml")
    fine = Corpus(("a",), (("a", "b"),), ((Annotation(0, ()), Annotation(1, edits)),))
    assert 'numann="2"' in str(convert(fine, to="ixml"))


def test_two_systems_of_one_name(tmp_path: Path) -> None:
    """The file of the second would replace that of the first."""
    systems = [Hypotheses("x", ("a",)), Hypotheses("x", ("b",))]
    corpus = Corpus.from_lists(["a"])
    for style in ("text", "essays", "jsonl"):
        with pytest.raises(CorrigendaError):
            convert(corpus, systems, to=style, out=tmp_path / style)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("style", [*STYLES])
def test_names_that_a_format_cannot_hold(style: str) -> None:
    outputs = (RankedOutput(("A",), 1), RankedOutput(("B",), 2))
    bad = {"csv": "a\nb", "jsonl": "x"}.get(style, "a\x01b")
    made = Judgments((Ranking("1", bad, outputs if style != "jsonl" else (outputs[0],) * 2),))
    assert written(lambda file: STYLES[style](made, file)) is None
