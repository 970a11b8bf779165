"""Words for raw text: a corpus and its systems, tokenised alike.

`auto` is anchored at the source. Where a text agrees with its source except for blanks, it has the
words of the source; only what differs is tokenised. So an untouched sentence has no edits, whatever
the tokeniser does. A source that is raw text itself is tokenised first.

Blanks have two meanings. If one text is tokenised and the other is raw, they come from the
tokeniser, and differences in blanks mean nothing. If both are raw, blanks are a part of what people
wrote: "every day" is not "everyday", and "well - known" is not "well-known".
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict, TypeVar

from corrigenda import arguments
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import UsageError
from corrigenda.health.source_watch import is_raw
from corrigenda.kernels.common_parts import places_in_source
from corrigenda.kernels.limits import SentenceSizeError
from corrigenda.text.tokenisers import (
    TOKENISERS,
    Tokeniser,
    international_at_edges,
    tokeniser,
)

AUTO = "auto"
RAW_TOKENISER = "intl"
"""What `auto` takes for a raw source, at the edges of words: inside, blanks alone cut words."""
CHOICES = ("none", AUTO, *TOKENISERS, "spacy:MODEL")

DECIDING_SENTENCES = 8192
"""`auto` decides by the first sentences which texts are raw, so that blocks make no difference."""

WordList = list[str]
_Made = TypeVar("_Made")


class PlainTokenisation(TypedDict):
    """How raw text was tokenised, ready for JSON.

    `removed`: for each system the differences in blanks alone, which are no edits any more.
    """

    by: str
    removed: dict[str, int]


@dataclass
class Retokeniser:
    """Tokenises block after block. What the first block shows about the texts holds for all."""

    choice: str
    name: str | None = None
    """How words were made, as signatures say it: `auto`, `auto(intl)`, `intl`, …"""
    removed: Counter[str] = field(default_factory=Counter)
    """For each system: the differences in blanks alone, which would have counted as edits."""
    raw: dict[str | None, bool] = field(default_factory=dict)
    """Whether the texts of each system, and the references (None), are raw like their source."""

    def __post_init__(self) -> None:
        arguments.text("tokenise", self.choice)
        if self.choice == AUTO:
            return
        if self.choice.partition(":")[0] not in TOKENISERS:
            raise UsageError(
                f"there is no tokeniser {self.choice!r}", remedy=f"It takes {', '.join(CHOICES)}."
            )
        tokeniser(self.choice)

    def __call__(
        self, corpus: Corpus, systems: Sequence[Hypotheses]
    ) -> tuple[Corpus, list[Hypotheses]]:
        """The corpus and the systems with words; their texts as given are kept beside them."""
        self.decide(corpus, systems)
        if self.choice == AUTO:
            return self._anchored(corpus, systems)
        if corpus.gold is not None or corpus.errors is not None:
            raise UsageError(
                f"--tokenise {self.choice} does not go with gold edits, which name words by number",
                remedy="Use --tokenise auto, which keeps the words of the gold's source.",
            )
        tokenise = tokeniser(self.choice)

        def words(text: str) -> str:
            return " ".join(tokenise(text))

        made = replace(
            corpus,
            sources=tuple(map(words, corpus.sources)),
            references=tuple(tuple(map(words, each)) for each in corpus.references),
            tokens=self.name,
            given=corpus,
            _workspace={},
        )
        outputs = [
            replace(each, sentences=tuple(map(words, each.sentences)), edits=None, given=each)
            for each in systems
        ]
        self._count(made, outputs)
        return made, outputs

    def _count(self, corpus: Corpus, systems: Sequence[Hypotheses]) -> None:
        """Count the differences in blanks alone that are gone."""
        assert corpus.given is not None
        for system in systems:
            if system.given is None:
                continue
            texts = (corpus.given.sources, system.given.sentences)
            words = (corpus.sources, system.sentences)
            self.removed[system.name] += sum(_each(_removed, *texts, *words))

    def decide(self, corpus: Corpus, systems: Sequence[Hypotheses]) -> None:
        """Look which texts are raw, unless that is known."""
        if self.choice != AUTO:
            self.name = self.choice
            return
        first = slice(DECIDING_SENTENCES)
        has_gold = corpus.gold is not None or corpus.errors is not None
        if self.name is None:
            raw = not has_gold and is_raw(corpus.sources[first])
            self.name = f"{AUTO}({RAW_TOKENISER})" if raw else AUTO
        if not has_gold and None not in self.raw:
            texts = [text for own in corpus.references[first] for text in own]
            self.raw[None] = self.name != AUTO and is_raw(texts)
        for system in systems:
            if system.name not in self.raw:
                self.raw[system.name] = self.name != AUTO and is_raw(system.sentences[first])

    def to_dict(self) -> PlainTokenisation:
        """Ready for JSON."""
        return {"by": self.name or self.choice, "removed": dict(self.removed)}

    def _anchored(
        self, corpus: Corpus, systems: Sequence[Hypotheses]
    ) -> tuple[Corpus, list[Hypotheses]]:
        has_gold = corpus.gold is not None or corpus.errors is not None
        tokenise = tokeniser(RAW_TOKENISER) if self.name == AUTO else international_at_edges
        of_source: Tokeniser = str.split if self.name == AUTO else tokenise
        sources = [of_source(source) for source in corpus.sources]
        references = corpus.references
        if not has_gold:
            words_of = self._beside(None, tokenise)

            def joined(source: WordList, texts: Sequence[str]) -> tuple[str, ...]:
                return tuple(" ".join(words_of(source, text)) for text in texts)

            references = tuple(_each(joined, sources, corpus.references))
        made = replace(
            corpus,
            sources=tuple(map(" ".join, sources)),
            references=references,
            tokens=self.name,
            given=corpus,
            _workspace={},
        )
        outputs = [self._of_system(sources, each, tokenise) for each in systems]
        self._count(made, outputs)
        return made, outputs

    def _of_system(
        self, sources: Sequence[WordList], system: Hypotheses, tokenise: Tokeniser
    ) -> Hypotheses:
        if system.edits is not None:
            return system
        words_of = self._beside(system.name, tokenise)
        sentences = tuple(map(" ".join, _each(words_of, sources, system.sentences)))
        return replace(system, sentences=sentences, given=system)

    def _beside(self, name: str | None, tokenise: Tokeniser) -> Callable[[WordList, str], WordList]:
        """How words are made of the texts of a system, or of the references (None).

        A raw text beside a raw source is cut as the source was: piece by piece between blanks. So
        equal pieces have equal words.
        """
        if self.raw[name]:
            return lambda source, text: tokenise(text)
        return lambda source, text: anchored(source, text, tokenise)


def _each(make: Callable[..., _Made], *columns: Sequence[object]) -> Iterator[_Made]:
    """What is made of each sentence. An error about a sentence gets its number."""
    for number, row in enumerate(zip(*columns, strict=True)):
        try:
            yield make(*row)
        except SentenceSizeError as error:
            raise error.of(number) from error


def anchored(source: WordList, text: str, tokenise: Tokeniser) -> WordList:
    """The words of a text beside its source.

    Two characters that stand side by side in both texts are cut apart if the source cuts them
    apart. Elsewhere the tokeniser decides.
    """
    ink, of_source = "".join(text.split()), "".join(source)
    if ink == of_source:
        return list(source)
    cuts, own_cuts = _cuts(source), _cuts(tokenise(text))
    places = places_in_source(of_source, ink)
    kept = [
        place
        for place in range(1, len(ink))
        if (places[place] in cuts if _are_neighbours(places, place) else place in own_cuts)
    ]
    bounds = [0, *kept, len(ink)]
    return [ink[begin:end] for begin, end in itertools.pairwise(bounds) if begin < end]


def _removed(source: str, text: str, source_words: str, words: str) -> int:
    """How many differences in blanks alone the texts have, and their words have not."""
    if source == text:
        return 0
    (given, of_source), (given_text, of_text) = (
        (_cuts(one.split()), _cuts(other.split()))
        for one, other in ((source, source_words), (text, words))
    )
    if given == of_source and given_text == of_text:
        return 0
    ink = "".join(text.split())
    places = places_in_source("".join(source.split()), ink)
    gone = 0
    for place in range(1, len(ink)):
        if _are_neighbours(places, place):
            differed = (places[place] in given) != (place in given_text)
            differs = (places[place] in of_source) != (place in of_text)
            gone += differed - differs
    return gone


def _are_neighbours(places: Sequence[int], place: int) -> bool:
    """Whether this character and the one before it stand side by side in the source, too."""
    return 0 <= places[place - 1] == places[place] - 1


def _cuts(words: Sequence[str]) -> set[int]:
    """The places between words, in the text without blanks."""
    found: set[int] = set()
    at = 0
    for word in words[:-1]:
        at += len(word)
        found.add(at)
    return found
