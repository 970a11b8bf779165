"""The published tables by name: `corrigenda reproduce`."""

from __future__ import annotations

from collections.abc import Callable

from corrigenda.errors import UsageError
from corrigenda.meta.laboratory import Laboratory, Reproduction
from corrigenda.meta.tables_earlier import (
    gleu_table_2,
    gleu_table_3,
    imeasure_table_10,
    imeasure_table_11,
)
from corrigenda.meta.tables_green import green_figure_3, green_table_2, green_table_3, green_table_4
from corrigenda.meta.tables_ptm2 import ptm2_table_5, ptm2_table_6

TABLES: dict[str, Callable[[Laboratory], Reproduction]] = {
    "green-table2": green_table_2,
    "green-table3": green_table_3,
    "green-table4": green_table_4,
    "green-figure3": green_figure_3,
    "gleu-table2": gleu_table_2,
    "gleu-table3": gleu_table_3,
    "imeasure-table10": imeasure_table_10,
    "imeasure-table11": imeasure_table_11,
    "ptm2-table5": ptm2_table_5,
    "ptm2-table6": ptm2_table_6,
}


def reproduce(name: str, laboratory: Laboratory | None = None) -> Reproduction:
    """A published table with our numbers beside it."""
    if name not in TABLES:
        raise UsageError(
            f"there is no published table {name!r}", remedy=f"The tables: {', '.join(TABLES)}, all."
        )
    return TABLES[name](laboratory or Laboratory())
