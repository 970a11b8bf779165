"""The annotators by name. To add one: write its file, add its line here or an entry point.

Another package adds an annotator by an entry point of the group `corrigenda_annotators`.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from functools import cache, lru_cache
from importlib.metadata import entry_points
from pkgutil import resolve_name

from corrigenda.annotation.annotator import Annotator, AnnotatorChoice, AnnotatorClass
from corrigenda.errors import MetricError

DEFAULT = "en"
ENTRY_POINTS = "corrigenda_annotators"
ANNOTATORS: dict[str, str] = {
    "en": "corrigenda.annotation.english:EnglishAnnotator",
    "any": "corrigenda.annotation.any_language:AnyLanguageAnnotator",
    "ud": "corrigenda.annotation.universal:UniversalAnnotator",
    "zh": "corrigenda.annotation.chinese:ChineseAnnotator",
}
"""Name → where the class is; an annotator is imported only when it is asked for."""


def annotator_class(name: str) -> AnnotatorClass:
    """The class of this name. Those of this package come before those of entry points."""
    if name in ANNOTATORS:
        place = ANNOTATORS[name]
    elif name in (added := _added()):
        place = added[name]
    else:
        raise _unknown(name, [*ANNOTATORS, *added])
    found: AnnotatorClass = resolve_name(place)
    return found


def find_annotator(
    name: str = DEFAULT,
    choice: AnnotatorChoice = AnnotatorChoice(),  # noqa: B008
) -> Annotator:
    """The annotator of this name; its packages and its model must be there."""
    from corrigenda.annotation.spacy_model import chosen_model

    chosen = check_choice(name, choice)
    if "spacy" in annotator_class(name).packages:
        # The environment variable may change while the program runs.
        chosen = replace(chosen, spacy_model=chosen_model(chosen.spacy_model))
    return _found(name, chosen)


def check_choice(name: str, choice: AnnotatorChoice) -> AnnotatorChoice:
    """The choice with the merger in place of `auto`; an error if the annotator has no such merger.

    It loads no model.
    """
    mergers = annotator_class(name).mergers
    if choice.merger == "auto":
        return replace(choice, merger=mergers[0])
    if choice.merger not in mergers:
        raise MetricError(
            f"the annotator {name!r} has no merger {choice.merger!r}",
            remedy=f"It has: {', '.join(mergers)}.",
        )
    return choice


# An annotator may read a model's files to make its key, so each annotator is made only once.
@lru_cache(maxsize=8)
def _found(name: str, choice: AnnotatorChoice) -> Annotator:
    return annotator_class(name).from_choice(choice)


@cache
def _added() -> dict[str, str]:
    """The annotators of other packages."""
    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}


def _unknown(name: str, known: list[str]) -> MetricError:
    close = difflib.get_close_matches(name.lower(), known, n=1)
    guess = f"Did you mean {close[0]!r}? " if close else ""
    return MetricError(
        f"there is no annotator {name!r}",
        remedy=f"{guess}The annotators are: {', '.join(known)}. "
        "For a language without one, write edits=any.",
    )
