"""p-values in tables: a small one is not shown as 0."""

from __future__ import annotations

import pytest

from corrigenda.cli.tables import probability


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.0004, 3, "<0.001"),
        (0.0005, 3, "0.001"),
        (0.00004, 4, "<0.0001"),
        (0.049, 3, "0.049"),
        (1.0, 3, "1.000"),
        (None, 3, "–"),
        (float("nan"), 3, "–"),
    ],
)
def test_no_p_value_is_shown_as_0(value: float | None, digits: int, shown: str) -> None:
    assert probability(value, digits).text == shown
