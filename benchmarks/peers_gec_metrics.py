"""What gec-metrics needs to run here: it asks for a graphics card, and for a model by its name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

PACKAGE = "gec-metrics"
MODULE = "gec_metrics"


def metric(module: str, name: str, **settings: object) -> object:
    """A metric of gec-metrics with these settings."""
    found = getattr(import_module(f"{MODULE}.metrics.{module}"), name)
    return found(found.Config(**settings))


def on_this_processor() -> None:
    """It asks for a graphics card even where it is told not to."""
    import_module("torch").nn.Module.cuda = lambda self: self


@contextmanager
def with_spacy_model(name: str) -> Iterator[None]:
    """Inside the block its ERRANT takes this model, whatever its name is."""
    errant, spacy = import_module("errant"), import_module("spacy")
    load = errant.load
    errant.load = lambda language: load(language, spacy.load(name, disable=["ner"]))
    try:
        yield
    finally:
        errant.load = load
