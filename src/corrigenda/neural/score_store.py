"""Scores of pairs on disk; see `core.byte_store` for how they are kept safe.

A pair's scores take a few bytes where its vectors would take tens of thousands.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

from corrigenda.cache import byte_store
from corrigenda.cache import folder as cache_folder
from corrigenda.neural.types import Pair, Scores

FILE_NAME = "pair-scores-2.sqlite"


class ScoreStore:
    """The scores that one scorer gave."""

    def __init__(self, key: str, label: str, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._prefix = hashlib.blake2b(key.encode(), digest_size=32).digest()
        self._label = label

    def read(self, pairs: Iterable[Pair]) -> dict[Pair, Scores]:
        """Those scores that are there."""
        by_key = {self._key(pair): pair for pair in pairs}
        found = byte_store.read(self.path, list(by_key))
        return {
            by_key[key]: struct.unpack(f"<{len(value) // 8}d", value)
            for key, value in found.items()
        }

    def write(self, scores: Mapping[Pair, Scores]) -> None:
        """Add scores, all or none of them; the longest unused ones make room."""
        values = {
            self._key(pair): struct.pack(f"<{len(each)}d", *each) for pair, each in scores.items()
        }
        byte_store.write(self.path, self._label, values)

    def _key(self, pair: Pair) -> bytes:
        return hashlib.blake2b(json.dumps(pair).encode(), digest_size=16, key=self._prefix).digest()


def default_path() -> Path:
    """The file in the folder of caches."""
    return cache_folder.folder() / FILE_NAME


def summary(path: Path | None = None) -> byte_store.Summary:
    """How large the store is, and what is in it."""
    return byte_store.summary(path or default_path())


def clear(path: Path | None = None) -> None:
    """Remove the store."""
    byte_store.remove(path or default_path())
