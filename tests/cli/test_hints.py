"""Files as they come: packed files are read, and common mistakes get the right hint."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from program import REFS, SOURCE, TEXT_CORPUS, output_of, run, system

from corrigenda.data import SAMPLE


def test_packed_text_is_read(tmp_path: Path) -> None:
    packed = {}
    for name in ("source", "ref0", "ref1", "strong", "gold"):
        suffix = ".m2" if name == "gold" else ".txt"
        packed[name] = tmp_path / f"{name}{suffix}.gz"
        packed[name].write_bytes(gzip.compress((SAMPLE / f"{name}{suffix}").read_bytes()))
    plain = ["score", *TEXT_CORPUS, "--hyps", system("strong"), "-m", "green"]
    given = ["score", "--source", packed["source"], "--refs", packed["ref0"], packed["ref1"]]
    assert output_of(*given, "--hyps", packed["strong"], "-m", "green") == output_of(*plain)
    with_gold = ["--hyps", system("strong"), "-m", "m2"]
    assert output_of("score", "--gold", packed["gold"], *with_gold) == output_of(
        "score", "--gold", SAMPLE / "gold.m2", *with_gold
    )
    stdin = packed["strong"].read_bytes()
    assert "strong" in output_of(*plain[:5], "--hyps", "strong=-", "-m", "green", stdin=stdin)


def test_a_packed_file_that_is_cut(tmp_path: Path) -> None:
    cut = tmp_path / "cut.txt.gz"
    cut.write_bytes(gzip.compress(Path(system("strong")).read_bytes())[:200])
    finished = run("score", *TEXT_CORPUS, "--hyps", cut, "-m", "green")
    assert finished.returncode == 1
    assert "cut.txt.gz" in finished.stderr


def test_zstd_without_a_reader_or_with_one(tmp_path: Path) -> None:
    packed = tmp_path / "ours.txt.zst"
    packed.write_bytes(b"\x28\xb5\x2f\xfd" + b"not really")
    finished = run("score", *TEXT_CORPUS, "--hyps", packed, "-m", "green")
    assert finished.returncode == 1
    assert "ours.txt.zst" in finished.stderr


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (Path(system("strong")).read_bytes().replace(b"\n", b"\r"), ["CR alone", "tr '\\r' '\\n'"]),
        ("“He” goes .\n".encode("cp1252"), ["not UTF-8", "iconv -f cp1252"]),
    ],
)
def test_other_encodings(tmp_path: Path, content: bytes, words: list[str]) -> None:
    (tmp_path / "ours.txt").write_bytes(content)
    finished = run("score", *TEXT_CORPUS, "--hyps", tmp_path / "ours.txt", "-m", "green")
    assert finished.returncode == 1
    assert all(word in finished.stderr for word in words)


def test_metrics_with_a_comma() -> None:
    finished = run("score", *TEXT_CORPUS, "--hyps", system("strong"), "-m", "green,m2")
    assert finished.returncode == 2
    assert "--metrics green m2" in finished.stderr


def test_strict_and_no_health(tmp_path: Path) -> None:
    lines = Path(system("strong")).read_text(encoding="utf-8").splitlines()
    (tmp_path / "ours.txt").write_text("\n".join(["", *lines[:-1]]) + "\n", encoding="utf-8")
    given = ["score", *TEXT_CORPUS, "--hyps", tmp_path / "ours.txt", "-m", "green"]
    spoken, silent, strict = run(*given), run(*given, "--no-health"), run(*given, "--strict")
    assert "health: ours: out-of-step: shifted by +1 from line 1 on" in spoken.stderr
    assert (silent.stderr, spoken.stdout) == ("", silent.stdout)
    assert (strict.returncode, strict.stdout) == (1, "")
    checked = run("check", "--source", SOURCE, "--refs", *REFS, "--hyps", tmp_path / "ours.txt")
    assert checked.returncode == 1
    assert "out-of-step" in checked.stdout
    assert run("check", "--source", SOURCE, "--hyps", system("strong")).returncode == 0
