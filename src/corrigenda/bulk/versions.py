"""The versions of what numbers depend on."""

from __future__ import annotations

import importlib.metadata
from functools import cache

from corrigenda._version import __version__


@cache
def versions() -> dict[str, str]:
    """Corrigenda and numpy; models and their programs stand in the signatures of the metrics that use them."""
    return {"corrigenda": __version__, "numpy": importlib.metadata.version("numpy")}
