"""CLEME 2.0: four rates of right, wrong, missed and needless chunks (Ye et al. 2025)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import GoldEdits
from corrigenda.core import spec
from corrigenda.core.choice import BestCumulative, BestLocal, Choice, Pooled
from corrigenda.core.explanation import ExplainedCell, Explanation, Tone
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import LEVELS, Level
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.core.survey import taken
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits.chunks import Chunk
from corrigenda.errors import MetricError
from corrigenda.metrics.cleme import Assumption, ChunkMetric, published_weights
from corrigenda.metrics.cleme_counts import (
    FN,
    FP,
    TN,
    TP,
    UNNEEDED,
    ChunkCounts,
    corrected_chunks,
    kind_of,
    mean_length,
)
from corrigenda.metrics.typed_edits import (
    edits_parameter,
    gold_parameter,
    merger_parameter,
    spacy_model_parameter,
)
from corrigenda.metrics.weighed_edits import SMALLEST_WEIGHT
from corrigenda.neural import truncation
from corrigenda.neural.scorers import MEASURES, edit_scorer, scorer_fields
from corrigenda.neural.types import Pair, Scores, pair

COUNTS = ("tp", "fp_needed", "fn", "tn", "fp_unneeded")
RATES = ("hit", "wrong", "under", "over")
_PRETRAINED = ("torch", "transformers")
_PUBLISHED: dict[Level, tuple[float, float, float, float]] = {
    "corpus": (0.45, 0.35, 0.15, 0.05),
    "sentence": (0.35, 0.25, 0.20, 0.20),
}
_HYPOTHESIS = 0
_F1 = MEASURES.index("f1")
_VERDICTS: dict[int, tuple[str, Tone]] = {
    TP: ("right", "good"),
    FP: ("wrong, but a change was needed", "bad"),
    UNNEEDED: ("not needed", "bad"),
    FN: ("missed", "missed"),
    TN: ("rightly unchanged", "faint"),
}


@dataclass(frozen=True, repr=False)
class Cleme2(ChunkMetric):
    """A weighted mean of the rates of hits, wrong, missing and needless corrections.

    Statistics [rows, 10]: the five kinds of chunks with the weights of the corpus level, then with
    those of the sentence level. One row per reference (dependent), or one for all (independent).
    """

    name = "cleme2"
    title = "CLEME 2.0: right, wrong, missed and needless chunks"
    citation = (
        "Ye et al. (2025). CLEME2.0: Towards Interpretable Evaluation "
        "by Disentangling Edits for Grammatical Error Correction. ACL."
    )
    extra = "errant,neural"
    modules = ("errant", "spacy", *_PRETRAINED)
    needs_model = True
    offers = frozenset({"explain"})

    assumption: Assumption = parameter(
        "dependent", "the corrections of a sentence depend on each other, or each counts alone"
    )
    weighting: Literal["none", "length", "similarity"] = parameter(
        "none", "weight of a chunk: 1, by its length as in CLEME, or by BERTScore"
    )
    hit: float | None = parameter(
        None, "weight of the rate of hits", shown="0.45; 0.35 at sentence level"
    )
    wrong: float | None = parameter(
        None, "weight of the rate of wrong corrections", shown="0.35; 0.25 at sentence level"
    )
    under: float | None = parameter(
        None, "weight of the rate of missing corrections", shown="0.15; 0.2 at sentence level"
    )
    over: float | None = parameter(
        None, "weight of the rate of needless corrections", shown="0.05; 0.2 at sentence level"
    )
    gold: GoldEdits = gold_parameter()
    spacy_model: str = spacy_model_parameter()
    edits: str = edits_parameter()
    merger: Merger = merger_parameter()
    model: str = parameter(
        "", "encoder for weighting=similarity, by name or folder", shown="bert-base-uncased"
    )
    layer: int | None = parameter(
        None,
        "layer of the encoder (weighting=similarity)",
        shown="the best known layer of the model, else the last",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.edit_source.check()
        spec.check_at_least(self, layer=0)
        for level in LEVELS:
            weights = self._rate_weights(level)
            if min(weights) < 0 or not np.isclose(sum(weights), 1.0, rtol=0, atol=1e-9):
                named = ", ".join(f"{name}={x:g}" for name, x in zip(RATES, weights, strict=True))
                raise MetricError(
                    f"cleme2: the weights of the rates are {named} at {level} level",
                    remedy="Give four weights of 0 or more that add up to 1.",
                )
        if self.weighting != "similarity" and (self.model or self.layer is not None):
            raise MetricError(
                f"cleme2: weighting={self.weighting} takes no model and no layer",
                remedy="Leave them out, or use weighting=similarity.",
            )
        if self.weighting == "similarity" and self.assumption == "independent":
            raise MetricError(
                "cleme2: weighting=similarity compares with one reference, but "
                "assumption=independent takes all references at once",
                remedy="Leave out assumption, or use weighting=none or length.",
            )

    def _rate_weights(self, level: Level) -> tuple[float, ...]:
        given = (self.hit, self.wrong, self.under, self.over)
        return tuple(
            default if value is None else value
            for value, default in zip(given, _PUBLISHED[level], strict=True)
        )

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """The packages of the annotator; without similarity no pretrained model is needed."""
        pretrained = _PRETRAINED if self.weighting == "similarity" else ()
        return (*self.edit_source.packages, *pretrained)

    @property
    def scope_remedy(self) -> str:
        """Without weights each sentence is counted alone."""
        return (
            "The weights by length depend on the mean length of chunks in the corpus: "
            "use cleme2:weighting=none."
        )

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Annotate all systems and references at once, then score the pairs of their chunks."""
        self._similarity_fields()  # raises an error before the long work if there is no model
        super().prepare(corpus, systems, threads=threads)
        if self.weighting == "similarity":
            wanted = [
                each
                for system in systems
                for row in self._rows(corpus, system, threads)
                for each in row.pairs()
            ]
            self._scored(corpus, wanted, threads)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The weighted chunks of each kind."""
        sentences = self._chunked(corpus, hypotheses, threads)
        tally = self._counted(sentences, ChunkCounts(by_need=True))
        if self.weighting == "similarity":
            counts, remarks = self._by_similarity(corpus, hypotheses, tally, threads)
            both = np.concatenate([counts, counts], axis=1)
            return Statistics(both, tally.sentence_offsets(), remarks)
        mean = 0.0
        if self.weighting == "length":
            mean = mean_length(taken(self, corpus, hypotheses, lambda: corrected_chunks(sentences)))
        levels = [
            tally.weighted(
                published_weights(self.assumption, level) if self.weighting == "length" else None,
                mean,
            )
            for level in LEVELS
        ]
        return Statistics(np.concatenate(levels, axis=1), tally.sentence_offsets())

    # Weights by similarity.

    def _rows(
        self, corpus: Corpus, hypotheses: Hypotheses, threads: int
    ) -> Iterator[_ChangesOfRow]:
        """Every sentence against each reference that takes part."""
        number = 0
        for sentence, source, references in zip(
            self._chunked(corpus, hypotheses, threads),
            corpus.sources,
            corpus.references,
            strict=True,
        ):
            for version, place in enumerate(sentence.taking_part, 1):
                yield _ChangesOfRow(
                    number + place,
                    source,
                    references[place],
                    tuple(_changes(sentence.partition.chunks, version)),
                )
            number += sentence.references

    def _by_similarity(
        self, corpus: Corpus, hypotheses: Hypotheses, tally: ChunkCounts, threads: int
    ) -> tuple[Array, Mapping[str, int]]:
        """The counts, where the weight of a change is how far it moves BERTScore; and remarks."""
        counts = tally.weighted(None, 0.0)
        changed = [TP, FP, FN, UNNEEDED]
        counts[:, changed] = np.where(np.isfinite(counts[:, changed]), 0.0, counts[:, changed])
        rows = list(self._rows(corpus, hypotheses, threads))
        scored = self._scored(corpus, [each for row in rows for each in row.pairs()], threads)
        offsets = tally.sentence_offsets()
        of_sentences: list[list[Scores]] = [[] for _ in corpus.sources]
        for row in rows:
            sentence = int(np.searchsorted(offsets, row.number, side="right")) - 1
            of_sentences[sentence] += [scored[each] for each in row.pairs()]
            for change in row.changes:
                moved = abs(scored[row.after(change)][_F1] - scored[row.before()][_F1])
                counts[row.number, change.kind] += moved if moved >= SMALLEST_WEIGHT else 0.0
        return counts, truncation.remarks(self.name, hypotheses.name, of_sentences)

    def _scored(self, corpus: Corpus, pairs: Sequence[Pair], threads: int) -> dict[Pair, Scores]:
        scorer = edit_scorer(corpus, "bertscore", self.model, self.layer, idf=False, measure="f1")
        return scorer.scores(list(dict.fromkeys(pairs)), threads=threads)

    # Choice and score.

    def policy(self, level: Level) -> Choice:
        """At corpus level, in corpus order, the reference with the best score so far.

        At sentence level, the best reference of each sentence. With assumption=independent there is
        nothing to choose.
        """
        if self.assumption == "independent":
            return Pooled()
        if level == "sentence":
            return BestLocal(self._sentence_keys)
        return BestCumulative(self._corpus_keys)

    def _corpus_keys(self, totals: Array) -> Sequence[Array]:
        return self._keys(totals, "corpus")

    def _sentence_keys(self, counts: Array) -> Sequence[Array]:
        return self._keys(counts, "sentence")

    def _keys(self, totals: Array, level: Level) -> Sequence[Array]:
        """A better score, then more hits, fewer wrong, fewer missed, more untouched chunks."""
        counts = _of_level(totals, level)
        wrong = counts[..., FP] + counts[..., UNNEEDED]
        return [
            np.isfinite(wrong),
            self.measures(totals, level).score,
            counts[..., TP],
            -wrong,
            -counts[..., FN],
            counts[..., TN],
        ]

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The score and the four rates; a rate is 0 where it is undefined."""
        counts = _of_level(totals, level)
        # A reference that does not take part has infinite false positives.
        counts = np.where(np.isfinite(counts), counts, 0.0)
        right, wrong, missed, _, needless = np.moveaxis(counts, -1, 0)
        needed = right + wrong + missed
        rates = (
            ratio(right, needed, undefined=0.0),
            ratio(wrong, needed, undefined=0.0),
            ratio(missed, needed, undefined=0.0),
            ratio(needless, right + wrong + needless, undefined=0.0),
        )
        weights = self._rate_weights(level)
        score = weights[0] * rates[0]
        for weight, rate in zip(weights[1:], rates[1:], strict=True):
            score = score + weight * (1 - rate)
        return Measures(score, more=dict(zip(RATES, rates, strict=True)))

    def named_counts(self, counts: Array) -> NamedCounts:
        """Weighted chunks at corpus level; under "sentence", with the weights of that level."""
        values = counts.tolist()
        return {
            **dict(zip(COUNTS, values[: len(COUNTS)], strict=True)),
            "sentence": dict(zip(COUNTS, values[len(COUNTS) :], strict=True)),
        }

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The chunks with edits, and what each of them counts as."""
        (sentence,) = self._chunked(corpus, hypotheses, 1)
        if result.references is None:
            versions: Sequence[int] = range(1, 1 + len(sentence.taking_part))
            title = "chunks against all references"
        else:
            place = int(result.references[0])
            versions = (1 + sentence.taking_part.index(place),)
            title = f"chunks against reference {place}"
        rows = tuple(_explained(chunk, versions) for chunk in sentence.partition.chunks)
        return [Explanation(title, ("source", "hypothesis", "reference", "verdict"), rows)]

    def _similarity_fields(self) -> dict[str, object]:
        if self.weighting != "similarity":
            return {}
        return scorer_fields("bertscore", self.model, self.layer, idf=False, measure="f1")

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, and where the edits come from; with versions if ERRANT made any."""
        given = {name: value for name in RATES if (value := getattr(self, name)) is not None}
        return {
            "assumption": self.assumption,
            "weighting": self.weighting,
            **given,
            **self._similarity_fields(),
            **self.edit_source.fields(corpus, hypotheses),
        }


@dataclass(frozen=True)
class _Change:
    """A chunk that is not rightly unchanged: its kind, its place, and the words put there."""

    kind: int
    start: int
    end: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class _ChangesOfRow:
    """The changes of a sentence against one reference. `number` is its row of the counts."""

    number: int
    source: str
    reference: str
    changes: tuple[_Change, ...]

    def pairs(self) -> Iterator[Pair]:
        """What BERTScore must score."""
        if self.changes:
            yield self.before()
            yield from map(self.after, self.changes)

    def before(self) -> Pair:
        """The source as it is."""
        return pair(self.source, self.reference)

    def after(self, change: _Change) -> Pair:
        """The source with this change alone."""
        words = self.source.split()
        words[change.start : change.end] = change.words
        return pair(" ".join(words), self.reference)


def _changes(chunks: Iterable[Chunk], version: int) -> Iterator[_Change]:
    """The changes against a version; a missed chunk is what the reference has there."""
    for chunk in chunks:
        kind = kind_of(chunk, (version,))
        if kind != TN:
            words = chunk.text(version if kind == FN else _HYPOTHESIS)
            yield _Change(kind, chunk.start, chunk.start + len(chunk.source), words)


def _of_level(totals: Array, level: Level) -> Array:
    totals = np.asarray(totals)
    return totals[..., : len(COUNTS)] if level == "corpus" else totals[..., len(COUNTS) :]


def _explained(chunk: Chunk, versions: Sequence[int]) -> tuple[ExplainedCell, ...]:
    verdict, tone = _VERDICTS[kind_of(chunk, versions)]
    accepted = dict.fromkeys(" ".join(chunk.text(version)) or "∅" for version in versions)
    return (
        ExplainedCell(" ".join(chunk.source) or "∅"),
        ExplainedCell(" ".join(chunk.text(_HYPOTHESIS)) or "∅", tone),
        ExplainedCell(" | ".join(accepted)),
        ExplainedCell(verdict, tone),
    )
