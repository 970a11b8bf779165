"""Finds a pretrained model and names its exact revision, without loading it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit
from urllib.request import getproxies

from corrigenda import progress
from corrigenda.errors import CorrigendaError, MissingExtraError, in_home
from corrigenda.neural import settings
from corrigenda.neural.types import PretrainedModel

MODULES = ("torch", "transformers", "safetensors")
_BYTES_AT_ONCE = 1 << 20
_SUFFIXES = (".json", ".txt", ".model", ".safetensors", ".bin")
_PLAIN_NAMES = ("model", "models", "checkpoint")
_LOCAL_REMEDY = "Give the folder of a model, with config.json, the tokenizer and model.safetensors."


@dataclass(frozen=True)
class ModelSource:
    """A model's name and its exact revision.

    The revision of a folder is a digest of its files, so a copy in another place is the same model.
    The revision of a model on the hub is its commit.
    """

    name: str
    revision: str
    location: str
    """A folder, or the name on the hub."""
    config_file: Path

    @property
    def is_folder(self) -> bool:
        """Whether the model was given as a folder."""
        return Path(self.location).is_dir()

    def config(self) -> Mapping[str, object]:
        """The model's configuration."""
        try:
            loaded: object = json.loads(self.config_file.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise _broken(str(self.config_file), error) from error
        if not isinstance(loaded, dict):
            raise _broken(str(self.config_file), ValueError("it is not a JSON object"))
        return loaded

    def signature_fields(self) -> dict[str, object]:
        """What is needed to get the same model and the same scores."""
        dtype = settings.current().dtype
        named: dict[str, object] = {"model": self.name, "revision": self.revision[:12]}
        return named if dtype == "float32" else {**named, "dtype": dtype}


def require_extra() -> None:
    """Raise an error if a package of the extra is not installed."""
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise MissingExtraError(
            f"pretrained metrics need {', '.join(missing)}, which {verb} not installed",
            remedy="pip install 'corrigenda[neural]'",
        )


def find(model: str) -> ModelSource:
    """The model in a folder, or with this name on the hub."""
    require_extra()
    folder = in_home(model)
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
    """The folder's name. A general name such as `model` gets its parent's name, too.

    Characters that separate a signature's fields are replaced.
    """
    resolved = folder.resolve()
    name = (
        f"{resolved.parent.name}/{resolved.name}"
        if resolved.name in _PLAIN_NAMES
        else resolved.name
    )
    return name.replace("|", "_").replace(":", "_")


def _files(folder: Path) -> list[Path]:
    """The files of a model. When there are safetensors, no other weights are loaded."""
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
    """The commit in the local cache of the hub's library, else the newest one on the hub."""
    hub = import_module("huggingface_hub")
    try:
        # The library refuses names that the hub does not have, such as names that are too long.
        found = hub.try_to_load_from_cache(name, "config.json") if _is_hub_name(name) else None
        if not isinstance(found, str):
            _check_network(str(hub.constants.ENDPOINT))
            with _silent("huggingface_hub"):
                found = hub.hf_hub_download(name, "config.json")
    except Exception as error:
        raise cannot_load(name, error) from error
    return ModelSource(name, Path(found).parent.name, name, Path(found))


def _check_network(endpoint: str) -> None:
    """Fail at once without a network. The hub's library would try for half a minute.

    The library reads HF_HUB_OFFLINE only when it is loaded, which may be long ago.
    """
    if _is_offline():
        raise ConnectionError("HF_HUB_OFFLINE is set")
    host = urlsplit(endpoint).hostname
    if host is None or getproxies():
        return
    try:
        socket.getaddrinfo(host, None)
    except OSError:
        raise ConnectionError(f"{host} is not found; there seems to be no network") from None


@contextmanager
def _silent(name: str) -> Iterator[None]:
    """Without the library's warnings, because our own message says what is wrong."""
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


def load(kind: str, source: ModelSource, **options: object) -> PretrainedModel:
    """Load a model as `AutoModel`, `AutoTokenizer` etc., with one clear message if it fails.

    Code of the model's author is never run. Weights are read as safetensors; other weights, which
    could contain code, only if there are none, by a reader that takes numbers alone.
    """
    transformers = import_module("transformers")
    loader = getattr(transformers, kind).from_pretrained
    options |= {"trust_remote_code": False}
    if not source.is_folder:
        options["revision"] = source.revision
    try:
        with _quiet(transformers.utils.logging):
            if kind == "AutoTokenizer":
                return loader(source.location, **options)
            return _with_weights(loader, source, options)
    except Exception as error:
        raise (
            _broken(source.location, error) if source.is_folder else cannot_load(source.name, error)
        ) from error


def _with_weights(
    loader: Callable[..., PretrainedModel], source: ModelSource, options: dict[str, object]
) -> PretrainedModel:
    try:
        model = loader(source.location, use_safetensors=True, **options)
        progress.note(f"{source.name}: the weights are those of its safetensors")
    except OSError as error:
        if "safetensors" not in str(error):
            raise
        model = loader(source.location, use_safetensors=False, weights_only=True, **options)
        progress.note(f"{source.name}: there are no safetensors; pytorch_model.bin was read")
    return model


@contextmanager
def _quiet(library: ModuleType) -> Iterator[None]:
    """Without the library's progress bar for reading weights from disk."""
    shown = library.is_progress_bar_enabled()
    library.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            library.enable_progress_bar()


def cannot_load(name: str, error: Exception) -> CorrigendaError:
    """The error for a model that is not in the cache and cannot be downloaded."""
    reason = "HF_HUB_OFFLINE is set" if _is_offline() else _first_line(error)
    return CorrigendaError(
        f"the model {name!r} is not on this machine and cannot be downloaded: {reason}",
        remedy="Check the name and the network (models come from huggingface.co), "
        "or give a folder: model=PATH.",
    )


def _broken(folder: str, error: Exception) -> CorrigendaError:
    return CorrigendaError(f"{folder} cannot be loaded: {_first_line(error)}", remedy=_LOCAL_REMEDY)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
