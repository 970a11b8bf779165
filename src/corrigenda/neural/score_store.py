"""Scores of pairs on disk. `cache.byte_store` says how the file is kept safe.

Scores are stored, not vectors: a pair's scores take a few bytes, its vectors tens of thousands.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

from corrigenda.cache import byte_store
from corrigenda.neural.types import Pair, Scores

FILE = byte_store.StoreFile("pair-scores-2.sqlite")


class ScoreStore:
    """The scores that one scorer gave."""

    def __init__(self, key: str, label: str, path: Path | None = None) -> None:
        self.path = path or FILE.path()
        self._prefix = hashlib.blake2b(key.encode(), digest_size=32).digest()
        self._label = label

    def read(self, pairs: Iterable[Pair]) -> dict[Pair, Scores]:
        """The scores of those pairs that are in the store; what is no list of numbers is not."""
        by_key = {self._key(pair): pair for pair in pairs}
        found = byte_store.read(self.path, list(by_key))
        return {
            by_key[key]: struct.unpack(f"<{len(value) // 8}d", value)
            for key, value in found.items()
            if value and len(value) % 8 == 0
        }

    def write(self, scores: Mapping[Pair, Scores]) -> None:
        """Add all scores or none. A full store first drops entries unused for the longest."""
        values = {
            self._key(pair): struct.pack(f"<{len(each)}d", *each) for pair, each in scores.items()
        }
        byte_store.write(self.path, self._label, values)

    def _key(self, pair: Pair) -> bytes:
        return hashlib.blake2b(json.dumps(pair).encode(), digest_size=16, key=self._prefix).digest()
