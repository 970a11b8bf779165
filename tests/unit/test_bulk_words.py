"""Bulk with --tokenise: the scores, the signatures and the counts of `score --tokenise`."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import damages
from corrigenda.bulk import bulk
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import SAMPLE
from corrigenda.errors import CorrigendaError, UsageError
from corrigenda.scoring import evaluate
from corrigenda.tokens import Retokeniser

METRICS = ["green", "m2", "bleu"]
TEXTS = {
    name: (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for name in ("source", "ref0", "ref1", "strong")
}


def rows(raw: str) -> list[tuple[str, str, list[str]]]:
    """The rows of the sample. Raw are the (s)ource, the (r)eferences or the (h)ypotheses."""
    letters = {"source": "s", "strong": "h", "ref0": "r", "ref1": "r"}
    source, output, *references = (
        list(map(damages.detokenised, TEXTS[name])) if letter in raw else TEXTS[name]
        for name, letter in letters.items()
    )
    return [
        (one, other, list(each))
        for one, other, *each in zip(source, output, *references, strict=True)
    ]


def written(folder: Path, lines: list[tuple[str, str, list[str]]]) -> Path:
    path = folder / "rows.jsonl"
    objects = [
        {"source": source, "hypothesis": output, "references": references}
        for source, output, references in lines
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in objects), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("raw", "choice"),
    [("srh", "auto"), ("sr", "auto"), ("h", "auto"), ("srh", "intl"), ("s", "char")],
)
@pytest.mark.slow
def test_the_same_as_evaluate(raw: str, choice: str, tmp_path: Path) -> None:
    made = rows(raw)
    corpus = Corpus(tuple(row[0] for row in made), tuple(tuple(row[2]) for row in made))
    output = Hypotheses("hypothesis", tuple(row[1] for row in made))
    done = bulk(
        [written(tmp_path, made)], tmp_path / "out", METRICS,
        tokenise=choice, workers=0, partition_rows=25,
    )  # fmt: skip
    retokeniser = Retokeniser(choice)
    words = retokeniser(corpus, [output])
    assert done.tokenisation == retokeniser.to_dict()
    table = pd.read_parquet(tmp_path / "out" / "scores")
    for level in ("corpus", "sentence"):
        expected = evaluate(corpus, [output], METRICS, level=level, tokenise=choice, health="off")
        found = [result for result in done.results if result.level == level]
        assert [each.signature for each in found] == [each.signature for each in expected]
        assert [each.score for each in found] == pytest.approx([each.score for each in expected])
        if level == "sentence":
            for result in expected:
                assert table[str(result.metric)].tolist() == list(result.sentence_scores)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["settings"]["tokenise"] == choice
    assert manifest["tokens"]["name"] == retokeniser.name == words[0].tokens
    totals = json.loads((tmp_path / "out" / "totals.json").read_text())
    assert totals["tokenisation"] == retokeniser.to_dict()


def test_a_run_goes_on_only_with_the_same_words(tmp_path: Path) -> None:
    path = written(tmp_path, rows("srh"))
    first = bulk([path], tmp_path / "out", ["green"], tokenise="auto", workers=0, partition_rows=25)
    sorted((tmp_path / "out" / "records").iterdir())[2].unlink()
    again = bulk([path], tmp_path / "out", ["green"], tokenise="auto", workers=0)
    assert again == first
    with pytest.raises(CorrigendaError, match="other words"):
        bulk([path], tmp_path / "out", ["green"], workers=0)
    with pytest.raises(UsageError, match="no tokeniser 'moses'"):
        bulk([path], tmp_path / "other", ["green"], tokenise="moses", workers=0)


def test_rejected_rows_have_no_words(tmp_path: Path) -> None:
    path = written(tmp_path, rows("srh"))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"source": "He go.", "references": ["He goes."]}\n')
    done = bulk([path], tmp_path / "out", ["green"], tokenise="auto", workers=0)
    assert [each.row for each in done.rejected] == [60]
    assert [finding["code"] for finding in done.health] == []
    silent = bulk([path], tmp_path / "out2", ["green"], workers=0, health=False)
    assert not silent.health
    loud = bulk([path], tmp_path / "out3", ["green"], workers=0)
    assert [finding["code"] for finding in loud.health] == ["raw-text"]


def test_rows_that_take_too_much_memory_are_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORRIGENDA_MAX_MEMORY", "1")
    line = "a, b " * 2_000
    path = written(tmp_path, rows("srh")[:8])
    with path.open("a", encoding="utf-8") as file:
        for text in ("He go.", line + "c d", "He go.", "e f " + line):
            row = {"source": text, "hypothesis": f"d c {text} x", "references": [text]}
            file.write(json.dumps(row) + "\n")
    options = {"tokenise": "intl", "workers": 0, "health": False}
    done = bulk([path], tmp_path / "out", ["gleu"], **options)
    assert [each.row for each in done.rejected] == [9, 11]
    assert "characters that differ need more than 1 MB" in done.rejected[0].reason
    assert done.tokenisation is not None
    assert done.tokenisation["removed"] == {"hypothesis": 0}
