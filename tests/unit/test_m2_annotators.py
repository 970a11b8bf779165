"""Annotators of M2 sentences: select, merge, apply, count; and all problems of a file."""

from __future__ import annotations

import io
import tempfile
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.corpus import Corpus
from corrigenda.data import SAMPLE
from corrigenda.edits.annotation_statistics import AnnotationStatistics
from corrigenda.edits.annotators import annotators_of, corrected, merge, only
from corrigenda.errors import CorrigendaError, FormatError
from corrigenda.formats import m2, text
from small_corpora import sentences

TWO = """\
S This are a sentence .
A 1 2|||SVA|||is||was|||REQUIRED|||-NONE-|||0
A 3 3|||Adj|||good|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||3

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S No edits .
"""


def parsed(content: str, name: str = "gold.m2") -> tuple[m2.AnnotatedSentence, ...]:
    return tuple(m2.parse(content.splitlines(), name))


def written(found: object) -> str:
    file = io.StringIO()
    m2.write(found, file)  # type: ignore[arg-type]
    return file.getvalue()


def test_only_one_annotator() -> None:
    found = list(only(parsed(TWO), 3, fill="source"))
    assert [[(a.annotator, len(a.edits)) for a in sentence.annotations] for sentence in found] == [
        [(0, 1)],
        [(0, 0)],
        [(0, 0)],
    ]
    assert [len(s.annotations[0].edits) for s in only(parsed(TWO), 3, fill="drop")] == [1]
    assert [s.source for s in only(parsed(TWO), 3, fill="first")] == [
        "This are a sentence .",
        "Fine .",
        "No edits .",
    ]


def test_missing_annotator_is_named_with_the_line() -> None:
    with pytest.raises(
        CorrigendaError, match=r"gold\.m2:6: the sentence has no annotator 3 \(it has 0\)"
    ):
        list(only(parsed(TWO), 3, file="gold.m2"))


def test_corrected_takes_the_first_alternative() -> None:
    assert [corrected(sentence) for sentence in parsed(TWO)] == [
        "This is a good sentence .",
        "Fine .",
        "No edits .",
    ]


def test_merge_numbers_annotators_on_and_closes_gaps() -> None:
    merged = list(merge([("a", parsed(TWO)), ("b", parsed(TWO))]))
    assert [annotation.annotator for annotation in merged[0].annotations] == [0, 1, 2, 3]
    assert [annotation.annotator for annotation in merged[1].annotations] == [0, 2]


def test_merge_names_file_and_line_of_the_first_difference() -> None:
    other = TWO.replace("S Fine .", "S Good .")
    with pytest.raises(
        FormatError, match=r"b\.m2:6: the source is 'Good \.', but a\.m2:6 has 'Fine \.'"
    ):
        list(merge([("a.m2", parsed(TWO)), ("b.m2", parsed(other))]))


def test_merge_of_files_of_unequal_length() -> None:
    longer = TWO + "\nS One more .\n"
    for files in (
        [("a", parsed(TWO)), ("b", parsed(longer))],
        [("b", parsed(longer)), ("a", parsed(TWO))],
    ):
        with pytest.raises(
            FormatError,
            match=r"b:11: a ends after 3 sentences, but this file has more: 'One more \.'",
        ):
            list(merge(files))
    with pytest.raises(FormatError, match="b:6: the source is 'Good"):
        list(merge([("a", parsed(TWO)), ("b", parsed(longer.replace("Fine", "Good")))]))


def test_split_then_merge_is_the_same_sample() -> None:
    sample = m2.read(SAMPLE / "gold.m2")
    two = [
        m2.AnnotatedSentence(s.source, tuple(a for a in s.annotations if a.annotator < 2))
        for s in sample
    ]
    parts = [(str(annotator), list(only(two, annotator))) for annotator in annotators_of(two)]
    assert written(merge(parts)) == written(two)


@pytest.mark.parametrize("annotator", [0, 1])
def test_applied_sample_is_its_reference(annotator: int) -> None:
    found = tuple(corrected(sentence) for sentence in only(m2.read(SAMPLE / "gold.m2"), annotator))
    assert found == text.read(SAMPLE / f"ref{annotator}.txt")


@given(st.lists(st.tuples(sentences(), sentences(), sentences()), min_size=1, max_size=4))
def test_applied_extracted_edits_are_the_references(rows: list[tuple[str, str, str]]) -> None:
    corpus = Corpus(tuple(row[0] for row in rows), tuple(row[1:] for row in rows))
    found = tuple(m2.parse(written(m2.from_corpus(corpus)).splitlines(), "gold.m2"))
    for annotator in (0, 1):
        applied = [corrected(sentence) for sentence in only(found, annotator)]
        assert applied == [row[annotator + 1] for row in rows]


def test_statistics() -> None:
    found = asdict(AnnotationStatistics.of(parsed(TWO)))
    assert (found["sentences"], found["words"], found["edits"]) == (3, 10, 3)
    assert found["types"] == {"SVA": 2, "Adj": 1}
    first, last = found["annotators"]
    assert first == {
        "annotator": 0,
        "sentences": 3,
        "noop_sentences": 2,
        "edits": 2,
        "edits_per_sentence": 2 / 3,
        "with_alternatives": 1,
        "insertions": 1,
        "deletions": 0,
        "replacements": 1,
        "types": {"Adj": 1, "SVA": 1},
    }
    assert (last["annotator"], last["sentences"], last["edits"]) == (3, 1, 1)


def test_statistics_of_nothing() -> None:
    assert AnnotationStatistics.of([]).annotators == ()


BAD = b"""\
A 0 1|||X|||y|||REQUIRED|||-NONE-|||0
S one two three
A 2 4|||X|||y|||REQUIRED|||-NONE-|||0
A 0 1|||X|||y|||REQUIRED|||-NONE-|||first
A x 1|||X|||y|||REQUIRED|||-NONE-|||0
A 0 2|||X|||y|||REQUIRED|||-NONE-|||0
A 1 3|||X|||y|||REQUIRED|||-NONE-|||0
A 2 3|||X|||y|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 0 1|||X|||y|||0

S caf\xe9 au lait
A 0 1|||X|||y|||REQUIRED|||-NONE-|||-1
A 0 1|||X|||y|||REQUIRED|||-NONE-|||1
B nonsense
"""


def test_every_problem_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.m2"
    path.write_bytes(BAD)
    problems, found = m2.problems(path)
    shown = [
        f"{problem.location.line if problem.location else 0}: {problem.problem}"
        for problem in problems
    ]
    assert shown == [
        "1: the edit comes before any sentence",
        "3: the span 2 4 is not within the sentence of 3 words",
        "4: the annotator is 'first', not a number",
        "5: the start is 'x', not a number",
        "7: annotator 0 has overlapping edits, 0 2 and 1 3",
        "9: annotator 0 has both a noop and an edit in this sentence",
        "10: the edit has 4 fields, not 6",
        "12: byte 6 of the line is not UTF-8",
        "13: the annotator is -1",
        "15: the line begins with 'B'",
    ]
    assert found == 2
    assert all(problem.location and problem.location.file == str(path) for problem in problems)


def test_reading_stops_at_the_first_problem(tmp_path: Path) -> None:
    for line in BAD.splitlines()[2:5]:
        path = tmp_path / "bad.m2"
        path.write_bytes(b"S one two three\n" + line + b"\n")
        with pytest.raises(FormatError, match=r"bad\.m2:2: "):
            m2.read(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbfS a b\r\nA 0 1|||X||||||REQUIRED|||-NONE-|||0\r\n",
        b"S a b\nA 0 1|||X||||||REQUIRED|||-NONE-|||0\x1e\n",
        TWO.encode(),
    ],
)
def test_good_files_have_no_problem(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "good.m2"
    path.write_bytes(content)
    assert m2.problems(path) == ([], len(m2.read(path)))


LINES = st.one_of(
    st.sampled_from(
        ["", "S", "S a b c", "S  a ", "A 0 1|||X", "T0-A0 a b", "nonsense", "A", "S a\u2028b"]
    ),
    st.builds(
        "A {} {}|||{}|||{}|||REQUIRED|||-NONE-|||{}".format,
        st.integers(-1, 3),
        st.integers(-1, 4),
        st.sampled_from(["X", "noop"]),
        st.sampled_from(["", "x", "-NONE-", "x||y", "x y"]),
        st.sampled_from(["0", "1", "x", "-1"]),
    ),
)


@pytest.mark.filterwarnings("ignore:.*skipped")
@given(st.lists(LINES, max_size=8))
def test_a_file_has_problems_where_it_is_refused(lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.m2"
        path.write_bytes("\n".join(lines).encode())
        problems, found = m2.problems(path)
        if not problems:
            assert len(m2.read(path)) == found
            return
        with pytest.raises(FormatError) as refused:
            m2.read(path)
        assert str(refused.value) == str(problems[0])
