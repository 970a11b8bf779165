"""What a metric is: a frozen dataclass whose fields are its parameters.

A metric counts (`statistics`), chooses references (`policy`), and makes measures of sums of counts
(`measures`). Everything else follows without code in any metric: levels, intervals, tests, slices,
sweeps of β, bulk runs, rewards, meta-evaluation.
"""

from __future__ import annotations

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from corrigenda.core import spec
from corrigenda.core.choice import Choice
from corrigenda.core.explanation import Explanation
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.core.survey import Survey
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits.comparison import ComparedSentence
from corrigenda.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from corrigenda.core.result import Result

Level = Literal["corpus", "sentence"]
LEVELS: tuple[Level, ...] = ("corpus", "sentence")
Scope = Literal["sentence", "survey", "corpus"]
"""What the counts of a sentence depend on.

`sentence`: on the sentence alone. `survey`: also on a few numbers that add up over the corpus.
`corpus`: on all sentences at once.
"""
NeedsReferences = Literal["none", "text", "edits"]
"""`text`: reference texts. `edits`: annotated edits where there are any, else edits of the texts."""
Offer = Literal["precision-recall", "types", "explain", "extract", "beta"]
Verdict = Literal["correct", "wrong", "missed"]


@dataclass(frozen=True)
class WeighedEdit:
    """An edit with what a metric thinks of it, and how much it weighs."""

    start: int
    end: int
    correction: str
    verdict: Verdict
    weight: float


@dataclass(frozen=True)
class Observed:
    """What a metric saw beside its counts.

    `types` has the counts [K] of each error type; `edits` has the weighed edits of each sentence.
    """

    types: Mapping[str, Array] = field(default_factory=dict)
    edits: Sequence[tuple[WeighedEdit, ...]] = ()


@dataclass(frozen=True, repr=False)
class Metric(ABC):
    """Counts, a choice, and measures.

    Two metrics with equal fields are the same metric. `str(metric)` is its printed form, which the
    command line takes; it leaves out parameters at their defaults.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]

    # What it needs.
    needs_references: ClassVar[NeedsReferences] = "text"
    needs_all_systems: ClassVar[bool] = False
    """Whether the counts of one system depend on the outputs of the others."""
    needs_model: ClassVar[bool] = False
    """Whether it loads a trained model: of spaCy, or a pretrained one."""
    extra: ClassVar[str | None] = None
    """The optional dependency (`corrigenda[extra]`) that it needs, if any."""
    modules: ClassVar[tuple[str, ...]] = ()
    """The modules that the extra brings."""

    # What it offers.
    offers: ClassVar[frozenset[Offer]] = frozenset()
    shows_precision_recall: ClassVar[bool] = False
    """Whether tables show precision and recall beside its score."""
    labels: ClassVar[Mapping[str, str]] = {}
    """Short column headings of its measures, where the usual ones do not fit."""

    def __post_init__(self) -> None:
        """Metrics with rules of their own check them after these."""
        spec.check_values(self)

    @property
    def scope(self) -> Scope:
        """What the counts of a sentence depend on."""
        return "sentence"

    @property
    def scope_remedy(self) -> str:
        """How to make the counts of a sentence depend on the sentence alone."""
        return "Take another metric."

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """The modules that it needs with these parameters."""
        return self.modules

    # The four methods that every metric has.

    @abstractmethod
    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The counts of every sentence against each of its references."""

    @abstractmethod
    def policy(self, level: Level) -> Choice:
        """How a reference is chosen for each sentence."""

    @abstractmethod
    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The score and what is reported beside it, of totals [..., K].

        At corpus level the totals are sums over sentences; at sentence level the counts of one.
        """

    @abstractmethod
    def named_counts(self, counts: Array) -> NamedCounts:
        """Counts [K] by their names, ready for JSON."""

    # What some metrics add.

    def score(self, totals: Array, level: Level = "corpus") -> Array:
        """The score alone; a metric may have a quicker way than by all measures."""
        return self.measures(totals, level).score

    def prepare(  # noqa: B027
        self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int
    ) -> None:
        """Called with all systems before the statistics of any: work that they share is done once."""

    def survey(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Survey:
        """With scope `survey`: what the counts of a sentence must know about all the others."""
        return {}

    def observe(
        self, corpus: Corpus, hypotheses: Hypotheses, chosen: Chosen, *, sentences: bool
    ) -> Observed:
        """Error types (offer `types`), and weighed edits where `sentences` are wanted."""
        return Observed()

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """With the offer `explain`: what it saw in a corpus of one sentence."""
        return []

    def compare(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> list[ComparedSentence]:
        """With the offer `extract`: the system's edits beside the gold edits that they equal."""
        raise UsageError(f"{self.name} does not extract edits")

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """What, besides version and level, somebody needs to get the same number."""
        return spec.parameters(self)

    # What follows for all metrics.

    def missing_modules(self) -> list[str]:
        """The modules that it needs and that are not installed."""
        return [name for name in self.modules_in_use if importlib.util.find_spec(name) is None]

    def check_installed(self) -> None:
        """Refuse where a module is missing."""
        if missing := self.missing_modules():
            raise MissingExtraError(
                f"{self.name} needs {', '.join(missing)}",
                remedy=f"pip install 'corrigenda[{self.extra}]'.",
            )

    def __str__(self) -> str:
        return spec.printed(self)

    def __repr__(self) -> str:
        return spec.printed(self)


def check_references(metric: Metric, corpus: Corpus) -> None:
    """Refuse a corpus in which a sentence lacks the references that the metric needs."""
    if metric.needs_references == "none" or corpus.reference_range[0] > 0 or not len(corpus):
        return
    if corpus.reference_range[1] == 0:
        problem = f"{metric.name} needs references, and the corpus has none"
    else:
        first = next(i for i, found in enumerate(corpus.references, 1) if not found)
        problem = f"{metric.name} needs references, and sentence {first} has none"
    raise UsageError(
        problem,
        remedy="Give at least one reference per sentence (where nothing is to correct, repeat the "
        "source), or choose metrics that need none.",
    )


def plain(value: Any) -> Any:
    """A numpy scalar or array as plain Python, for JSON."""
    return value.tolist() if hasattr(value, "tolist") else value
