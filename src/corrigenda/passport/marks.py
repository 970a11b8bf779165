"""Marks of texts: they show which sentence differs, and do not give the sentence away.

A mark has two bytes. The mark of a source depends on all sources before it. The mark of any other
text depends on all sources. So nobody can test a guess of a sentence without most of the corpus.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from corrigenda.corpus import Corpus, Hypotheses

_MARK_BYTES = 2
_FULL_BYTES = 32
_SOURCE = "source"
_GOLD = "gold edits"
_ERRORS = "gold errors"

TextMarks = list[str | None]
"""One mark per sentence; None if the sentence does not have this text."""


@dataclass(frozen=True)
class MarkedTexts:
    """The marks of the corpus and of every system."""

    sentences: int
    corpus: Mapping[str, TextMarks]
    """By role: `source`, `reference 1`, `reference 2`, …, `gold edits`, `gold errors`."""
    systems: Mapping[str, TextMarks]


@dataclass
class TextMarker:
    """Takes a corpus block by block, and gives its marks at the end."""

    _chain: bytes = b""
    _key: hashlib.blake2b = field(
        default_factory=lambda: hashlib.blake2b(person=b"passport key", digest_size=_FULL_BYTES)
    )
    _sources: list[str | None] = field(default_factory=list)
    _corpus: dict[str, list[bytes | None]] = field(default_factory=dict)
    _systems: dict[str, list[bytes | None]] = field(default_factory=dict)

    def add(self, corpus: Corpus, systems: Sequence[Hypotheses]) -> None:
        """Add the next sentences."""
        before = len(self._sources)
        for source in corpus.sources:
            text = source.encode("utf-8", "surrogatepass")
            self._key.update(len(text).to_bytes(8, "little") + text)
            self._chain = _full(self._chain + text)
            self._sources.append(self._chain[:_MARK_BYTES].hex())
        for number in range(corpus.reference_range[1]):
            texts = [each[number] if number < len(each) else None for each in corpus.references]
            _extend(self._corpus, f"reference {number + 1}", texts, before)
        if corpus.gold is not None:
            _extend(self._corpus, _GOLD, map(_plain_gold, corpus.gold), before)
        if corpus.errors is not None:
            _extend(self._corpus, _ERRORS, (_plain(asdict(e)) for e in corpus.errors), before)
        for system in systems:
            _extend(self._systems, system.name, _outputs(system), before)

    def marks(self) -> MarkedTexts:
        """The marks of all sentences so far."""
        key = self._key.digest()
        return MarkedTexts(
            sentences=len(self._sources),
            corpus={_SOURCE: self._sources}
            | {role: self._marked(found, key) for role, found in self._corpus.items()},
            systems={name: self._marked(found, key) for name, found in self._systems.items()},
        )

    def _marked(self, digests: Sequence[bytes | None], key: bytes) -> TextMarks:
        missing = len(self._sources) - len(digests)
        return [*(digest and _mark(digest, key) for digest in digests), *[None] * missing]  # type: ignore[list-item]


def _extend(
    found: dict[str, list[bytes | None]], role: str, texts: Iterable[str | None], before: int
) -> None:
    """Digests of a text that may begin later, because earlier blocks do not have it."""
    digests = found.setdefault(role, [])
    digests += [None] * (before - len(digests))
    digests += [
        None if text is None else _full(text.encode("utf-8", "surrogatepass")) for text in texts
    ]


def _outputs(system: Hypotheses) -> Iterable[str]:
    if system.edits is None:
        return system.sentences
    edits = (_plain([asdict(edit) for edit in each]) for each in system.edits)
    return (f"{text}\n{own}" for text, own in zip(system.sentences, edits, strict=True))


def _plain_gold(annotations: Sequence[object]) -> str:
    return _plain([asdict(annotation) for annotation in annotations])  # type: ignore[call-overload]


def _plain(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _full(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_FULL_BYTES).digest()


def _mark(digest: bytes, key: bytes) -> str:
    return hashlib.blake2b(digest, key=key, digest_size=_MARK_BYTES).hexdigest()
