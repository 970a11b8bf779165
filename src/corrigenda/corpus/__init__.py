"""What a metric gets: sources with their references, and the outputs of systems."""

from corrigenda.corpus.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_shape import ReferenceShape

__all__ = ["Corpus", "Hypotheses", "ReferenceShape"]
