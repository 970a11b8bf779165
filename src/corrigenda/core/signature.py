"""The line that is printed with every score: all that somebody needs to get the same number."""

from __future__ import annotations

from corrigenda._version import __version__
from corrigenda.core import spec
from corrigenda.core.metric import Level, Metric
from corrigenda.corpus import Corpus, Hypotheses


def signature(
    metric: Metric, corpus: Corpus, level: Level, references: tuple[int, int], hypotheses: Hypotheses | None = None
) -> str:
    """E.g. `green|n:4|beta:2|unit:word|refs:2|level:corpus|v:0.1.0`."""
    fewest, most = references
    fields = {
        **metric.signature_fields(corpus),
        **({} if hypotheses is None else metric.system_fields(hypotheses)),
        "refs": most if fewest == most else f"{fewest}-{most}",
        "level": level,
        "v": __version__,
    }
    return "|".join([metric.name, *(f"{name}:{spec.text(value)}" for name, value in fields.items())])
