"""`corrigenda.meta`: a meta-evaluation in one call."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus
from corrigenda.errors import UsageError, brief
from corrigenda.meta import benchmark
from corrigenda.meta.analysis import MetaReport, analyse
from corrigenda.meta.benchmark import Benchmark
from corrigenda.meta.settings import MetaSettings
from corrigenda.metrics import metric_of


def meta_evaluate(
    data: str | Benchmark,
    metrics: Sequence[Metric | str],
    *,
    systems: Sequence[str] = ("base",),
    references: Corpus | None = None,
    settings: MetaSettings | None = None,
    threads: int | None = None,
) -> MetaReport:
    """Measure metrics against human judgments, as `corrigenda meta` does.

    Args:
        data: The name of a benchmark (`sample`, `conll14`, `seeda-s`, …), or one that
            `corrigenda.meta.benchmark.from_parts` made.
        metrics: The metrics, as objects or as the command line takes them.
        systems: Names of systems, or of subsets such as `base` and `all`.
        references: A corpus with the same sources and other references.
        settings: How scores are made and resampled (`corrigenda.meta.settings.MetaSettings`).
        threads: Of the compiled code; None takes all cores.

    Returns:
        The correlations of each metric. `columns()` is their table.

    Example:
        >>> import corrigenda
        >>> report = corrigenda.meta("sample", ["green"])
        >>> round(report.metrics[0].correlations["pearson"].value, 3)
        0.945
    """
    found = benchmark.load(data) if isinstance(data, str) else data
    if not isinstance(found, Benchmark):
        raise UsageError(
            f"data is {brief(data)}",
            remedy="Give the name of a benchmark, or what `benchmark.from_parts` made.",
        )
    if not isinstance(settings, MetaSettings | None):
        raise UsageError(
            f"settings is {brief(settings)}", remedy="Give MetaSettings(…), or leave it out."
        )
    if references is not None:
        found = found.with_references(references)
    wanted = [metric_of(each) for each in metrics]
    return analyse(found, wanted, found.subset(systems), settings, threads=threads)
