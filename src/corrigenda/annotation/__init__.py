"""Where typed edits come from.

1. `request`: a sentence pair whose edits are wanted, or given spans that need a type.
2. `toolchain`: the installed errant, spaCy and spaCy model, found without loading them.
3. `store`: annotations on disk, so that no request is computed twice.
4. `workers`: processes (`worker`) that compute the other requests with `errant_annotator`.
5. `edit_source`: the edits of gold and systems. Metrics use only this module.

Importing this package does not load errant or spaCy. When the store holds all annotations of a
run, the run never loads them.
"""

from corrigenda.annotation.annotations import annotate
from corrigenda.annotation.request import Request
from corrigenda.annotation.toolchain import Toolchain, find_toolchain

__all__ = ["Request", "Toolchain", "annotate", "find_toolchain"]
