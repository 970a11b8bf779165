"""Other languages and whole essays on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import output_of, run

from corrigenda import evaluate
from corrigenda.data import LANGUAGES, language_corpus, language_systems
from corrigenda.formats import essays, read_cherrant, read_jsonl


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The German sample as essays, in MultiGEC's files; each essay is one sentence."""
    folder = tmp_path_factory.mktemp("german")
    for name, content in essays.files(language_corpus("de"), language_systems("de")).items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def scores(output: str) -> dict[str, dict[str, float]]:
    return {result["system"]: result["score"] for result in json.loads(output)["results"]}


def test_essays_are_scored(german):
    first, second = (system.name for system in language_systems("de"))
    hyps = [german / f"{name}.md" for name in (first, second)]
    command = ["score", "--essays", german / "orig.md", "--hyps", *hyps, "--format", "json"]
    by_essays = output_of(*command, "--metrics", "errant:edits=any")
    corpus = language_corpus("de")
    assert "annotator:any|rules:1|merger:all-merge" in by_essays
    expected = evaluate(corpus, language_systems("de"), ["errant:edits=any"])
    assert scores(by_essays) == {result.system: result.score for result in expected}


def test_essays_with_other_ids_are_refused(german, tmp_path):
    (tmp_path / "ours.md").write_text("### essay_id = 99\nx\n", encoding="utf-8")
    done = run("score", "--essays", german / "orig.md", "--hyps", tmp_path / "ours.md")
    assert done.returncode == 1
    assert "the essay '99' is not in the source" in done.stderr
    assert "Traceback" not in done.stderr


def test_essays_to_json_lines_and_back(german, tmp_path):
    path = tmp_path / "corpus.jsonl"
    hyps = [german / f"{system.name}.md" for system in language_systems("de")]
    given = ["--essays", german / "orig.md", "--hyps", *hyps]
    output_of("convert", *given, "--to", "jsonl", "--out", path)
    corpus = read_jsonl(path)
    assert corpus.documents == tuple(str(n) for n in range(1, len(corpus) + 1))
    output_of("convert", "--jsonl", path, "--to", "essays", "--out", tmp_path / "again")
    for file in german.iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


def test_essays_need_a_folder(german):
    done = run("convert", "--essays", german / "orig.md", "--to", "essays")
    assert done.returncode == 2
    assert "--to essays writes several files" in done.stderr


def test_cherrant_to_m2_and_back(tmp_path):
    gold = tmp_path / "gold.m2"
    content = (
        "S 我 每 天 跑 步 。\nT0-A0 我 每 天 都 跑 步 。\n"
        "A 3 3|||M|||都|||REQUIRED|||-NONE-|||0\n"
        "T1 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    )
    gold.write_text(content, encoding="utf-8")
    plain, lines = tmp_path / "plain.m2", tmp_path / "corpus.jsonl"
    output_of("convert", "--cherrant", gold, "--to", "m2", "--out", plain)
    assert "T0" not in plain.read_text(encoding="utf-8")
    output_of("convert", "--gold", plain, "--to", "jsonl", "--out", lines)
    assert output_of("convert", "--jsonl", lines, "--to", "cherrant") == content
    assert read_cherrant(gold) == read_jsonl(lines)
    (tmp_path / "ours.txt").write_text("我 每 天 都 跑 步 。\n", encoding="utf-8")
    asked = ["score", "--cherrant", gold, "--hyps", tmp_path / "ours.txt"]
    found = output_of(*asked, "--metrics", "errant:edits=zh", "--format", "json")
    assert scores(found) == {"ours": 1.0}
    edits = content.partition("T1")[0]
    (tmp_path / "given.m2").write_text(edits + "T0-A1 我 每 天 都 跑 步 。\n", encoding="utf-8")
    asked = ["score", "--cherrant", gold, "--hyps", tmp_path / "given.m2"]
    found = output_of(*asked, "--metrics", "errant:edits=zh", "--format", "json")
    assert scores(found) == {"given": 1.0}


def test_normal_form_is_an_option_and_never_silent(tmp_path):
    (tmp_path / "source.txt").write_text("un cafe\u0301 noire\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("un café noir\n", encoding="utf-8")
    (tmp_path / "ours.txt").write_text("un cafe\u0301 noir\n", encoding="utf-8")
    corpus = ["--source", tmp_path / "source.txt", "--refs", tmp_path / "ref.txt"]
    command = ["score", *corpus, "--hyps", tmp_path / "ours.txt", "--no-health"]
    asked = ["--metrics", "errant:edits=any,merger=all-split", "--format", "json"]
    plain = output_of(*command, *asked)
    assert scores(plain)["ours"] < 1
    assert "tok:" not in plain
    for tokenise, label in (("none", "nfc"), ("intl", "nfc+intl")):
        normal = run(*command, *asked, "--normalise", "nfc", "--tokenise", tokenise).stdout
        assert scores(normal)["ours"] == 1
        assert f"|tok:{label}|" in normal


def test_gold_edits_in_normal_form(tmp_path):
    gold = "S un cafe\u0301 noire\nA 1 2|||R|||the\u0301|||REQUIRED|||-NONE-|||0\n"
    (tmp_path / "gold.m2").write_text(gold, encoding="utf-8")
    converted = output_of("convert", "--gold", tmp_path / "gold.m2", "--to", "m2",
                          "--normalise", "nfc")  # fmt: skip
    assert converted.startswith("S un café noire\nA 1 2|||R|||thé|||")


def test_the_preset_of_multigec(german):
    hyps = [german / f"{system.name}.md" for system in language_systems("de")]
    done = run("score", "--essays", german / "orig.md", "--hyps", *hyps, "--preset", "multigec25",
               "--format", "json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = "--metrics gleu:n=4 errant:edits=any,merger=all-merge --level corpus"
    assert said in done.stderr
    results = json.loads(done.stdout)["results"]
    signatures = [result["signature"] for result in results]
    assert any("|n:4|" in text and "|unit:word|" in text for text in signatures)
    assert any("|annotator:any|rules:1|merger:all-merge|" in text for text in signatures)
    expected = evaluate(language_corpus("de"), language_systems("de"), ["gleu", "errant:edits=any"])
    assert sorted(result["score"] for result in results) == sorted(each.score for each in expected)


def test_edits_and_slices_by_other_annotators(tmp_path):
    folder = LANGUAGES / "uk"
    corpus = ["--source", folder / "source.txt", "--refs", folder / "ref0.txt"]
    written = tmp_path / "gold.m2"
    command = ["edits", "--extractor", "errant", *corpus, "--out", written]
    output_of(*command, "--edits", "any", "--merger", "all-split")
    types = {
        line.split("|||")[1] for line in written.read_text("utf-8").splitlines() if "|" in line
    }
    assert types <= {"M", "R", "U", "noop"}
    assert "R" in types
    done = run(*command, "--edits", "nobody")
    assert "there is no annotator 'nobody'" in done.stderr
    asked = ["slices", *corpus, "--hyps", folder / "careful.txt", "--metrics", "green"]
    assert "R" in run(*asked, "--by", "type", "--types", "any").stdout
    assert "there is no annotator 'gould'" in run(*asked, "--by", "type", "--types", "gould").stderr
