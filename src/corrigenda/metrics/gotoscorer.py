"""GoToScorer: an F-score of chunks, weighted by how many systems get them wrong (Gotou 2020)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import GoldEdits
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
from corrigenda.edits import UNKNOWN_TYPE, Edit
from corrigenda.errors import SentenceError
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


class SourcePiece(NamedTuple):
    """A span of the source, the text that stands there, and whether that is an edit."""

    start: int
    end: int
    text: str
    edited: bool


class Judgment(NamedTuple):
    """What a system did with a piece of the reference."""

    edited: bool
    right: bool


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

    def _known(self, corpus: Corpus) -> dict[int, list[list[Judgment]]]:
        """What each of the systems did, by the identity of its output."""
        return corpus.once(("gotoscorer judged", self), dict)

    def _systems(self, corpus: Corpus) -> list[Hypotheses]:
        """The systems that `prepare` got; empty before it is called."""
        return corpus.once(("gotoscorer systems", self), list)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The weights of each kind."""
        pieces = self._pieces(corpus, threads)
        judged = self._judged(corpus, hypotheses, threads)
        weights = self._weights(corpus, hypotheses, threads)
        rows = list(map(_row, pieces, judged, weights))
        offsets = np.arange(len(corpus) + 1, dtype=np.int64)
        return Statistics(np.array(rows, np.float64).reshape(-1, len(COUNTS)), offsets)

    def _pieces(self, corpus: Corpus, threads: int) -> list[list[SourcePiece]]:
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
            lambda: [
                pieces_of(source.split(), of_sentence[self.reference])
                for source, of_sentence in zip(corpus.sources, gold, strict=True)
            ],
        )

    def _judged(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> list[list[Judgment]]:
        edits = self.edit_source.system_edits(corpus, hypotheses, threads=threads)
        return [
            judge_all(of_reference, own)
            for of_reference, own in zip(
                self._pieces(corpus, threads),
                (
                    pieces_of(source.split(), of_sentence)
                    for source, of_sentence in zip(corpus.sources, edits, strict=True)
                ),
                strict=True,
            )
        ]

    def _weights(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> list[list[float]]:
        """The share of systems that get each piece wrong; 1 if there are none to ask."""
        asked = [] if self.difficulty == "none" else self._systems(corpus)
        known = self._known(corpus)
        rest = [system for system in asked if self.difficulty == "all" or system is not hypotheses]
        for system in rest:
            if id(system) not in known:
                known[id(system)] = self._judged(corpus, system, threads)
        judged = [known[id(system)] for system in rest]
        return [
            [
                sum(not of_system[number][place].right for of_system in judged) / len(judged)
                if judged
                else 1.0
                for place in range(len(of_sentence))
            ]
            for number, of_sentence in enumerate(self._pieces(corpus, threads))
        ]

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
        for piece, judgment, weight in zip(
            self._pieces(corpus, 1)[0],
            self._judged(corpus, hypotheses, 1)[0],
            self._weights(corpus, hypotheses, 1)[0],
            strict=True,
        ):
            verdict, tone = _VERDICTS[(piece.edited, *judgment)]
            if piece.edited or judgment.edited or not judgment.right:
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


def pieces_of(words: Sequence[str], edits: Sequence[Edit]) -> list[SourcePiece]:
    """The source cut along edits: each edit, each other word, and each place of an insertion."""
    return list(_with_places(_edits_and_words(words, edits), len(words)))


def _edits_and_words(words: Sequence[str], edits: Sequence[Edit]) -> Iterator[SourcePiece]:
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.type == UNKNOWN_TYPE:
            continue
        for place in range(position, edit.start):
            yield SourcePiece(place, place + 1, words[place], False)
        yield SourcePiece(edit.start, edit.end, edit.correction, True)
        position = max(position, edit.end)
    for place in range(position, len(words)):
        yield SourcePiece(place, place + 1, words[place], False)


def _with_places(pieces: Iterator[SourcePiece], words: int) -> Iterator[SourcePiece]:
    """An empty piece before each piece that is not an insertion, unless there is an insertion."""
    after_insertion = False
    for piece in pieces:
        is_insertion = piece.start == piece.end
        if not is_insertion and not after_insertion:
            yield SourcePiece(piece.start, piece.start, "", False)
        yield piece
        after_insertion = is_insertion
    if not after_insertion:
        yield SourcePiece(words, words, "", False)


def judge_all(pieces: Sequence[SourcePiece], own: Sequence[SourcePiece]) -> list[Judgment]:
    """Whether a system edits each piece of the reference, and whether it is right there."""
    by_span: dict[tuple[int, int], list[SourcePiece]] = {}
    for other in own:
        by_span.setdefault((other.start, other.end), []).append(other)
    edits = [other for other in own if other.edited]
    return [_judge(piece, by_span.get((piece.start, piece.end)), edits) for piece in pieces]


def _judge(
    piece: SourcePiece, same: Sequence[SourcePiece] | None, edits: Sequence[SourcePiece]
) -> Judgment:
    """`same` are the system's pieces with the same span, `edits` those that it edits."""
    if same:
        equal = next((other for other in same if other.text == piece.text), None)
        if equal is not None:
            return Judgment(equal.edited, True)
        return Judgment(any(other.edited for other in same), False)
    if piece.start == piece.end:
        # The system edits around this place, which says nothing about this place.
        return Judgment(False, not piece.edited)
    # The system cuts the source otherwise: what lies in the piece, and what the piece lies in.
    around = any(
        piece.start <= other.start < piece.end or other.start <= piece.start < other.end
        for other in edits
    )
    return Judgment(around, False)


def _row(
    pieces: Sequence[SourcePiece], judged: Sequence[Judgment], weights: Sequence[float]
) -> list[float]:
    right = wrong = missed = kept = 0.0
    for piece, judgment, weight in zip(pieces, judged, weights, strict=True):
        if judgment.edited and judgment.right:
            right += weight
        elif judgment.edited:
            wrong += weight
            missed += weight if piece.edited else 0.0
        elif judgment.right:
            kept += weight
        else:
            missed += weight
    return [right, wrong, missed, kept, sum(weights)]
