"""GLEU in process, compared with the package gleu and gec-metrics."""

from __future__ import annotations

import corpora
from corpora import Lists
from corrigenda import Corpus, evaluate
from measuring import Row, Time, assert_same, best_time, if_installed


def run(quick: bool) -> list[Row]:
    text = corpora.load()
    one = dict([next(iter(text.systems.items()))])
    what = f"GLEU (official), 1 system, 2 references, 500 draws, {text.name}"
    ours = best_time(lambda: _ours(text, one), 3 if quick else 7)
    repeats = 1 if quick else 3
    package = if_installed("gleu", lambda: _gleu_package(text, repeats))
    gec_metrics = if_installed("gec_metrics", lambda: _gec_metrics(text, repeats))
    return [
        Row(what, ours, package, "gleu", package="gleu"),
        Row(what, ours, gec_metrics, "gec-metrics", package="gec-metrics"),
    ]


def _ours(text: Lists, systems: dict[str, list[str]]) -> float:
    """From lists of strings to the score. The peers do not examine texts, so health is left out."""
    corpus = Corpus.from_lists(text.source, text.references, references_by="text")
    return evaluate(corpus, systems, ["gleu"], health="off")[0].score


def _gleu_package(text: Lists, repeats: int) -> Time:
    """The package has only a command line. This repeats what it does after reading the files."""
    import numpy as np
    from gleu import aggreg, count
    from gleu.corpus_main import drn_accum_to_gleu
    from gleu.util import make_id_rindex

    count.set_tokenization("word")
    hypothesis = text.first_system
    references = list(zip(*text.references, strict=True))

    def forget() -> None:
        for cached in (count.ngram_counter, count.split_word_ngram, aggreg.make_n_accum):
            cached.cache_clear()

    def score() -> float:
        forget()
        reference_lengths = count.make_dx_xlen(references)
        hypothesis_lengths = count.make_dx_xlen([(sentence,) for sentence in hypothesis])[:, 0]
        counts = aggreg.make_drn_accum(4, text.source, references, hypothesis)
        draws = make_id_rindex(500, len(text.source), len(text.references), True)
        return float(
            np.mean(
                [
                    drn_accum_to_gleu(counts, draw, reference_lengths, hypothesis_lengths)
                    for draw in draws
                ]
            )
        )

    assert_same("gleu", _ours(text, {"": hypothesis}), score())
    return best_time(score, repeats)


def _gec_metrics(text: Lists, repeats: int) -> Time:
    """Equality is checked on one reference.

    With several references, gec-metrics draws different ones, by Python 3's random generator.
    """
    from gec_metrics.metrics import GLEUOfficial

    hypothesis = text.first_system
    single = Lists(text.name, text.source, text.references[:1], text.systems)
    peer = GLEUOfficial(GLEUOfficial.Config(iter=1))
    assert_same(
        "gleu",
        _ours(single, {"": hypothesis}),
        peer.score_corpus(text.source, hypothesis, single.references),
    )
    return best_time(
        lambda: GLEUOfficial().score_corpus(text.source, hypothesis, text.references), repeats
    )
