"""Modules that take seconds to load, loaded by the first test that uses them."""

from __future__ import annotations

from typing import Any

import pytest


class Lazily:
    """A module that is imported when something of it is used. Without it, the test is skipped."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")):  # pytest looks whether this is a test
            raise AttributeError(name)
        return getattr(pytest.importorskip(self._name), name)
