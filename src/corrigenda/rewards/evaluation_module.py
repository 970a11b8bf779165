"""A metric with the methods of Hugging Face's `evaluate`: add, add_batch, compute."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.core.measures import plain_measures
from corrigenda.core.metric import Level, Metric
from corrigenda.corpus import Corpus
from corrigenda.errors import CorrigendaError
from corrigenda.metrics import metric_of
from corrigenda.rewards.batch import BatchReferences, Target, batch_of, checked_target
from corrigenda.scoring import evaluate
from corrigenda.text.sentences import one_line


class EvaluationModule:
    """Takes `sources`, `predictions` and `references`, at once or in parts; returns a dictionary.

    `references[i]` is the list of references of sentence i, or its only reference. Metrics that
    need no references take None.
    """

    def __init__(
        self, metric: Metric | str = "green", *, level: Level = "corpus", threads: int | None = None
    ) -> None:
        self.metric = metric_of(metric)
        self.name = self.metric.name
        self.level = level
        self.threads = threads
        self._targets: list[Target] = []
        self._predictions: list[str] = []

    @property
    def description(self) -> str:
        """The title of the metric."""
        return self.metric.full_title()

    @property
    def citation(self) -> str:
        """Where the metric was published."""
        return self.metric.citation

    def add(
        self, *, sources: str, prediction: str, reference: str | Sequence[str] | None = None
    ) -> None:
        """Add one sentence. The names are those that `evaluate` uses."""
        self.add_batch(
            sources=[sources],
            predictions=[prediction],
            references=None if reference is None else [reference],
        )

    def add_batch(
        self,
        *,
        sources: Sequence[str],
        predictions: Sequence[str],
        references: BatchReferences | None = None,
    ) -> None:
        """Add several sentences."""
        batch = batch_of(sources, predictions, references)
        self._targets += [checked_target(self.metric, target) for target in batch.targets]
        self._predictions += map(one_line, batch.hypotheses)

    def compute(
        self,
        *,
        sources: Sequence[str] | None = None,
        predictions: Sequence[str] | None = None,
        references: BatchReferences | None = None,
    ) -> dict[str, object]:
        """The score under the metric's name, its measures and its signature.

        Afterwards the module is empty again.
        """
        self.add_batch(
            sources=() if sources is None else sources,
            predictions=() if predictions is None else predictions,
            references=references,
        )
        if not self._targets:
            raise CorrigendaError(
                "there are no sentences to score", remedy="Add some, or pass them to compute."
            )
        corpus = Corpus(
            tuple(source for source, _ in self._targets),
            tuple(references for _, references in self._targets),
        )
        predicted, self._targets, self._predictions = self._predictions, [], []
        result = evaluate(
            corpus,
            {"": predicted},
            [self.metric],
            level=self.level,
            threads=self.threads,
            keep_statistics=False,
        )[0]
        measures = {
            name: value
            for name, value in plain_measures(result.measures).items()
            if value is not None
        }
        return {self.name: result.score, **measures, "signature": result.signature}
