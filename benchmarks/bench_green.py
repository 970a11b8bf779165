"""GREEN in process, compared with gec-metrics."""

from __future__ import annotations

import corpora
from corpora import Lists
from corrigenda import Corpus, evaluate
from corrigenda.scoring import HealthChoice
from measuring import Row, Time, assert_same, best_time, if_installed, shortest


def run(quick: bool) -> list[Row]:
    text = corpora.load()
    rows = []
    for unit, order in (("word", 4), ("char", 6)):
        one = dict([next(iter(text.systems.items()))])
        chosen = (one,) if quick or unit == "char" else (one, text.systems)
        rows += [_whole(text, systems, unit, order, quick) for systems in chosen]
        rows.append(_further_system(text, unit, order, quick))
    return rows


def _whole(text: Lists, systems: dict[str, list[str]], unit: str, order: int, quick: bool) -> Row:
    """Everything from lists of strings to scores. The note says what it takes with health."""
    what = f"GREEN, {_ngrams(unit)}, {_number(systems)}, 2 references, {text.name}"
    metric, repeats = f"green:unit={unit}", 3 if quick else 7
    ours = best_time(lambda: _ours(text, systems, metric), repeats)
    with_health = best_time(lambda: _ours(text, systems, metric, health="quiet"), repeats)

    def peer() -> Time:
        _check(text, f"green:unit={unit}", _gec_metrics(unit, order))
        return best_time(lambda: _peer(text, systems, _gec_metrics(unit, order)), 1 if quick else 3)

    return Row(
        what,
        ours,
        if_installed("gec_metrics", peer),
        "gec-metrics",
        f"with health {1000 * with_health.processor:.0f} ms of processor time",
        package="gec-metrics",
    )


def _gec_metrics(unit: str, order: int):
    from gec_metrics.metrics import GREEN

    return GREEN(GREEN.Config(n=order, beta=2.0, unit=unit))


def _further_system(text: Lists, unit: str, order: int, quick: bool) -> Row:
    """What one more system costs on a prepared corpus: the kernel, and little else."""
    first, *others = text.systems.values()
    metric = f"green:unit={unit}"
    corpus = Corpus.from_lists(text.source, text.references, references_by="text")
    evaluate(corpus, {"": first}, [metric])
    ours = shortest(
        [
            best_time(lambda: evaluate(corpus, {"": new}, [metric], health="off"), 3)  # noqa: B023
            for new in others[:5]
        ]
    )

    def peer() -> Time:
        green = _gec_metrics(unit, order)
        green.score_corpus(text.source, first, text.references)
        # gec-metrics keeps the n-grams of every sentence that it has seen. So each run uses a
        # system that it has not seen.
        return shortest(
            [
                best_time(
                    lambda: green.score_corpus(text.source, new, text.references),  # noqa: B023
                    1,
                )
                for new in others[: 1 if quick else 3]
            ]
        )

    what = f"GREEN, {_ngrams(unit)}, one more system, {text.name}"
    return Row(what, ours, if_installed("gec_metrics", peer), "gec-metrics", package="gec-metrics")


def _ngrams(unit: str) -> str:
    return f"{'character' if unit == 'char' else unit} n-grams"


def _number(systems: dict[str, list[str]]) -> str:
    return "1 system" if len(systems) == 1 else f"{len(systems)} systems"


def _ours(
    text: Lists, systems: dict[str, list[str]], metric: str, *, health: HealthChoice = "off"
) -> list[float]:
    """Everything from lists of strings to scores; nothing is kept from an earlier run.

    The peer does not examine the texts, so health is left out.
    """
    corpus = Corpus.from_lists(text.source, text.references, references_by="text")
    return [result.score for result in evaluate(corpus, systems, [metric], health=health)]


def _peer(text: Lists, systems: dict[str, list[str]], green) -> list[float]:
    return [
        green.score_corpus(text.source, hypothesis, text.references)
        for hypothesis in systems.values()
    ]


def _check(text: Lists, metric: str, green) -> None:
    """Check that both give the same corpus score (one reference) and sentence scores (two).

    With several references gec-metrics breaks ties by order alone, so its corpus score differs a
    little. Sentences that are too short for an n-gram of the largest size are left out, because
    gec-metrics takes their recall as 1, not 0.
    """
    hypothesis = text.first_system
    single = Corpus.from_lists(text.source, text.references[0])
    ours = evaluate(single, {"": hypothesis}, [metric])[0].score
    assert_same(metric, ours, green.score_corpus(text.source, hypothesis, text.references[:1]))
    both = Corpus.from_lists(text.source, text.references, references_by="text")
    sentences = evaluate(both, {"": hypothesis}, [metric], level="sentence")[0].sentence_scores
    peers = green.score_sentence(text.source, hypothesis, text.references)
    versions = zip(text.source, hypothesis, *text.references, strict=True)
    long_enough = [min(map(len, map(str.split, sentence))) >= 6 for sentence in versions]
    for number, (mine, theirs) in enumerate(zip(sentences.tolist(), peers, strict=True)):
        if long_enough[number]:
            assert_same(f"{metric}, sentence {number + 1}", mine, theirs)
