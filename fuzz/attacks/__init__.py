"""Files and commands that once broke a promise, or were made to break one.

Each attack writes its files into a folder and gives the arguments of the program. The tests run
all of them; `reliability.py` also measures their memory and time. A new module of attacks is
imported here.
"""

from attacks import annotations, documents, judgments, packed, texts
from attacks.registry import ATTACKS, Attack

__all__ = ["ATTACKS", "Attack", "annotations", "documents", "judgments", "packed", "texts"]
