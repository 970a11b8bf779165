"""Numbers as people and programs write them into files."""

from __future__ import annotations

import pytest

from corrigenda.text.numerals import decimal, whole_number


@pytest.mark.parametrize("written", ["0", "7", "007", "9" * 18])
def test_a_number(written: str) -> None:
    assert whole_number(written) == int(written)


@pytest.mark.parametrize(
    "written", ["", "-1", "+1", " 1", "1\n", "1_0", "²", "٣", "1.0", "x", "9" * 19, "9" * 5000]
)
def test_no_number(written: str) -> None:
    assert whole_number(written) is None


@pytest.mark.parametrize("written", ["0", "+7", "-7.", ".5", "72.5", "1e3", "-1.5E-3", "0" * 5000])
def test_a_decimal(written: str) -> None:
    assert decimal(written) == float(written)


@pytest.mark.parametrize(
    "written", ["", ".", "+", "e5", " 1", "1\n", "1_0", "٣", "0x1", "nan", "inf", "1e999", "1.2.3"]
)
def test_no_decimal(written: str) -> None:
    assert decimal(written) is None


@pytest.mark.parametrize("end", ["x", ".x", "e", "e5.", "..1"])
def test_a_long_decimal_that_is_none(end: str) -> None:
    """Hours would go by if there were several ways to read the digits."""
    assert decimal("1" * 2_000_000 + end) is None
