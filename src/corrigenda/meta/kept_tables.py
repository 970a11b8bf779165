"""Reproduced tables on disk, so that a second run takes seconds.

A table is used again if nothing changed that could change it: the program, the versions of the
libraries, the files of the data sets, the models that are installed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda import writing
from corrigenda.cache.folder import folder, is_enabled
from corrigenda.data.locate import data_home
from corrigenda.meta.laboratory import Laboratory, Reproduction

if TYPE_CHECKING:
    from corrigenda.meta.laboratory import ReproductionData

_LIBRARIES = ("numpy", "scipy", "errant", "spacy", "torch", "transformers")
_VARIABLES = ("CORRIGENDA_SPACY_MODEL", "HF_HUB_OFFLINE", "HF_HOME")


class KeptTables:
    """The tables that were made under the same conditions."""

    def __init__(self, laboratory: Laboratory) -> None:
        self._laboratory = laboratory
        self._folder = folder() / "reproduced" / _conditions(laboratory)

    def get(self, name: str) -> Reproduction | None:
        """A table, if there is one."""
        path = self._folder / f"{name}.json"
        if not is_enabled() or not path.is_file():
            return None
        try:
            data: ReproductionData = json.loads(path.read_text(encoding="utf-8"))
            return Reproduction.from_dict(data)
        except (OSError, ValueError, KeyError, TypeError):
            return None  # a damaged file is made again

    def put(self, table: Reproduction) -> None:
        """Keep a table; not if data were missing, because they may come at any time."""
        if not is_enabled() or self._laboratory.missing_data:
            return
        text = json.dumps(table.to_dict(), ensure_ascii=False)
        self._folder.mkdir(parents=True, exist_ok=True)
        with writing.text_file(self._folder / f"{table.name}.json") as file:
            file.write(text)


def _conditions(laboratory: Laboratory) -> str:
    digest = hashlib.sha256()
    for line in (
        repr(laboratory.stand_in),
        *(f"{name} {os.environ.get(name)}" for name in _VARIABLES),
        *(f"{name} {_version(name)}" for name in _LIBRARIES),
        *_files(Path(__file__).parents[1]),
        *_files(data_home()),
        *_models(),
    ):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()[:32]


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "-"


def _files(folder: Path) -> Iterator[str]:
    """Every file with its size and its time of change."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found = path.stat()
            yield f"{path} {found.st_size} {found.st_mtime_ns}"


def _models() -> Iterator[str]:
    """The names of the models that were downloaded."""
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    if (home / "hub").is_dir():
        yield from sorted(path.name for path in (home / "hub").iterdir())
