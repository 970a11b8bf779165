"""Annotations on disk. `cache.byte_store` says how the file is kept safe."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from corrigenda.annotation.request import Request, edits_from_plain, edits_to_plain
from corrigenda.annotation.toolchain import Toolchain
from corrigenda.cache import byte_store
from corrigenda.edits import Edit

FILE = byte_store.StoreFile("errant-annotations-2.sqlite")


class AnnotationStore:
    """The annotations that one toolchain made."""

    def __init__(self, toolchain: Toolchain, path: Path | None = None) -> None:
        self.path = path or FILE.path()
        self._prefix = toolchain.key.encode()
        self._origin = str(toolchain)

    def read(self, requests: Iterable[Request]) -> dict[Request, tuple[Edit, ...]]:
        """The annotations of those requests that are in the store; what is not of edits is not."""
        by_key = {self._key(request): request for request in requests}
        found = byte_store.read(self.path, list(by_key))
        read = ((by_key[key], _edits(value)) for key, value in found.items())
        return {request: edits for request, edits in read if edits is not None}

    def write(self, annotations: Mapping[Request, Sequence[Edit]]) -> None:
        """Add all annotations or none. A full store first drops entries unused for the longest."""
        values = {
            self._key(request): json.dumps(
                edits_to_plain(edits), ensure_ascii=True, separators=(",", ":")
            ).encode()
            for request, edits in annotations.items()
        }
        byte_store.write(self.path, self._origin, values)

    def _key(self, request: Request) -> bytes:
        text = json.dumps(request).encode()
        return hashlib.blake2b(text, digest_size=16, key=self._prefix).digest()


def _edits(value: bytes) -> tuple[Edit, ...] | None:
    """The edits of an entry; None if somebody else wrote something else."""
    try:
        plain = json.loads(value)
        fits = all([type(part) for part in row] == [int, int, str, str] for row in plain)
        return edits_from_plain(plain) if fits else None
    except (ValueError, TypeError, RecursionError):
        return None
