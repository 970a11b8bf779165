"""The tables that `corrigenda meta` prints for people."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from corrigenda.cli.labels import experimental_notes, labels
from corrigenda.cli.tables import (
    MISSING,
    Cell,
    Column,
    Mark,
    Row,
    Table,
    key_column,
    number,
    probability,
    text,
)

if TYPE_CHECKING:
    from corrigenda.cli.meta import Found, MetricComparison
    from corrigenda.meta.analysis import MetaReport, MetricReport
    from corrigenda.meta.estimates import Correlation

_SHOWN_BETAS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)


def tables(found: Found, args: argparse.Namespace) -> Iterator[Table]:
    """The correlations, and the other tables that were asked for."""
    report = found.report
    names = _Names(report)
    yield _correlation_table(report, names)
    yield _pairs_table(report, names)
    if args.ranks:
        yield _rank_table(report, names)
    if args.top_k:
        yield _part_table(report, "top", "Pearson r over the K best systems by humans", names)
    if args.window:
        title = "Pearson r over neighbours in the human ranking"
        yield _part_table(report, "windows", title, names)
    for how in report.settings.aggregations:
        of_level = [pair for pair in found.comparisons if pair.aggregation == how]
        if of_level:
            yield _comparison_table(how, of_level, names, report)
            yield _cluster_table(how, found, names)
    if found.betas:
        yield _beta_table(found, names)


class _Names:
    """Short names of metrics; the aggregation is added where there are several."""

    def __init__(self, report: MetaReport) -> None:
        self._labels = labels([entry.metric for entry in report.scored])
        self._several = len(report.settings.aggregations) > 1

    def __getitem__(self, printed: str) -> str:
        return self._labels[printed]

    def of(self, entry: MetricReport) -> str:
        label = self._labels[str(entry.metric)]
        return f"{label} ({entry.aggregation})" if self._several else label

    def curve(self, label: str) -> str:
        """The name of a curve, which is `metric (level)`."""
        printed, blank, level = label.rpartition(" ")
        return f"{self._labels[printed]}{blank}{level}"

    def in_full(self) -> Iterator[str]:
        """What the short names stand for."""
        for printed, label in self._labels.items():
            if printed != label:
                yield f"{label}: {printed}"


def _correlation_table(report: MetaReport, names: _Names) -> Table:
    from corrigenda.meta.correlation import SYMBOLS

    settings = report.settings
    standing = list(dict.fromkeys(name for entry in report.metrics for name in entry.standing))[:2]
    count = len(report.benchmark.standing_systems)
    rows = [
        Row(
            (
                text(names.of(entry)),
                *(_coefficient(entry.correlations[name]) for name in settings.coefficients),
                text(str(report.rank_difference(entry))),
                *(number(entry.standing.get(name)) for name in standing),
            )
        )
        for entry in report.metrics
    ]
    symbols = [Column(SYMBOLS[name]) for name in settings.coefficients]
    how = "" if len(settings.aggregations) > 1 else f" ({settings.aggregations[0]} scores)"
    return Table(
        (
            key_column("metric"),
            *symbols,
            Column("Δ"),
            *(Column(f"{SYMBOLS[name]}, all {count}") for name in standing),
        ),
        tuple(rows),
        title=f"{report.benchmark.title}: {len(report.systems)} systems{how}",
        notes=tuple(_notes(report)),
        signatures=tuple(names.in_full()),
        mark=Mark(f"the {100 * settings.confidence:g} % interval excludes 0"),
    )


def _coefficient(correlation: Correlation) -> Cell:
    interval = correlation.interval
    significant = interval is not None and (interval[0] > 0 or interval[1] < 0)
    return number(correlation.value, interval=interval, significant=significant)


_METHODS = {
    "jackknife": "jackknife",
    "mid-p": "mid-p interval",
    "fisher": "Fisher's z",
    "none": "too few systems",
}


def _notes(report: MetaReport) -> Iterator[str]:
    settings = report.settings
    share = f"{100 * settings.confidence:g} % intervals"
    drawn = f"{settings.resamples} resamples"
    found = [each for entry in report.metrics for each in entry.correlations.values()]
    for over in dict.fromkeys(each.interval_over for each in found if each.interval_over):
        methods = {each.interval_method for each in found if each.interval_over == over}
        if "boot-both" in methods:
            how = f"from {drawn} of sentences and systems (BOOT-BOTH)"
        elif over == "inputs":
            how = f"over sentences, from {drawn} (BOOT-INPUT)"
        elif over == "both":
            how = f"over systems and sentences ({_methods(report, over)}; {drawn} of sentences)"
        else:
            how = f"over systems alone ({_methods(report, over)})"
        yield f"{share} {how}" + ("" if over == "systems" else f", seed {settings.seed}")
    yield "Δ: sum of the differences of ranks"
    yield from experimental_notes(entry.metric for entry in report.metrics)
    if report.benchmark.other_references:
        low, high = report.benchmark.corpus.reference_range
        count = str(low) if low == high else f"{low} to {high}"
        yield f"references: given, {count} per sentence; not those of the benchmark"


def _methods(report: MetaReport, over: str) -> str:
    """Which coefficients have their intervals from which method."""
    from corrigenda.meta.correlation import SYMBOLS

    symbols: dict[str, list[str]] = {}
    for entry in report.metrics:
        for name, found in entry.correlations.items():
            if found.interval_over == over and found.interval_method:
                method = _METHODS[found.interval_method.partition("+")[0]]
                of_method = symbols.setdefault(method, [])
                if SYMBOLS[name] not in of_method:
                    of_method.append(SYMBOLS[name])
    return "; ".join(
        f"{', '.join(each[:-2])}{', ' * (len(each) > 2)}{' and '.join(each[-2:])}: {method}"
        for method, each in symbols.items()
    )


def _pairs_table(report: MetaReport, names: _Names) -> Table:
    """Accuracies over pairs of systems and over pairs of outputs, each with its level by chance."""
    settings = report.settings
    rows = []
    for entry in report.metrics:
        pairs, systems = report.sentences[str(entry.metric)], entry.pairwise
        calibrated = pairs.calibrated
        low, high = entry.correlations[settings.coefficients[0]].leave_one_out
        rows.append(
            Row(
                (
                    text(names.of(entry)),
                    number(systems.accuracy),
                    number(systems.soft),
                    number(pairs.accuracy),
                    number(pairs.tau),
                    number(None if calibrated is None else calibrated.accuracy),
                    text(MISSING if math.isnan(low) else f"{low:.3f} … {high:.3f}"),
                )
            )
        )
    first = report.sentences[str(report.metrics[0].metric)]
    soft = next((entry.pairwise.soft_chance for entry in report.metrics), None)
    calibrated_chance = None if first.calibrated is None else first.calibrated.chance
    chance = [0.5, soft, 0.5, 0.0, calibrated_chance]
    rows.append(Row((text("by chance", "faint"), *map(number, chance), Cell(""))))
    from corrigenda.meta.correlation import SYMBOLS

    headings = ("systems", "soft", "acc.", "pair τ", "acc. eq")
    symbol = SYMBOLS[settings.coefficients[0]]
    others = "systems" if settings.pairs_of == "outputs" else "outputs"
    judged, other = report.judged[settings.pairs_of], report.judged[others]
    return Table(
        (key_column("metric"), *map(Column, headings), Column(f"{symbol} without one")),
        tuple(rows),
        title="pairs of systems, and sentence scores",
        notes=(
            "systems: pairs of systems in the order of people; soft: soft pairwise accuracy",
            f"acc. and pair τ: sentence scores against {judged:,} judged pairs of "
            f"{settings.pairs_of} that are not ties ({other:,} pairs of {others}); acc. eq: with "
            "ties, calibrated on other sentences",
            f"{symbol} without one: its range when any one system is left out",
        ),
    )


def _cluster_table(how: str, found: Found, names: _Names) -> Table:
    """Which metrics are not beaten by any."""
    compared = found.compared[how]
    test = _deciding_test([pair for pair in found.comparisons if pair.aggregation == how])
    where = "" if test.startswith("Williams") else ", on these systems"
    ordered = sorted(compared.clusters.items(), key=lambda item: item[1])
    rows = [
        Row(
            (
                text(" = ".join(names[each] for each in (name, *compared.same[name]))),
                text(str(cluster)),
                text("no other metric is better" if cluster == 1 else "", "faint"),
            )
        )
        for name, cluster in ordered
    ]
    rows += [
        Row((text(names[name]), text(MISSING), text("it has no correlation", "faint")))
        for name in compared.undefined
    ]
    return Table(
        (key_column("metric"), Column("cluster"), Column("", left=True, screen_only=True)),
        tuple(rows),
        title=f"clusters of metrics ({how})",
        notes=(f"a metric is better if the corrected {test} says so{where}",),
    )


def _rank_table(report: MetaReport, names: _Names) -> Table:
    order = sorted(range(len(report.systems)), key=lambda index: (-report.human[index], index))
    human = report.human_ranks()
    ranks = [entry.ranks() for entry in report.metrics]
    rows = []
    for index in order:
        cells = (_rank_cell(int(of_metric[index]), int(human[index])) for of_metric in ranks)
        rows.append(Row((text(report.systems[index]), text(str(human[index])), *cells)))
    totals = (text(str(report.rank_difference(entry))) for entry in report.metrics)
    return Table(
        (
            key_column("system"),
            Column("human", key=True),
            *(Column(names.of(entry)) for entry in report.metrics),
        ),
        (*rows, Row((text("Δ", "faint"), Cell(""), *totals))),
        title="ranks",
    )


def _rank_cell(rank: int, human: int) -> Cell:
    difference = human - rank
    return text(f"{rank} ({'=' if not difference else f'{difference:+d}'})")


def _part_table(report: MetaReport, kind: str, title: str, names: _Names) -> Table:
    parts = [getattr(entry, kind)["pearson"] for entry in report.metrics]
    return Table(
        (key_column("metric"), *(Column(f"{part.first}–{part.last}") for part in parts[0])),
        tuple(
            Row((text(names.of(entry)), *(number(part.value) for part in of_metric)))
            for entry, of_metric in zip(report.metrics, parts, strict=True)
        ),
        title=f"{title}, from human rank to rank",
    )


def _comparison_table(
    how: str, pairs: Sequence[MetricComparison], names: _Names, report: MetaReport
) -> Table:
    """Which metric correlates better, and whether that may be chance."""
    from corrigenda.analysis.resolution import alpha_of, is_significant

    settings = report.settings
    rows = []
    for pair in pairs:
        first, second = pair.metrics
        deciding = pair.deciding_p
        significant = deciding is not None and is_significant(deciding, settings.confidence)
        rows.append(
            Row(
                (
                    text(f"{names[first]} – {names[second]}"),
                    number(pair.first),
                    number(pair.second),
                    number(pair.difference, signed=True, significant=significant),
                    probability(pair.corrected_williams_p),
                    probability(pair.corrected_permutation_p),
                    *((probability(pair.corrected_simulated_p),) if _simulated(pairs) else ()),
                )
            )
        )
    headings = ["first r", "second r", "difference", "Williams p", "permutation p"]
    if _simulated(pairs):
        headings.append("simulated p")
    count = "1 pair" if len(pairs) == 1 else f"{len(pairs)} pairs"
    how_corrected = (
        "not corrected"
        if settings.correction == "none"
        else f"corrected ({settings.correction}) over {count} of metrics"
    )
    return Table(
        (key_column("metrics"), *map(Column, headings)),
        tuple(rows),
        title=f"difference of Pearson r ({how})",
        notes=(f"p-values: {how_corrected}", *_why_simulated(pairs, report)),
        mark=Mark(f"{_deciding_test(pairs)}: p < {alpha_of(settings.confidence):.4g}"),
    )


def _simulated(pairs: Sequence[MetricComparison]) -> bool:
    return any(pair.decided_by == "simulated-williams" for pair in pairs)


def _deciding_test(pairs: Sequence[MetricComparison]) -> str:
    return "simulated Williams' test" if _simulated(pairs) else "permutation test"


def _why_simulated(pairs: Sequence[MetricComparison], report: MetaReport) -> Iterator[str]:
    """Why the permutation test does not decide."""
    if _simulated(pairs):
        systems = len(report.systems)
        family = (
            f", and {len(pairs)} times as much after the correction"
            if report.settings.correction == "holm" and len(pairs) > 1
            else ""
        )
        yield (
            f"the permutation test cannot reject with {systems} systems: it has {2**systems} "
            f"outcomes, so its smallest p is {2.0 ** (1 - systems):.4g}{family}; Williams' test "
            "decides, with a simulated distribution (simulated p)"
        )


def _beta_table(found: Found, names: _Names) -> Table:
    """Some points of each curve, and its best."""
    betas = found.betas
    shown = [beta for beta in _SHOWN_BETAS if beta in betas] or betas[:8]
    rows = []
    for label, values in found.curves.items():
        points = zip(values, betas, strict=True)
        defined = [(value, -beta) for value, beta in points if not math.isnan(value)]
        best, place = max(defined, default=(math.nan, math.nan))
        cells = (number(values[betas.index(beta)]) for beta in shown)
        rows.append(Row((text(names.curve(label)), *cells, text(f"{-place:g}"), number(best))))
    headings = (*(f"β={beta:g}" for beta in shown), "best β", "best r")
    return Table((key_column("metric"), *map(Column, headings)), tuple(rows), "Pearson r by β")
