"""Scores of any number of rows, in parts, by many processes.

    inputs ── plan ──▶ partitions ── workers ──▶ scores, statistics, records ── fold ──▶ totals

The result is the same to the last bit as that of a single process. A worker reads a partition block
by block. A partition is done when its record is written, and finished work is never repeated. This
package needs `corrigenda[bulk]`. It reports through `corrigenda.progress`.
"""

from corrigenda.bulk.columns import Columns
from corrigenda.bulk.finishing import Bulk
from corrigenda.bulk.run import bulk
from corrigenda.bulk.settings import ModelOptions

__all__ = ["Bulk", "Columns", "ModelOptions", "bulk"]
