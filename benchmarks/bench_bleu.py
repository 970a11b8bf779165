"""BLEU in process, compared with sacreBLEU on text that is already tokenised."""

from __future__ import annotations

import corpora
from corpora import Lists
from corrigenda import Corpus, evaluate
from measuring import Row, Time, assert_same, best_time, if_installed


def run(quick: bool) -> list[Row]:
    text = corpora.load(systems=2 if quick else None)
    what = f"BLEU, {len(text.systems)} systems, 2 references, {text.name}"
    repeats = 1 if quick else 7
    ours = best_time(lambda: _ours(text), repeats)
    peer = if_installed("sacrebleu", lambda: _sacrebleu(text, repeats))
    return [Row(what, ours, peer, "sacreBLEU", package="sacrebleu")]


def _sacrebleu(text: Lists, repeats: int) -> Time:
    from sacrebleu.metrics import BLEU

    def peer() -> list[float]:
        bleu = BLEU(tokenize="none", force=True)
        return [
            bleu.corpus_score(hypothesis, text.references).score / 100
            for hypothesis in text.systems.values()
        ]

    for mine, theirs in zip(_ours(text), peer(), strict=True):
        assert_same("bleu", mine, theirs)
    return best_time(peer, repeats)


def _ours(text: Lists) -> list[float]:
    corpus = Corpus.from_lists(text.source, text.references, references_by="text")
    return [result.score for result in evaluate(corpus, text.systems, ["bleu"])]
