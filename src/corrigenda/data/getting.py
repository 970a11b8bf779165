"""`corrigenda data get`: from the official place to the data folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from corrigenda.data.download import Progress, fetch, mirrored
from corrigenda.data.importing import Imported, import_folder
from corrigenda.data.sets import DataSet, Download
from corrigenda.errors import CorrigendaError


def get(
    entry: DataSet,
    home: Path,
    *,
    mirror: str | None = None,
    accept_changed: bool = False,
    progress_for: Callable[[Download], Progress | None] = lambda _: None,
) -> Imported:
    """Download, check and install a data set. Downloads are kept until the set is complete."""
    folder = home / ".downloads" / entry.name
    for download in entry.downloads:
        target = folder / download.file_name
        if not target.exists():
            fetch(mirrored(download.url, mirror), target, progress=progress_for(download))
    results = import_folder(folder, home, only=[entry.name], accept_changed=accept_changed)
    imported = results[0] if results else Imported(entry, (), (), tuple(entry.files))
    if imported.missing or (imported.changed and not accept_changed):
        raise _incomplete(imported, folder)
    shutil.rmtree(folder)
    return imported


def _incomplete(imported: Imported, folder: Path) -> CorrigendaError:
    wrong = [*imported.changed, *imported.missing]
    kind = (
        "have another checksum than expected"
        if imported.changed
        else "are not in what was downloaded"
    )
    return CorrigendaError(
        f"{imported.data_set.name}: {len(wrong)} files {kind}, e.g. {wrong[0]}",
        remedy=f"The download is in {folder}. If the authors changed the data, take it with --accept-changed "
        "(published numbers may then differ); if it is damaged, delete it and try again.",
    )
