"""The versions of the programs that numbers depend on."""

from __future__ import annotations

import importlib.metadata
from functools import cache

from corrigenda._version import __version__


@cache
def versions() -> dict[str, str]:
    """Corrigenda and numpy.

    Metrics with models name the models and their programs in their signatures.
    """
    return {"corrigenda": __version__, "numpy": importlib.metadata.version("numpy")}
