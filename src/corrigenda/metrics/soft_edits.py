"""Soft edits: deleted and inserted words, weighed and matched by their vectors in context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import BestLocal
from corrigenda.core.explanation import Explanation
from corrigenda.core.f_scores import f_score, ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import MetricError
from corrigenda.metrics.compared_words import (
    SMALL_ENCODER,
    ComparedWords,
    Flags,
    Floats,
    compare_all,
    compared_words,
    sums_by_row,
    word_scorer,
)
from corrigenda.metrics.soft_gains import (
    CHARACTER_COUNTS,
    MEANING_COUNTS,
    character_means,
    found_replacements,
)

EDIT_COUNTS = ("right", "proposed", "found", "gold", "meaning", "sentences")
Replacements = Literal["apart", "together"]
"""Whether a deletion is right by itself where the reference puts other words in its place."""


@dataclass(frozen=True)
class ChangedWords:
    """The changes of all hypotheses, or of all references, in the order of `ComparedWords`.

    `deleted` are words of the source, `inserted` are words of the text. Words that are not changed
    have the weight 0. `deleted_matched` and `inserted_matched`: how far the other text (the
    reference for a hypothesis, and the reverse) makes the same change, from 0 to 1.
    """

    deleted: Flags
    inserted: Flags
    deleted_weights: Floats
    inserted_weights: Floats
    deleted_matched: Floats
    inserted_matched: Floats


@dataclass(frozen=True, repr=False)
class SoftEdits(Metric):
    """F_β of weighed words that are deleted and inserted, times the similarity to the reference.

    Gains can be added to it: how much the hypothesis is better than the source.

    Statistics [rows, 6 or more]: the weight of right and of all changes of the hypothesis, of found
    and of all changes of the reference, the similarity in meaning, and 1 for the sentence; then
    what the gains in meaning and in characters need, if they are asked for.
    """

    name = "soft-edits"
    title = "soft edits: changed words weighed by their vectors"
    citation = "No paper; docs/research/fluent-edits.md has the study."
    experimental = True
    extra = "neural"
    modules = ("torch", "transformers")
    needs_model = True
    offers = frozenset({"precision-recall", "explain", "beta"})
    shows_precision_recall = True
    labels: ClassVar[Mapping[str, str]] = {"score": "score"}

    beta: float = parameter(3.0, "weight of recall against precision")
    model: str = parameter("", "encoder, by name or folder", shown=SMALL_ENCODER)
    layer: int | None = parameter(
        None, "layer of the encoder", shown="the best known layer of the model, else the last"
    )
    smallest_weight: float = parameter(0.03, "a change with a smaller weight has the weight 0")
    same_word: float = parameter(
        0.5, "an inserted word is right if the reference inserts it with a cosine above this"
    )
    no_meaning: float = parameter(
        0.5, "up to this similarity to the reference, the score of a sentence is 0"
    )
    full_meaning: float = parameter(
        0.8, "from this similarity to the reference on, the score is not reduced"
    )
    replacements: Replacements = parameter(
        "apart",
        "together: to delete a word that the reference replaces is right only as far as the "
        "replacement is found",
    )
    found_gain: float = parameter(0.0, "weight of the found changes that is added to the score")
    meaning_gain: float = parameter(
        0.0, "weight of the gain in similarity to the reference, compared with the source"
    )
    character_gain: float = parameter(
        0.0, "weight of the gain in GREEN on characters, compared with the source"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(
            self,
            beta=0,
            layer=0,
            smallest_weight=0,
            same_word=-1,
            no_meaning=-1,
            found_gain=0,
            meaning_gain=0,
            character_gain=0,
        )
        spec.check_at_most(self, same_word=1, full_meaning=1)
        if self.full_meaning < self.no_meaning:
            raise MetricError(
                f"soft-edits: full_meaning={self.full_meaning:g} is below "
                f"no_meaning={self.no_meaning:g}",
                remedy="Give full_meaning a value of no_meaning or more.",
            )

    @property
    def gain_weights(self) -> dict[str, float]:
        """The weights of the gains."""
        return {
            "found": self.found_gain,
            "similarity": self.meaning_gain,
            "characters": self.character_gain,
        }

    @property
    def counts(self) -> tuple[str, ...]:
        """The names of the columns of the statistics."""
        of_meaning = MEANING_COUNTS if self.meaning_gain else ()
        return EDIT_COUNTS + of_meaning + (CHARACTER_COUNTS if self.character_gain else ())

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Encode the sources, the references and the outputs of all systems at once."""
        compare_all(corpus, systems, word_scorer(self.model, self.layer), threads=threads)

    def words(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> ComparedWords:
        """The compared words of every sentence and reference."""
        scorer = word_scorer(self.model, self.layer)
        return compared_words(corpus, hypotheses, scorer, self.name, threads=threads)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The weights of changes, and the similarity in meaning."""
        words = self.words(corpus, hypotheses, threads=threads)
        ours, theirs = self.changes(words)
        similarity = words.meaning
        columns = [
            *_sums(ours, words.source, words.hypothesis),
            *_sums(theirs, words.source, words.reference),
            similarity * self.gate(similarity),
            np.ones(len(similarity)),
        ]
        if self.meaning_gain:
            columns += [similarity, words.source_meaning]
        if self.character_gain:
            columns += character_means(corpus, hypotheses, threads=threads)
        return Statistics(np.stack(columns, axis=1), words.row_offsets, words.remarks)

    def changes(self, words: ComparedWords) -> tuple[ChangedWords, ChangedWords]:
        """What the hypotheses change, and what the references change."""
        deleted = [~words.source_to_hypothesis.common, ~words.source_to_reference.common]
        inserted = [~words.hypothesis_to_source.common, ~words.reference_to_source.common]
        in_hypothesis, in_reference = words.equal
        equal = (
            inserted[0][in_hypothesis]
            & inserted[1][in_reference]
            & (words.equal_cosines > self.same_word)
        )
        matched = [np.repeat(words.same, np.diff(each)) for each in (
            words.hypothesis, words.reference,
        )]  # fmt: skip
        matched[0][in_hypothesis[equal]] = True
        matched[1][in_reference[equal]] = True
        deleted_by_both = (deleted[0] & deleted[1]).astype(np.float64)
        if self.replacements == "together":
            deleted_by_both *= found_replacements(words, matched[1])
        largest = [
            (words.source_to_hypothesis.largest, words.hypothesis_to_source.largest),
            (words.source_to_reference.largest, words.reference_to_source.largest),
        ]
        first, second = (
            ChangedWords(
                deleted[side],
                inserted[side],
                self._weights(largest[side][0], deleted[side]),
                self._weights(largest[side][1], inserted[side]),
                deleted_by_both,
                (inserted[side] & matched[side]).astype(np.float64),
            )
            for side in range(2)
        )
        return first, second

    def _weights(self, largest: Floats, changed: Flags) -> Floats:
        weights = np.where(changed, 1 - largest, 0.0)
        return np.where(weights < self.smallest_weight, 0.0, weights)

    def gate(self, similarity: Array) -> Array:
        """What is left of a score: nothing for a text that means something else."""
        width = self.full_meaning - self.no_meaning
        if not width:
            return np.where(similarity < self.full_meaning, 0.0, 1.0)
        return np.clip((similarity - self.no_meaning) / width, 0.0, 1.0)

    def policy(self, level: Level) -> BestLocal:
        """The reference with the best score of each sentence."""
        return BestLocal(lambda counts: [self.score(counts, "sentence")])

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """F_β of the weights, times the mean similarity in meaning, and the gains."""
        columns = self._columns(totals)
        precision = ratio(columns["right"], columns["proposed"], undefined=1.0)
        recall = ratio(columns["found"], columns["gold"], undefined=1.0)
        edits = f_score(precision, recall, self.beta)
        meaning = ratio(columns["meaning"], columns["sentences"], undefined=0.0)
        gains = self._gains(columns)
        score = edits * meaning
        for name, gain in gains.items():
            score = score + self.gain_weights[name] * gain
        more: dict[str, Array | dict[str, Array]] = {"edits": edits, "meaning": meaning}
        if gains:
            more["gain"] = gains
        return Measures(score, precision, recall, more)

    def _columns(self, totals: Array) -> dict[str, Array]:
        totals = np.asarray(totals, np.float64)
        return dict(zip(self.counts, np.moveaxis(totals, -1, 0), strict=True))

    def _gains(self, columns: dict[str, Array]) -> dict[str, Array]:
        """The mean gain of a sentence of each kind that is asked for."""
        mean = {
            name: ratio(sums, columns["sentences"], undefined=0.0) for name, sums in columns.items()
        }
        found = {}
        if self.found_gain:
            found["found"] = mean["found"]
        if self.meaning_gain:
            found["similarity"] = mean["similarity"] - mean["source_similarity"]
        if self.character_gain:
            ours, before = (
                f_score(mean[f"{whose}character_precision"], mean[f"{whose}character_recall"],
                        self.beta)
                for whose in ("", "source_")
            )  # fmt: skip
            found["characters"] = ours - before
        return found

    def named_counts(self, counts: Array) -> NamedCounts:
        """The sums of weights, of similarities, and the number of sentences."""
        return dict(zip(self.counts, counts.tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The changed words with their weights, and the factors of the score."""
        from corrigenda.metrics.soft_edit_explanations import explain_soft_edits

        return explain_soft_edits(self, corpus, hypotheses, result)

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The model with its revision, and the parameters."""
        scorer = word_scorer(self.model, self.layer)
        return {
            **spec.parameters(self),
            **scorer.source.signature_fields(),
            "layer": scorer.layer,
        }


def _sums(changes: ChangedWords, source: Array, text: Array) -> tuple[Floats, Floats]:
    """The weight of matched changes of each row, and of all its changes."""
    deleted, inserted = changes.deleted_weights, changes.inserted_weights
    matched = sums_by_row(changes.deleted_matched * deleted, source)
    matched += sums_by_row(changes.inserted_matched * inserted, text)
    return matched, sums_by_row(deleted, source) + sums_by_row(inserted, text)
