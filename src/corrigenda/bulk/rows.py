"""The rows of a partition, block by block. Rows that cannot be scored are rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.kernels.limits import SentenceSizeError
from corrigenda.kernels.lines import Lines
from corrigenda.text.sentences import problem_of
from corrigenda.tokens import Retokeniser

if TYPE_CHECKING:
    import pyarrow as pa

SYSTEM = "hypothesis"
REFERENCES_AT_ONCE = 200_000
"""A block has few more references, because each takes memory in every metric."""
_Item = TypeVar("_Item")
MaybeText = str | None
Reasons = dict[int, str]
"""The place of a rejected row in its block, and what is wrong with it."""
Keys: TypeAlias = "Sequence[str | None] | pa.Array"


@dataclass
class RowBlock:
    """Consecutive rows, column by column. The texts of rejected rows are never used."""

    first_row: int
    sources: Sequence[MaybeText]
    hypotheses: Sequence[MaybeText]
    references: Sequence[tuple[str, ...]]
    keys: Keys | None = None
    rejected: Reasons = field(default_factory=dict)
    is_checked: bool = False
    """Whether all texts are there and were found to be valid sentences when they were read."""
    words: tuple[Corpus, Hypotheses] | None = None
    """All rows with words, if raw text was tokenised."""

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def usable(self) -> list[int]:
        """The places of the rows that are not rejected."""
        if not self.rejected:
            return list(range(len(self)))
        return [place for place in range(len(self)) if place not in self.rejected]

    def as_corpus(self, places: Sequence[int]) -> tuple[Corpus, Hypotheses]:
        """Some rows as a corpus."""
        if self.words is not None:
            corpus, hypotheses = self.words
            return corpus.at(places), hypotheses.at(places)
        if self.is_checked and len(places) == len(self):
            # Texts of Arrow go to the kernels as they are.
            sources, outputs = cast("tuple[Lines, Lines]", (self.sources, self.hypotheses))
            return Corpus(sources, self.references), Hypotheses(SYSTEM, outputs)
        corpus = Corpus(
            tuple(self.sources[place] or "" for place in places),
            tuple(self.references[place] for place in places),
        )
        return corpus, Hypotheses(SYSTEM, tuple(self.hypotheses[place] or "" for place in places))

    def tokenise(self, retokeniser: Retokeniser) -> None:
        """Make words of the rows. Rejected rows keep their places, without words."""
        try:
            self._tokenise(retokeniser)
        except SentenceSizeError:
            for place in self.usable:
                corpus, hypotheses = self.as_corpus([place])
                try:
                    replace(retokeniser, removed=Counter())(corpus, [hypotheses])
                except SentenceSizeError as error:
                    self.rejected[place] = error.reason
            self._tokenise(retokeniser)

    def _tokenise(self, retokeniser: Retokeniser) -> None:
        places = range(len(self))
        corpus, hypotheses = self.as_corpus(places)
        if self.rejected:
            kept = [place not in self.rejected for place in places]
            corpus = Corpus(_where(kept, corpus.sources, ""), _where(kept, corpus.references, ()))
            hypotheses = Hypotheses(SYSTEM, _where(kept, hypotheses.sentences, ""))
        words, (made,) = retokeniser(corpus, [hypotheses])
        self.words = words, made

    def check(self, reference_metric: str | None) -> None:
        """Reject rows that lack something, and rows with texts that are not valid sentences.

        `reference_metric` names a metric that needs references; None if no metric needs them.
        """
        if self.is_checked and (reference_metric is None or self.has_references):
            return
        self._check_missing(reference_metric)
        usable = self.usable
        # One check of all texts together is much quicker than one check per text.
        if problem_of("".join(self._texts(usable))) is None:
            return
        for place in usable:
            for sentence in self._texts([place]):
                if (problem := problem_of(sentence)) is not None:
                    self.rejected.setdefault(place, problem)

    @property
    def has_references(self) -> bool:
        """Whether each row surely has a reference."""
        return isinstance(self.references, ReferenceTexts) and bool(self.references.texts)

    def _check_missing(self, reference_metric: str | None) -> None:
        no_reference = f"there is no reference, but {reference_metric} needs one"
        for place, (source, hypothesis, references) in enumerate(
            zip(self.sources, self.hypotheses, self.references, strict=True)
        ):
            if source is None:
                self.rejected.setdefault(place, "there is no source")
            elif hypothesis is None:
                self.rejected.setdefault(place, "there is no hypothesis")
            elif not references and reference_metric is not None:
                self.rejected.setdefault(place, no_reference)

    def _texts(self, places: Iterable[int]) -> Iterator[str]:
        for place in places:
            source, hypothesis = self.sources[place], self.hypotheses[place]
            assert source is not None
            assert hypothesis is not None
            yield source
            yield hypothesis
            yield from self.references[place]


def _where(kept: Sequence[bool], items: Sequence[_Item], other: _Item) -> tuple[_Item, ...]:
    return tuple(item if keep else other for keep, item in zip(kept, items, strict=True))


def decoded(raw: bytes) -> tuple[MaybeText, str | None]:
    """The text of some bytes, or what is wrong with them."""
    try:
        return raw.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return None, f"byte {error.start + 1} is not UTF-8"
