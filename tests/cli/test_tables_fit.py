"""Tables fit 80 columns: wide ones are cut into blocks, and no number is lost or folded."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from program import GOLD, output_of, run, system

from corrigenda.cli.terminal import cell_len
from corrigenda.data import SAMPLE, SAMPLE_SYSTEMS
from public_data import full

ALL = [system(name) for name in SAMPLE_SYSTEMS]
CORPUS = ["--gold", GOLD, "--hyps", *ALL]
QUICK = ["--resamples", "20", "--correction", "none"]
COMMANDS: dict[str, list[str]] = {
    "demo": ["demo"],
    "data list": ["data", "list"],
    "score": ["score", *CORPUS],
    "score with intervals": ["score", *CORPUS, "--bootstrap", "20"],
    "score with details": ["score", *CORPUS, "--details"],
    "compare": ["compare", *ALL, "--gold", GOLD, *QUICK],
    "compare pairs": ["compare", *ALL, "--gold", GOLD, "--pairs", *QUICK],
    "slices": ["slices", *CORPUS, "--by", "length", "edits", "type", *QUICK],
    "rank": ["rank", "sample", "--bootstrap", "20", "--head-to-head", "--by-judge"],
    "meta": ["meta", "--data", "sample", "--level", "both", "--ranks", "--top-k", "--window", "3",
             "--beta-sweep", "0:5:0.25", "--bootstrap", "20"],
    "explain": ["explain", "--line", "12", *CORPUS, "--verbose"],
    "metrics": ["metrics"],
    "m2 stats": ["m2", "stats", GOLD],
}  # fmt: skip
SIGNATURE = re.compile(r"\|v:\d")


def too_wide(text: str, width: int) -> list[str]:
    """Lines that do not fit; a signature is one line to be copied, and may be longer."""
    long_lines = [line for line in text.splitlines() if len(line) > width]
    return [line for line in long_lines if not SIGNATURE.search(line) and str(SAMPLE) not in line]


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_commands_fit_80_columns(name):
    assert too_wide(output_of(*COMMANDS[name]), 80) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["score", "compare", "compare pairs", "slices", "rank", "meta"])
@pytest.mark.parametrize("width", [60, pytest.param(100, marks=full)])
def test_other_widths(name, width):
    text = output_of(*COMMANDS[name], environment={"COLUMNS": str(width)})
    assert too_wide(text, width) == []


@pytest.mark.parametrize("table", ["green-table2", "green-table3", "ptm2-table5", "gleu-table2"])
def test_published_tables_fit_80_columns(table, tmp_path):
    """Without the data: the table says what is missing, and the exit code is 1."""
    done = run("reproduce", table, environment={"CORRIGENDA_DATA": str(tmp_path)})
    assert done.returncode == 1
    assert [line for line in too_wide(done.stdout, 80) if str(tmp_path) not in line] == []


@pytest.mark.slow
def test_the_leaderboard_of_the_sample_is_one_block():
    lines = output_of("score", *CORPUS).splitlines()
    assert lines[0].split() == [
        "system", "green", "gleu", "m2", "P", "R", "imeasure", "P", "R", "bleu",
    ]  # fmt: skip
    assert [line.split()[0] for line in lines].count("system") == 1


@pytest.mark.slow
def test_a_pipe_without_columns_is_80_wide():
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "corrigenda", "score", *CORPUS, "--bootstrap", "20"]
    done = subprocess.run(
        command, capture_output=True, env=environment, check=True, timeout=120, encoding="utf-8"
    )
    assert too_wide(done.stdout, 80) == []
    assert done.stdout == output_of(*command[3:])


@pytest.mark.slow
def test_all_numbers_of_a_wide_table_are_in_its_blocks():
    narrow = output_of("score", *CORPUS, "--bootstrap", "20", environment={"COLUMNS": "50"})
    wide = output_of("score", *CORPUS, "--bootstrap", "20", environment={"COLUMNS": "300"})

    def numbers(text: str) -> list[str]:
        shown = text.partition("corpus level")[0]
        return sorted(re.findall(r"\[.*?\]|[*-]?\d+\.\d\d", shown))

    assert numbers(narrow) == numbers(wide)


def test_a_long_name_of_a_system_is_folded_and_not_cut():
    name = "a-system-with-a-very-long-name-" * 3
    lines = output_of(
        "score", "--gold", GOLD, "--hyps", f"{name}={ALL[0]}", "-m", "m2"
    ).splitlines()
    assert all(len(line) <= 80 for line in lines if not SIGNATURE.search(line))
    body = lines[2 : next(i for i, line in enumerate(lines) if line.startswith("corpus"))]
    assert "".join(line.split()[0] for line in body) == name


@pytest.mark.slow
@pytest.mark.parametrize("command", ["score", "compare", "slices"])
def test_long_names_in_wide_characters_fit(command):
    """A Chinese or Japanese character takes two columns, also in titles and notes."""
    wide = {"日本語のシステムの名前はとても長い" * 2: ALL[1], "システム-" * 9: ALL[0]}
    named = [f"{name}={file}" for name, file in wide.items()]
    given = {"score": ["--hyps", *named], "compare": named, "slices": ["--hyps", *named, *QUICK]}
    lines = output_of(command, "--gold", GOLD, *given[command], "-m", "green").splitlines()
    assert [line for line in lines if cell_len(line) > 80 and not SIGNATURE.search(line)] == []


def test_names_of_several_words_leave_the_leaderboard_in_one_block():
    names = ["baseline-transformer", "gector_large_ensemble", "some.system.v2"]
    given = [f"{name}={file}" for name, file in zip(names, ALL, strict=False)]
    lines = output_of("score", "--gold", GOLD, "--hyps", *given).splitlines()
    assert [line.split()[0] for line in lines].count("system") == 1
    assert any(line.startswith("baseline-  ") for line in lines)
    assert all(len(line) <= 80 for line in lines if not SIGNATURE.search(line))


def test_a_decimal_point_is_not_a_place_to_fold():
    from corrigenda.cli.terminal import _pieces

    assert _pieces("m2:beta=0.5 (some-model.v2)") == ["m2:", "beta=0.5", "(some-", "model.", "v2)"]


def test_long_sentences_and_words_are_explained_in_80_columns(tmp_path):
    words = ["misunderstanding", "a", "cat", "international", "runs"] * 25
    long_word = "Donaudampfschifffahrtsgesellschaft" * 5
    for name, place, word in [("source", 0, "the"), ("reference", 7, "x"), ("ours", 60, long_word)]:
        changed = [*words[:place], word, *words[place + 1 :]]
        (tmp_path / f"{name}.txt").write_text(" ".join(changed) + "\n", encoding="utf-8")
    given = ["--source", "source.txt", "--refs", "reference.txt", "--hyps", "ours.txt"]
    for more in ([], ["--verbose"]):
        text = output_of("explain", "--line", "1", *given, *more, folder=tmp_path)
        assert too_wide(text, 80) == []
        assert long_word in "".join(text.split())


def test_nothing_to_show_is_said_once():
    text = output_of("explain", "--line", "12", *CORPUS[:3], ALL[0], "-m", "m2", "--verbose")
    assert [line.strip() for line in text.splitlines() if "edits against" in line] == [
        "no edits against annotator 0"
    ]
