"""The line that is printed with every score: all that is needed to get the same score."""

from __future__ import annotations

from collections.abc import Mapping

from corrigenda._version import __version__
from corrigenda.core import spec
from corrigenda.core.metric import Level, Metric
from corrigenda.corpus import Corpus, Hypotheses


def signature_fields(
    metric: Metric, corpus: Corpus, hypotheses: Hypotheses | None = None
) -> dict[str, str]:
    """What the metric says about itself, the corpus and the output of a system."""
    status = {"experimental": True} if metric.experimental else {}
    fields = {**status, **metric.signature_fields(corpus, hypotheses)}
    tokens = {} if corpus.tokens is None else {"tok": corpus.tokens}
    return {name: spec.text(value) for name, value in (fields | tokens).items()}


def signature(
    metric: Metric, fields: Mapping[str, str], level: Level, references: tuple[int, int]
) -> str:
    """E.g. `green|n:4|beta:2|unit:word|refs:2|level:corpus|v:0.1.0`."""
    fewest, most = references
    shown = {
        **{name: value for name, value in fields.items() if _matters(name, value, level)},
        "refs": str(most) if fewest == most else f"{fewest}-{most}",
        "level": level,
        "v": __version__,
    }
    return "|".join([metric.name, *(f"{name}:{value}" for name, value in shown.items())])


def _matters(name: str, value: str, level: Level) -> bool:
    """`choice` has no effect at sentence level, and its default, `published`, is not shown."""
    return name != "choice" or (level == "corpus" and value != "published")
