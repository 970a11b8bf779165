"""Campaigns on both databases. Tests on PostgreSQL are skipped where it is not installed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from judging import new_database, postgresql

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    with postgresql() as url:
        if url is None:
            pytest.skip("no PostgreSQL: apt-get install postgresql")
        yield url


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.slow, pytest.mark.cluster])]
)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new campaign can be made: a file, or the URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "campaign.db")
    server = request.getfixturevalue("postgresql_server")
    return new_database(server, f"campaign{next(_NUMBERS)}")
