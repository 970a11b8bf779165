"""The tools that make annotations: some packages and a spaCy model. None of them is loaded here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from corrigenda.annotation.spacy_model import SpacyModel

# A package has one name for Python and another for readers.
_SHOWN = {"spacy": "spaCy"}


@dataclass(frozen=True)
class Toolchain:
    """The versions of the tools, and the model."""

    versions: Mapping[str, str]
    """The version of each package and of any other rules, by name."""
    model: SpacyModel

    @cached_property
    def key(self) -> str:
        """A digest that changes with everything that can change an annotation."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(json.dumps([*self.versions.values(), self.model.label]).encode())
        digest.update(self.model.fingerprint())
        return digest.hexdigest()

    def signature_fields(self) -> dict[str, object]:
        """The versions that a score depends on."""
        return {**self.versions, "spacy_model": self.model.label}

    def __str__(self) -> str:
        versions = [
            f"{_SHOWN.get(name, name)} {version}" for name, version in self.versions.items()
        ]
        return ", ".join([*versions, self.model.label])
