"""The tools that make annotations: errant, spaCy and a spaCy model.

They are found and named here without loading any of them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from corrigenda.errors import CorrigendaError, MissingExtraError

DEFAULT_MODEL = "en_core_web_sm"
MODEL_VARIABLE = "CORRIGENDA_SPACY_MODEL"


@dataclass(frozen=True)
class Toolchain:
    """The versions of the tools, and the folder with the model's data."""

    errant: str
    spacy: str
    spacy_model: str
    """Name and version, e.g. `en_core_web_sm-3.8.0`."""
    folder: Path

    @cached_property
    def key(self) -> str:
        """A digest that changes with everything that can change an annotation.

        It also changes when a model is trained again under the same name and version.
        """
        digest = hashlib.blake2b(digest_size=16)
        digest.update(json.dumps([self.errant, self.spacy, self.spacy_model]).encode())
        for file in sorted(path for path in self.folder.rglob("*") if path.is_file()):
            facts = file.stat()
            digest.update(
                f"{file.relative_to(self.folder)} {facts.st_size} {facts.st_mtime_ns}\n".encode()
            )
        for name in ("meta.json", "config.cfg"):
            digest.update((self.folder / name).read_bytes())
        return digest.hexdigest()

    def signature_fields(self) -> dict[str, object]:
        """The versions that a score depends on."""
        return {"errant": self.errant, "spacy": self.spacy, "spacy_model": self.spacy_model}


def find_toolchain(spacy_model: str = "") -> Toolchain:
    """The installed tools, with the spaCy model of this name or path.

    Without a name, the model is that of the environment variable, else the default.
    """
    return _found(spacy_model or os.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL)


@lru_cache(maxsize=8)
def _found(spacy_model: str) -> Toolchain:
    require_extra()
    from importlib.metadata import version

    folder = _folder(spacy_model)
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    label = f"{meta.get('lang', '')}_{meta.get('name', folder.name)}-{meta.get('version', '0')}"
    return Toolchain(version("errant"), version("spacy"), label, folder)


def require_extra() -> None:
    """Raise an error if a package of the extra is not installed."""
    missing = [name for name in ("errant", "spacy") if importlib.util.find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise MissingExtraError(
            f"ERRANT's edits need {' and '.join(missing)}, which {verb} not installed",
            remedy=f"pip install 'corrigenda[errant]' && python -m spacy download {DEFAULT_MODEL}",
        )


def _folder(spacy_model: str) -> Path:
    """The folder with the model's `config.cfg`. The model is a path or an installed package."""
    given = Path(spacy_model).expanduser()
    base = given if given.is_dir() else _package_folder(spacy_model)
    if base is not None:
        for folder in (base, *sorted(base.glob("*-*"))):
            if (folder / "config.cfg").is_file() and (folder / "meta.json").is_file():
                return folder
        if base is given:
            raise CorrigendaError(
                f"{spacy_model} is not a spaCy model: it has no config.cfg and meta.json",
                remedy="Give the folder to which spaCy saved the model.",
            )
    raise MissingExtraError(
        f"the spaCy model {spacy_model!r} is not installed", remedy=_how_to_install(spacy_model)
    )


def _package_folder(name: str) -> Path | None:
    if not name.isidentifier():
        return None
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found is not None and found.origin else None


def _how_to_install(spacy_model: str) -> str:
    name = spacy_model if spacy_model.isidentifier() else DEFAULT_MODEL
    return (
        f"Install it: python -m spacy download {name}\n"
        f"  Or choose another model: set {MODEL_VARIABLE} to its name or folder, "
        "or write errant:spacy_model=NAME."
    )
