"""Thin typed wrappers over the compiled module: they check shapes and offsets, the kernels count."""

from corrigenda.kernels.ngrams import NGRAM_COUNTS, NgramIndex
from corrigenda.kernels.ragged import Ragged, default_threads
from corrigenda.kernels.vocabulary import Vocabulary

__all__ = ["NGRAM_COUNTS", "NgramIndex", "Ragged", "Vocabulary", "default_threads"]
