"""ERRANT: the F-score of typed edits (Bryant et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from corrigenda.annotation.edit_source import EditSource, GoldEdits
from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative
from corrigenda.core.metric import Level, Metric, f_score, ratio
from corrigenda.core.optimal import CorpusChoice, Optimal, corpus_choice
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit
from corrigenda.edits.matching import Compared, EditTable, Mode, compare

COUNTS = ("tp", "fp", "fn")


@dataclass(frozen=True, repr=False)
class Errant(Metric):
    """F_β of a system's edits against gold edits, each with an error type.

    Statistics [rows, 3]: true positives, false positives and false negatives, a row for each reference.
    """

    name = "errant"
    title = "ERRANT: F-score of typed edits"
    citation = (
        "Bryant, Felice, Briscoe (2017). Automatic Annotation and Evaluation of Error Types for "
        "Grammatical Error Correction. ACL."
    )
    extra = "errant"
    modules = ("errant", "spacy")

    beta: float = parameter(0.5, "weight of recall against precision")
    mode: Mode = parameter(
        "correction", "what must agree: span and correction (and type), span, or tokens"
    )
    gold: GoldEdits = parameter(
        "auto",
        "gold edits of an M2 file: annotated, retyped or extracted anew",
        shown="annotated where there are annotations, else extracted from reference text",
    )
    unk: Literal["auto", "keep", "drop"] = parameter(
        "auto",
        "errors marked but not corrected",
        shown="kept for detection, dropped for correction",
    )
    choice: CorpusChoice = corpus_choice("reference")
    model: str = parameter(
        "", "spaCy model, by name or path", shown="CORRIGENDA_SPACY_MODEL, else en_core_web_sm"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, beta=0)

    @property
    def edit_source(self) -> EditSource:
        """Where its edits come from."""
        return EditSource(self.gold, self.model)

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Annotate all systems and references at once."""
        self.edit_source.prepare(corpus, systems, threads=threads)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """True positives, false positives and false negatives."""
        compared = self.compared(corpus, hypotheses, threads=threads)
        rows = [[len(types) for types in row] for sentence in compared for row in sentence]
        offsets = np.cumsum([0, *(len(sentence) for sentence in compared)], dtype=np.int64)
        return Statistics(np.array(rows, np.int64).reshape(-1, 3), offsets)

    def compared(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> list[list[Compared]]:
        """For each sentence and each of its references, the types of what was right, wrong and missed."""
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
            compared.append([compare(table, reference) for reference in references])
        return compared

    def _table(self, edits: Sequence[Edit]) -> EditTable:
        return EditTable(edits, self.mode, keep_unknown=self._keeps_unknown)

    @property
    def _keeps_unknown(self) -> bool:
        return self.unk == "keep" or (
            self.unk == "auto" and self.mode in ("detection", "token-detection")
        )

    def counts_by_type(
        self, corpus: Corpus, hypotheses: Hypotheses, chosen: Chosen
    ) -> dict[str, Array]:
        """The counts of every type, against the chosen references."""
        compared = self.compared(corpus, hypotheses, threads=1)
        counts: dict[str, Array] = {}
        assert chosen.references is not None
        for sentence, reference in zip(compared, chosen.references.tolist(), strict=True):
            for place, types in enumerate(sentence[reference]):
                for kind in types:
                    counts.setdefault(kind, np.zeros(3, np.int64))[place] += 1
        return counts

    def policy(self, level: Level) -> Choice:
        """In corpus order the reference that makes the corpus best; for sentences alone, the best reference."""
        if level == "sentence":
            return BestLocal(self._keys)
        if self.choice == "optimal":
            return Optimal(self.beta, amounts)
        return GreedyCumulative(self._key)

    def _key(self, totals: tuple[int, int, int]) -> tuple[float, int, int, int]:
        right, wrong, missed = totals
        precision = right / (right + wrong) if wrong else 1.0
        recall = right / (right + missed) if missed else 1.0
        square = self.beta**2
        score = (
            (1 + square) * precision * recall / (square * precision + recall)
            if precision + recall
            else 0.0
        )
        # To four decimals, so that near-ties go to the larger number of right edits.
        return round(score, 4), right, -wrong, -missed

    def _keys(self, counts: Array) -> Sequence[Array]:
        return [self.score(counts), counts[:, 0], -counts[:, 1], -counts[:, 2]]

    def score(self, totals: Array) -> Array:
        """F_β; 0 where both precision and recall are 0."""
        measures = self.measures(totals)
        return f_score(measures["precision"], measures["recall"], self.beta)

    def measures(self, totals: Array) -> dict[str, Array]:
        """Precision is 1 where nothing is proposed, recall where nothing is in the gold."""
        totals = np.asarray(totals)
        return {
            "precision": ratio(totals[..., 0], totals[..., 0] + totals[..., 1], undefined=1.0),
            "recall": ratio(totals[..., 0], totals[..., 0] + totals[..., 2], undefined=1.0),
        }

    def named_counts(self, counts: Array) -> dict[str, Any]:
        """True positives, false positives and false negatives."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def signature_fields(self, corpus: Corpus) -> dict[str, object]:
        """The parameters, and where the gold edits come from; with versions, where ERRANT made any."""
        unknown = "kept" if self._keeps_unknown else "dropped"
        fields = {"beta": self.beta, "mode": self.mode, "unk": unknown, "choice": self.choice}
        return {**fields, **self.edit_source.gold_fields(corpus)}

    def system_fields(self, hypotheses: Hypotheses) -> dict[str, object]:
        """Where the system's edits come from."""
        return self.edit_source.system_fields(hypotheses)


def amounts(counts: Array) -> tuple[Array, Array, Array]:
    """Correct, proposed and gold edits, of true positives, false positives and false negatives [rows, 3 or more]."""
    right, wrong, missed = counts.T[:3]
    return right, right + wrong, right + missed
