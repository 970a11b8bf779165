"""spaCy's attribute ruler with a memory.

The ruler tries every rule on every token. That takes a fifth of the time of a parse. Most rules
look at a single token, and a few of its attributes decide whether they match. So these rules are
tried once for each combination of attributes. The few rules about several tokens are tried every
time. The matches and their order stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from corrigenda.annotation.spacy_types import AttributeRuler, Document, Pipeline

_KNOWN = {
    "ORTH",
    "LOWER",
    "NORM",
    "SHAPE",
    "TAG",
    "POS",
    "DEP",
    "LEMMA",
    "IS_SPACE",
    "IS_PUNCT",
    "LIKE_NUM",
}
"""Attributes that belong to the token alone and that spaCy gives as numbers."""


def remember_matches(pipeline: Pipeline) -> None:
    """Give the pipeline's ruler a memory, if there is a ruler and its rules allow it."""
    if "attribute_ruler" not in pipeline.pipe_names:
        return
    ruler = pipeline.get_pipe("attribute_ruler")
    single = [
        tokens[0] for rule in ruler.patterns for tokens in rule["patterns"] if len(tokens) == 1
    ]
    if any(not token.keys() <= _KNOWN for token in single):
        return
    ruler.match = _RememberedMatches(
        ruler, sorted({name for token in single for name in token})
    ).match


class _RememberedMatches:
    """Replaces the method `match` of a ruler."""

    def __init__(self, ruler: AttributeRuler, names: Iterable[str]) -> None:
        attributes = import_module("spacy.attrs").IDS
        make_matcher = import_module("spacy.matcher").Matcher
        # ORTH is added because spaCy gives a table only for two or more attributes.
        self._attributes = [attributes[name] for name in (*names, "ORTH")]
        self._strings = ruler.vocab.strings
        self._single, self._several = (make_matcher(ruler.vocab, validate=False) for _ in range(2))
        for number, rule in enumerate(ruler.patterns):
            for matcher, is_single in ((self._single, True), (self._several, False)):
                if patterns := [
                    tokens for tokens in rule["patterns"] if (len(tokens) == 1) == is_single
                ]:
                    matcher.add(str(number), patterns)
        self._known: dict[tuple[int, ...], list[tuple[int, int]]] = {}

    def match(self, document: Document) -> list[tuple[int, int, int, int]]:
        """The number and id of each matching rule, and its tokens. Later rules come last."""
        matches = self._numbered(self._several(document, allow_missing=True))
        for place, row in enumerate(document.to_array(self._attributes).tolist()):
            key = tuple(row[:-1])
            rules = self._known.get(key)
            if rules is None:
                found = self._single(document[place : place + 1], allow_missing=True)
                rules = self._known[key] = [match[:2] for match in self._numbered(found)]
            matches += [(number, rule, place, place + 1) for number, rule in rules]
        matches.sort()
        return matches

    def _numbered(self, found: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int, int]]:
        return [(int(self._strings[rule]), rule, start, end) for rule, start, end in found]
