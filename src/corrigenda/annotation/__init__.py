"""Where typed edits come from.

1. `request`: a sentence pair whose edits are wanted, or given spans that need a type.
2. `annotator`: the interface of all annotators. `registry` finds the annotator of a language.
3. `english`: the annotator of English, with `merging` and `ruler`. Each language has such a file.
4. `spacy_annotator`: what all annotators with a spaCy model share.
   - `spacy_model` and `toolchain`: the model and the packages, found without loading them.
   - `store`: annotations on disk, so that no request is computed twice.
   - `workers`: processes (`worker`) that compute the other requests.
5. `edit_source`: the edits of gold and systems. Metrics use only this module.

Importing this package does not load errant or spaCy. When the store holds all annotations of a
run, the run never loads them.
"""

from corrigenda.annotation.annotator import Annotations, Annotator
from corrigenda.annotation.registry import ANNOTATORS, find_annotator
from corrigenda.annotation.request import Request

__all__ = ["ANNOTATORS", "Annotations", "Annotator", "Request", "find_annotator"]
