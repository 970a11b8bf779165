"""Where a pretrained model is and which one it is, found without loading it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from corrigenda.errors import CorrigendaError, MissingExtraError
from corrigenda.neural import settings

MODULES = ("torch", "transformers", "safetensors")
_BYTES_AT_ONCE = 1 << 20
_SUFFIXES = (".json", ".txt", ".model", ".safetensors", ".bin")
_PLAIN_NAMES = ("model", "models", "checkpoint")
_LOCAL_REMEDY = (
    "Give the folder of a model: one with config.json, its tokenizer and model.safetensors."
)


@dataclass(frozen=True)
class ModelSource:
    """A model by its name, and the revision that tells it from others of that name.

    The revision of a folder is a digest of its files, so that a copy elsewhere is the same model;
    that of a model of the hub is its commit.
    """

    name: str
    revision: str
    location: str
    """A folder, or the name on the hub."""
    config_file: Path

    @property
    def is_folder(self) -> bool:
        """Whether it is on this machine, by path."""
        return Path(self.location).is_dir()

    def config(self) -> dict[str, Any]:
        """The model's configuration."""
        loaded: dict[str, Any] = json.loads(self.config_file.read_text(encoding="utf-8"))
        return loaded

    def signature_fields(self) -> dict[str, object]:
        """What somebody needs to get the same model, and the same numbers from it."""
        dtype = settings.current().dtype
        named: dict[str, object] = {"model": self.name, "revision": self.revision[:12]}
        return named if dtype == "float32" else {**named, "dtype": dtype}


def require_extra() -> None:
    """Complain where the packages of the extra are not installed."""
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"pretrained metrics need {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed",
            remedy="pip install 'corrigenda[neural]'",
        )


def find(model: str) -> ModelSource:
    """The model of a folder, or of a name on the hub."""
    require_extra()
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _of_folder(folder)
    if model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise CorrigendaError(f"there is no model in {model}: no such folder", remedy=_LOCAL_REMEDY)
    return _of_hub(model)


def _of_folder(folder: Path) -> ModelSource:
    if not (folder / "config.json").is_file():
        raise CorrigendaError(
            f"{folder} is not a model: it has no config.json", remedy=_LOCAL_REMEDY
        )
    facts = tuple(
        (path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in _files(folder)
    )
    return ModelSource(
        _folder_name(folder), _digest(folder, facts), str(folder), folder / "config.json"
    )


def _folder_name(folder: Path) -> str:
    """The folder's own name, with its parent's where it says nothing; without what separates a signature's fields."""
    resolved = folder.resolve()
    name = (
        f"{resolved.parent.name}/{resolved.name}"
        if resolved.name in _PLAIN_NAMES
        else resolved.name
    )
    return name.replace("|", "_").replace(":", "_")


def _files(folder: Path) -> list[Path]:
    """The files that a model is made of; one with safetensors is not loaded from anything else."""
    files = [
        path for path in sorted(folder.iterdir()) if path.suffix in _SUFFIXES and path.is_file()
    ]
    if any(path.suffix == ".safetensors" for path in files):
        files = [path for path in files if path.suffix != ".bin"]
    return files


@lru_cache(maxsize=16)
def _digest(folder: Path, facts: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name, size, _ in facts:
        digest.update(f"{name} {size}\n".encode())
        with (folder / name).open("rb") as file:
            while part := file.read(_BYTES_AT_ONCE):
                digest.update(part)
    return digest.hexdigest()


@lru_cache(maxsize=16)
def _of_hub(name: str) -> ModelSource:
    """The commit that is on this machine, else the newest on the hub."""
    hub = import_module("huggingface_hub")
    found = hub.try_to_load_from_cache(name, "config.json") if _is_hub_name(name) else None
    if not isinstance(found, str):
        try:
            _check_network(str(hub.constants.ENDPOINT))
            with _silent("huggingface_hub"):
                found = hub.hf_hub_download(name, "config.json")
        except Exception as error:
            raise cannot_load(name, error) from error
    return ModelSource(name, Path(found).parent.name, name, Path(found))


def _check_network(endpoint: str) -> None:
    """Fail at once where the hub has no address: its library would try for half a minute."""
    host = urlsplit(endpoint).hostname
    if host is None or getproxies() or _is_offline():
        return
    try:
        socket.getaddrinfo(host, None)
    except OSError:
        raise ConnectionError(f"{host} is not found; there seems to be no network") from None


@contextmanager
def _silent(name: str) -> Iterator[None]:
    """Without the warnings of a library: what goes wrong is said once, by us."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _is_offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0")


def _is_hub_name(name: str) -> bool:
    return bool(name) and all(part and not part.startswith("-") for part in name.split("/"))


def load(kind: str, source: ModelSource, **options: Any) -> Any:
    """`AutoModel`, `AutoTokenizer`, … of a model, with one clear message where it cannot be had."""
    transformers = import_module("transformers")
    revision = {} if source.is_folder else {"revision": source.revision}
    try:
        with _quiet(transformers.utils.logging):
            return getattr(transformers, kind).from_pretrained(
                source.location, **revision, **options
            )
    except Exception as error:
        raise (
            _broken(source.location, error) if source.is_folder else cannot_load(source.name, error)
        ) from error


@contextmanager
def _quiet(library: Any) -> Iterator[None]:
    """Without the bar of weights being read from disk, which takes a moment."""
    shown = library.is_progress_bar_enabled()
    library.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            library.enable_progress_bar()


def cannot_load(name: str, error: Exception) -> CorrigendaError:
    """Why a model is not to be had, in a line."""
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if _is_offline():
        reason = "HF_HUB_OFFLINE forbids to look for it elsewhere"
    return CorrigendaError(
        f"the model {name!r} is not on this machine and cannot be had: {reason}",
        remedy="Check the name and the network (models come from huggingface.co), or give a folder: model=PATH.",
    )


def _broken(folder: str, error: Exception) -> CorrigendaError:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return CorrigendaError(f"{folder} cannot be loaded: {reason}", remedy=_LOCAL_REMEDY)
