"""Scores of pairs from the cheapest place: this corpus, the store on disk, or a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from corrigenda.cache import folder as cache_folder
from corrigenda.corpus import Corpus
from corrigenda.neural.model_source import require_extra
from corrigenda.neural.types import Pair, Scores

if TYPE_CHECKING:
    from corrigenda.neural.score_store import ScoreStore


class PairScorer(Protocol):
    """Scores pairs of sentences."""

    @property
    def key(self) -> str:
        """Everything except the texts that the scores depend on."""

    @property
    def label(self) -> str:
        """A readable name of the scorer and its model."""

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The scores of distinct pairs, group by group."""


def pair_scores(
    corpus: Corpus, scorer: PairScorer, pairs: Iterable[Pair], *, threads: int
) -> dict[Pair, Scores]:
    """The scores of these pairs, and of all pairs that were asked for before in this corpus.

    Each distinct pair is computed once.
    """
    known: dict[Pair, Scores] = corpus.once(("pair scores", scorer.key), dict)
    wanted = [pair for pair in dict.fromkeys(pairs) if pair not in known]
    store = _store(scorer) if wanted else None
    if store is not None:
        known.update(store.read(wanted))
        wanted = [pair for pair in wanted if pair not in known]
    if wanted:
        require_extra()
        with _one_torch_thread():
            for part in scorer.score(wanted, threads=threads):
                # Each part is stored at once, so that an interrupted run keeps its results.
                if store is not None:
                    store.write(part)
                known.update(part)
    return known


def _store(scorer: PairScorer) -> ScoreStore | None:
    if not cache_folder.is_enabled():
        return None
    try:
        from corrigenda.neural.score_store import ScoreStore
    except ImportError:  # Python was built without SQLite
        return None
    return ScoreStore(scorer.key, scorer.label)


@contextmanager
def _one_torch_thread() -> Iterator[None]:
    """Let torch use one thread per batch, because `in_order` runs several batches in parallel."""
    torch = import_module("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
