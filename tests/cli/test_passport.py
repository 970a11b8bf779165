"""Passports: `score --passport` writes one, `verify` checks it; the real program does both."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from program import GOLD, REFS, SOURCE, TEXT_CORPUS, output_of, run, system

from corrigenda.passport.document import digest_of, load, rendered
from public_data import full
from tiny_models import make_encoder, needs_torch

METRICS = ("m2", "green", "gleu", "imeasure")
SYSTEMS = ["--hyps", system("strong"), system("eager")]
BY_EDITS = ["--gold", GOLD, *SYSTEMS]


@pytest.fixture(scope="module")
def passport(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("passport") / "p.json"
    output_of("score", *BY_EDITS, "--metrics", *METRICS, "--passport", path)
    return path


def changed(path: Path, line: int, text: str, folder: Path) -> Path:
    """A copy of a file with another line; lines count from 1."""
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line - 1] = text
    copy = folder / path.name
    copy.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return copy


@pytest.mark.slow
def test_the_same_inputs_are_equal(passport: Path) -> None:
    found = json.loads(output_of("verify", passport, *BY_EDITS, "--format", "json"))
    assert found["equal"]
    assert found["texts"] == []
    assert len(found["scores"]) == 2 * len(METRICS)
    assert all(score["stated"] == score["found"] for score in found["scores"])


@pytest.mark.slow
def test_the_counts_alone_give_the_scores(passport: Path) -> None:
    assert "give the corpus to check these" in output_of("verify", passport)


@pytest.mark.slow
def test_another_output(passport: Path, tmp_path: Path) -> None:
    other = changed(Path(system("strong")), 7, "Something else .", tmp_path)
    finished = run("verify", passport, "--gold", GOLD, "--hyps", other, system("eager"))
    assert finished.returncode == 1
    assert "Sentence 7 is the first that differs (output of strong)." in finished.stderr
    assert finished.stdout.count("the counts of sentence 7 differ") == len(METRICS)
    assert finished.stdout.count("equal") == len(METRICS)


@pytest.mark.slow
def test_another_reference_and_another_source(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    output_of("score", *TEXT_CORPUS, *SYSTEMS, "--metrics", "green", "--passport", path)
    reference = changed(Path(REFS[1]), 11, "Nothing like it .", tmp_path)
    finished = run("verify", path, "--source", SOURCE, "--refs", REFS[0], reference, *SYSTEMS)
    assert finished.returncode == 1
    assert "Sentence 11 is the first that differs (reference 2)." in finished.stderr
    source = changed(Path(SOURCE), 3, "Another source .", tmp_path)
    finished = run("verify", path, "--source", source, "--refs", *REFS, *SYSTEMS)
    assert finished.returncode == 1
    # Marks of the other texts depend on the sources, so all of them differ; the source is named.
    assert "source, sentence 3" in finished.stdout


@pytest.mark.slow
def test_a_gold_edit_that_does_not_change_the_text(passport: Path, tmp_path: Path) -> None:
    text = Path(GOLD).read_text(encoding="utf-8")
    place = text.index("\nA ")
    end = text.index("\n", place + 1)
    parts = text[place + 1 : end].split("|||")
    parts[2] += "||an alternative"
    other = tmp_path / "gold.m2"
    other.write_text(text[: place + 1] + "|||".join(parts) + text[end:], encoding="utf-8")
    finished = run("verify", passport, "--gold", other, *SYSTEMS)
    assert finished.returncode == 1
    assert "(gold edits)" in finished.stderr


@pytest.mark.slow
def test_too_few_sentences(passport: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.m2"
    blocks = Path(GOLD).read_text(encoding="utf-8").split("\n\n")[:5]
    gold.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    short = []
    for name in ("strong", "eager"):
        lines = Path(system(name)).read_text(encoding="utf-8").splitlines()[:5]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        short.append(tmp_path / f"{name}.txt")
    finished = run("verify", passport, "--gold", gold, "--hyps", *short)
    assert finished.returncode == 1
    assert "source, sentence 6: 5 sentences, and the passport has" in finished.stdout
    assert "the counts of sentence 6 differ" in finished.stdout


@full
@pytest.mark.slow
@needs_torch
@pytest.mark.model
def test_another_version_of_a_model(tmp_path: Path) -> None:
    folders = [tmp_path / name / "encoder" for name in ("old", "new")]
    for seed, folder in enumerate(folders):
        make_encoder(folder, seed)
    corpus = []
    for name, path in (("source", SOURCE), ("refs", REFS[0]), ("hyps", system("strong"))):
        lines = Path(path).read_text(encoding="utf-8").splitlines()[:4]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        corpus += [f"--{name}", str(tmp_path / f"{name}.txt")]
    passport = tmp_path / "p.json"
    metrics = [f"bertscore:model={folder}" for folder in folders]
    output_of("score", *corpus, "--metrics", metrics[0], "--passport", passport)
    assert str(tmp_path) not in passport.read_text(encoding="utf-8")
    moved = shutil.copytree(folders[0], tmp_path / "elsewhere" / "encoder")
    output_of("verify", passport, *corpus, "--metrics", f"bertscore:model={moved}")
    finished = run("verify", passport, *corpus, "--metrics", metrics[1])
    assert finished.returncode == 1
    assert "is the first whose counts differ" in finished.stderr
    assert "revision: " in finished.stderr


@pytest.mark.slow
def test_every_changed_byte_is_refused(passport: Path, tmp_path: Path) -> None:
    content = passport.read_bytes()
    other = tmp_path / "p.json"
    places = [0, 12, 30, *range(100, len(content), len(content) // 25), len(content) - 1]
    for place in places:
        for byte in (content[place] ^ 1, ord(" ")):
            if byte == content[place]:
                continue
            other.write_bytes(content[:place] + bytes([byte]) + content[place + 1 :])
            with pytest.raises(Exception, match=r"passport|edition"):
                load(other)
    other.write_bytes(content + b"\n")
    finished = run("verify", other)
    assert finished.returncode == 1
    assert "was changed" in finished.stderr


@pytest.mark.slow
def test_a_forged_score_does_not_follow_from_its_counts(passport: Path, tmp_path: Path) -> None:
    """Whoever knows the layout can make a new digest. The counts still give the score away."""
    body = load(passport)
    body["results"][0]["score"] += 0.01
    forged = tmp_path / "p.json"
    forged.write_bytes(rendered(body))
    finished = run("verify", forged)
    assert finished.returncode == 1
    assert "the counts of the passport do not give its score" in finished.stderr


@pytest.mark.slow
def test_a_passport_from_before_references_shared_rows(passport: Path, tmp_path: Path) -> None:
    """It has a row per reference, also where their counts are equal. It is no other result."""
    body = json.loads(passport.read_text(encoding="utf-8"))
    del body["digest"]
    of_imeasure = [each for each in body["results"] if each["metric"] == "imeasure"]
    assert of_imeasure
    for result in of_imeasure:
        place = result["rows"][0]
        result["counts"].insert(place, result["counts"][place - 1])
        result["rows"][0] += 1
    older = tmp_path / "older.json"
    older.write_bytes(rendered(body))
    assert "differ" not in output_of("verify", older, *BY_EDITS)
    other = of_imeasure[0]["counts"][0]
    other[0] += 1
    older.write_bytes(rendered(body))
    finished = run("verify", older, *BY_EDITS)
    assert finished.returncode == 1
    assert finished.stdout.count("the counts of sentence 1 differ") == 1


@pytest.mark.slow
def test_a_passport_holds_no_text_unless_asked(passport: Path, tmp_path: Path) -> None:
    own = {"passport", "changed", "health"}  # words of the format that the sample has, too
    words = {word for word in Path(SOURCE).read_text(encoding="utf-8").split() if len(word) > 4}
    content = passport.read_text(encoding="utf-8")
    assert len(words) > 100
    assert not [word for word in words - own if word in content]
    with_text = tmp_path / "p.json"
    output_of("score", *BY_EDITS, "-m", "m2", "--passport", with_text, "--with-text")
    held = with_text.read_text(encoding="utf-8")
    assert all(json.dumps(word)[1:-1] in held for word in words)
    assert "computed again from the texts" in output_of("verify", with_text)


@pytest.mark.slow
def test_the_digest_and_the_files(passport: Path) -> None:
    body = load(passport)
    lines = passport.read_text(encoding="utf-8")
    assert digest_of(body) in lines.splitlines()[0]
    gold = next(each for each in body["files"] if each["option"] == "--gold")
    assert gold["name"] == "gold.m2"
    assert gold["sha256"] == hashlib.sha256(Path(GOLD).read_bytes()).hexdigest()


@pytest.mark.slow
def test_mistakes(passport: Path, tmp_path: Path) -> None:
    for arguments, message in (
        (["verify", tmp_path / "none.json"], "cannot read the passport"),
        (["verify", GOLD], "not a passport"),
        (["verify", passport, "--gold", GOLD, "--hyps", f"other={system('strong')}"], "is about"),
        (["verify", passport, *BY_EDITS, "--metrics", "bleu"], "does not stand for one metric"),
        (["score", *BY_EDITS, "--with-text"], "--passport FILE"),
        (["score", *BY_EDITS, "--passport", GOLD], "would overwrite"),
    ):
        finished = run(*arguments)
        assert finished.returncode in (1, 2)
        assert message in finished.stderr
    assert not list(tmp_path.iterdir())
