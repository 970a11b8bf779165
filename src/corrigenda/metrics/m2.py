"""M² (MaxMatch): the F-score of the edits that agree best with an annotator's (Dahlmeier & Ng 2012)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative
from corrigenda.core.metric import Level, Metric, ratio
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Annotation, Edit
from corrigenda.errors import MetricError
from corrigenda.gold import gold_annotations, gold_origin
from corrigenda.kernels import Ragged, Vocabulary
from corrigenda.kernels.maxmatch import GoldBatch, MaxMatched, max_match

COUNTS = ("correct", "proposed", "gold")


@dataclass(frozen=True, repr=False)
class M2(Metric):
    """F_β of the edits that a system made, cut so that as many as possible equal gold edits.

    Statistics [rows, 3]: correct, proposed and gold edits, a row for each annotator of each sentence.
    """

    name = "m2"
    title = "M² (MaxMatch): F-score of edits against gold edits"
    citation = "Dahlmeier, Ng (2012). Better Evaluation for Grammatical Error Correction. NAACL."

    beta: float = parameter(0.5, "weight of recall against precision")
    max_unchanged_words: int = parameter(2, "how many unchanged words an edit may hold")
    ignore_case_whitespace: bool = parameter(
        False, "leave out edits that change only the case of letters or blanks"
    )

    def __post_init__(self) -> None:
        if not self.beta >= 0:
            raise MetricError(f"m2: beta is {self.beta}", remedy="It takes a number from 0 on.")
        if self.max_unchanged_words < 0:
            raise MetricError("m2: max_unchanged_words is negative", remedy="It takes a whole number from 0 on.")

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """Correct, proposed and gold edits."""
        packed = _pack_gold(corpus)
        matched = self._match(packed, hypotheses, threads)
        counts = matched.counts
        if self.ignore_case_whitespace:
            counts = _counts_of_real_changes(corpus, hypotheses, packed, matched)
        return Statistics(counts, packed.gold.annotation_offsets)

    def _match(self, packed: _PackedGold, hypotheses: Hypotheses, threads: int) -> MaxMatched:
        encoded = packed.vocabulary.encode(hypotheses.sentences)
        return max_match(
            packed.sources, encoded, packed.gold, max_unchanged_words=self.max_unchanged_words, threads=threads
        )

    def edits(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> list[list[list[MatchedEdit]]]:
        """The system's edits of each sentence against each of its annotators, left to right."""
        packed = _pack_gold(corpus)
        matched = self._match(packed, hypotheses, threads)
        annotators = _sentence_of_rows(packed.gold.annotation_offsets)
        found: list[list[list[MatchedEdit]]] = [[] for _ in range(len(corpus))]
        for row, sentence in enumerate(annotators):
            words = hypotheses.sentences[sentence].split()
            edits = matched.edits[matched.offsets[row] : matched.offsets[row + 1]].tolist()
            found[sentence].append(
                [
                    MatchedEdit(Edit(start, end, (" ".join(words[begin:finish]),)), None if gold < 0 else gold)
                    for start, end, begin, finish, gold in edits
                ]
            )
        return found

    def choice(self, level: Level) -> Choice:
        """In corpus order the annotator that makes the corpus best; for sentences alone, the best annotator."""
        if level == "sentence":
            return BestLocal(self._keys)
        return GreedyCumulative(self._key)

    def _key(self, totals: tuple[int, int, int]) -> tuple[float, int, float]:
        correct, proposed, gold = totals
        burden = proposed + self.beta * self.beta * gold
        score = (1 + self.beta * self.beta) * correct / burden if burden else 1.0
        return score, correct, -burden

    def _keys(self, counts: Array) -> Sequence[Array]:
        burden = counts[:, 1] + self.beta * self.beta * counts[:, 2]
        return [self.score(counts), counts[:, 0], -burden]

    def score(self, totals: Array) -> Array:
        """F_β as the one fraction that it comes to: by way of rounded P and R, exact ties would break."""
        totals = np.asarray(totals)
        square = self.beta * self.beta
        burden = totals[..., 1] + square * totals[..., 2]
        return ratio((1 + square) * totals[..., 0], burden, undefined=1.0)

    def measures(self, totals: Array) -> dict[str, Array]:
        """Precision and recall, each 1 where it has nothing to count."""
        totals = np.asarray(totals)
        return {
            "precision": ratio(totals[..., 0], totals[..., 1], undefined=1.0),
            "recall": ratio(totals[..., 0], totals[..., 2], undefined=1.0),
        }

    def named_counts(self, counts: Array) -> dict[str, Any]:
        """Correct, proposed and gold edits."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def signature_fields(self, corpus: Corpus) -> dict[str, object]:
        """The parameters, and where the gold edits come from."""
        return {**spec.parameters(self), "gold": gold_origin(corpus)}


@dataclass(frozen=True)
class MatchedEdit:
    """An edit that a system made, and the place of the gold edit that it equals, if any."""

    edit: Edit
    gold: int | None


@dataclass(frozen=True)
class _PackedGold:
    """Sources and gold edits in the ids of one vocabulary."""

    vocabulary: Vocabulary
    sources: Ragged
    gold: GoldBatch


def _pack_gold(corpus: Corpus) -> _PackedGold:
    return corpus.once("packed gold", lambda: _make_packed_gold(corpus))


def _make_packed_gold(corpus: Corpus) -> _PackedGold:
    annotations = gold_annotations(corpus)
    flat: list[Annotation] = list(chain.from_iterable(annotations))
    edits = [edit for annotation in flat for edit in annotation.edits]
    vocabulary = Vocabulary()
    sources = vocabulary.add(corpus.sources)
    gold = GoldBatch(
        annotation_offsets=_offsets(len(sentence) for sentence in annotations),
        edit_offsets=_offsets(len(annotation.edits) for annotation in flat),
        spans=np.array([(edit.start, edit.end) for edit in edits], np.int32).reshape(-1, 2),
        correction_offsets=_offsets(len(edit.corrections) for edit in edits),
        corrections=vocabulary.add([correction for edit in edits for correction in edit.corrections]),
    )
    return _PackedGold(vocabulary, sources, gold)


def _offsets(lengths: Iterator[int]) -> npt.NDArray[np.int64]:
    return np.cumsum([0, *lengths], dtype=np.int64)


def _sentence_of_rows(annotation_offsets: npt.NDArray[np.int64]) -> list[int]:
    sentences = np.repeat(np.arange(len(annotation_offsets) - 1), np.diff(annotation_offsets))
    return [int(sentence) for sentence in sentences]


def _counts_of_real_changes(
    corpus: Corpus, hypotheses: Hypotheses, packed: _PackedGold, matched: MaxMatched
) -> npt.NDArray[np.int64]:
    """The counts without edits that change only case or blanks; the gold stays as it is."""
    counts = matched.counts.copy()
    sentence_of_row = _sentence_of_rows(packed.gold.annotation_offsets)
    row_of_edit = np.repeat(np.arange(len(counts)), np.diff(matched.offsets)).tolist()
    for row, (start, end, begin, finish, gold) in zip(row_of_edit, matched.edits.tolist(), strict=True):
        sentence = sentence_of_row[row]
        before = "".join(corpus.sources[sentence].split()[start:end]).lower()
        after = "".join(hypotheses.sentences[sentence].split()[begin:finish]).lower()
        if before == after:
            counts[row, 1] -= 1
            counts[row, 0] -= gold >= 0
    return counts
