"""The detective: which settings give a published number?

Papers print a score and often not its settings. `investigate` tries the settings of all metrics, in
the order of their distance from the published defaults, and lists those that give the number to its
digits. Settings that differ only in the choice of references and in the score share their counts.
"""

from corrigenda.analysis.detective.number import PublishedNumber
from corrigenda.analysis.detective.search import Investigation, Suspect, investigate
from corrigenda.analysis.detective.settings import LISTED_VALUES, GoldHandling, gold_handlings

__all__ = [
    "LISTED_VALUES",
    "GoldHandling",
    "Investigation",
    "PublishedNumber",
    "Suspect",
    "gold_handlings",
    "investigate",
]
