"""`corrigenda edits`: the edits of M² as M2 and as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corrigenda.cli import main
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.formats import m2
from corrigenda.scoring import evaluate

GOLD = str(SAMPLE / "gold.m2")
STRONG, EAGER = str(SAMPLE / "strong.txt"), str(SAMPLE / "eager.txt")


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["edits", *arguments]) == 0
    return capsys.readouterr().out


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    return [
        json.loads(line) for line in output(capsys, *arguments, "--format", "jsonl").splitlines()
    ]


def error(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["edits", *arguments])
    return code, capsys.readouterr().err


def test_json_lines_add_up_to_the_score(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "--gold", GOLD, "--hyps", STRONG, EAGER)
    results = {r.system: r for r in evaluate(sample_corpus(), sample_systems(), ["m2"])}
    for system in ("strong", "eager"):
        own = [row for row in found if row["system"] == system]
        assert [row["sentence"] for row in own] == list(range(1, 61))
        assert all(row["chosen"] for row in own)
        for name, total in results[system].counts.items():
            assert sum(row["counts"][name] for row in own) == total  # type: ignore[index]
        for row in own:
            edits, missed, counts = row["edits"], row["missed"], row["counts"]
            assert sum(edit["matched"] for edit in edits) == counts["correct"]  # type: ignore[attr-defined, index]
            assert counts["correct"] + len(missed) == counts["gold"]  # type: ignore[index, arg-type]


def test_all_annotators(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "--gold", GOLD, "--hyps", STRONG, "--annotator", "all")
    annotators = [(row["sentence"], row["annotator"]) for row in found]
    gold = sample_corpus().gold
    assert gold is not None
    assert annotators == [
        (i, a.annotator) for i, annotations in enumerate(gold, 1) for a in annotations
    ]
    assert sum(bool(row["chosen"]) for row in found) == 60


def test_a_row_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert rows(capsys, "--gold", GOLD, "--hyps", STRONG)[0] == {
        "system": "strong",
        "sentence": 1,
        "source": "Last summer I have visited my aunt Teresa , who live near the sea .",
        "hypothesis": "Last summer I have visited my aunt Teresa , who lives near the sea .",
        "annotator": 0,
        "chosen": True,
        "counts": {"correct": 1, "proposed": 1, "gold": 2},
        "edits": [
            {
                "start": 10,
                "end": 11,
                "source": "live",
                "correction": "lives",
                "matched": True,
                "gold": 1,
                "type": "SVA",
            }
        ],
        "missed": [
            {
                "gold": 0,
                "start": 3,
                "end": 5,
                "source": "have visited",
                "corrections": ["visited"],
                "type": "Vt",
            }
        ],
    }


def test_m2_applied_is_the_output(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["edits", "--gold", GOLD, "--hyps", EAGER, "--out", str(tmp_path / "own.m2")]) == 0
    assert main(["m2", "apply", str(tmp_path / "own.m2")]) == 0
    assert capsys.readouterr().out == (SAMPLE / "eager.txt").read_text(encoding="utf-8")


def test_m2_types_say_what_was_matched(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "--gold", GOLD, "--hyps", STRONG).splitlines()
    found = [edit for s in m2.parse(lines, "out") for a in s.annotations for edit in a.edits]
    unmatched = sum(edit.type == "unmatched" for edit in found)
    result = next(
        r for r in evaluate(sample_corpus(), sample_systems(), ["m2"]) if r.system == "strong"
    )
    assert (len(found) - unmatched, len(found)) == (
        result.counts["correct"],
        result.counts["proposed"],
    )


def test_m2_of_several_systems_goes_into_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, message = error(capsys, "--gold", GOLD, "--hyps", STRONG, EAGER)
    assert code == 2
    assert "--out FOLDER" in message
    assert (
        main(["edits", "--gold", GOLD, "--hyps", STRONG, EAGER, "--out", str(tmp_path / "edits")])
        == 0
    )
    assert sorted(path.name for path in (tmp_path / "edits").iterdir()) == ["eager.m2", "strong.m2"]
    assert (
        main(["edits", "--gold", GOLD, "--hyps", f"one={STRONG}", "--out", str(tmp_path / "edits")])
        == 0
    )
    assert (tmp_path / "edits" / "one.m2").read_text() == (
        tmp_path / "edits" / "strong.m2"
    ).read_text()


def test_gold_from_reference_texts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, line in {
        "source": "He go home .",
        "ref": "He goes home .",
        "system": "He goes homes .",
    }.items():
        (tmp_path / f"{name}.txt").write_text(f"{line}\n")
    files = [str(tmp_path / f"{name}.txt") for name in ("source", "ref", "system")]
    found = rows(capsys, "--source", files[0], "--refs", files[1], "--hyps", files[2])[0]
    assert found["counts"] == {"correct": 1, "proposed": 2, "gold": 1}


def test_options_reach_the_extractor(capsys: pytest.CaptureFixture[str]) -> None:
    def proposed(*options: str) -> int:
        found = rows(
            capsys, "--gold", GOLD, "--hyps", str(SAMPLE / "empty.txt"), STRONG, EAGER, *options
        )
        return sum(row["counts"]["proposed"] for row in found)  # type: ignore[index]

    metrics = ["m2:max_unchanged_words=0", "m2:beta=2", "m2:ignore_case_whitespace=true"]
    systems = [system for system in sample_systems() if system.name in ("empty", "strong", "eager")]
    totals = dict.fromkeys(metrics, 0)
    for result in evaluate(sample_corpus(), systems, metrics):
        totals[str(result.metric)] += result.counts["proposed"]
    assert list(totals.values()) == [
        proposed("--max-unchanged-words", "0"),
        proposed("--beta", "2"),
        proposed("--ignore-case-whitespace"),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hyps", STRONG], "give the corpus in exactly one way"),
        (["--gold", GOLD], "no system"),
        (["--gold", GOLD, "--hyps", STRONG, "--extractor", "x"], "there is no extractor 'x'"),
        (["--gold", GOLD, "--hyps", STRONG, "--threads", "0"], "--threads is 0"),
    ],
)
def test_wrong_usage(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = error(capsys, *arguments)
    assert code == 2
    assert message in shown


def test_bad_values_and_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "beta is -1" in error(capsys, "--gold", GOLD, "--hyps", STRONG, "--beta", "-1")[1]
    (tmp_path / "short.txt").write_text("one line\n")
    code, message = error(capsys, "--gold", GOLD, "--hyps", str(tmp_path / "short.txt"))
    assert code == 1
    assert "60" in message
    assert "short.txt" in message
    (tmp_path / "bad.m2").write_text("S a b\nA 1 3|||X|||c|||REQUIRED|||-NONE-|||0\n")
    code, message = error(capsys, "--gold", str(tmp_path / "bad.m2"), "--hyps", STRONG)
    assert code == 1
    assert "bad.m2:2: the span 1 3 is not within the sentence of 2 words" in message
    (tmp_path / "bad.m2").write_text("S a b\nA 1 2|||X|||c|||REQUIRED|||-NONE-|||one\n")
    assert (
        "bad.m2:2: the annotator is 'one'"
        in error(capsys, "--gold", str(tmp_path / "bad.m2"), "--hyps", STRONG)[1]
    )
    code, message = error(
        capsys, "--gold", GOLD, "--hyps", STRONG, "--out", str(tmp_path / "no" / "file.m2")
    )
    assert code == 1
    assert "cannot write" in message


def test_a_system_cannot_lead_out_of_the_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    row = {"source": "a", "references": ["b"], "hypotheses": {"../x": "b", "y": "a"}}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(row) + "\n")
    code, message = error(
        capsys, "--jsonl", str(tmp_path / "corpus.jsonl"), "--out", str(tmp_path / "edits")
    )
    assert code == 2
    assert "cannot be the name of a file" in message


def test_words_that_m2_cannot_hold(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    row = {"source": "a b", "references": ["a c"], "hypotheses": {"ours": "a |||"}}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(row) + "\n")
    code, message = error(capsys, "--jsonl", str(tmp_path / "corpus.jsonl"))
    assert code == 1
    assert "M2 cannot hold '|||'" in message
    assert rows(capsys, "--jsonl", str(tmp_path / "corpus.jsonl"))[0]["counts"]
