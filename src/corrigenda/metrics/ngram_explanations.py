"""The n-grams behind GREEN, GLEU and BLEU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from corrigenda.core.explanation import ExplainedCell, Explanation, Tone
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.bleu import Bleu
from corrigenda.metrics.gleu import Gleu
from corrigenda.metrics.green import Green
from corrigenda.text.units import Unit, Whitespace, normalise

Ngram = tuple[str, ...]

REGION_TITLES: dict[str, tuple[str, Tone]] = {
    "tk": ("true keep", "plain"),
    "td": ("true delete", "good"),
    "ti": ("true insert", "good"),
    "od": ("over-delete", "bad"),
    "oi": ("over-insert", "bad"),
    "ud": ("under-delete", "missed"),
    "ui": ("under-insert", "missed"),
}


def units(sentence: str, unit: Unit, whitespace: Whitespace) -> Sequence[str]:
    """The words, or the characters, that n-grams are made of."""
    if unit == "word":
        return sentence.split()
    return sentence if whitespace == "raw" else normalise(sentence)


def multiset(sequence: Sequence[str], n: int) -> Counter[Ngram]:
    """The n-grams of one size."""
    return Counter(tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1))


def regions(
    source: Counter[Ngram], reference: Counter[Ngram], hypothesis: Counter[Ngram]
) -> dict[str, Counter[Ngram]]:
    """GREEN's seven regions, each as the multiset of its n-grams."""
    return {
        "tk": source & reference & hypothesis,
        "td": source - (reference | hypothesis),
        "ti": (reference & hypothesis) - source,
        "od": (source & reference) - hypothesis,
        "oi": hypothesis - (source | reference),
        "ud": (source & hypothesis) - reference,
        "ui": reference - (source | hypothesis),
    }


def explain_green(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
    """The seven regions with their n-grams, for each n."""
    metric = cast("Green", result.metric)
    source, reference, hypothesis = (
        units(text, metric.unit, metric.whitespace) for text in _triple(corpus, hypotheses, result)
    )
    tables = []
    for n in range(1, metric.n + 1):
        found = regions(multiset(source, n), multiset(reference, n), multiset(hypothesis, n))
        rows = tuple(
            (
                ExplainedCell(title, tone),
                ExplainedCell(str(found[name].total())),
                ExplainedCell(listed(found[name], metric.unit), tone),
            )
            for name, (title, tone) in REGION_TITLES.items()
        )
        tables.append(Explanation(f"n = {n}", ("region", "count", "n-grams"), rows))
    return tables


def explain_gleu(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
    """Matches and penalties for each n, against each reference that counts."""
    metric = cast("Gleu", result.metric)
    if metric.variant == "2015":
        return [
            _gleu_table(
                metric, corpus, hypotheses, "the union of the references", corpus.references[0]
            )
        ]
    chosen = (
        range(len(corpus.references[0]))
        if result.references is None
        else [int(result.references[0])]
    )
    return [
        _gleu_table(metric, corpus, hypotheses, f"reference {index}", [corpus.references[0][index]])
        for index in chosen
    ]


def _gleu_table(
    metric: Gleu, corpus: Corpus, hypotheses: Hypotheses, title: str, references: Sequence[str]
) -> Explanation:
    rows = []
    for n in range(1, metric.n + 1):
        source, hypothesis, *others = (
            multiset(units(text, metric.unit, metric.whitespace), n)
            for text in (corpus.sources[0], hypotheses.sentences[0], *references)
        )
        reference: Counter[Ngram] = Counter()
        for other in others:
            reference |= other
        matched = hypothesis & reference
        if metric.variant == "paper":
            penalised = (source & hypothesis) - reference
        else:
            penalised = hypothesis & Counter(
                {gram: m for gram, m in source.items() if gram not in reference}
            )
        rows.append(
            (
                ExplainedCell(str(n)),
                ExplainedCell(str(matched.total())),
                ExplainedCell(str(penalised.total()), "missed" if penalised else "plain"),
                ExplainedCell(str(hypothesis.total())),
                ExplainedCell(listed(penalised, metric.unit), "missed"),
            )
        )
    return Explanation(title, ("n", "matched", "penalised", "of", "penalised n-grams"), tuple(rows))


def explain_bleu(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
    """Matches for each n, against all references at once."""
    metric = cast("Bleu", result.metric)
    rows = []
    for n in range(1, metric.n + 1):
        hypothesis = multiset(hypotheses.sentences[0].split(), n)
        reference: Counter[Ngram] = Counter()
        for text in corpus.references[0]:
            reference |= multiset(text.split(), n)
        unmatched = hypothesis - reference
        rows.append(
            (
                ExplainedCell(str(n)),
                ExplainedCell(str((hypothesis & reference).total())),
                ExplainedCell(str(hypothesis.total())),
                ExplainedCell(listed(unmatched, "word"), "bad"),
            )
        )
    return [
        Explanation("all references", ("n", "matched", "of", "not in any reference"), tuple(rows))
    ]


def listed(ngrams: Counter[Ngram], unit: Unit, limit: int = 12) -> str:
    """The n-grams, each with its multiplicity if above 1; long lists are cut."""
    joiner = " " if unit == "word" else ""
    names = [
        f"{joiner.join(gram)}×{times}" if times > 1 else joiner.join(gram)
        for gram, times in ngrams.items()
    ]
    cut = [f"… {len(names) - limit} more"] if len(names) > limit else []
    return " · ".join(names[:limit] + cut)


def _triple(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> tuple[str, str, str]:
    chosen = 0 if result.references is None else int(result.references[0])
    return corpus.sources[0], corpus.references[0][chosen], hypotheses.sentences[0]
