"""Where typed edits come from.

1. `request`: a sentence pair whose edits are wanted, or given spans that need a type.
2. `annotator`: the interface of all annotators. `registry` finds an annotator by its name.
3. The annotators, one file each:
   - `english` (en): the errant package, with `merging` and `ruler`.
   - `any_language` (any): words that differ, for every language.
   - `universal` (ud): parts of speech as types, from any spaCy model.
   - `chinese` (zh): characters, with ChERRANT's conventions.
4. What annotators share:
   - `steps`: the steps of an alignment, and the mergers that need no language.
   - `text_annotator`: for annotators without a model.
   - `spacy_annotator`: for annotators with a spaCy model. `spacy_model` and `toolchain` find the
     model and the packages without loading them. `windows` computes what outputs of systems share
     once. `store` keeps annotations on disk, so that no request is computed twice. `workers` are
     processes (`worker`) that compute the other requests.
5. `edit_source`: the edits of gold and systems. Metrics use only this module.

Importing this package does not load errant or spaCy. When the store holds all annotations of a
run, the run never loads them.
"""

from corrigenda.annotation.annotator import Annotations, Annotator, AnnotatorChoice, Merger
from corrigenda.annotation.registry import ANNOTATORS, find_annotator
from corrigenda.annotation.request import Request

__all__ = [
    "ANNOTATORS",
    "Annotations",
    "Annotator",
    "AnnotatorChoice",
    "Merger",
    "Request",
    "find_annotator",
]
