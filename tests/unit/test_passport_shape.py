"""Passports that somebody else wrote: the digest is right, and a part is not as it must be."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corrigenda.cli import main
from corrigenda.errors import FormatError
from corrigenda.passport import document

CORPUS = ("--source", "source.txt", "--refs", "ref.txt", "--hyps", "ours.txt")
VALUES = [None, -1, 1.5, 10**30, "x", "９", [], {}, True, [1], [[]], [None], {"a": 1}, "\x1b[2J"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("source", "a b\nc d\n"), ("ref", "a x\nc d\n"), ("ours", "a x\nc e\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    assert main(["score", *CORPUS, "--metrics", "green", "m2", "--passport", "p.json"]) == 0
    return tmp_path


def rewritten(folder: Path, body: Any) -> str:
    (folder / "q.json").write_bytes(document.rendered(body))
    return "q.json"


def places(data: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*above, key)
            yield from places(value, (*above, key))
    elif isinstance(data, list) and data:
        yield (*above, 0)
        yield from places(data[0], (*above, 0))


def changed(body: Any, place: tuple[Any, ...], value: object) -> Any:
    found = copy.deepcopy(body)
    inside = found
    for key in place[:-1]:
        inside = inside[key]
    if value is ...:
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    return found


@pytest.mark.slow
def test_every_part_with_another_value(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = document.load("p.json")
    tried = 0
    for place in places(body):
        for value in (..., *VALUES):
            path = rewritten(folder, changed(body, place, value))
            for corpus in ((), CORPUS):
                assert main(["verify", path, *corpus]) in (0, 1, 2), (place, value)
                tried += 1
    assert tried > 1_000
    assert "\x1b" not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        (("results",), [], "it states no score"),
        (("results", 0, "rows", 0), 2, "other numbers of rows than it says"),
        (("results", 0, "counts", 0), [1], "the rows of counts are not equally long"),
        (("results", 0, "counts", 0, 0), 1 << 53, "count more things than there are"),
        (("results", 0, "level"), "word", "level is none of corpus, sentence"),
        (("results", 0, "score"), True, "score is not a number"),
        (("texts", "sentences"), -1, "sentences is not a number of things"),
        (("texts",), ..., "it lacks texts"),
    ],
)
def test_what_is_no_passport(
    folder: Path, place: tuple[Any, ...], value: object, problem: str
) -> None:
    body = changed(document.load("p.json"), place, value)
    with pytest.raises(FormatError, match=f"this is not a passport: .*{problem}"):
        document.load(rewritten(folder, body))


@pytest.mark.parametrize(
    "content",
    [b"", b"\0", b"[" * 100_000, b'{"digest":' * 50_000, b'{"digest":1,"passport":NaN}', b"\xff"],
)
def test_files_that_are_no_json(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(FormatError, match="this is not a passport"):
        document.load(tmp_path / "x")


def test_a_file_that_is_too_large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MOST_BYTES", 100)
    with pytest.raises(FormatError, match="the passport has more than"):
        document.load("p.json")


@pytest.mark.parametrize("metric", ["llm:{}", "rank-average:green+llm:{}"])
def test_a_passport_cannot_name_who_gets_the_texts(
    folder: Path, capsys: pytest.CaptureFixture[str], metric: str
) -> None:
    """Nobody may have the texts, or the key of a service, sent to an address in a passport."""
    name = metric.format("base_url=http://127.0.0.1:9/v1")
    body = changed(document.load("p.json"), ("results", 0, "metric"), name)
    assert main(["verify", rewritten(folder, body), *CORPUS]) == 2
    assert "sends the texts to a service" in capsys.readouterr().err
    assert json.loads((folder / "q.json").read_text())["results"][0]["metric"] == name


@pytest.mark.parametrize("width", [0, 3, 29])
def test_counts_of_another_metric(
    folder: Path, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    body = document.load("p.json")
    place = ("results", 0, "counts")
    counts = [[*row, 0][:width] for row in body["results"][0]["counts"]]
    path = rewritten(folder, changed(body, place, counts))
    assert main(["verify", path]) == 1
    assert "are not those of 'green'" in capsys.readouterr().err
