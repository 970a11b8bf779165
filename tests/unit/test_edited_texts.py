"""References from edits stay in proportion to the file that holds the edits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corrigenda.errors import FormatError
from corrigenda.formats import edited_texts, ixml, jsonl, m2

WORDS = 600
ANNOTATORS = 300


def _m2(folder: Path) -> Path:
    lines = ["S a", "A 0 1|||R|||b|||REQUIRED|||-NONE-|||0", "", "S " + "w " * WORDS]
    lines += [f"A 0 1|||R|||x|||REQUIRED|||-NONE-|||{number}" for number in range(ANNOTATORS)]
    path = folder / "x.m2"
    path.write_text("\n".join(lines) + "\n")
    return path


def _jsonl(folder: Path) -> Path:
    edit = {"start": 0, "end": 1, "corrections": ["x"]}
    path = folder / "x.jsonl"
    rows = [
        {"source": "a", "edits": [[]]},
        {"source": "w " * WORDS, "edits": [[edit]] * ANNOTATORS},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(("make", "load", "line"), [(_m2, m2.load, 4), (_jsonl, jsonl.load, 2)])
def test_many_annotators_of_a_long_line(
    make, load, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path)
    assert load(path).corpus.reference_range == (1, ANNOTATORS)
    monkeypatch.setattr(edited_texts, "FREE_BYTES", 1 << 14)
    with pytest.raises(FormatError, match=f":{line}: .* more than 20 times as large"):
        load(path)
    monkeypatch.setattr(edited_texts, "FREE_BYTES", 1 << 26)
    monkeypatch.setattr(edited_texts, "MOST_REFERENCES", 299)
    with pytest.raises(FormatError, match=f":{line}: the sentence has 300 references; at most 299"):
        load(path)


def test_references_of_json_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edited_texts, "MOST_REFERENCES", 2)
    path = tmp_path / "x.jsonl"
    path.write_text('{"source": "a", "references": ["a", "b", "c"]}\n')
    with pytest.raises(FormatError, match=":1: the sentence has 3 references"):
        jsonl.load(path)


def test_annotators_of_xml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.xml"
    path.write_text(
        '<scripts><script id="1"><sentence id="1" numann="3"><text>a b</text>'
        "<error-list></error-list></sentence></script></scripts>"
    )
    assert ixml.load(path).corpus.reference_range == (3, 3)
    monkeypatch.setattr(edited_texts, "MOST_REFERENCES", 2)
    with pytest.raises(FormatError, match="the sentence has 3 references"):
        ixml.load(path)
