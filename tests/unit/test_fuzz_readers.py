"""The fuzz target of every reader, for a moment; `make fuzz` runs it for longer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fuzz"))

readers = pytest.importorskip("readers", reason="the readers of bulk runs need pyarrow")


@pytest.mark.parametrize("target", sorted(readers.names()))
def test_seeds_and_regressions(target: str) -> None:
    tried, _, findings = readers.fuzz(target, 0.2, seed=1)
    assert not findings, findings
    assert tried > len(readers.seeds(target)), "the time was too short for any change"


def test_every_corpus_format_is_fuzzed() -> None:
    from corrigenda.formats.judgments import JUDGMENT_FORMATS
    from corrigenda.formats.registry import CORPUS_FORMATS

    expected = {"text", "sidecar", "bulk-rows", "human-table", *CORPUS_FORMATS}
    assert readers.TARGETS.keys() >= expected | {f"judgments-{each}" for each in JUDGMENT_FORMATS}


def test_a_broken_reader_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(path: Path) -> None:
        if b"noop" in path.read_bytes():
            raise ValueError("a mistake")

    monkeypatch.setitem(readers.TARGETS, "m2", broken)
    monkeypatch.setattr(readers, "FINDINGS", tmp_path)
    _, _, findings = readers.fuzz("m2", 0.1)
    assert findings
    assert "a mistake" in findings[0]
