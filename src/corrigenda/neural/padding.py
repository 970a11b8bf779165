"""Rows of tokens as one table."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from corrigenda.neural.types import Tensor


def padded(rows: Sequence[Sequence[int]], padding: int, device: str) -> tuple[Tensor, Tensor]:
    """The rows as one table, and a mask of its real tokens."""
    torch, width = import_module("torch"), max(map(len, rows))
    ids = torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows], device=device)
    lengths = torch.tensor([len(row) for row in rows], device=device)
    return ids, (torch.arange(width, device=device)[None] < lengths[:, None]).long()
