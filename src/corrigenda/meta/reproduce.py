"""The published tables by name: `corrigenda reproduce`. To add one: write it, add its line here."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.meta.laboratory import Laboratory, Reproduction

TABLES: dict[str, str] = {
    "green-table2": "corrigenda.meta.tables_green:green_table_2",
    "green-table3": "corrigenda.meta.tables_green:green_table_3",
    "green-table4": "corrigenda.meta.tables_green:green_table_4",
    "green-figure3": "corrigenda.meta.tables_green:green_figure_3",
    "green-figure4": "corrigenda.meta.figures_green:green_figure_4",
    "green-figure5": "corrigenda.meta.figures_green:green_figure_5",
    "green-figure6": "corrigenda.meta.figures_green:green_figure_6",
    "green-figure7": "corrigenda.meta.figures_green:green_figure_7",
    "gleu-table1": "corrigenda.meta.tables_gleu:gleu_table_1",
    "gleu-table2": "corrigenda.meta.tables_earlier:gleu_table_2",
    "gleu-table3": "corrigenda.meta.tables_earlier:gleu_table_3",
    "gleu-table4": "corrigenda.meta.tables_gleu:gleu_table_4",
    "gleu-figure1": "corrigenda.meta.tables_gleu:gleu_figure_1",
    "gleu-footnote3": "corrigenda.meta.tables_gleu:gleu_footnote_3",
    **{
        f"imeasure-{name}": f"corrigenda.meta.tables_imeasure:imeasure_{function}"
        for name, function in (
            ("table1", "table_1"),
            ("table2", "table_2"),
            ("table3", "table_3"),
            ("table5", "table_5"),
            ("table7", "table_7"),
            ("table8", "table_8"),
            ("table12", "table_12"),
            ("figure2", "figure_2"),
            ("figure3", "figure_3"),
        )
    },
    "imeasure-table10": "corrigenda.meta.tables_imeasure_conll:imeasure_table_10",
    "imeasure-table11": "corrigenda.meta.tables_imeasure_conll:imeasure_table_11",
    "ptm2-table3": "corrigenda.meta.figures_ptm2:ptm2_table_3",
    "ptm2-table4": "corrigenda.meta.figures_ptm2:ptm2_table_4",
    "ptm2-table5": "corrigenda.meta.tables_ptm2:ptm2_table_5",
    "ptm2-table6": "corrigenda.meta.tables_ptm2:ptm2_table_6",
    "ptm2-table7": "corrigenda.meta.figures_ptm2:ptm2_table_7",
    "ptm2-table8": "corrigenda.meta.figures_ptm2:ptm2_table_8",
    "ptm2-figure2": "corrigenda.meta.figures_ptm2:ptm2_figure_2",
    "ptm2-figure3": "corrigenda.meta.figures_ptm2:ptm2_figure_3",
}
"""Name → the function that computes the table; it is imported only when it is asked for."""


def reproduce(name: str, laboratory: Laboratory | None = None) -> Reproduction:
    """A published table with our numbers beside it."""
    if name not in TABLES:
        raise UsageError(
            f"there is no published table {name!r}",
            remedy=f"The tables are: {', '.join(TABLES)}, all.",
        )
    module, _, function = TABLES[name].partition(":")
    compute: Callable[[Laboratory], Reproduction]
    compute = getattr(importlib.import_module(module), function)
    if laboratory is None:
        from corrigenda.meta.laboratory import Laboratory

        laboratory = Laboratory()
    return compute(laboratory)
