"""Where data sets are on this computer."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from corrigenda.data.sets import DataSet, data_set
from corrigenda.errors import CorrigendaError, in_home

VARIABLE = "CORRIGENDA_DATA"


def data_home() -> Path:
    """The parent folder of all data sets: $CORRIGENDA_DATA, or the user's data folder."""
    if given := os.environ.get(VARIABLE):
        return in_home(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "corrigenda"


def missing_files(entry: DataSet, folder: Path) -> list[str]:
    """The files of a set that are not in a folder."""
    return [path for path in entry.paths if not (folder / path).is_file()]


def locate(name: str) -> Path:
    """The folder of a data set; a set that is missing or incomplete is an error."""
    entry = data_set(name)
    folder = data_home() / name
    missing = missing_files(entry, folder)
    if not missing:
        return folder
    problem = f"the data set {name!r} is not in {data_home()}"
    if len(missing) < len(entry.paths):
        problem = (
            f"the data set in {folder} lacks {len(missing)} of its {len(entry.paths)} files, "
            f"e.g. {missing[0]}"
        )
    raise CorrigendaError(
        problem,
        remedy=f"Run corrigenda data get {name} or corrigenda data import DIR, or set {VARIABLE} "
        f"to the folder that holds {name}/.",
    )
