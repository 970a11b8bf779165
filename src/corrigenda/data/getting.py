"""Downloads a data set from its official place into the data folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from corrigenda.data.download import fetch, mirrored
from corrigenda.data.importing import Imported, import_folder
from corrigenda.data.sets import DataSet
from corrigenda.errors import CorrigendaError


def get(
    entry: DataSet,
    home: Path,
    *,
    mirror: str | None = None,
    accept_changed: bool = False,
    insecure: bool = False,
) -> Imported:
    """Download, check and install a data set; downloads are kept until the set is complete."""
    folder = home / ".downloads" / entry.name
    for download in entry.downloads:
        target = folder / download.file_name
        if not target.exists():
            fetch(mirrored(download.url, mirror), target, insecure=insecure)
    results = import_folder(folder, home, only=[entry.name], accept_changed=accept_changed)
    imported = results[0] if results else Imported(entry, (), (), tuple(entry.files))
    if imported.missing or (imported.changed and not accept_changed):
        raise _incomplete(imported, folder)
    shutil.rmtree(folder)
    return imported


def _incomplete(imported: Imported, folder: Path) -> CorrigendaError:
    wrong = [*imported.changed, *imported.missing]
    kind = (
        "do not have the expected checksum"
        if imported.changed
        else "are not in the downloaded files"
    )
    return CorrigendaError(
        f"{imported.data_set.name}: {len(wrong)} files {kind}, e.g. {wrong[0]}",
        remedy=f"The download is in {folder}. If it is damaged, delete it and try again. If the "
        "authors changed the data, use --accept-changed; published numbers may then differ.",
    )
