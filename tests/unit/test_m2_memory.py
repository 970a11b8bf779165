"""M2 of many small sentences: what is kept for each of them is small."""

from __future__ import annotations

import tracemalloc

from corrigenda.formats import m2


def test_a_sentence_without_words_takes_little() -> None:
    """It took 330 bytes: three objects, each with a dictionary, and two tuples."""
    lines = ["S ", ""] * 20_000
    tracemalloc.start()
    try:
        sentences = tuple(m2.parse(lines, "x.m2"))
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(sentences) == 20_000
    assert sentences[0].annotations is sentences[1].annotations
    assert size < 150 * 20_000
