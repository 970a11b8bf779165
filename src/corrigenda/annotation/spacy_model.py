"""A spaCy model, found by its name or folder without loading it."""

from __future__ import annotations

import importlib.util
import json
import os
from dataclasses import dataclass
from pathlib import Path

from corrigenda.errors import CorrigendaError, MissingExtraError, in_home

DEFAULT_MODEL = "en_core_web_sm"
MODEL_VARIABLE = "CORRIGENDA_SPACY_MODEL"


@dataclass(frozen=True)
class SpacyModel:
    """What a model says about itself, and the folder with its data."""

    label: str
    """Language, name and version, e.g. `en_core_web_sm-3.8.0`."""
    language: str
    """The code of its language, e.g. `en`."""
    folder: Path

    def fingerprint(self) -> bytes:
        """Bytes that change when a model is trained again under the same name and version."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        facts = [(file.relative_to(self.folder), file.stat()) for file in files]
        listed = "".join(f"{name} {stat.st_size} {stat.st_mtime_ns}\n" for name, stat in facts)
        described = [(self.folder / name).read_bytes() for name in ("meta.json", "config.cfg")]
        return b"".join([listed.encode(), *described])


def chosen_model(name: str = "") -> str:
    """The given name or folder, else the one in the environment variable, else the default."""
    return name or os.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL


def find_spacy_model(name: str) -> SpacyModel:
    """The installed model of this name, or the model in this folder."""
    folder = _folder(name)
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    language = meta.get("lang", "")
    label = f"{language}_{meta.get('name', folder.name)}-{meta.get('version', '0')}"
    return SpacyModel(label, language, folder)


def require_packages(what: str, names: tuple[str, ...]) -> None:
    """Raise an error if a package is not installed; `what` names the thing that needs them."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise MissingExtraError(
            f"{what} need {' and '.join(missing)}, which {verb} not installed",
            remedy=f"pip install 'corrigenda[errant]' && python -m spacy download {DEFAULT_MODEL}",
        )


def _folder(name: str) -> Path:
    """The folder with the model's `config.cfg`. The model is a path or an installed package."""
    given = in_home(name)
    base = given if given.is_dir() else _package_folder(name)
    if base is not None:
        for folder in (base, *sorted(base.glob("*-*"))):
            if (folder / "config.cfg").is_file() and (folder / "meta.json").is_file():
                return folder
        if base is given:
            raise CorrigendaError(
                f"{name} is not a spaCy model: it has no config.cfg and meta.json",
                remedy="Give the folder to which spaCy saved the model.",
            )
    # If spaCy is missing, say so first: the advice below downloads a model with spaCy.
    require_packages("edits with types", ("spacy",))
    raise MissingExtraError(f"the spaCy model {name!r} is not installed", remedy=_how_to_get(name))


def _package_folder(name: str) -> Path | None:
    if not name.isidentifier():
        return None
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found is not None and found.origin else None


def _how_to_get(name: str) -> str:
    package = name if name.isidentifier() else DEFAULT_MODEL
    return (
        f"Install it: python -m spacy download {package}\n"
        f"  Or choose another model: set {MODEL_VARIABLE} to its name or folder, "
        "or write errant:spacy_model=NAME."
    )
