"""The annotators by language. To add a language: write its file, add its line here."""

from __future__ import annotations

from functools import lru_cache
from pkgutil import resolve_name

from corrigenda.annotation.annotator import Annotator
from corrigenda.annotation.spacy_model import (
    MODEL_VARIABLE,
    SpacyModel,
    chosen_model,
    find_spacy_model,
)
from corrigenda.errors import CorrigendaError

ANNOTATORS: dict[str, str] = {
    "en": "corrigenda.annotation.english:EnglishAnnotator",
}
"""Code of a language → where the class is; an annotator is imported only when it is asked for.

The code is the `lang` of a spaCy model's `meta.json`. The class is called with a `SpacyModel`.
"""


def find_annotator(spacy_model: str = "") -> Annotator:
    """The annotator for the language of the spaCy model of this name or path.

    Without a name, the environment variable names the model. If it is not set, the default is used.
    """
    return _found(chosen_model(spacy_model))


# An annotator reads the model's files to make its key, so each annotator is made only once.
@lru_cache(maxsize=8)
def _found(spacy_model: str) -> Annotator:
    model = find_spacy_model(spacy_model)
    if model.language not in ANNOTATORS:
        raise _no_annotator(model)
    annotator: Annotator = resolve_name(ANNOTATORS[model.language])(model)
    return annotator


def _no_annotator(model: SpacyModel) -> CorrigendaError:
    return CorrigendaError(
        f"the spaCy model {model.label} has the language {model.language!r}, "
        "but there is no annotator for this language",
        remedy=f"There are annotators for: {', '.join(ANNOTATORS)}. Choose a model of such a "
        f"language: set {MODEL_VARIABLE} to its name or folder, or write errant:spacy_model=NAME.",
    )
