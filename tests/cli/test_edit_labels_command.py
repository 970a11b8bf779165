"""`corrigenda meta --edit-labels`: metrics against labels of single edits."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from program import REFS, SOURCE, TEXT_CORPUS, output_of, run


@pytest.fixture
def judges(tmp_path: Path) -> list[Path]:
    """Two judges of the first six sentences of the sample: the references are right."""
    folders = []
    for judge in ("first", "second"):
        folder = tmp_path / judge
        folder.mkdir()
        for number in range(6):
            (folder / f"{number}.txt").write_text(_file(number), encoding="utf-8")
        folders.append(folder)
    return folders


def _file(number: int) -> str:
    source = Path(SOURCE).read_text(encoding="utf-8").splitlines()[number].split()
    target = Path(REFS[0]).read_text(encoding="utf-8").splitlines()[number].split()
    place = next((i for i, (a, b) in enumerate(zip(source, target, strict=False)) if a != b), 0)
    right = [*source[:place], f"[{source[place]}→{target[place]}|True]", *source[place + 1 :]]
    wrong = [*source[:-1], f"[{source[-1]}→zebra|False]"]
    return f"<t>{' '.join(source)}</t>\n<s1>{' '.join(right)}</s1>\n<s2>{' '.join(wrong)}</s2>\n"


def test_table_json_and_csv(judges: list[Path]) -> None:
    command = ["meta", *TEXT_CORPUS, "--edit-labels", *judges, "--metrics", "green", "m2"]
    table = output_of(*command)
    assert "Single edits: metrics against judges" in table
    assert "the majority of 2 judges" in table
    data = json.loads(output_of(*command, "-f", "json", "--bootstrap", "50"))
    assert data["judges"] == ["first", "second"]
    assert [each["metric"] for each in data["metrics"]] == ["green", "m2"]
    for each in data["metrics"]:
        low, high = each["auc_interval"]
        assert 0.5 < low <= each["auc"] <= high <= 1
    rows = list(csv.DictReader(io.StringIO(output_of(*command, "-f", "csv"))))
    assert [row["metric"] for row in rows] == ["green", "m2"]
    assert float(rows[0]["auc"]) == data["metrics"][0]["auc"]


def test_outputs_that_cannot_be_read_are_named(judges: list[Path]) -> None:
    file = judges[0] / "9.txt"
    file.write_text("<t>a b</t>\n<s1>a [b→c|True</s1>\n", encoding="utf-8")
    finished = run("meta", *TEXT_CORPUS, "--edit-labels", *judges, "--metrics", "m2")
    assert finished.returncode == 0
    assert "outputs with marks that cannot be read are left out: 1" in finished.stderr
    assert f"{file}:2" in finished.stderr


def test_edits_of_other_sentences_are_counted(judges: list[Path]) -> None:
    text = "<t>a b</t>\n<s1>a [b→c|True]</s1>\n"
    (judges[0] / "9.txt").write_text(text, encoding="utf-8")
    table = output_of("meta", *TEXT_CORPUS, "--edit-labels", *judges, "--metrics", "m2")
    assert "1 labelled edits are of sentences that are not in the corpus" in table


@pytest.mark.parametrize("other", [("--attacks",), ("--top-k",), ("--hyps", SOURCE)])
def test_other_analyses_are_refused(judges: list[Path], other: tuple[str, ...]) -> None:
    finished = run("meta", *TEXT_CORPUS, "--edit-labels", *judges, *other)
    assert finished.returncode == 2
    assert "are both given" in finished.stderr
