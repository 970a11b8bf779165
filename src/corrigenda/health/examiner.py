"""Examines the blocks of a corpus in a thread, while the caller scores the blocks after them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Self

from corrigenda.beside import Beside
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health.examination import BLOCK_LINES, Examination


class Examiner:
    """Adds blocks to an examination, one after the other. Without an examination, it does nothing.

    Leave the `with` block before you ask for findings.
    """

    def __init__(self, examination: Examination | None, threads: int) -> None:
        self._examination = examination
        self._threads = threads
        self._thread = Beside[None]()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        with self._thread:
            if failure == (None, None, None):
                self._finish()

    def add(self, corpus: Corpus, systems: Sequence[Hypotheses]) -> None:
        """Examine a block. A full one, which others may follow, is examined beside the caller."""
        if self._examination is None:
            return
        self._finish()
        work = partial(self._examination.add, corpus, systems, threads=self._threads)
        if self._threads > 1 and len(corpus) == BLOCK_LINES:
            self._thread.begin(work)
        else:
            work()

    def _finish(self) -> None:
        """Wait for the block before."""
        if self._thread.has_work:
            self._thread.take()
