"""Every attack of fuzz/attacks on the real program: its exit code, its words, its memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fuzz"))

from attacks import ATTACKS, Attack
from program import run
from reliability import MOST_MEGABYTES, measured

FULL = bool(os.environ.get("CORRIGENDA_FULL"))


def check(attack: Attack, done: subprocess.CompletedProcess[str]) -> None:
    shown = done.stdout + done.stderr
    assert done.returncode == attack.code, shown
    assert attack.says in shown
    assert "Traceback" not in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    "attack", [each for each in ATTACKS if not each.slow], ids=lambda attack: attack.name
)
def test_small_attacks(attack: Attack, tmp_path: Path) -> None:
    check(attack, run(*attack.make(tmp_path)))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs os.wait4")
@pytest.mark.parametrize(
    "attack",
    [each for each in ATTACKS if each.slow and (FULL or not each.huge)],
    ids=lambda attack: attack.name,
)
def test_large_attacks_take_bounded_memory(attack: Attack, tmp_path: Path) -> None:
    done, megabytes, _ = measured(attack.make(tmp_path))
    check(attack, done)
    assert megabytes < MOST_MEGABYTES


def test_a_failed_command_keeps_the_file_that_it_was_to_replace(tmp_path: Path) -> None:
    target = tmp_path / "good.m2"
    target.write_text("S a\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n")
    before = target.read_bytes()
    bad = tmp_path / "bad.jsonl"
    edit = {"start": 0, "end": 1, "corrections": ["-NONE-"], "type": "R"}
    rows = [{"source": "a", "edits": [[]]}, {"source": "a", "edits": [[edit]]}]
    bad.write_text("".join(f"{row}\n".replace("'", '"') for row in rows))
    done = run("convert", "--jsonl", bad, "--to", "m2", "--out", target)
    assert done.returncode == 1
    assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "good.m2"]
