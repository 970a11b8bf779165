"""`corrigenda.report(…)`: everything about some systems in one HTML page, from one call."""

from __future__ import annotations

import html as html_text
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from corrigenda import arguments, writing
from corrigenda.core.metric import Level, Metric
from corrigenda.corpus import Corpus
from corrigenda.errors import UsageError
from corrigenda.report.against import from_json
from corrigenda.report.build import report
from corrigenda.report.human import HumanScores, from_judgments
from corrigenda.report.options import ReportOptions
from corrigenda.scoring import HealthChoice, Systems, checked_corpus, evaluate, outputs_of
from corrigenda.text.sentences import Path

_HEIGHT = 720
"""The height of a report in a notebook, in pixels."""


@dataclass(frozen=True, repr=False)
class ReportPage:
    """A report. A notebook shows it in a frame; `save` writes it."""

    html: str

    def __repr__(self) -> str:
        return f"<report, {len(self.html.encode('utf-8')) / 1e6:.1f} MB>"

    def _repr_html_(self) -> str:
        page = html_text.escape(self.html, quote=True)
        return (
            f'<iframe title="Corrigenda report" sandbox="allow-scripts allow-downloads" '
            f'srcdoc="{page}" style="width:100%;height:{_HEIGHT}px;border:1px solid #888"></iframe>'
        )

    def save(self, path: Path) -> None:
        """Write the page into a file."""
        writing.write_bytes(path, self.html.encode("utf-8"))


def report_on(
    corpus: Corpus,
    systems: Systems,
    metrics: Sequence[Metric | str] | None = None,
    *,
    out: Path | None = None,
    level: Level = "corpus",
    columns: Mapping[str, Sequence[object]] | None = None,
    judgments: Path | None = None,
    human: Mapping[str, float] | None = None,
    against: Path | None = None,
    health: HealthChoice = "warn",
    **options: object,
) -> ReportPage:
    """Make the report of `corrigenda report`: one HTML page that needs no network.

    Args:
        corpus: The sources and their references.
        systems: Names with lists of sentences, or a list of `Hypotheses`.
        metrics: The metrics; None takes all that need no extra. The first orders the systems.
        out: The file to write; None writes none.
        level: `corpus` or `sentence`.
        columns: Further columns, with a value per sentence; each becomes a slicing.
        judgments: A file of human rankings, or a campaign.
        human: Human scores of the systems, in place of `judgments`.
        against: Earlier scores (the JSON of `corrigenda score`), to show what changed.
        health: `warn`, `quiet` or `off`, as in `evaluate`.
        options: The fields of `corrigenda.report.ReportOptions`: title, resamples, seed,
            confidence, correction, extractor, min_sentences, threads, and more.

    Returns:
        The page. A notebook shows it; `save(path)` writes it; `html` is its text.

    Example:
        >>> import corrigenda
        >>> from corrigenda.data import sample_corpus, sample_systems
        >>> page = corrigenda.report(
        ...     sample_corpus()[:9], [system[:9] for system in sample_systems()[:2]], ["green"],
        ...     resamples=50,
        ... )
        >>> "<h1" in page.html
        True
    """
    known = [each.name for each in fields(ReportOptions)]
    for name in options:
        if name not in known:
            raise UsageError(
                f"report has no option {name!r}", remedy=f"Its options are: {', '.join(known)}."
            )
    if judgments is not None and human is not None:
        raise UsageError("judgments and human are both given", remedy="Give one of them.")
    outputs = outputs_of(systems)
    results = evaluate(checked_corpus(corpus), outputs, metrics, level=level, health=health)
    people = from_judgments(judgments) if judgments is not None else None
    if human is not None:
        people = HumanScores("human", arguments.scores("human", human))
    page = ReportPage(
        report(
            corpus,
            outputs,
            results,
            options=ReportOptions(**options),  # type: ignore[arg-type]  # checked above
            columns=arguments.columns("columns", columns),
            human=people,
            earlier=None if against is None else from_json(against),
        )
    )
    if out is not None:
        page.save(out)
    return page
