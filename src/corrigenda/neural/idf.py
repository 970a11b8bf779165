"""Inverse document frequencies of tokens over reference sentences."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corrigenda.neural.encoder import Encoder


@dataclass(frozen=True)
class InverseFrequencies:
    """The references in which tokens are counted. A repeated reference counts each time."""

    references: tuple[str, ...]

    @cached_property
    def key(self) -> str:
        """A digest of the references in any order."""
        digest = hashlib.blake2b(digest_size=16)
        for text in sorted(self.references):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()

    def weights(self, encoder: Encoder) -> Callable[[int], float]:
        """A token's weight: log((references + 1) / (references with it + 1))."""
        times = Counter(self.references)
        texts = list(times)
        found: Counter[int] = Counter()
        for text, ids in zip(texts, encoder.tokens(texts), strict=True):
            for token in set(ids):
                found[token] += times[text]
        number = len(self.references) + 1
        return lambda token: math.log(number / (found[token] + 1))
