"""ERRANT's edits at speed: distinct sentences parsed once, in batches, over worker processes, kept on disk.

The `errant` package defines the edits; here is everything round it. Importing this package loads neither
errant nor spaCy, and where all annotations are in the cache nothing ever does.
"""

from corrigenda.annotation.annotations import annotate
from corrigenda.annotation.request import Request
from corrigenda.annotation.toolchain import Toolchain, find_toolchain

__all__ = ["Request", "Toolchain", "annotate", "find_toolchain"]
