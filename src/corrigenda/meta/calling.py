"""`corrigenda.meta`: a meta-evaluation in one call."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus
from corrigenda.meta import benchmark
from corrigenda.meta.analysis import MetaReport, analyse
from corrigenda.meta.benchmark import Benchmark
from corrigenda.meta.settings import MetaSettings
from corrigenda.metrics import metric as metric_from_text


def meta_evaluate(
    data: str | Benchmark,
    metrics: Sequence[Metric | str],
    *,
    systems: Sequence[str] = ("base",),
    references: Corpus | None = None,
    settings: MetaSettings | None = None,
    threads: int | None = None,
) -> MetaReport:
    """Metrics against people on a known benchmark, or on one that `benchmark.from_parts` made.

    `systems` are names of systems or of subsets. `references` is a corpus with the same sources and
    other references. `report.columns()` is the table of correlations.
    """
    found = benchmark.load(data) if isinstance(data, str) else data
    if references is not None:
        found = found.with_references(references)
    wanted = [metric_from_text(each) if isinstance(each, str) else each for each in metrics]
    return analyse(found, wanted, found.subset(systems), settings, threads=threads)
