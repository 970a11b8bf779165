"""Where caches are stored, how large they may become, and whether they are used at all.

`CORRIGENDA_CACHE` names the folder. Without it, the platform's own cache folder is used.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from corrigenda.errors import UsageError, brief, in_home

FOLDER_VARIABLE = "CORRIGENDA_CACHE"
LIMIT_VARIABLE = "CORRIGENDA_CACHE_MEGABYTES"
DEFAULT_MEGABYTES = 512
_MOST_MEGABYTES = 1_000_000_000

_enabled: ContextVar[bool] = ContextVar("cache enabled", default=True)


def folder() -> Path:
    """The folder for all caches; it may not exist yet."""
    given = os.environ.get(FOLDER_VARIABLE)
    return in_home(given) if given else _platform_folder() / "corrigenda"


def _platform_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if Path(given).is_absolute() else Path.home() / ".cache"


def limit() -> int:
    """The largest size of one cache, in bytes."""
    given = os.environ.get(LIMIT_VARIABLE, "").strip() or str(DEFAULT_MEGABYTES)
    try:
        megabytes = float(given)
    except ValueError:
        megabytes = math.nan
    if not 0 <= megabytes <= _MOST_MEGABYTES:
        raise UsageError(
            f"{LIMIT_VARIABLE} is {brief(given)}",
            remedy=f"Set it to a number of megabytes up to {_MOST_MEGABYTES:,}.",
        )
    return int(max(megabytes, 1) * 1_000_000)


def is_enabled() -> bool:
    """Whether caches are read and written."""
    return _enabled.get()


@contextmanager
def disabled(off: bool = True) -> Iterator[None]:
    """No cache is read or written inside this block; with `off=False` nothing changes."""
    token = _enabled.set(_enabled.get() and not off)
    try:
        yield
    finally:
        _enabled.reset(token)
