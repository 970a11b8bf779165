"""UOT-ERRANT: edits as vectors, matched by unbalanced optimal transport (Goto et al. 2026)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import GoldEdits
from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative
from corrigenda.core.explanation import ExplainedCell, Explanation
from corrigenda.core.f_scores import greedy_typed_edit_keys, ratio, typed_edit_f, typed_edit_keys
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Observed
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import reference_offsets
from corrigenda.edits import UNKNOWN_TYPE, Edit, apply_edits
from corrigenda.edits.matching import category
from corrigenda.metrics.typed_edits import (
    TypedEditMetric,
    edits_parameter,
    gold_parameter,
    merger_parameter,
    spacy_model_parameter,
)
from corrigenda.neural import truncation
from corrigenda.neural.edit_vectors import Cost, EditGeometries, Geometry, geometry, side
from corrigenda.neural.model_source import find
from corrigenda.neural.pair_scores import pair_scores
from corrigenda.neural.types import Pair, Scores

_ALWAYS = ("torch", "transformers", "ot")
COUNTS = ("tp", "fp", "fn")
DEFAULT_MODEL = "google/electra-base-discriminator"
_TP, _FP, _FN = range(3)


class _EditsOfRow(NamedTuple):
    """The edits of a system and of one reference in a sentence, and the question about them."""

    system: tuple[Edit, ...]
    gold: tuple[Edit, ...]
    pair: Pair | None


class Transport(NamedTuple):
    """The mass of each edit of the system, how much of it moves; the same for the gold edits."""

    masses: Array
    moved: Array
    gold_masses: Array
    received: Array


@dataclass(frozen=True, repr=False)
class UotErrant(TypedEditMetric):
    """F_β of the mass that moves from a system's edits to the gold edits.

    Statistics [rows, 3]: the moved mass, and what is left of the system's and of the gold's mass.
    """

    name = "uot-errant"
    title = "UOT-ERRANT: edits as vectors, matched by optimal transport"
    citation = (
        "Goto et al. (2026). UOT-ERRANT: edits of grammatical error correction, matched by "
        "unbalanced optimal transport. TACL."
    )
    extra = "neural,errant,uot"
    modules = (*_ALWAYS, "errant", "spacy")
    needs_model = True
    offers = frozenset({"precision-recall", "types", "explain", "beta"})
    shows_precision_recall = True

    beta: float = parameter(0.5, "weight of recall against precision")
    model: str = parameter("", "encoder, by name or folder", shown=DEFAULT_MODEL)
    vectorize: Literal["ref-remove", "src-add"] = parameter(
        "ref-remove",
        "vector of an edit: what the corrected text loses without it, or what the source gains",
    )
    mass: Literal["norm", "uniform"] = parameter(
        "norm", "mass of an edit: the length of its vector, or the same for all of a sentence"
    )
    cost: Cost = parameter("euclidean", "what it costs to move mass between two edits")
    reg: float = parameter(0.1, "weight of the entropy")
    reg_m: float = parameter(0.1, "how strongly all mass is moved")
    clip: bool = parameter(False, "count no negative mass; as published, it is counted")
    max_length: int = parameter(128, "tokens that the model reads of a text")
    gold: GoldEdits = gold_parameter()
    spacy_model: str = spacy_model_parameter()
    edits: str = edits_parameter()
    merger: Merger = merger_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.edit_source.check()
        spec.check_at_least(self, beta=0, reg=1e-3, reg_m=1e-3, max_length=3)

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """The packages of the annotator, of the encoder and of the transport."""
        return (*_ALWAYS, *self.edit_source.packages)

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Annotate all systems and references at once, then encode their partial corrections."""
        find(self.model or DEFAULT_MODEL)  # raises an error before the long work
        super().prepare(corpus, systems, threads=threads)
        rows = [row for each in systems for row in self._rows(corpus, each, threads)]
        self._answers(corpus, rows, threads)

    def _rows(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> list[_EditsOfRow]:
        """Every sentence against each of its references."""
        gold = self.edit_source.gold_edits(corpus, threads=threads)
        system = self.edit_source.system_edits(corpus, hypotheses, threads=threads)
        return [
            self._row(source.split(), _corrections(edits), _corrections(of_reference))
            for source, edits, references in zip(corpus.sources, system, gold, strict=True)
            for of_reference in references
        ]

    def _row(
        self, words: list[str], system: tuple[Edit, ...], gold: tuple[Edit, ...]
    ) -> _EditsOfRow:
        if not system and not gold:
            return _EditsOfRow(system, gold, None)
        return _EditsOfRow(system, gold, Pair(self._side(words, system), self._side(words, gold)))

    def _side(self, words: list[str], edits: tuple[Edit, ...]) -> str:
        """The text from which edits are counted, and the texts with or without each of them."""
        if self.vectorize == "src-add":
            base, variants = words, [apply_edits(words, [edit]) for edit in edits]
        else:
            base = apply_edits(words, edits)
            variants = [
                apply_edits(words, [*edits[:place], *edits[place + 1 :]])
                for place in range(len(edits))
            ]
        return side(" ".join(base), [" ".join(variant) for variant in variants])

    def _answers(
        self, corpus: Corpus, rows: Sequence[_EditsOfRow], threads: int
    ) -> list[Scores | None]:
        scorer = EditGeometries(find(self.model or DEFAULT_MODEL), self.max_length, self.cost)
        asked = (row.pair for row in rows if row.pair is not None)
        known = pair_scores(corpus, scorer, asked, threads=threads)
        return [None if row.pair is None else known[row.pair] for row in rows]

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """Moved mass, and what is left on both sides."""
        rows = self._rows(corpus, hypotheses, threads)
        answers = self._answers(corpus, rows, threads)
        plans = corpus.latest(
            ("uot transports", self),
            hypotheses,
            lambda: [self._transport(scores) for scores in answers],
        )
        counts = np.array([self._sums(plan) for plan in plans], np.float64).reshape(-1, 3)
        offsets = reference_offsets(corpus)
        sentences = (
            [scores for scores in answers[begin:end] if scores is not None]
            for begin, end in pairwise(offsets.tolist())
        )
        remarks = truncation.remarks(self.name, hypotheses.name, sentences)
        return Statistics(counts, offsets, remarks)

    def _sums(self, plan: Transport | None) -> tuple[float, float, float]:
        if plan is None:
            return 0.0, 0.0, 0.0
        left, missing = self._left(plan)
        return float(plan.moved.sum()), float(left.sum()), float(missing.sum())

    def _left(self, plan: Transport) -> tuple[Array, Array]:
        """The mass that stays with each edit of the system, and that each gold edit misses."""
        left, missing = plan.masses - plan.moved, plan.gold_masses - plan.received
        if self.clip:
            return np.maximum(left, 0.0), np.maximum(missing, 0.0)
        return left, missing

    def _transport(self, scores: Scores | None) -> Transport | None:
        if scores is None:
            return None
        found = geometry(scores)
        masses, gold_masses = self._masses(found.first), self._masses(found.second)
        plan = self._plan(masses, gold_masses, found)
        return Transport(masses, plan.sum(axis=1), gold_masses, plan.sum(axis=0))

    def _masses(self, lengths: Array) -> Array:
        if self.mass == "norm" or not len(lengths):
            return lengths
        return np.full(len(lengths), 1 / len(lengths))

    def _plan(self, masses: Array, gold_masses: Array, found: Geometry) -> Array:
        """How much mass moves from each edit to each gold edit."""
        plan = np.zeros(found.costs.shape)
        # An edit that the model does not see has no mass; nothing moves from it or to it.
        heavy, gold_heavy = masses > 0, gold_masses > 0
        if heavy.any() and gold_heavy.any():
            solve = import_module("ot").unbalanced.sinkhorn_stabilized_unbalanced
            with warnings.catch_warnings():
                # The published metric takes the last iteration, whether it converged or not.
                warnings.simplefilter("ignore")
                plan[np.ix_(heavy, gold_heavy)] = solve(
                    masses[heavy],
                    gold_masses[gold_heavy],
                    found.costs[np.ix_(heavy, gold_heavy)],
                    self.reg,
                    self.reg_m,
                )
        return plan

    def observe(
        self, corpus: Corpus, hypotheses: Hypotheses, chosen: Chosen, *, sentences: bool
    ) -> Observed:
        """The masses by error type against the chosen references."""
        rows = self._rows(corpus, hypotheses, 1)
        plans: list[Transport | None] = corpus.latest(
            ("uot transports", self),
            hypotheses,
            lambda: [self._transport(each) for each in self._answers(corpus, rows, 1)],
        )
        assert chosen.rows is not None
        types: dict[str, Array] = {}
        for number in chosen.rows[0].tolist():
            plan = plans[number]
            if plan is None:
                continue
            left, missing = self._left(plan)
            for place, edit in enumerate(rows[number].system):
                counts = types.setdefault(category(edit), np.zeros(3))
                counts[_TP] += plan.moved[place]
                counts[_FP] += left[place]
            for place, edit in enumerate(rows[number].gold):
                types.setdefault(category(edit), np.zeros(3))[_FN] += missing[place]
        return Observed(types=types)

    def policy(self, level: Level) -> Choice:
        """As in ERRANT: in corpus order by the score so far; at sentence level the best."""
        if level == "sentence":
            return BestLocal(self._keys)
        return GreedyCumulative(greedy_typed_edit_keys, self.beta)

    def _keys(self, counts: Array) -> Sequence[Array]:
        return typed_edit_keys(counts.T, self.beta)

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """Precision is 1 if nothing is proposed. Recall is 1 if there are no gold edits."""
        right, wrong, missed = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        return Measures(
            np.asarray(typed_edit_f((right, wrong, missed), self.beta)),
            ratio(right, right + wrong, undefined=1.0),
            ratio(right, right + missed, undefined=1.0),
        )

    def named_counts(self, counts: Array) -> NamedCounts:
        """Moved mass, and what is left of the system's and of the gold's mass."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """Each edit with its mass, and how much of it moves."""
        place = 0 if result.references is None else int(result.references[0])
        row = self._rows(corpus, hypotheses, 1)[place]
        plan = self._transport(self._answers(corpus, [row], 1)[0])
        words = corpus.sources[0].split()
        rows = []
        if plan is not None:
            for whose, edits, masses, moved in (
                ("system", row.system, plan.masses, plan.moved),
                ("gold", row.gold, plan.gold_masses, plan.received),
            ):
                rows += [
                    (
                        ExplainedCell(whose),
                        ExplainedCell(f"{edit.start}–{edit.end}"),
                        ExplainedCell(" ".join(words[edit.start : edit.end]) or "∅"),
                        ExplainedCell(edit.correction or "∅"),
                        ExplainedCell(f"{mass:.4f}"),
                        ExplainedCell(f"{part:.4f}"),
                    )
                    for edit, mass, part in zip(edits, masses, moved, strict=True)
                ]
        headers = ("edit of", "words", "source", "correction", "mass", "moved")
        return [Explanation(f"edits against reference {place}", headers, tuple(rows))]

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, the model, the version of POT, and where the edits come from."""
        return {
            "beta": self.beta,
            **find(self.model or DEFAULT_MODEL).signature_fields(),
            "vectorize": self.vectorize,
            "mass": self.mass,
            "cost": self.cost,
            "reg": self.reg,
            "reg_m": self.reg_m,
            "clip": self.clip,
            "max_length": self.max_length,
            "pot": version("POT"),
            **self.edit_source.fields(corpus, hypotheses),
        }


def _corrections(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits without errors that are marked but not corrected."""
    return tuple(edit for edit in edits if edit.type != UNKNOWN_TYPE)
