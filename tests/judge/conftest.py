"""Campaigns on both databases. Tests on PostgreSQL are skipped where it is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judging import emptied_database, postgresql
from public_data import full


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    with postgresql() as url:
        if url is None:
            pytest.skip("no PostgreSQL: apt-get install postgresql")
        yield url


POSTGRESQL = [pytest.mark.slow, pytest.mark.cluster]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[*POSTGRESQL, full])])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new campaign can be made: a file, or the URL of an empty database."""
    return _place(request, tmp_path)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
def each_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """As `place`, for the tests that run on both databases every time."""
    return _place(request, tmp_path)


def _place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "campaign.db")
    return emptied_database(request.getfixturevalue("postgresql_server"))
