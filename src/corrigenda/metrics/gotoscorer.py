"""GoToScorer: an F-score of chunks, weighted by how many systems get them wrong (Gotou 2020)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import GoldEdits, SentenceEdits
from corrigenda.core import spec
from corrigenda.core.choice import Pooled
from corrigenda.core.explanation import ExplainedCell, Explanation, Tone
from corrigenda.core.f_scores import f_score, ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit
from corrigenda.errors import SentenceError
from corrigenda.metrics.gotoscorer_pieces import (
    SourcePiece,
    judge_all,
    pieces_of,
    words_and_places,
)
from corrigenda.metrics.typed_edits import (
    TypedEditMetric,
    edits_parameter,
    gold_parameter,
    merger_parameter,
    spacy_model_parameter,
)

COUNTS = ("tp", "fp", "fn", "tn", "all")
_VERDICTS: dict[tuple[bool, bool, bool], tuple[str, Tone]] = {
    (True, True, True): ("right", "good"),
    (True, True, False): ("wrong", "bad"),
    (True, False, False): ("missed", "missed"),
    (False, True, True): ("right", "good"),
    (False, True, False): ("not needed", "bad"),
    (False, False, True): ("rightly unchanged", "faint"),
    (False, False, False): ("missed", "missed"),
    (True, False, True): ("rightly unchanged", "faint"),
}
"""Whether the reference and the system edit the chunk, and whether the system is right."""


class _CutSentences(NamedTuple):
    """The sources of a corpus, cut along the edits of a reference."""

    unedited: list[list[SourcePiece]]
    """The words and places of each source."""
    pieces: list[list[SourcePiece]]
    judged: list[dict[SentenceEdits, Array]]
    """For each source, what outputs with these edits did. Many outputs of systems are the same."""
    sentence: Array
    """For each piece of all sentences, the number of its sentence."""
    edited: Array
    """For each piece, whether the reference edits it."""


class _Verdicts(NamedTuple):
    """What a system did with each piece of all sentences."""

    edited: Array
    right: Array


@dataclass(frozen=True, repr=False)
class GoToScorer(TypedEditMetric):
    """F_β of the pieces of one reference. A piece that many systems get wrong weighs more.

    Statistics [sentences, 5]: the weights of true and false positives, of false and true
    negatives, and of all pieces.
    """

    name = "gotoscorer"
    title = "GoToScorer: F-score of edits by their difficulty"
    citation = (
        "Gotou, Nagata, Mita, Hanawa (2020). Taking the Correction Difficulty into Account in "
        "Grammatical Error Correction Evaluation. COLING."
    )
    needs_all_systems = True
    extra = "errant"
    modules = ("errant", "spacy")
    needs_model = True
    offers = frozenset({"precision-recall", "explain", "beta"})
    shows_precision_recall = True

    beta: float = parameter(0.5, "weight of recall against precision")
    reference: int = parameter(0, "the reference that counts, from 0")
    difficulty: Literal["others", "all", "none"] = parameter(
        "others",
        "whose mistakes weigh a piece: the other systems', all systems'; none: each weighs 1",
    )
    gold: GoldEdits = gold_parameter()
    spacy_model: str = spacy_model_parameter()
    edits: str = edits_parameter()
    merger: Merger = merger_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.edit_source.check()
        spec.check_at_least(self, beta=0, reference=0)

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Annotate all systems and references at once, and remember the systems."""
        super().prepare(corpus, systems, threads=threads)
        self._systems(corpus)[:] = systems
        self._known(corpus).clear()

    def _known(self, corpus: Corpus) -> dict[int, _Verdicts]:
        """What each of the systems did, by the identity of its output."""
        return corpus.once(("gotoscorer judged", self), dict)

    def _systems(self, corpus: Corpus) -> list[Hypotheses]:
        """The systems that `prepare` got; empty before it is called."""
        return corpus.once(("gotoscorer systems", self), list)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The weights of each kind."""
        cut = self._cut(corpus, threads)
        edited, right = self._verdicts(corpus, hypotheses, threads)
        weights = self._weights(corpus, hypotheses, threads)
        # A wrong edit of a piece that needs one is a false positive and a false negative.
        kinds = (
            edited & right,
            edited & ~right,
            ~right & (~edited | cut.edited),
            ~edited & right,
            np.ones_like(right),
        )
        columns = [
            np.bincount(cut.sentence, np.where(kind, weights, 0.0), len(corpus)) for kind in kinds
        ]
        offsets = np.arange(len(corpus) + 1, dtype=np.int64)
        return Statistics(np.stack(columns, axis=1), offsets)

    def _cut(self, corpus: Corpus, threads: int) -> _CutSentences:
        """The source of each sentence, cut along the edits of its reference."""
        gold = self.edit_source.gold_edits(corpus, threads=threads)
        for number, of_sentence in enumerate(gold, 1):
            if self.reference >= len(of_sentence):
                raise SentenceError(
                    f"gotoscorer: sentence {number} has no reference {self.reference}",
                    remedy="References are counted from 0: choose one that every sentence has.",
                )
        return corpus.once(
            ("gotoscorer pieces", self),
            lambda: _cut(corpus.sources, [of_sentence[self.reference] for of_sentence in gold]),
        )

    def _verdicts(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> _Verdicts:
        known = self._known(corpus)
        found = known.get(id(hypotheses))
        if found is None:
            judged = np.concatenate(
                [np.empty((0, 2), np.bool_), *self._judged(corpus, hypotheses, threads)]
            )
            found = _Verdicts(judged[:, 0], judged[:, 1])
            if any(system is hypotheses for system in self._systems(corpus)):
                known[id(hypotheses)] = found
        return found

    def _judged(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> Iterator[Array]:
        """For each sentence, a row per piece: whether the system edits it, and is right."""
        cut = self._cut(corpus, threads)
        edits = self.edit_source.system_edits(corpus, hypotheses, threads=threads)
        for number, own in enumerate(edits):
            known = cut.judged[number]
            if own not in known:
                pieces = pieces_of(cut.unedited[number], own)
                known[own] = np.array(judge_all(cut.pieces[number], pieces), np.bool_)
            yield known[own]

    def _weights(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> Array:
        """The share of systems that get each piece wrong; 1 if there are none to ask."""
        asked = [] if self.difficulty == "none" else self._systems(corpus)
        rest = [system for system in asked if self.difficulty == "all" or system is not hypotheses]
        wrong = np.zeros(len(self._cut(corpus, threads).sentence), np.int64)
        for system in rest:
            wrong += ~self._verdicts(corpus, system, threads).right
        return wrong / len(rest) if rest else np.ones(len(wrong))

    def policy(self, level: Level) -> Pooled:
        """The parameter chooses the reference."""
        return Pooled()

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """F_β, precision, recall and accuracy; each is 0 where it is undefined."""
        right, wrong, missed, kept, every = np.moveaxis(np.asarray(totals), -1, 0)
        precision = ratio(right, right + wrong, undefined=0.0)
        recall = ratio(right, right + missed, undefined=0.0)
        score = f_score(precision, recall, self.beta)
        accuracy = ratio(right + kept, every, undefined=0.0)
        return Measures(score, precision, recall, {"accuracy": accuracy})

    def named_counts(self, counts: Array) -> NamedCounts:
        """The weights by name."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The pieces with edits, or with a weight."""
        words = corpus.sources[0].split()
        rows = []
        for piece, (edited, right), weight in zip(
            self._cut(corpus, 1).pieces[0],
            next(self._judged(corpus, hypotheses, 1)).tolist(),
            self._weights(corpus, hypotheses, 1).tolist(),
            strict=True,
        ):
            verdict, tone = _VERDICTS[piece.edited, edited, right]
            if piece.edited or edited or not right:
                rows.append(
                    (
                        ExplainedCell(f"{piece.start}–{piece.end}"),
                        ExplainedCell(" ".join(words[piece.start : piece.end]) or "∅"),
                        ExplainedCell(piece.text or "∅", tone),
                        ExplainedCell(f"{weight:.3f}"),
                        ExplainedCell(verdict, tone),
                    )
                )
        headers = ("words", "source", "reference", "weight", "verdict")
        return [Explanation(f"pieces of reference {self.reference}", headers, tuple(rows))]

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, how many systems weigh the pieces, and where the edits come from."""
        systems = self._systems(corpus)
        others = [system for system in systems if system is not hypotheses]
        asked = {"all": systems, "others": others, "none": []}[self.difficulty]
        return {
            "beta": self.beta,
            "reference": self.reference,
            "difficulty": self.difficulty,
            "systems": len(asked),
            **self.edit_source.fields(corpus, hypotheses),
        }


def _cut(sources: Sequence[str], edits: Sequence[Sequence[Edit]]) -> _CutSentences:
    unedited = [words_and_places(source.split()) for source in sources]
    pieces = list(map(pieces_of, unedited, edits))
    return _CutSentences(
        unedited,
        pieces,
        [{} for _ in sources],
        np.repeat(np.arange(len(pieces)), [len(of_sentence) for of_sentence in pieces]),
        np.array([piece.edited for of_sentence in pieces for piece in of_sentence], np.bool_),
    )
