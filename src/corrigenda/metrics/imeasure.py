"""I-measure: by how much a system improves its source (Felice & Briscoe 2015)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Literal

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import BestCumulative, BestLocal, Choice
from corrigenda.core.explanation import Explanation
from corrigenda.core.f_scores import f_score, ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.gold import gold_origin
from corrigenda.errors import MetricError
from corrigenda.metrics.imeasure_references import (
    AlignedReferences,
    Mixing,
    aligned_references,
    aligned_words,
    reference_words,
)

ASPECTS = ("detection", "correction")
COUNTS = ("tp", "tn", "fp", "fn", "fpn")

# Detection and correction counts (tp, tn, fp, fn, fpn) from the columns of each class
# (corrected, kept, spoiled, missed, miscorrected): the paper's Table 6.
_DETECTION = np.array(
    [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [1, 0, 0, 0, 0]]
)
_CORRECTION = np.array(
    [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 1, 1, 1]]
)


@dataclass(frozen=True, repr=False)
class IMeasure(Metric):
    """Weighted accuracy of an alignment of source, hypothesis and reference.

    It is compared with the accuracy of the unchanged source. Statistics [rows, 7]: the columns of
    each class in the alignment of the hypothesis, then the kept and the missed columns of the
    source itself. One row per reference that the gold allows; those with equal counts share it.
    """

    name = "imeasure"
    title = "I-measure: improvement of the text by weighted accuracy"
    citation = (
        "Felice, Briscoe (2015). Towards a Standard Evaluation Method for Grammatical Error "
        "Detection and Correction. NAACL."
    )

    needs_references = "edits"
    offers = frozenset({"precision-recall", "explain"})
    scoring_parameters = frozenset({"w", "beta", "maximise", "optimise"})
    shows_precision_recall = True

    w: float = parameter(2.0, "weight of true and false positives in the weighted accuracy")
    beta: float = parameter(0.5, "weight of recall against precision in F")
    mix: bool = parameter(True, "mix the corrections of different annotators")
    maximise: Literal[
        "correction.wacc", "correction.i", "correction.acc", "correction.f", "correction.precision",
        "correction.recall", "detection.wacc", "detection.i", "detection.acc", "detection.f",
        "detection.precision", "detection.recall",
    ] = parameter("correction.wacc", "the measure that the chosen references maximise")  # fmt: skip
    optimise: Literal["sentence", "corpus"] = parameter(
        "sentence", "choose references for each sentence alone, or for the corpus so far"
    )
    alternatives: Literal["all", "first"] = parameter(
        "all", "which of the corrections that an M2 edit accepts make references"
    )
    max_references: int = parameter(
        20_000, "if a sentence has more mixed references, only those of its annotators are used"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, beta=0, max_references=1)
        if not self.w > 0:
            raise MetricError(f"imeasure: w is {self.w}", remedy="It takes a number above 0.")

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The columns of each class, for the hypothesis and for the source."""
        references = aligned_references(corpus, self._mixing)
        counted = references.count(corpus, hypotheses.sentences, threads=threads)
        if not self.mix:
            return counted
        self._report_not_mixed(corpus, references)
        return replace(counted, remarks={"sentences_not_mixed": len(references.not_mixed)})

    @property
    def _mixing(self) -> Mixing:
        return Mixing(self.mix, self.max_references, self.alternatives == "first")

    def _report_not_mixed(self, corpus: Corpus, references: AlignedReferences) -> None:
        if references.not_mixed and not references.reported:
            references.reported = True
            # The message shows the sentence, because its number here is only its place in a block.
            first = shorten(corpus.sources[min(references.not_mixed)], 60, placeholder=" …")
            warnings.warn(
                f"{len(references.not_mixed)} of {len(corpus)} sentences (the first is: {first}) "
                f"allow more than {self.max_references} mixed references; "
                "only the references of their annotators are used",
                stacklevel=2,
            )

    def alignment(
        self, corpus: Corpus, hypotheses: Hypotheses, *, sentence: int, reference: int
    ) -> list[tuple[str | None, str | None, str | None]]:
        """The columns of the alignment of a sentence.

        Each column has a word of the source, the hypothesis and the reference, or None for a gap.
        """
        texts = (
            corpus.sources[sentence].split(),
            hypotheses.sentences[sentence].split(),
            reference_words(corpus, self._mixing, sentence=sentence, reference=reference),
        )
        taken = aligned_words(*texts)
        words = [iter(text) for text in texts]
        return [
            (
                next(words[0]) if column[0] else None,
                next(words[1]) if column[1] else None,
                next(words[2]) if column[2] else None,
            )
            for column in taken
        ]

    def policy(self, level: Level) -> Choice:
        """The reference with the largest value of the measure `maximise`."""
        if self.optimise == "corpus" and level == "corpus":
            return BestCumulative(self._keys)
        return BestLocal(self._keys)

    def _keys(self, counts: Array) -> Sequence[Array]:
        """The measure to maximise; ties go to I and Acc of its aspect.

        Then the same three measures of the other aspect decide, in the same order.
        """
        aspect, _, measure = self.maximise.partition(".")
        values = {name: self._aspect(counts, name) for name in ASPECTS}
        other = "detection" if aspect == "correction" else "correction"
        return [values[name][key] for name in (aspect, other) for key in (measure, "i", "acc")]

    def _aspect(self, totals: Array, aspect: str) -> dict[str, Array]:
        """All measures of detection or correction, for totals [..., 7]."""
        counts = aspect_counts(totals, aspect)
        true_positive, true_negative, false_positive, false_negative, both = np.moveaxis(
            counts, -1, 0
        )
        base_kept, base_missed = np.asarray(totals)[..., 5], np.asarray(totals)[..., 6]
        precision = ratio(true_positive, true_positive + false_positive, undefined=1.0)
        recall = ratio(true_positive, true_positive + false_negative, undefined=1.0)
        right = self.w * true_positive + true_negative
        wrong = self.w * (false_positive - both / 2) + (false_negative - both / 2)
        accurate = true_positive + true_negative
        weighted = ratio(right, right + wrong, undefined=1.0)
        baseline = ratio(base_kept, base_kept + base_missed, undefined=1.0)
        return {
            "precision": precision,
            "recall": recall,
            "f": f_score(precision, recall, self.beta),
            "acc": ratio(
                accurate, accurate + false_positive + false_negative - both, undefined=1.0
            ),
            "wacc": weighted,
            "wacc_base": baseline,
            "i": improvement(weighted, baseline),
        }

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The improvement I of correction, and all measures of both aspects."""
        both = {aspect: self._aspect(totals, aspect) for aspect in ASPECTS}
        correction = both["correction"]
        return Measures(correction["i"], correction["precision"], correction["recall"], dict(both))

    def score(self, totals: Array, level: Level = "corpus") -> Array:
        """The improvement I of correction."""
        return self._aspect(totals, "correction")["i"]

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The alignment with the chosen reference."""
        from corrigenda.metrics.imeasure_explanation import explain_imeasure

        return explain_imeasure(self, corpus, hypotheses, result)

    def named_counts(self, counts: Array) -> NamedCounts:
        """TP, TN, FP, FN and FPN of both aspects."""
        return {
            aspect: dict(zip(COUNTS, aspect_counts(counts, aspect).tolist(), strict=True))
            for aspect in ASPECTS
        }

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, and where the gold edits come from."""
        origin = "annotated" if corpus.errors is not None else gold_origin(corpus)
        unmixed = () if self.mix else ("max_references",)
        as_usual = ("alternatives",) if self.alternatives == "all" else ()
        fields = spec.parameters(self)
        return {
            name: value for name, value in fields.items() if name not in (*unmixed, *as_usual)
        } | {"gold": origin}


def aspect_counts(totals: Array, aspect: str) -> Array:
    """tp, tn, fp, fn, fpn [..., 5] of one aspect."""
    return np.asarray(
        np.asarray(totals)[..., :5] @ (_CORRECTION if aspect == "correction" else _DETECTION)
    )


def improvement(system: Array, baseline: Array) -> Array:
    """I: the share of wrong text that became right, or of right text that became wrong."""
    system, baseline = np.broadcast_arrays(np.asarray(system, float), np.asarray(baseline, float))
    better = ratio(system - baseline, 1 - baseline, undefined=0.0)
    worse = ratio(system, baseline, undefined=1.0) - 1
    return np.where(
        system == baseline, np.floor(system), np.where(system > baseline, better, worse)
    )
