"""What a metric is: a frozen dataclass whose fields are its parameters.

Every metric has four methods:

    statistics    counts: one row per reference of each sentence
    policy        chooses the reference of each sentence
    measures      turns sums of counts into a score, precision, recall and so on
    named_counts  gives the counts names, for JSON

All the rest works without code in the metric: corpus and sentence level, confidence intervals,
significance tests, slices, sweeps of β, bulk runs, rewards, meta-evaluation. `core/scored.py` calls
the four methods; `metrics/green.py` is a short example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from corrigenda.core import spec
from corrigenda.core.choice import Choice
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from corrigenda.core.explanation import Explanation
    from corrigenda.core.result import Result
    from corrigenda.core.survey import Survey
    from corrigenda.edits.comparison import ComparedSentence

Level = Literal["corpus", "sentence"]
"""`corpus`: one score from the sums over all sentences. `sentence`: a score per sentence."""
LEVELS: tuple[Level, ...] = ("corpus", "sentence")
Scope = Literal["sentence", "survey", "corpus"]
"""What the counts of a sentence depend on.

`sentence`: the sentence alone. `survey`: also a few numbers that add up over the corpus, so parts
of the corpus can still be counted one by one. `corpus`: all sentences at once.
"""
NeedsReferences = Literal["none", "text", "edits"]
"""`none`: no references. `text`: reference texts. `edits`: the annotated edits of the references;
without annotations, the metric takes edits from the reference texts."""
Offer = Literal["precision-recall", "types", "explain", "extract", "beta"]
"""What a metric can do besides giving a score.

`precision-recall`: its measures have precision and recall. `types`: `observe` counts error types.
`explain`: `explain` shows what it saw in a sentence. `extract`: `compare` lists the system's edits.
`beta`: its score depends on a parameter `beta` and its counts do not, so that β can be swept.
"""
Verdict = Literal["correct", "wrong", "missed"]


@dataclass(frozen=True)
class WeighedEdit:
    """An edit, whether the metric finds it correct, and its weight.

    `missed`: the edit is in the reference, and the system did not make it.
    """

    start: int
    end: int
    correction: str
    verdict: Verdict
    weight: float


@dataclass(frozen=True)
class Observed:
    """What a metric saw besides its counts.

    `types` has the counts [K] of each error type. `edits` has the weighed edits of each sentence.
    """

    types: Mapping[str, Array] = field(default_factory=dict)
    edits: Sequence[tuple[WeighedEdit, ...]] = ()


class TargetCounter(Protocol):
    """Counts hypotheses against targets. A target is a source with its references."""

    def prepare(self, source: str, references: tuple[str, ...]) -> object:
        """The work on a target that all its hypotheses share. The object is never false."""

    def statistics(
        self, prepared: Sequence[object], hypotheses: Sequence[str], *, threads: int
    ) -> Statistics:
        """The counts of each hypothesis against its target: the same as from a corpus."""


@dataclass(frozen=True, repr=False)
class Metric(ABC):
    """The base class of all metrics.

    Two metrics of one class with equal fields are equal. `str(metric)` is the text that the command
    line takes, e.g. `green:beta=1`; it leaves out parameters that have their default values.
    """

    name: ClassVar[str]
    """The name in commands and tables, e.g. `green`. The registry has the same name."""
    title: ClassVar[str]
    """One line for the list of metrics."""
    citation: ClassVar[str]
    """The paper that defines the metric."""
    experimental: ClassVar[bool] = False
    """Whether no paper defines it: its definition and its defaults may still change."""

    # What the metric needs.
    needs_references: ClassVar[NeedsReferences] = "text"
    needs_all_systems: ClassVar[bool] = False
    """Whether the counts of one system depend on the outputs of the other systems."""
    needs_model: ClassVar[bool] = False
    """Whether it loads a trained model, such as a spaCy model or a pretrained encoder."""
    needs_service: ClassVar[bool] = False
    """Whether it asks a service on the network, which may cost money."""
    extra: ClassVar[str | None] = None
    """The optional dependency that it needs, if any: `pip install 'corrigenda[extra]'`."""
    modules: ClassVar[tuple[str, ...]] = ()
    """The Python modules that the extra installs and the metric imports."""

    main_parameter: ClassVar[str | None] = None
    """The parameter whose name may be left out: `rank-average:green+m2`."""

    # What the metric offers.
    offers: ClassVar[frozenset[Offer]] = frozenset()
    scoring_parameters: ClassVar[frozenset[str]] = frozenset({"beta", "choice"})
    """Parameters that change only the choice of references and the score, and never the counts.

    A search over settings counts once for all their values. Those that a metric lacks are ignored.
    """
    shows_precision_recall: ClassVar[bool] = False
    """Whether tables show precision and recall beside its score."""
    annotated_gold: ClassVar[bool] = False
    """Whether publications score against edits of annotators, not against reference texts."""
    labels: ClassVar[Mapping[str, str]] = {}
    """Short column headings by the name of a measure or count, where the usual ones do not fit."""
    own_scale: ClassVar[frozenset[str]] = frozenset()
    """Measures that are no fractions: tables show them as they are, not times 100."""

    @classmethod
    def full_title(cls) -> str:
        """The title, and whether the metric is experimental."""
        return f"{cls.title} (experimental)" if cls.experimental else cls.title

    def __post_init__(self) -> None:
        """Check the values of the parameters against their types.

        A metric with further rules calls `super().__post_init__()`, then checks its own.
        """
        spec.check_values(self)

    @property
    def scope(self) -> Scope:
        """What the counts of a sentence depend on, with these parameters."""
        return "sentence"

    @property
    def scope_remedy(self) -> str:
        """What a user can do if sentences must be counted alone and this metric cannot do it.

        It becomes the last part of an error message.
        """
        return "Choose another metric."

    @property
    def shortest(self) -> int:
        """Sentences with fewer words score 0, whatever a system does; 0 if there is no such limit.

        It is about the sentence level. Health tells how many sentences are concerned.
        """
        return 0

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """The modules that it needs with these parameters; some parameters need fewer."""
        return self.modules

    @property
    def asks_a_service(self) -> bool:
        """Whether it asks a service with these parameters; a metric of metrics may do so, too."""
        return self.needs_service

    # The four methods that every metric has.

    @abstractmethod
    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The counts of every sentence against each of its references."""

    @abstractmethod
    def policy(self, level: Level) -> Choice:
        """How the reference of each sentence is chosen."""

    @abstractmethod
    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The score and what is reported beside it, for totals [..., K].

        At corpus level the totals are sums over sentences. At sentence level they are the counts of
        single sentences. The axes before the last stay, so that many totals are scored in one call.
        """

    @abstractmethod
    def named_counts(self, counts: Array) -> NamedCounts:
        """Counts [K] by their names, ready for JSON."""

    # Methods that some metrics replace.

    def score(self, totals: Array, level: Level = "corpus") -> Array:
        """The score alone. Replace it if it can be computed faster than all measures."""
        return self.measures(totals, level).score

    def prepare(  # noqa: B027
        self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int
    ) -> None:
        """Do the work that all systems share. It is called before `statistics`, once per block."""

    def target_counter(self) -> TargetCounter | None:
        """What counts hypotheses against prepared targets; None if the counts need a corpus."""
        return None

    def survey(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Survey:
        """With scope `survey`: the numbers of this part of the corpus, to be added up over parts.

        `statistics` gets their sum from `core.survey.taken`.
        """
        return {}

    def observe(
        self, corpus: Corpus, hypotheses: Hypotheses, chosen: Chosen, *, sentences: bool
    ) -> Observed:
        """With the offer `types`: the counts of error types. With `sentences`: weighed edits."""
        return Observed()

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """With the offer `explain`: tables of what it saw in a corpus of one sentence."""
        return []

    def compare(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> list[ComparedSentence]:
        """With the offer `extract`: the system's edits, each with the gold edit that it equals."""
        raise UsageError(
            f"{self.name} does not extract edits", remedy="Choose a metric that does, e.g. m2."
        )

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """All that is needed to get the same score. Version, level and references are added."""
        return spec.parameters(self)

    # Methods that are the same for all metrics.

    def missing_modules(self) -> list[str]:
        """The modules that it needs and that are not installed."""
        import importlib.util

        return [name for name in self.modules_in_use if importlib.util.find_spec(name) is None]

    def check_installed(self) -> None:
        """Raise an error if a module that it needs is not installed."""
        if missing := self.missing_modules():
            raise MissingExtraError(
                f"{self.name} needs {', '.join(missing)}",
                remedy=f"pip install 'corrigenda[{self.extra}]'.",
            )

    def __str__(self) -> str:
        return self._printed

    def __repr__(self) -> str:
        return self._printed

    @cached_property
    def _printed(self) -> str:
        # Programs that score block by block ask for it again and again.
        return spec.printed(self)


def check_references(metric: Metric, corpus: Corpus) -> None:
    """Raise an error if the metric needs references and a sentence has none."""
    if metric.needs_references == "none" or corpus.reference_range[0] > 0 or not len(corpus):
        return
    if corpus.reference_range[1] == 0:
        raise references_missing(metric, "the corpus")
    first = next(i for i, found in enumerate(corpus.references, 1) if not found)
    raise references_missing(metric, f"sentence {first}")


def references_missing(metric: Metric, what: str) -> UsageError:
    """The error if a metric needs references and `what` has none."""
    return UsageError(
        f"{metric.name} needs references, but {what} has none",
        remedy="Give at least one reference per sentence (for a sentence without errors, repeat "
        "the source), or choose metrics that need none.",
    )
