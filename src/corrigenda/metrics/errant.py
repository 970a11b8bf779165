"""ERRANT: the F-score of typed edits (Bryant et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import GoldEdits
from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative
from corrigenda.core.explanation import Explanation
from corrigenda.core.f_scores import (
    greedy_typed_edit_keys,
    ratio,
    typed_edit_f,
    typed_edit_keys,
)
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Observed
from corrigenda.core.optimal import CorpusChoice, Optimal, corpus_choice
from corrigenda.core.result import Result
from corrigenda.core.scored import Scored
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import offsets_of
from corrigenda.edits import Edit
from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence, MatchedEdit
from corrigenda.edits.matching import Compared, EditTable, Mode, compare_edits
from corrigenda.metrics.typed_edits import (
    TypedEditMetric,
    edits_parameter,
    gold_parameter,
    merger_parameter,
    spacy_model_parameter,
)

COUNTS = ("tp", "fp", "fn")


@dataclass(frozen=True, repr=False)
class Errant(TypedEditMetric):
    """F_β of a system's edits against gold edits, each with an error type.

    Statistics [rows, 3]: true positives, false positives and false negatives; one row per
    reference.
    """

    name = "errant"
    title = "ERRANT: F-score of typed edits"
    citation = (
        "Bryant, Felice, Briscoe (2017). Automatic Annotation and Evaluation of Error Types for "
        "Grammatical Error Correction. ACL."
    )
    extra = "errant"
    modules = ("errant", "spacy")
    needs_model = True
    offers = frozenset({"precision-recall", "types", "explain", "extract", "beta"})
    shows_precision_recall = True

    beta: float = parameter(0.5, "weight of recall against precision")
    mode: Mode = parameter(
        "correction", "what must agree: span and correction (and type), span, or tokens"
    )
    gold: GoldEdits = gold_parameter()
    unk: Literal["auto", "keep", "drop"] = parameter(
        "auto",
        "errors that are marked but not corrected: keep or drop them",
        shown="kept for detection, dropped for correction",
    )
    choice: CorpusChoice = corpus_choice("reference")
    spacy_model: str = spacy_model_parameter()
    edits: str = edits_parameter()
    merger: Merger = merger_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.edit_source.check()
        spec.check_at_least(self, beta=0)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """True positives, false positives and false negatives."""
        compared = self.compared(corpus, hypotheses, threads=threads)
        rows = [[len(types) for types in row] for sentence in compared for row in sentence]
        offsets = offsets_of([len(sentence) for sentence in compared])
        return Statistics(np.array(rows, np.int64).reshape(-1, 3), offsets)

    def compared(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> list[list[Compared]]:
        """The types of right, wrong and missed edits, per sentence and reference."""
        key = ("errant comparison", self)
        return corpus.latest(key, hypotheses, lambda: self._compared(corpus, hypotheses, threads))

    def _compared(
        self, corpus: Corpus, hypotheses: Hypotheses, threads: int
    ) -> list[list[Compared]]:
        source = self.edit_source
        gold = source.gold_edits(corpus, threads=threads)
        tables = corpus.once(
            ("errant tables", self),
            lambda: [[self._table(edits) for edits in sentence] for sentence in gold],
        )
        system = source.system_edits(corpus, hypotheses, threads=threads)
        compared = []
        for edits, references in zip(system, tables, strict=True):
            table = self._table(edits)
            compared.append([compare_edits(table, reference) for reference in references])
        return compared

    def _table(self, edits: Sequence[Edit]) -> EditTable:
        return EditTable(edits, self.mode, keep_unknown=self._keeps_unknown)

    @property
    def _keeps_unknown(self) -> bool:
        return self.unk == "keep" or (
            self.unk == "auto" and self.mode in ("detection", "token-detection")
        )

    def observe(
        self, corpus: Corpus, hypotheses: Hypotheses, chosen: Chosen, *, sentences: bool
    ) -> Observed:
        """The counts of every error type against the chosen references."""
        compared = self.compared(corpus, hypotheses, threads=1)
        counts: dict[str, Array] = {}
        assert chosen.references is not None
        for sentence, reference in zip(compared, chosen.references.tolist(), strict=True):
            for place, types in enumerate(sentence[reference]):
                for kind in types:
                    counts.setdefault(kind, np.zeros(3, np.int64))[place] += 1
        return Observed(types=counts)

    def compare(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> list[ComparedSentence]:
        """Each edit with the gold edit that has the same span and correction."""
        self.prepare(corpus, [hypotheses], threads=threads)
        chosen = Scored(self, self.statistics(corpus, hypotheses, threads=threads)).references
        assert chosen is not None
        gold = self.edit_source.gold_edits(corpus, threads=threads)
        system = self.edit_source.system_edits(corpus, hypotheses, threads=threads)
        numbers = annotator_numbers(corpus)
        return [
            ComparedSentence(
                corpus.sources[i],
                hypotheses.sentences[i],
                tuple(
                    compared_with(annotator, edits, system[i])
                    for annotator, edits in zip(numbers[i], gold[i], strict=True)
                ),
                int(chosen[i]),
            )
            for i in range(len(corpus))
        ]

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The edits and their types beside those of the chosen annotator."""
        from corrigenda.metrics.edit_explanations import explain_edits

        return explain_edits(self, corpus, hypotheses, result)

    def policy(self, level: Level) -> Choice:
        """At corpus level, in corpus order, the reference with the best score so far.

        At sentence level, the best reference of each sentence.
        """
        if level == "sentence":
            return BestLocal(self._keys)
        if self.choice == "optimal":
            return Optimal(self.beta, amounts)
        return GreedyCumulative(greedy_typed_edit_keys, self.beta)

    def _keys(self, counts: Array) -> Sequence[Array]:
        return typed_edit_keys(counts.T, self.beta)

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """Precision is 1 if nothing is proposed. Recall is 1 if there are no gold edits."""
        right, wrong, missed = np.moveaxis(np.asarray(totals), -1, 0)
        return Measures(
            np.asarray(typed_edit_f((right, wrong, missed), self.beta)),
            ratio(right, right + wrong, undefined=1.0),
            ratio(right, right + missed, undefined=1.0),
        )

    def named_counts(self, counts: Array) -> NamedCounts:
        """True positives, false positives and false negatives."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, and where the edits come from; with versions if ERRANT made any."""
        unknown = "kept" if self._keeps_unknown else "dropped"
        return {
            "beta": self.beta,
            "mode": self.mode,
            "unk": unknown,
            "choice": self.choice,
            **self.edit_source.fields(corpus, hypotheses),
        }


def annotator_numbers(corpus: Corpus) -> list[tuple[int, ...]]:
    """The numbers of the annotators of each sentence; plain references are numbered from 0."""
    if corpus.gold is None:
        return [tuple(range(len(references))) for references in corpus.references]
    return [tuple(each.annotator for each in sentence) for sentence in corpus.gold]


def compared_with(
    annotator: int, gold: tuple[Edit, ...], system: tuple[Edit, ...]
) -> AnnotatorComparison:
    """A system's edits beside those of one annotator; span and correction must agree."""
    places = {
        (edit.start, edit.end, correction): place
        for place, edit in reversed(list(enumerate(gold)))
        for correction in edit.corrections
    }
    matched = (
        MatchedEdit(edit, places.get((edit.start, edit.end, edit.correction))) for edit in system
    )
    return AnnotatorComparison(annotator, gold, tuple(matched))


def amounts(counts: Array) -> tuple[Array, Array, Array]:
    """Correct, proposed and gold edits of counts [rows, 3 or more]: tp, fp, fn."""
    right, wrong, missed = counts.T[:3]
    return right, right + wrong, right + missed
