"""Arguments that commands share work alone, too."""

from __future__ import annotations

import argparse
from pathlib import Path

from corrigenda.cli import inputs


def test_a_command_without_systems_reads_a_corpus(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    inputs.add_corpus_arguments(parser)
    (tmp_path / "source.txt").write_text("a b\n", encoding="utf-8")
    corpus, systems = inputs.read_corpus(
        parser.parse_args(["--source", str(tmp_path / "source.txt")])
    )
    assert list(corpus.sources) == ["a b"]
    assert systems == []
