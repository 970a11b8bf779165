"""Metrics against humans: correlations, windows, sweeps, and the published tables.

The package can be called: `corrigenda.meta("conll14", ["green", "m2"])` is `corrigenda meta`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from corrigenda.meta.analysis import MetaReport


class _CallableRoom(ModuleType):
    @property
    def __wrapped__(self) -> Callable[..., MetaReport]:  # `inspect.signature` and `help` show it
        from corrigenda.meta.calling import meta_evaluate

        return meta_evaluate

    def __call__(self, *arguments: Any, **options: Any) -> MetaReport:
        from corrigenda.meta.calling import meta_evaluate

        return meta_evaluate(*arguments, **options)


sys.modules[__name__].__class__ = _CallableRoom
