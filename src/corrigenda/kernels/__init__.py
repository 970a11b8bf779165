"""Thin typed wrappers of the compiled module. They check shapes and offsets; the kernels count."""

from corrigenda.kernels.ngrams import NGRAM_COUNTS, NgramIndex
from corrigenda.kernels.ragged import Ragged, default_threads, threads_of
from corrigenda.kernels.vocabulary import Vocabulary

__all__ = ["NGRAM_COUNTS", "NgramIndex", "Ragged", "Vocabulary", "default_threads", "threads_of"]
