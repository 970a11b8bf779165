"""The n-grams behind GREEN, GLEU and BLEU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from corrigenda.core.explanation import ExplainedCell, Explanation, Tone
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.bleu import Bleu
from corrigenda.metrics.gleu import Gleu
from corrigenda.metrics.green import Green
from corrigenda.metrics.ngrams import Counting
from corrigenda.text.graphemes import graphemes
from corrigenda.text.units import Unit, normalise

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


def units(sentence: str, counting: Counting) -> Sequence[str]:
    """The words, characters or graphemes that n-grams are made of."""
    if counting.unit == "word":
        if counting.words == "unicode":
            return sentence.split()
        # Bytes are split at the blanks of ASCII alone.
        found = sentence.encode(errors="surrogatepass").split()
        return [word.decode(errors="surrogatepass") for word in found]
    text = sentence if counting.whitespace == "raw" else normalise(sentence)
    return graphemes(text) if counting.unit == "grapheme" else text


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


def explain_green(
    metric: Green, corpus: Corpus, hypotheses: Hypotheses, result: Result
) -> list[Explanation]:
    """The seven regions with their n-grams, for each n."""
    source, reference, hypothesis = (
        units(text, metric.counting) for text in _triple(corpus, hypotheses, result)
    )
    found = [
        regions(multiset(source, n), multiset(reference, n), multiset(hypothesis, n))
        for n in range(1, metric.n + 1)
    ]
    tables = [_region_table(n, of_n, metric.unit) for n, of_n in enumerate(found, 1)]
    return [replace(tables[0], brief=_brief_regions(found, metric.unit)), *tables[1:]]


Regions = dict[str, Counter[Ngram]]


def _region_table(n: int, found: Regions, unit: Unit) -> Explanation:
    rows = tuple(
        (
            ExplainedCell(title, tone),
            ExplainedCell(str(found[name].total())),
            ExplainedCell(listed(found[name], unit), tone),
        )
        for name, (title, tone) in REGION_TITLES.items()
    )
    return Explanation(f"n = {n}", ("region", "count", "n-grams"), rows)


def _brief_regions(found: Sequence[Regions], unit: Unit) -> Explanation:
    """The counts of every n, and the words or characters, of each region that is not kept text."""
    rows = tuple(
        (
            ExplainedCell(title, tone),
            *(ExplainedCell(str(of_n[name].total())) for of_n in found),
            ExplainedCell(listed(found[0][name], unit), tone),
        )
        for name, (title, tone) in REGION_TITLES.items()
        if name != "tk" and any(of_n[name] for of_n in found)
    )
    return Explanation("", ("region", *_sizes(len(found)), _UNITS[unit]), rows)


_UNITS: dict[Unit, str] = {
    "word": "words",
    "char": "characters",
    "grapheme": "graphemes",
}


def _sizes(count: int) -> tuple[str, ...]:
    return tuple(f"n={n}" for n in range(1, count + 1))


def explain_gleu(
    metric: Gleu, corpus: Corpus, hypotheses: Hypotheses, result: Result
) -> list[Explanation]:
    """Matches and penalties for each n, against each reference that counts."""
    references = corpus.references[0]
    if metric.variant == "2015":
        compared = {"the union of the references": references}
    elif result.references is None:
        compared = {f"reference {index}": (text,) for index, text in enumerate(references)}
    else:
        chosen = int(result.references[0])
        compared = {f"reference {chosen}": (references[chosen],)}
    counted = {
        title: [_gleu_counts(metric, corpus, hypotheses, texts, n) for n in range(1, metric.n + 1)]
        for title, texts in compared.items()
    }
    tables = [_gleu_table(title, of_n, metric.unit) for title, of_n in counted.items()]
    return [replace(tables[0], brief=_brief_gleu(counted, metric.unit)), *tables[1:]]


@dataclass(frozen=True)
class _GleuCounts:
    """The n-grams of one size: matched with the reference, penalised, and all of the hypothesis."""

    matched: Counter[Ngram]
    penalised: Counter[Ngram]
    total: int


def _gleu_counts(
    metric: Gleu, corpus: Corpus, hypotheses: Hypotheses, references: Sequence[str], n: int
) -> _GleuCounts:
    source, hypothesis, *others = (
        multiset(units(text, metric.counting), n)
        for text in (corpus.sources[0], hypotheses.sentences[0], *references)
    )
    reference: Counter[Ngram] = Counter()
    for other in others:
        reference |= other
    if metric.variant == "paper":
        penalised = (source & hypothesis) - reference
    else:
        penalised = hypothesis & Counter(
            {gram: m for gram, m in source.items() if gram not in reference}
        )
    return _GleuCounts(hypothesis & reference, penalised, hypothesis.total())


def _gleu_table(title: str, counted: Sequence[_GleuCounts], unit: Unit) -> Explanation:
    rows = tuple(
        (
            ExplainedCell(str(n)),
            ExplainedCell(str(of_n.matched.total())),
            ExplainedCell(str(of_n.penalised.total()), "missed" if of_n.penalised else "plain"),
            ExplainedCell(str(of_n.total)),
            ExplainedCell(listed(of_n.penalised, unit), "missed"),
        )
        for n, of_n in enumerate(counted, 1)
    )
    return Explanation(title, ("n", "matched", "penalised", "of", "penalised n-grams"), rows)


def _brief_gleu(counted: Mapping[str, Sequence[_GleuCounts]], unit: Unit) -> Explanation:
    """One row per reference: matched minus penalised n-grams, of all."""
    rows = tuple(
        (
            ExplainedCell(title),
            *(ExplainedCell(_gleu_fraction(of_n)) for of_n in of_reference),
            ExplainedCell(listed(of_reference[0].penalised, unit), "missed"),
        )
        for title, of_reference in counted.items()
    )
    sizes = _sizes(len(next(iter(counted.values()))))
    headers = ("matched - penalised / all", *sizes, f"penalised {_UNITS[unit]}")
    return Explanation("", headers, rows)


def _gleu_fraction(counts: _GleuCounts) -> str:
    penalised = f"-{counts.penalised.total()}" if counts.penalised else ""
    return f"{counts.matched.total()}{penalised}/{counts.total}"


def explain_bleu(metric: Bleu, corpus: Corpus, hypotheses: Hypotheses) -> list[Explanation]:
    """Matches for each n, against all references at once."""
    rows, fractions, unmatched_words = [], [], ""
    for n in range(1, metric.n + 1):
        hypothesis = multiset(hypotheses.sentences[0].split(), n)
        reference: Counter[Ngram] = Counter()
        for text in corpus.references[0]:
            reference |= multiset(text.split(), n)
        matched, unmatched = (
            (hypothesis & reference).total(),
            listed(hypothesis - reference, "word"),
        )
        numbers = (n, matched, hypothesis.total())
        rows.append(
            (*(ExplainedCell(str(each)) for each in numbers), ExplainedCell(unmatched, "bad"))
        )
        fractions.append(ExplainedCell(f"{matched}/{hypothesis.total()}"))
        unmatched_words = unmatched if n == 1 else unmatched_words
    brief = Explanation(
        "",
        ("matched / all", *_sizes(metric.n), "words not in any reference"),
        ((ExplainedCell("all references"), *fractions, ExplainedCell(unmatched_words, "bad")),),
    )
    headers = ("n", "matched", "of", "not in any reference")
    return [Explanation("all references", headers, tuple(rows), brief=brief)]


def listed(ngrams: Counter[Ngram], unit: Unit, limit: int = 12) -> str:
    """The n-grams, each with its number if above 1; long lists are cut."""
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
