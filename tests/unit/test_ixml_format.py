"""The I-measure's gold XML: written files are read back, and every problem has a place."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, convert
from corrigenda.edits.gold_errors import Alternative, ErrorCorrection, GoldError, GoldSentence
from corrigenda.errors import CorrigendaError, FormatError
from corrigenda.formats import ixml, read_ixml
from examples import examples

WORDS = st.text(
    st.characters(exclude_categories=["C", "Z"]) | st.sampled_from("&<>\"';]"),
    min_size=1,
    max_size=4,
).filter(lambda word: len(word.split()) == 1)


@st.composite
def gold_sentences(draw: st.DrawFn) -> GoldSentence:
    words = draw(st.lists(WORDS, max_size=6).map(tuple))
    span = st.tuples(st.integers(0, len(words)), st.integers(0, len(words))).map(sorted)
    correction = st.builds(
        lambda span, text: ErrorCorrection(span[0], span[1], text),
        span,
        st.lists(WORDS, max_size=2).map(tuple),
    )
    alternative = st.builds(
        Alternative, st.integers(0, 3), st.lists(correction, min_size=1, max_size=2).map(tuple)
    )
    error = st.builds(
        GoldError,
        st.lists(alternative, min_size=1, max_size=3).map(tuple),
        st.booleans(),
        st.text("aB:/\"'<& \t\n"),
    )
    return GoldSentence(
        words, draw(st.lists(error, max_size=3).map(tuple)), draw(st.integers(0, 4))
    )


def written(sentences: list[GoldSentence]) -> str:
    file = io.StringIO()
    ixml.write(sentences, file)
    return file.getvalue()


@settings(max_examples=examples(60))
@given(sentences=st.lists(gold_sentences(), min_size=1, max_size=3))
def test_what_is_written_is_read_again(sentences: list[GoldSentence], tmp_path_factory) -> None:
    path = tmp_path_factory.getbasetemp() / "round.xml"
    path.write_text(written(sentences), encoding="utf-8")
    again = ixml.read(path)
    assert list(again) == sentences
    assert written(list(again)) == path.read_text(encoding="utf-8")
    corpus = read_ixml(path)
    assert corpus.errors == again
    assert corpus.sources == tuple(" ".join(sentence.words) for sentence in sentences)


@pytest.mark.parametrize("character", ["\x01", "\ufffe", "\uffff"])
def test_what_xml_cannot_hold_is_not_written(character: str) -> None:
    sentences = [GoldSentence(("a",), (), 0), GoldSentence((f"b{character}",), (), 0)]
    with pytest.raises(FormatError, match=rf"sentence 2 has the character U\+{ord(character):04X}"):
        written(sentences)


def document(inside: str, before: str = "") -> str:
    """A sentence of two words on line 2; `inside` begins on line 3."""
    sentence = f'<sentence id="1" numann="1"><text>a b</text>\n{inside}</sentence>'
    return f'{before}<scripts><script id="1">\n{sentence}</script></scripts>'


def error(inside: str, attributes: str = 'id="1" req="yes" type="X"') -> str:
    """A sentence with one error on line 4; `inside` begins on line 5."""
    return document(f"<error-list>\n<error {attributes}>\n{inside}</error></error-list>")


def span(attributes: str) -> str:
    """An error with one correction, whose span is on line 5."""
    return error(f'<alt ann="0"><c {attributes}>x</c></alt>')


RIGHT = '<alt ann="0"><c start="0" end="1"/></alt>'
BOMB = '<!DOCTYPE scripts [\n<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
EXTERNAL = '<!DOCTYPE scripts [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
NO_NUMANN = "<scripts>\n\n<sentence><text>a</text></sentence></scripts>"
BROKEN = {
    "a span beyond the end": (span('start="1" end="3"'), 5, "1-3 is not within"),
    "a span backwards": (span('start="2" end="1"'), 5, "2-1 is not within"),
    "a negative start": (span('start="-1" end="1"'), 5, "smaller than 0"),
    "no start": (span('end="1"'), 5, "no attribute 'start'"),
    "no end": (span('start="1"'), 5, "no attribute 'end'"),
    "a start in words": (span('start="one" end="1"'), 5, "not a whole number"),
    "no annotator": (error('<alt><c start="0" end="1">x</c></alt>'), 5, "no attribute 'ann'"),
    "no alternative": (error(""), 4, "<error> has no <alt>"),
    "no req": (error(RIGHT, 'id="1"'), 4, "no attribute 'req'"),
    "another req": (error(RIGHT, 'req="maybe"'), 4, "req='maybe'"),
    "an unknown element": (error('<alt ann="0"><cor/></alt>'), 5, "<alt> contains <cor>"),
    "a misspelt list": (document("<errors></errors>"), 3, "<sentence> contains <errors>"),
    "text twice": (document("<text>a</text>"), 2, "2 <text> elements"),
    "no text": ('<scripts>\n<sentence numann="1"></sentence></scripts>', 2, "0 <text> elements"),
    "no numann": (NO_NUMANN, 3, "no attribute 'numann'"),
    "no sentence": ("\n<scripts></scripts>", 2, "no <sentence>"),
    "a document type": (document("", "<!DOCTYPE scripts>"), 1, "declarations are not read"),
    "an entity bomb": (document("&b;", BOMB), 1, "declarations are not read"),
    "an external entity": (document("&x;", EXTERNAL), 1, "declarations are not read"),
    "an undeclared entity": (document("&x;"), 3, "undefined entity"),
    "depth": (document("<error-list>" * 20 + "</error-list>" * 20), 3, "nested more than 8 deep"),
    "not well-formed": (document("<error-list>"), 3, "mismatched tag"),
    "not XML": ("S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n", 1, "not well-formed"),
}


@pytest.mark.parametrize(("content", "line", "problem"), BROKEN.values(), ids=BROKEN.keys())
def test_every_problem_has_a_place(content: str, line: int, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "gold.xml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        ixml.read(path)
    assert problem in str(caught.value)
    assert caught.value.location is not None
    assert (caught.value.location.file, caught.value.location.line) == (str(path), line)


def test_an_empty_correction_deletes_and_blanks_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "gold.xml"
    path.write_text(
        error('<alt ann="4">\n<c start="0"\nend="1"/><c start="2" end="2">  x\n y </c></alt>')
    )
    (sentence,) = ixml.read(path)
    (alternative,) = sentence.errors[0].alternatives
    assert alternative == Alternative(
        4, (ErrorCorrection(0, 1, ()), ErrorCorrection(2, 2, ("x", "y")))
    )
    assert read_ixml(path).references == (("b x y",),)


def test_a_corpus_without_a_sentence_is_refused():
    """It could not be read again."""
    with pytest.raises(CorrigendaError, match="there is no sentence"):
        convert(Corpus.from_lists([], []), to="ixml")
