"""M² (MaxMatch): F-score of the edits that agree best with an annotator (Dahlmeier & Ng 2012)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative
from corrigenda.core.explanation import Explanation
from corrigenda.core.f_scores import edit_f, edit_keys, ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric, check_references
from corrigenda.core.optimal import CorpusChoice, Optimal, corpus_choice
from corrigenda.core.result import Result
from corrigenda.core.scored import Scored
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.gold import extracted_edits, gold_annotations, gold_origin
from corrigenda.corpus.packed import numbered, offsets_of, share_numbers
from corrigenda.edits import Annotation, Edit
from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence, MatchedEdit
from corrigenda.errors import FormatError
from corrigenda.kernels import Ragged, Vocabulary
from corrigenda.kernels.limits import bounded, check_lattices
from corrigenda.kernels.maxmatch import GoldBatch, MaxMatched, max_match
from corrigenda.kernels.numbered_words import NumberedWords

COUNTS = ("correct", "proposed", "gold")
SHORT_FORM = "sentences_by_short_form"
"""The remark on sentences for which the exact rule would take too long."""


@dataclass(frozen=True, repr=False)
class M2(Metric):
    """F_β of a system's edits, chosen so that as many as possible equal gold edits.

    Statistics [rows, 3]: correct, proposed and gold edits; one row per annotator of each sentence.
    """

    name = "m2"
    title = "M² (MaxMatch): F-score of edits against gold edits"
    citation = "Dahlmeier, Ng (2012). Better Evaluation for Grammatical Error Correction. NAACL."

    needs_references = "edits"
    offers = frozenset({"precision-recall", "explain", "extract", "beta"})
    shows_precision_recall = True
    annotated_gold = True

    beta: float = parameter(0.5, "weight of recall against precision")
    max_unchanged_words: int = parameter(2, "how many unchanged words an edit may contain")
    ignore_case_whitespace: bool = parameter(
        False, "ignore edits of the system that change only letter case or blanks"
    )
    choice: CorpusChoice = corpus_choice("annotator")

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, beta=0, max_unchanged_words=0)

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Metrics of n-grams can use the numbers of the words."""
        if corpus.gold is None:
            share_numbers(corpus)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """Correct, proposed and gold edits."""
        matched = self._match(corpus, hypotheses, threads, self.ignore_case_whitespace)
        offsets = _pack_gold(corpus, hypotheses, threads).gold.annotation_offsets
        remarks = {SHORT_FORM: matched.by_short_form} if matched.by_short_form else {}
        return Statistics(matched.counts, offsets, remarks)

    def _match(
        self, corpus: Corpus, hypotheses: Hypotheses, threads: int, with_edits: bool = True
    ) -> MaxMatched:
        """The edits that agree best with each annotator."""
        packed = _pack_gold(corpus, hypotheses, threads)
        encoded = packed.encode(corpus, hypotheses, threads)
        check_lattices(packed.sources, encoded, _insertions(packed.gold))
        with bounded():
            matched = max_match(
                packed.sources,
                encoded,
                packed.gold,
                max_unchanged_words=self.max_unchanged_words,
                threads=threads,
                with_edits=with_edits,
            )
        _warn_of_short_form(self.name, hypotheses.name, matched.by_short_form)
        return (
            _real_changes(corpus, hypotheses, packed, matched)
            if self.ignore_case_whitespace
            else matched
        )

    def compare(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> list[ComparedSentence]:
        """The edits of the system in each sentence, against each annotator, from left to right."""
        if not len(corpus):
            return []
        check_references(self, corpus)
        matched = self._match(corpus, hypotheses, threads)
        offsets = _pack_gold(corpus, hypotheses, threads).gold.annotation_offsets
        chosen = Scored(self, Statistics(matched.counts, offsets)).references
        assert chosen is not None
        compared = []
        for sentence, gold in enumerate(gold_annotations(corpus)):
            words = hypotheses.sentences[sentence].split()
            comparisons = tuple(
                _comparison(annotation, words, matched.edits_of(row))
                for row, annotation in enumerate(gold, int(offsets[sentence]))
            )
            source, hypothesis = corpus.sources[sentence], hypotheses.sentences[sentence]
            compared.append(
                ComparedSentence(source, hypothesis, comparisons, int(chosen[sentence]))
            )
        return compared

    def edits(
        self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int
    ) -> list[list[list[MatchedEdit]]]:
        """The edits of the system alone, per sentence and annotator."""
        return [
            [list(comparison.edits) for comparison in sentence.comparisons]
            for sentence in self.compare(corpus, hypotheses, threads=threads)
        ]

    def policy(self, level: Level) -> Choice:
        """At corpus level, in corpus order, the annotator with the best score so far.

        At sentence level, the best annotator of each sentence.
        """
        if level == "sentence":
            return BestLocal(self._keys)
        if self.choice == "optimal":
            return Optimal(self.beta, lambda counts: tuple(counts.T))
        return GreedyCumulative(edit_keys, self.beta)

    def _keys(self, counts: Array) -> Sequence[Array]:
        return edit_keys(counts.T, self.beta)

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """F_β as one fraction; precision and recall, each 1 if it has nothing to count."""
        return edit_measures(totals, self.beta)

    def score(self, totals: Array, level: Level = "corpus") -> Array:
        """F_β as one fraction."""
        return np.asarray(edit_f(np.moveaxis(np.asarray(totals), -1, 0), self.beta))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The edits beside those of the chosen annotator."""
        from corrigenda.metrics.edit_explanations import explain_edits

        return explain_edits(self, corpus, hypotheses, result)

    def named_counts(self, counts: Array) -> NamedCounts:
        """Correct, proposed and gold edits."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, and where the gold edits come from."""
        return {**spec.parameters(self), "gold": gold_origin(corpus)}


def _warn_of_short_form(metric: str, system: str, number: int) -> None:
    if not number:
        return
    sentences = "1 sentence is" if number == 1 else f"{number} sentences are"
    warnings.warn(
        f"{metric}: {sentences} so long and so far from the source, in {system}, that M²'s exact "
        "rule takes too long; by its short form their numbers of edits may differ a little",
        stacklevel=2,
    )


def edit_measures(totals: Array, beta: float) -> Measures[Array]:
    """M²'s measures of correct, proposed and gold edits, or of their weights."""
    correct, proposed, gold = np.moveaxis(np.asarray(totals)[..., :3], -1, 0)
    return Measures(
        np.asarray(edit_f((correct, proposed, gold), beta)),
        ratio(correct, proposed, undefined=1.0),
        ratio(correct, gold, undefined=1.0),
    )


def _comparison(
    annotation: Annotation, hypothesis: list[str], rows: list[list[int]]
) -> AnnotatorComparison:
    edits = []
    for start, end, begin, finish, place in rows:
        kind = "UNK" if place < 0 else annotation.edits[place].type
        edit = Edit(start, end, (" ".join(hypothesis[begin:finish]),), kind)
        edits.append(MatchedEdit(edit, None if place < 0 else place))
    return AnnotatorComparison(annotation.annotator, annotation.edits, tuple(edits))


@dataclass(frozen=True)
class _PackedGold:
    """Sources and gold edits as numbers of words."""

    sources: Ragged
    gold: GoldBatch
    vocabulary: Vocabulary | None
    """The words of annotated edits. Without annotations, each sentence numbers its own words."""

    def encode(self, corpus: Corpus, hypotheses: Hypotheses, threads: int) -> Ragged:
        """The words of hypotheses in the same numbers."""
        if self.vocabulary is None:
            return numbered(corpus, hypotheses, threads=threads).hypotheses
        return self.vocabulary.encode(hypotheses.sentences)


def _insertions(gold: GoldBatch) -> Array:
    """The number of gold insertions of each sentence, of all annotators together."""
    before = np.concatenate(([0], np.cumsum(gold.spans[:, 0] == gold.spans[:, 1])))
    return np.diff(before[gold.edit_offsets[gold.annotation_offsets]])


def _pack_gold(corpus: Corpus, hypotheses: Hypotheses, threads: int) -> _PackedGold:
    def make() -> _PackedGold:
        if corpus.gold is not None:
            return _annotated_gold(corpus)
        return _extracted_gold(corpus, numbered(corpus, hypotheses, threads=threads), threads)

    return corpus.once("packed gold", make)


def _extracted_gold(corpus: Corpus, words: NumberedWords, threads: int) -> _PackedGold:
    """Every reference is an annotator, and every edit has one correction."""
    found = extracted_edits(corpus, threads=threads, words=words)
    gold = GoldBatch(
        annotation_offsets=words.references_of_sentence,
        edit_offsets=found.offsets,
        spans=np.ascontiguousarray(found.spans[:, :2]),
        correction_offsets=np.arange(len(found.spans) + 1, dtype=np.int64),
        corrections=found.corrections(words.references),
    )
    return _PackedGold(words.sources, gold, None)


def _annotated_gold(corpus: Corpus) -> _PackedGold:
    annotations = gold_annotations(corpus)
    flat: list[Annotation] = list(chain.from_iterable(annotations))
    edits = [edit for annotation in flat for edit in annotation.edits]
    vocabulary = Vocabulary()
    sources = vocabulary.add(corpus.sources)
    gold = GoldBatch(
        annotation_offsets=offsets_of([len(sentence) for sentence in annotations]),
        edit_offsets=offsets_of([len(annotation.edits) for annotation in flat]),
        spans=np.array([(edit.start, edit.end) for edit in edits], np.int32).reshape(-1, 2),
        correction_offsets=offsets_of([len(edit.corrections) for edit in edits]),
        corrections=vocabulary.add(
            [correction for edit in edits for correction in edit.corrections]
        ),
    )
    _check_spans(sources, gold)
    return _PackedGold(sources, gold, vocabulary)


def _check_spans(sources: Ragged, gold: GoldBatch) -> None:
    """Refuse wrong spans of a corpus made in Python. Readers of files check their own."""
    sentences = np.repeat(np.arange(len(sources)), np.diff(gold.annotation_offsets)).repeat(
        np.diff(gold.edit_offsets)
    )
    starts, ends = gold.spans.T
    wrong = np.flatnonzero((starts < 0) | (starts > ends) | (ends > sources.lengths[sentences]))
    if len(wrong):
        sentence = int(sentences[wrong[0]])
        raise FormatError(
            f"sentence {sentence + 1} has {sources.lengths[sentence]} words, but a gold edit has "
            f"the span {starts[wrong[0]]} {ends[wrong[0]]}",
            remedy="Spans count source words from 0, and the end is not included.",
        )


def _real_changes(
    corpus: Corpus, hypotheses: Hypotheses, packed: _PackedGold, matched: MaxMatched
) -> MaxMatched:
    """The matches without edits that change only case or blanks; the gold edits stay."""
    offsets = packed.gold.annotation_offsets
    sentences = (
        np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        .repeat(np.diff(matched.offsets))
        .tolist()
    )
    keep = np.ones(len(matched.edits), bool)
    for index, (sentence, (start, end, begin, finish, _)) in enumerate(
        zip(sentences, matched.edits.tolist(), strict=True)
    ):
        before = "".join(corpus.sources[sentence].split()[start:end])
        after = "".join(hypotheses.sentences[sentence].split()[begin:finish])
        keep[index] = before.lower() != after.lower()
    return matched.only(keep)
