"""Plain JSON lines: what compiled code finds is what the parser of single lines finds."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.bulk import readers
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.line_source import LineSource, RawLines, next_lines
from corrigenda.bulk.rows import RowBlock

COLUMNS = Columns("s", "h", ("r", "q"), "k")
TEXT = st.text(alphabet='ab "\\/\n\t\x00\x7fé語😀\u2028', max_size=5)
OTHER = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
PLAIN = st.fixed_dictionaries(
    {"s": TEXT, "h": TEXT, "r": st.lists(TEXT, max_size=2) | TEXT | st.none()},
    optional={"q": TEXT, "k": TEXT | OTHER, "more": OTHER},
)
TOKENS = st.sampled_from(
    [
        b"{", b"}", b"[", b"]", b",", b":", b" ", b"\t", b'"s"', b'"h"', b'"r"', b'"k"', b'"a"',
        b'"\\u00e9"', b'"\\ud83d\\ude00"', b'"\\ud800"', b'"\\x"', b'"\\u12"', b'"a\\n"', b'"',
        b"null", b"true", b"nul", b"1", b"-0.5", b"01", b"1e5", b"NaN", b"\xff", b"\x01",
    ]
)  # fmt: skip


def raw(lines: list[bytes]) -> RawLines:
    (block,) = next_lines([LineSource(BytesIO(b"\n".join(lines) + b"\n"), "x")], 1000)
    return block


def both(lines: list[bytes]) -> tuple[RowBlock | None, list[RowBlock]]:
    given = raw(lines)
    parsed = list(readers._parsed_json_blocks(given, COLUMNS, 7))
    for block in parsed:
        block.check(None)
    return readers._plain_json_block(given, COLUMNS, 7), parsed


def assert_same(lines: list[bytes]) -> RowBlock | None:
    plain, (parsed,) = both(lines)
    if plain is not None:
        assert parsed.rejected == {}
        assert plain.first_row == parsed.first_row
        assert list(plain.sources) == list(parsed.sources)
        assert list(plain.hypotheses) == list(parsed.hypotheses)
        assert list(plain.references) == list(parsed.references)
        assert plain.keys == parsed.keys
    return plain


@given(st.lists(PLAIN, min_size=1, max_size=3), st.booleans(), st.sampled_from([None, 1]))
def test_rows_of_all_kinds(rows: list[dict], ascii_only: bool, indent: int | None) -> None:
    lines = [
        json.dumps(row, ensure_ascii=ascii_only, indent=indent).replace("\n", " ") for row in rows
    ]
    assert_same([line.encode() for line in lines])


@given(st.lists(st.lists(TOKENS, max_size=12).map(b"".join), min_size=1, max_size=2))
def test_lines_that_are_hardly_json(lines: list[bytes]) -> None:
    assert_same(lines)


@given(st.data())
def test_lines_with_a_changed_byte(data: st.DataObject) -> None:
    line = bytearray(
        b'{"s": "a\\u00e9", "h": "b", "r": ["c", "\\t"], "q": null, "k": "x", "n": -1.5}'
    )
    place = data.draw(st.integers(0, len(line) - 1))
    line[place] = data.draw(st.sampled_from(list(b'"\\{}[],: 0u\x00\n\xc3a')))
    assert_same([bytes(line).replace(b"\n", b"")])


ROW = {"s": "a", "h": "b", "r": ["c", "d"], "q": "e", "k": "1"}


@pytest.mark.parametrize("ascii_only", [True, False])
def test_usual_rows_are_plain(ascii_only: bool) -> None:
    rows = [
        ROW,
        ROW | {"s": 'é "q" \\ / 😀\t', "r": ["", "語"], "n": 3, "x": [1, [True, None], "y"]},
        {**ROW, "r": "c", "q": "d"} | {"r": ["c", "d"]},
    ]
    lines = [json.dumps(row, ensure_ascii=ascii_only).encode() for row in rows]
    found = assert_same(lines)
    assert found is not None
    assert found.is_checked
    assert found.sources[1] == rows[1]["s"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"s": "a", "h": "b", "r": "c", "s": "x", "k": "1"}',
        b'{"s": "a", "h": "b", "r": "c", "k": 1}',
        b'{"s": "a", "h": null, "r": "c", "k": "1"}',
        b'{"s": "a\\n", "h": "b", "r": "c", "k": "1"}',
        b'{"s": "a", "h": "b", "r": ["c", null], "k": "1"}',
        b'{"s": "a", "h": "b", "r": "c", "k": "1", "o": {}}',
        b'{"s": "a", "h": "b", "r": "c", "k": "1", "n": 1e999}',
        b'{"s": "a", "h": "b", "r": "c", "k": "1"} x',
        b'{"\\u0073": "a", "h": "b", "r": "c", "k": "1"}',
        b'{"s": "\\ud800", "h": "b", "r": "c", "k": "1"}',
    ],
)
def test_lines_that_are_left_to_the_parser(line: bytes) -> None:
    good = b'{"s": "a", "h": "b", "r": "c", "k": "1"}'
    assert assert_same([good, good]) is not None
    plain, parsed = both([good, line])
    assert plain is None
    assert len(parsed[0]) == 2


def test_rows_with_other_numbers_of_references_are_left_to_the_parser() -> None:
    rows = [ROW, ROW | {"r": ["c"]}]
    assert both([json.dumps(row).encode() for row in rows])[0] is None
