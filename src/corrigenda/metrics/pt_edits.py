"""The edits that get weights in PT-M² and PT-ERRANT: correct, wrong and missed ones."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from corrigenda.annotation.edit_source import EditSource
from corrigenda.core.metric import Verdict
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit, apply_edits
from corrigenda.edits.comparison import AnnotatorComparison, MatchedEdit
from corrigenda.edits.matching import EditTable
from corrigenda.metrics.m2 import M2
from corrigenda.neural.types import Pair, pair

Alternatives = Literal["first", "matched"]
"""Which accepted correction gives a gold edit its weight."""


class JudgedEdit(NamedTuple):
    """An edit of the system or of the gold, and how often it counts.

    `gold_correction` is the correction that gives the gold edit its weight, if it is another one
    than the system made.
    """

    start: int
    end: int
    correction: str
    verdict: Verdict
    times: int = 1
    gold_correction: str | None = None

    @property
    def of_gold(self) -> JudgedEdit:
        """The edit that gives the gold edit its weight."""
        if self.gold_correction is None:
            return self
        return self._replace(correction=self.gold_correction, gold_correction=None)


@dataclass(frozen=True)
class JudgedSentence:
    """The edits of one sentence against one reference."""

    source: str
    reference: str
    edits: tuple[JudgedEdit, ...]

    def pairs(self) -> Iterator[Pair]:
        """What a model must score: the source, then the source with each edit alone."""
        if self.edits:
            yield self.before()
            for edit in self.edits:
                yield self.after(edit)
                if edit.gold_correction is not None:
                    yield self.after(edit.of_gold)

    def before(self) -> Pair:
        """The source as it is."""
        return pair(self.source, self.reference)

    def after(self, edit: JudgedEdit) -> Pair:
        """The source with this edit alone."""
        applied = apply_edits(self.source.split(), [Edit(edit.start, edit.end, (edit.correction,))])
        return pair(" ".join(applied), self.reference)


Judged = list[tuple[JudgedSentence, ...]]
"""One tuple per sentence, with one element per reference."""


def judged_by_m2(
    metric: M2,
    corpus: Corpus,
    hypotheses: Hypotheses,
    alternatives: Alternatives,
    *,
    threads: int,
) -> Judged:
    """The edits on the best paths of M²."""
    compared = metric.compare(corpus, hypotheses, threads=threads)
    return [
        tuple(
            JudgedSentence(source, reference, _of_comparison(comparison, alternatives))
            for reference, comparison in zip(references, sentence.comparisons, strict=True)
        )
        for source, references, sentence in zip(
            corpus.sources, corpus.references, compared, strict=True
        )
    ]


def _of_comparison(
    comparison: AnnotatorComparison, alternatives: Alternatives
) -> tuple[JudgedEdit, ...]:
    made = [_made(each, comparison.gold, alternatives) for each in comparison.edits]
    missed = [comparison.gold[place] for place in comparison.missed]
    return _in_order(
        [*made, *(JudgedEdit(edit.start, edit.end, edit.correction, "missed") for edit in missed)]
    )


def _made(matched: MatchedEdit, gold: Sequence[Edit], alternatives: Alternatives) -> JudgedEdit:
    edit = matched.edit
    if matched.gold is None:
        return JudgedEdit(edit.start, edit.end, edit.correction, "wrong")
    first = gold[matched.gold].correction
    of_gold = first if alternatives == "first" and first != edit.correction else None
    return JudgedEdit(edit.start, edit.end, edit.correction, "correct", gold_correction=of_gold)


def judged_by_errant(
    source: EditSource, corpus: Corpus, hypotheses: Hypotheses, *, keep_unknown: bool, threads: int
) -> Judged:
    """ERRANT's edits, compared by span and correction as ERRANT does it."""
    gold = source.gold_edits(corpus, threads=threads)
    system = source.system_edits(corpus, hypotheses, threads=threads)
    judged = []
    for text, references, edits, golds in zip(
        corpus.sources, corpus.references, system, gold, strict=True
    ):
        made = EditTable(edits, "correction", keep_unknown=keep_unknown)
        judged.append(
            tuple(
                JudgedSentence(
                    text,
                    reference,
                    _of_tables(made, EditTable(each, "correction", keep_unknown=keep_unknown)),
                )
                for reference, each in zip(references, golds, strict=True)
            )
        )
    return judged


def _of_tables(system: EditTable, gold: EditTable) -> tuple[JudgedEdit, ...]:
    found: list[JudgedEdit] = []
    met: set[int] = set()
    for key, place in system.places.items():
        gold_place = gold.places.get(key)
        if gold_place is None:
            found.append(_of_key(key, "wrong", len(system.entries[place])))
        else:
            met.add(gold_place)
            found.append(_of_key(key, "correct", len(gold.entries[gold_place])))
    # The first key of an entry is the edit's first correction.
    first_keys = {place: key for key, place in reversed(gold.places.items())}
    found += [
        _of_key(first_keys[place], "missed", len(kinds))
        for place, kinds in enumerate(gold.entries)
        if place not in met
    ]
    return _in_order(found)


def _of_key(key: Hashable, verdict: Verdict, times: int) -> JudgedEdit:
    start, end, correction = cast("tuple[int, int, str]", key)
    return JudgedEdit(start, end, correction, verdict, times)


def _in_order(edits: Sequence[JudgedEdit]) -> tuple[JudgedEdit, ...]:
    return tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))
