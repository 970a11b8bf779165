"""The data of a report have the form that report/schema.py describes, and its files are current."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.report import ReportOptions, report
from corrigenda.report.human import from_judgments
from corrigenda.report.page import SCRIPTS
from corrigenda.report.schema_files import FOLDER, files, main
from corrigenda.scoring import evaluate
from reference_free import KeptWords, without_references

SCHEMA = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
BLOCKS = {"summary": "ReportSummary", "corpus": "SentenceData"}
OPTIONS = ReportOptions(resamples=20)


def is_type(value: object, name: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "number": number,
        "integer": isinstance(value, int) and number,
        "boolean": isinstance(value, bool),
        "null": value is None,
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }[name]


def problems(value: object, schema: dict, path: str = "") -> list[str]:
    """Where a value differs from the part of JSON Schema that schema.json uses."""
    if "$ref" in schema:
        return problems(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], path)
    if "anyOf" in schema:
        found = [problems(value, part, path) for part in schema["anyOf"]]
        return [] if not all(found) else found[0]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{path}: {value!r} is not allowed"]
    if not is_type(value, schema["type"]):
        return [f"{path}: {value!r} is not of type {schema['type']}"]
    if isinstance(value, dict):
        return object_problems(value, schema, path)
    return array_problems(value, schema, path) if isinstance(value, list) else []


def object_problems(value: dict, schema: dict, path: str) -> list[str]:
    names, needed = set(schema["properties"]), set(schema["required"])
    found = [f"{path}: {name} is not in the schema" for name in set(value) - names]
    found += [f"{path}: {name} is missing" for name in needed - set(value)]
    for name in names & set(value):
        found += problems(value[name], schema["properties"][name], f"{path}.{name}")
    return found


def array_problems(value: list, schema: dict, path: str) -> list[str]:
    first = schema.get("prefixItems", [])
    if len(value) < schema.get("minItems", 0):
        return [f"{path}: {len(value)} items are too few"]
    if schema["items"] is False and len(value) > len(first):
        return [f"{path}: {len(value)} items are too many"]
    parts = [*first, *[schema["items"]] * (len(value) - len(first))]
    pairs = enumerate(zip(value, parts, strict=False))
    return [found for at, pair in pairs for found in problems(*pair, f"{path}[{at}]")]


def blocks(html: str) -> dict[str, object]:
    pattern = r'<script type="application/json" id="(\w+)">(.*?)</script>'
    return {name: json.loads(block) for name, block in re.findall(pattern, html, re.DOTALL)}


def sample_report() -> str:
    corpus, systems = sample_corpus(), sample_systems()
    return report(
        corpus,
        systems,
        evaluate(corpus, systems, ["green", "gleu", "m2", "bleu"]),
        options=OPTIONS,
        columns={"half": ["first"] * 30 + ["second"] * 30},
        human=from_judgments(SAMPLE / "judgments.xml"),
    )


def small_report() -> str:
    """One system, reference texts, empty sentences, no people."""
    corpus = Corpus.from_lists(["a b c", ""], [["a d c", ""]], references_by="text")
    systems = [Hypotheses("x", ("a d c", "new words"))]
    return report(corpus, systems, evaluate(corpus, systems, ["m2"]), options=OPTIONS)


def report_without_references() -> str:
    return _report_on(without_references())


def report_with_some_references() -> str:
    return _report_on(without_references(every=2))


def _report_on(corpus: Corpus) -> str:
    systems = sample_systems()
    return report(corpus, systems, evaluate(corpus, systems, [KeptWords()]), options=OPTIONS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [sample_report, small_report, report_without_references, report_with_some_references],
)
def test_the_data_of_a_report_have_the_form_of_the_schema(make):
    for name, data in blocks(make()).items():
        assert problems(data, {"$ref": f"#/$defs/{BLOCKS[name]}"}, name) == []


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        ({"gold": [[1]], "wrong": None}, "TypeCounts", "made is missing"),
        (
            {"gold": [[1]], "made": [["0"]], "wrong": None},
            "TypeCounts",
            "'0' is not of type integer",
        ),
        ({"gold": [], "made": [], "wrong": [], "x": 4}, "TypeCounts", "x is not in the schema"),
        (
            {"title": "P", "note": "", "kind": "percent"},
            "LeaderboardColumn",
            "'percent' is not allowed",
        ),
        ([0, 1, "a"], "MadeEditRow", "3 items are too few"),
        ([0, 1, "a", 0, None, 1], "MadeEditRow", "6 items are too many"),
        ([0, 1, "a", 0, 1], "MadeEditRow", "1 is not of type string"),
    ],
)
def test_the_validator_finds_what_is_wrong(value: object, kind: str, message: str):
    assert any(found.endswith(message) for found in problems(value, {"$ref": f"#/$defs/{kind}"}))


@pytest.mark.parametrize("name", sorted(files()))
def test_the_files_of_the_schema_are_current(name: str):
    """If this fails: python -m corrigenda.report.schema_files --write."""
    assert (FOLDER / name).read_text(encoding="utf-8") == files()[name]


def test_the_command_says_which_file_is_not_current_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("corrigenda.report.schema_files.FOLDER", tmp_path)
    assert main([]) == 1
    assert "schema.json is not current" in capsys.readouterr().out
    assert main(["--write"]) == 0
    assert main([]) == 0


def test_the_scripts_read_the_data_only_in_one_place():
    texts = {name: (FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS}
    assert [name for name, text in texts.items() if "JSON.parse" in text] == ["data.js"]
    assert [name for name, text in texts.items() if "ROW_FIELDS" in text] == [
        "schema.js",
        "data.js",
    ]
