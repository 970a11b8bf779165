"""Strategies for corpora on which every word matters: few words, short sentences, many repeats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import m2

WORDS = "abc"


def sentences(max_words: int = 8, min_words: int = 0) -> st.SearchStrategy[str]:
    """Words of one letter joined by single blanks."""
    words = st.lists(st.sampled_from(WORDS), min_size=min_words, max_size=max_words)
    return words.map(" ".join)


@dataclass(frozen=True)
class Case:
    """A corpus and one system's output for it."""

    corpus: Corpus
    hypotheses: Hypotheses

    def __iter__(self) -> Iterator[Any]:
        """`metric.statistics(*case, threads=1)`."""
        return iter((self.corpus, self.hypotheses))

    def part(self, begin: int, end: int) -> Case:
        """Some of the sentences, with nothing computed yet."""
        return case(
            self.corpus.sources[begin:end],
            self.corpus.references[begin:end],
            self.hypotheses.sentences[begin:end],
        )

    def fresh(self) -> Case:
        """An equal case that shares no work with this one."""
        return self.part(0, len(self.corpus))


def case(
    sources: tuple[str, ...], references: tuple[tuple[str, ...], ...], hypotheses: tuple[str, ...]
) -> Case:
    """A case with the gold edits of a minimal alignment, for the metrics that need them."""
    plain = Corpus(sources, references)
    gold = tuple(sentence.annotations for sentence in m2.from_corpus(plain))
    return Case(Corpus(sources, references, gold), Hypotheses("system", hypotheses))


def without_gold(corpus: Corpus) -> Corpus:
    """The same texts without annotated edits."""
    return Corpus(corpus.sources, corpus.references)


def without_references(corpus: Corpus) -> Corpus:
    """The same sources alone."""
    return Corpus(corpus.sources, ((),) * len(corpus))


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    min_sentences: int = 1,
    max_sentences: int = 6,
    max_references: int = 3,
    max_words: int = 8,
    min_words: int = 0,
) -> Case:
    """Cases with a number of references that may differ from sentence to sentence."""
    sentence = sentences(max_words, min_words)
    row = st.tuples(
        sentence, st.lists(sentence, min_size=1, max_size=max_references).map(tuple), sentence
    )
    rows = draw(st.lists(row, min_size=min_sentences, max_size=max_sentences))
    sources, references, hypotheses = zip(*rows, strict=True) if rows else ((), (), ())
    return case(sources, references, hypotheses)
