"""Health: what would make a score meaningless, found in the texts before anybody believes it."""

from corrigenda.health.examination import Examination, examine
from corrigenda.health.finding import Finding

__all__ = ["Examination", "Finding", "examine"]
