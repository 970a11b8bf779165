"""M2: read strictly, written so that it reads the same."""

from __future__ import annotations

import io
import warnings

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from corrigenda import Annotation, Corpus, Edit
from corrigenda.edits import AnnotatedSentence
from corrigenda.errors import CorrigendaError, FormatError, Location
from corrigenda.formats import m2, read_m2
from examples import examples


def parsed(content: str) -> list[AnnotatedSentence]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return list(m2.parse(content.split("\n"), "gold.m2"))


def only(content: str) -> AnnotatedSentence:
    (sentence,) = parsed(content)
    return sentence


def a(span: str, correction: str, annotator: int | str = 0, kind: str = "R") -> str:
    return f"A {span}|||{kind}|||{correction}|||REQUIRED|||-NONE-|||{annotator}"


NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"


def test_a_sentence_with_edits():
    sentence = only(
        f"S This are a test .\n{a('1 2', 'is', kind='R:VERB:SVA')}\n{a('3 3', 'good')}\n"
    )
    assert sentence.source == "This are a test ."
    assert sentence.annotations == (
        Annotation(0, (Edit(1, 2, ("is",), "R:VERB:SVA"), Edit(3, 3, ("good",), "R"))),
    )


def test_several_annotators_are_ordered_by_number():
    sentence = only(f"S a b\n{a('0 1', 'x', 2)}\n{a('1 2', 'y', 0)}\n{a('0 1', 'z', 0)}\n")
    assert [annotation.annotator for annotation in sentence.annotations] == [0, 2]
    assert [edit.correction for edit in sentence.annotations[0].edits] == ["y", "z"]


def test_alternatives_are_kept_in_order_and_the_first_is_applied():
    sentence = only(f"S a b\n{a('0 1', 'x||y  z||-NONE-')}\n")
    assert sentence.annotations[0].edits[0].corrections == ("x", "y z", "")
    assert m2.to_corpus([sentence]).references == (("x b",),)


@pytest.mark.parametrize("correction", ["", "-NONE-", " "])
def test_an_empty_correction_deletes(correction):
    sentence = only(f"S a b\n{a('0 1', correction)}\n")
    assert sentence.annotations[0].edits[0].corrections == ("",)
    assert m2.to_corpus([sentence]).references == (("b",),)


def test_noop_is_an_annotator_who_changed_nothing():
    sentence = only(f"S a b\n{NOOP}0\n{a('0 1', 'x', 1)}\n")
    assert sentence.annotations == (Annotation(0, ()), Annotation(1, (Edit(0, 1, ("x",), "R"),)))
    assert m2.to_corpus([sentence]).references == (("a b", "x b"),)


def test_no_annotations_are_one_annotator_who_changed_nothing():
    assert only("S a b\n").annotations == (Annotation(0, ()),)


@pytest.mark.parametrize("line", ["S", "S ", "S  "])
def test_an_empty_sentence_is_a_sentence(line):
    sentences = parsed(f"{line}\n{a('0 0', 'x')}\n\nS a\n")
    assert [sentence.words for sentence in sentences] == [[], ["a"]]
    assert m2.to_corpus(sentences).references == (("x",), ("a",))


@pytest.mark.parametrize(
    "content", ["S a\n\nS b\n\n", "S a\nS b", "\n\n\nS a\n\n\n\nS b\n\n\n", "S a\n \t\nS b\n"]
)
def test_blank_lines_between_sentences(content):
    assert [sentence.source for sentence in parsed(content)] == ["a", "b"]


def test_an_empty_file_has_no_sentences():
    assert parsed("") == []


def test_sentences_know_their_line():
    assert [sentence.line for sentence in parsed(f"S a\n{a('0 1', 'x')}\n\nS b\n")] == [1, 4]


def test_target_lines_are_skipped_with_a_notice():
    content = f"S a b\nT0-A0 x b\n{a('0 1', 'x')}\nT1-A1 a b\n"
    with pytest.warns(UserWarning, match=r"gold\.m2: skipped 2 'T' lines \(the first is line 2\)"):
        (sentence,) = m2.parse(content.split("\n"), "gold.m2")
    assert sentence.annotations == (Annotation(0, (Edit(0, 1, ("x",), "R"),)),)


def test_insertions_at_one_place_keep_their_order():
    sentence = only(f"S a\n{a('1 1', 'x')}\n{a('1 1', 'y')}\n{a('0 0', 'z')}\n")
    assert m2.to_corpus([sentence]).references == (("z a x y",),)


def test_neighbours_and_insertions_at_their_ends_do_not_overlap():
    sentence = only(
        f"S a b c\n{a('0 1', 'x')}\n{a('1 2', 'y')}\n{a('1 1', 'z')}\n{a('2 2', 'w')}\n"
    )
    assert m2.to_corpus([sentence]).references == (("x z y w c",),)


def test_annotators_may_overlap_one_another():
    sentence = only(f"S a b c\n{a('0 2', 'x', 0)}\n{a('1 3', 'y', 1)}\n")
    assert m2.to_corpus([sentence]).references == (("x c", "a y"),)


VIOLATIONS = {
    "too few fields": (f"S a b\n{a('0 1', 'x').rpartition('|||')[0]}", 2),
    "too many fields": (f"S a b\n{a('0 1', 'x')}|||9", 2),
    "annotator is not a number": (f"S a b\n{a('0 1', 'x', 'zero')}", 2),
    "annotator is empty": (f"S a b\n{a('0 1', 'x', '')}", 2),
    "annotator is negative": (f"S a b\n{a('0 1', 'x', -1)}", 2),
    "start is not a number": (f"S a b\n{a('one 2', 'x')}", 2),
    "end is not a number": (f"S a b\n{a('0 1.0', 'x')}", 2),
    "span of one number": (f"S a b\n{a('1', 'x')}", 2),
    "span of three numbers": (f"S a b\n{a('0 1 2', 'x')}", 2),
    "span is empty": (f"S a b\n{a('', 'x')}", 2),
    "span beyond the sentence": (f"S a b\n{a('0 1', 'x')}\n{a('1 3', 'x')}", 3),
    "insertion beyond the sentence": (f"S a b\n{a('3 3', 'x')}", 2),
    "span before the sentence": (f"S a b\n{a('-1 1', 'x')}", 2),
    "span reversed": (f"S a b\n{a('2 1', 'x')}", 2),
    "edit of -1 -1 that is not a noop": (f"S a b\n{a('-1 -1', 'x')}", 2),
    "edit before any sentence": (a("0 1", "x"), 1),
    "edit after a blank line": (f"S a b\n\n{a('0 1', 'x')}", 3),
    "overlapping edits": (f"S a b c\n{a('0 2', 'x')}\n{a('2 3', 'y')}\n{a('1 2', 'z')}", 4),
    "the same span twice": (f"S a b c\n{a('0 1', 'x')}\n{a('0 1', 'y')}", 3),
    "insertion inside an edit": (f"S a b c\n{a('1 1', 'x')}\n{a('0 3', 'y')}", 3),
    "noop and an edit": (f"S a b\n{NOOP}0\n{a('0 1', 'x')}", 3),
    "an edit and a noop": (f"S a b\n{a('0 1', 'x')}\n{NOOP}0", 3),
    "text of an unknown kind": ("S a b\nand more", 2),
    "small letters": ("s a b", 1),
    "S without a blank": ("Sentence", 1),
    "A without a blank": ("S a b\nA0 1|||R|||x|||REQUIRED|||-NONE-|||0", 2),
    "a comment": ("# made by hand\nS a b", 1),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_violations_are_refused_with_file_line_and_remedy(name):
    content, line = VIOLATIONS[name]
    with pytest.raises(FormatError) as caught:
        parsed(content)
    assert caught.value.location == Location("gold.m2", line)
    assert caught.value.problem
    assert caught.value.remedy


@pytest.mark.parametrize("line", ["This is not an M2 line", "The cat sat .", "T", "TODO"])
def test_other_lines_that_begin_with_t_are_violations(line):
    with pytest.raises(FormatError) as caught:
        parsed(f"S a b\n{line}")
    assert caught.value.location == Location("gold.m2", 2)


@pytest.mark.parametrize(
    "number", ["1_0", "１", "+1", "٣"]
)  # the second and the last are digits of other scripts
def test_numbers_are_plain_digits(number):
    with pytest.raises(FormatError):
        parsed(f"S {'a ' * 12}\n{a(f'0 {number}', 'x')}")


def test_bytes_that_are_not_text_are_refused(tmp_path):
    path = tmp_path / "gold.m2"
    for content in (b"S a\nA \x00", b"S a\nA \xff"):
        path.write_bytes(content)
        with pytest.raises(FormatError) as caught:
            m2.read(path)
        assert caught.value.location == Location(str(path), 2)
        assert caught.value.remedy


def test_crlf_and_byte_order_mark(tmp_path):
    path = tmp_path / "gold.m2"
    path.write_bytes(b"\xef\xbb\xbf" + f"S a b\r\n{a('0 1', 'x')}\r\n\r\nS c\r\n".encode())
    corpus = read_m2(path)
    assert corpus.sources == ("a b", "c")
    assert corpus.references == (("x b",), ("c",))


def test_only_line_feeds_end_lines(tmp_path):
    path = tmp_path / "gold.m2"
    path.write_bytes(f"S a\u2028b \x0c\n{a('1 2', 'x')}\n".encode())
    assert read_m2(path).references == (("a x",),)


def test_the_corpus_keeps_gold_and_references_together():
    corpus = m2.to_corpus(parsed(f"S a b\n{a('0 1', 'x', 0)}\n{NOOP}3\n\nS c\n"))
    assert corpus.references == (("x b", "a b"), ("c",))
    assert [
        [annotation.annotator for annotation in annotations] for annotations in corpus.gold
    ] == [[0, 3], [0]]


words = st.sampled_from(["a", "b", "é", "中文", ",", "-", "--", "'s", "A-1", "S", "T0"])
phrases = st.lists(words, max_size=3).map(" ".join)
options = st.lists(phrases, min_size=1, max_size=3).map(tuple)
kinds = st.sampled_from(["UNK", "R:VERB", "ArtOrDet", "R|X"])


@st.composite
def edits_of(draw: st.DrawFn, length: int) -> tuple[Edit, ...]:
    """Edits that do not overlap, in any order: their bounds never fall."""
    bounds = sorted(draw(st.lists(st.integers(0, length), max_size=6)))
    spans = zip(bounds[::2], bounds[1::2], strict=False)
    made = [Edit(start, end, draw(options), draw(kinds)) for start, end in spans]
    return tuple(made[::-1] if draw(st.booleans()) else made)


@st.composite
def m2_sentences(draw: st.DrawFn) -> AnnotatedSentence:
    source = draw(st.lists(words, max_size=6))
    annotators = sorted(draw(st.sets(st.integers(0, 5), min_size=1, max_size=3)))
    annotations = [Annotation(annotator, draw(edits_of(len(source)))) for annotator in annotators]
    return AnnotatedSentence(" ".join(source), tuple(annotations))


def text_of(sentences) -> str:
    file = io.StringIO()
    m2.write(sentences, file)
    return file.getvalue()


@settings(max_examples=examples(60))
@given(st.lists(m2_sentences(), max_size=3))
def test_what_is_written_reads_the_same(sentences):
    again = parsed(text_of(sentences))
    assert [(s.source, s.annotations) for s in again] == [
        (s.source, s.annotations) for s in sentences
    ]
    assert text_of(again) == text_of(sentences)


@settings(max_examples=examples(60))
@given(st.lists(m2_sentences(), max_size=3))
def test_a_corpus_of_gold_edits_is_written_as_it_was(sentences):
    assert text_of(m2.from_corpus(m2.to_corpus(sentences))) == text_of(sentences)


@given(
    st.lists(st.tuples(phrases, st.lists(phrases, min_size=1, max_size=3).map(tuple)), max_size=4)
)
def test_text_becomes_edits_that_give_the_text(rows):
    corpus = Corpus(
        tuple(source for source, _ in rows), tuple(references for _, references in rows)
    )
    again = m2.to_corpus(parsed(text_of(m2.from_corpus(corpus))))
    assert again.sources == corpus.sources
    assert again.references == corpus.references


def test_sentences_without_references_cannot_be_written():
    sources_alone = Corpus.from_lists(["a", "b"])
    with pytest.raises(CorrigendaError, match="sentence 1 has no references") as caught:
        m2.from_corpus(sources_alone)
    assert "JSON lines or text" in caught.value.remedy
    some = Corpus(("a", "b"), (("A",), ()), ((Annotation(0, ()),), ()))
    with pytest.raises(CorrigendaError, match="sentence 2 has no references"):
        m2.from_corpus(some)


# What M2 cannot say: its own separators, and the word that stands for nothing.
unsayable = st.sampled_from(["|", "||", "|||", "a||b", "a|||b", "-NONE-", "x|"])


@given(unsayable, st.sampled_from(["", "c "]))
def test_what_m2_cannot_say_is_refused_or_survives(word, before):
    corpus = Corpus(("a b",), ((f"a {before}{word} b",),))
    assume(word not in corpus.sources)
    try:
        written = text_of(m2.from_corpus(corpus))
    except FormatError:
        return
    assert m2.to_corpus(parsed(written)).references == corpus.references
