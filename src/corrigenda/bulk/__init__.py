"""Scoring of any number of rows, in parts, by many processes: to the last bit what one process would give.

    inputs ──plan──▶ partitions ──worker (a block at a time)──▶ scores, statistics, record ──fold──▶ totals

A partition is done when its record is written; what is done is never done again. This package needs
`corrigenda[bulk]`.
"""

from corrigenda.bulk.columns import Columns
from corrigenda.bulk.run import Bulk, bulk

__all__ = ["Bulk", "Columns", "bulk"]
