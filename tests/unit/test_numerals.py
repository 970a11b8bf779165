"""Whole numbers as people and programs write them into files."""

from __future__ import annotations

import pytest

from corrigenda.text.numerals import whole_number


@pytest.mark.parametrize("written", ["0", "7", "007", "9" * 18])
def test_a_number(written: str) -> None:
    assert whole_number(written) == int(written)


@pytest.mark.parametrize(
    "written", ["", "-1", "+1", " 1", "1\n", "1_0", "²", "٣", "1.0", "x", "9" * 19, "9" * 5000]
)
def test_no_number(written: str) -> None:
    assert whole_number(written) is None
