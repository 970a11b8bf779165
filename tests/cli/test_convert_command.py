"""`corrigenda convert`: any format to any other, and back without a loss."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import GOLD, REFS, SOURCE, TEXT_CORPUS, output_of, run, system

from corrigenda.data import SAMPLE, sample_corpus
from corrigenda.formats import read_hypotheses, read_jsonl, read_text


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def json_lines(tmp_path_factory) -> Path:
    """The sample's gold as JSON lines."""
    path = tmp_path_factory.mktemp("convert") / "gold.jsonl"
    assert output_of("convert", "--gold", GOLD, "--to", "jsonl", "--out", path) == ""
    return path


def test_m2_to_m2():
    assert output_of("convert", "--gold", GOLD, "--to", "m2") == Path(GOLD).read_text(
        encoding="utf-8"
    )


def test_m2_to_json_lines_and_back(json_lines):
    assert read_jsonl(json_lines) == sample_corpus()
    assert output_of("convert", "--jsonl", json_lines, "--to", "m2") == Path(GOLD).read_text(
        encoding="utf-8"
    )


def test_json_lines_to_json_lines(json_lines):
    again = output_of("convert", "--jsonl", json_lines, "--to", "jsonl")
    assert again == json_lines.read_text(encoding="utf-8")


def test_text_to_text(tmp_path):
    out = tmp_path / "new" / "folder"
    output_of("convert", *TEXT_CORPUS, "--to", "text", "--out", out)
    assert sorted(path.name for path in out.iterdir()) == ["ref0.txt", "ref1.txt", "source.txt"]
    for name, original in (("source", SOURCE), ("ref0", REFS[0]), ("ref1", REFS[1])):
        assert (out / f"{name}.txt").read_bytes() == Path(original).read_bytes()


def test_text_to_m2_and_back(tmp_path):
    gold = tmp_path / "gold.m2"
    output_of("convert", *TEXT_CORPUS, "--to", "m2", "--out", gold)
    output_of("convert", "--gold", gold, "--to", "text", "--out", tmp_path)
    for name, original in (("source", SOURCE), ("ref0", REFS[0]), ("ref1", REFS[1])):
        assert lines_of(tmp_path / f"{name}.txt") == lines_of(Path(original))


def test_text_to_json_lines_and_back(tmp_path):
    rows = output_of("convert", *TEXT_CORPUS, "--hyps", system("strong"), "--to", "jsonl")
    first = json.loads(rows.splitlines()[0])
    assert list(first) == ["source", "references", "hypotheses"]
    assert first["hypotheses"] == {"strong": lines_of(Path(system("strong")))[0]}
    (tmp_path / "corpus.jsonl").write_text(rows, encoding="utf-8")
    output_of("convert", "--jsonl", tmp_path / "corpus.jsonl", "--to", "text", "--out", tmp_path)
    assert lines_of(tmp_path / "strong.txt") == lines_of(Path(system("strong")))
    assert lines_of(tmp_path / "ref1.txt") == lines_of(Path(REFS[1]))


def test_from_standard_input_to_standard_output():
    content = Path(GOLD).read_bytes()
    assert (
        output_of("convert", "--gold", "-", "--to", "m2", "--out", "-", stdin=content).encode()
        == content
    )


@pytest.mark.parametrize("fill", ["first", "source"])
def test_missing_references_are_filled_as_told(tmp_path, fill):
    output_of("convert", "--gold", GOLD, "--to", "text", "--out", tmp_path, "--fill-missing", fill)
    corpus, third = sample_corpus(), lines_of(tmp_path / "ref2.txt")
    for source, references, line in zip(corpus.sources, corpus.references, third, strict=True):
        stand_in = references[0] if fill == "first" else source
        assert line == (references[2] if len(references) > 2 else stand_in)


def test_missing_references_are_an_error_that_says_what_to_do(tmp_path):
    finished = run("convert", "--gold", GOLD, "--to", "text", "--out", tmp_path / "out")
    assert finished.returncode == 1
    assert "2 of 3 references" in finished.stderr
    assert "--fill-missing" in finished.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--gold", GOLD, "--to", "text"], 2, "--out"),
        (["--gold", GOLD, "--to", "xlsx"], 2, "--to is 'xlsx'"),
        (["--gold", GOLD], 2, "--to"),
        (["--to", "m2"], 2, "exactly one way"),
        ([*TEXT_CORPUS, "--hyps", system("strong"), "--to", "m2"], 2, "no systems"),
        (
            [*TEXT_CORPUS, "--hyps", f"ref0={system('strong')}", "--to", "text", "--out", "."],
            2,
            "'ref0'",
        ),
        (["--gold", GOLD, "--to", "m2", "--out", "missing/folder/gold.m2"], 1, "cannot write"),
        (["--gold", GOLD, "--to", "jsonl", "--out", "."], 1, "cannot write"),
        ([*TEXT_CORPUS, "--to", "text", "--out", "file"], 1, "cannot write"),
    ],
)
def test_mistakes(tmp_path, arguments, code, message):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    finished = run("convert", *arguments, folder=tmp_path)
    assert finished.returncode == code
    assert message in finished.stderr
    assert "Traceback" not in finished.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_bad_file_leaves_no_half_written_one(tmp_path):
    (tmp_path / "bad.m2").write_text(
        "S a b\n\nS c\nA 0 9|||R|||x|||REQUIRED|||-NONE-|||0\n", encoding="utf-8"
    )
    out = tmp_path / "out.jsonl"
    out.write_text("precious", encoding="utf-8")
    finished = run("convert", "--gold", tmp_path / "bad.m2", "--to", "jsonl", "--out", out)
    assert finished.returncode == 1
    assert "bad.m2:4:" in finished.stderr
    assert out.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("name", ["../escaped", "a/b"])
def test_a_system_cannot_be_written_outside_the_folder(tmp_path, name):
    row = {"source": "a", "references": ["b"], "hypotheses": {name: "c"}}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (tmp_path / "out" / "a").mkdir(parents=True)
    finished = run(
        "convert", "--jsonl", tmp_path / "corpus.jsonl", "--to", "text", "--out", tmp_path / "out"
    )
    assert finished.returncode in (1, 2)
    assert "Traceback" not in finished.stderr
    assert not list(tmp_path.rglob("escaped.txt"))


@pytest.mark.parametrize("target", ["m2", "jsonl", "text"])
def test_lone_surrogates_are_a_users_error(tmp_path, target):
    (tmp_path / "corpus.jsonl").write_text(
        '{"source": "a \\ud800", "references": ["b"]}\n', encoding="utf-8"
    )
    finished = run(
        "convert", "--jsonl", "corpus.jsonl", "--to", target, "--out", "out", folder=tmp_path
    )
    assert "Traceback" not in finished.stderr
    assert finished.returncode == 1


def test_output_is_utf8_whatever_the_terminal(tmp_path):
    (tmp_path / "source.txt").write_text("café 中\n", encoding="utf-8")
    expected = '{"source": "café 中", "references": ["café 中"]}\n'
    arguments = ["convert", "--source", "source.txt", "--refs", "source.txt", "--to", "jsonl"]
    assert output_of(*arguments, folder=tmp_path) == expected


def test_sources_keep_their_blanks(tmp_path):
    """Text and JSON lines keep a line as it is; only M2 is made of words."""
    (tmp_path / "source.txt").write_text("  a  b \n\n", encoding="utf-8")
    arguments = ["convert", "--source", "source.txt", "--refs", "source.txt", "--to"]
    row = json.loads(output_of(*arguments, "jsonl", folder=tmp_path).splitlines()[0])
    assert row == {"source": "  a  b ", "references": ["  a  b "]}
    assert output_of(*arguments, "m2", folder=tmp_path).startswith("S a b\n")


def test_the_folder_holds_what_a_corpus_is_read_from(tmp_path):
    output_of("convert", *TEXT_CORPUS, "--hyps", system("eager"), "--to", "text", "--out", tmp_path)
    again = read_text(tmp_path / "source.txt", [tmp_path / "ref0.txt", tmp_path / "ref1.txt"])
    assert again == read_text(SOURCE, REFS)
    assert read_hypotheses(tmp_path / "eager.txt") == read_hypotheses(SAMPLE / "eager.txt")


@pytest.fixture
def sources_alone(tmp_path) -> Path:
    """A corpus without references."""
    path = tmp_path / "sources.jsonl"
    path.write_text('{"source": "a b"}\n{"source": "c", "references": []}\n', encoding="utf-8")
    return path


def test_a_corpus_without_references_to_text_and_json_lines(tmp_path, sources_alone):
    out = tmp_path / "out"
    output_of("convert", "--jsonl", sources_alone, "--to", "text", "--out", out)
    assert [path.name for path in out.iterdir()] == ["source.txt"]
    assert lines_of(out / "source.txt") == ["a b", "c"]
    rows = output_of("convert", "--jsonl", sources_alone, "--to", "jsonl").splitlines()
    assert rows == ['{"source": "a b", "references": []}', '{"source": "c", "references": []}']


def test_a_corpus_without_references_cannot_be_m2(sources_alone):
    finished = run("convert", "--jsonl", sources_alone, "--to", "m2")
    assert finished.returncode == 1
    assert finished.stdout == ""
    assert "sentence 1 has no references" in finished.stderr
    assert "--to jsonl" in finished.stderr
