"""The width of tables does not depend on the terminal in which the tests run."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
