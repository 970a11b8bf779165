"""What all annotators with a spaCy model share: the cache, worker processes, and versions.

Annotations come from the cheapest place: the store on disk, this process, or worker processes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

from corrigenda import progress
from corrigenda.annotation.annotator import Annotations, AnnotatorChoice, Merger
from corrigenda.annotation.request import Request
from corrigenda.annotation.spacy_model import (
    MODEL_VARIABLE,
    SpacyModel,
    find_spacy_model,
    require_packages,
)
from corrigenda.annotation.toolchain import Toolchain
from corrigenda.cache import folder as cache_folder
from corrigenda.edits import Edit
from corrigenda.errors import CorrigendaError
from corrigenda.kernels.limits import alignment_memory, too_large

if TYPE_CHECKING:
    from corrigenda.annotation.store import AnnotationStore

_WHAT = "sentence pairs annotated"
# A worker parses about this many in a quarter of a second. Small chunks share the work evenly.
_SENTENCES_IN_A_CHUNK = 64
# For fewer sentences, starting a process takes longer than the work.
_SENTENCES_FOR_A_WORKER = 250
# What a sentence takes: a word that spaCy parsed, and a cell of the alignment. The time
# grows with the letters of one sentence times those of the other.
_BYTES_PER_WORD, _BYTES_PER_CELL, _LETTERS_PER_BYTE = 12_000, 16, 16


class EditMaker(Protocol):
    """A loaded model. The edits of a sentence do not depend on the other sentences of a batch."""

    def edits(self, requests: Sequence[Request]) -> list[list[Edit]]:
        """The edits of each request."""


class SpacyAnnotator(ABC):
    """An `Annotator` with a spaCy model. A language adds its scheme, its packages and `load`."""

    scheme: ClassVar[str]
    """The name of the annotation scheme, e.g. `ERRANT`."""
    packages: ClassVar[tuple[str, ...]] = ("spacy",)
    """The packages that must be installed. Their versions are part of key and signature."""
    mergers: ClassVar[tuple[Merger, ...]] = ("rules",)
    language: ClassVar[str | None] = None
    """The language that its models must have; None if it takes models of any language."""

    def __init__(self, model: SpacyModel, merger: Merger) -> None:
        if self.language not in (None, model.language):
            raise _wrong_language(self.scheme, model)
        require_packages(f"{self.scheme}'s edits", self.packages)
        self.merger = merger
        self.toolchain = Toolchain(self.versions(), model)

    @classmethod
    def from_choice(cls, choice: AnnotatorChoice) -> Self:
        """The annotator with this model and this merger."""
        return cls(find_spacy_model(choice.spacy_model), choice.merger)

    @classmethod
    @abstractmethod
    def load(cls, model_folder: Path, merger: Merger) -> EditMaker:
        """Load the model. Only this method may import the packages."""

    def versions(self) -> dict[str, str]:
        """What can change an annotation, apart from the model.

        A language with rules in its own file must add the version of its rules.
        """
        return {name: version(name) for name in self.packages}

    @property
    def key(self) -> str:
        """A digest that changes with everything that can change an annotation, for caches."""
        return self.toolchain.key

    def signature_fields(self) -> dict[str, object]:
        """The versions that a score depends on."""
        return self.toolchain.signature_fields()

    def annotate(self, requests: Iterable[Request], *, threads: int) -> Annotations:
        """The edits of every request.

        Each distinct request is computed once. The results are kept on disk if the cache is on.
        """
        distinct = list(dict.fromkeys(requests))
        annotations: Annotations = {request: () for request in distinct if request.is_trivial}
        wanted = [request for request in distinct if not request.is_trivial]
        store = _store(self.toolchain)
        if store is not None:
            annotations.update(store.read(wanted))
            wanted = [request for request in wanted if request not in annotations]
        for request in wanted:
            _check_size(request)
        if wanted:
            detail = f"{self.scheme} with {self.toolchain.model.label}"
            progress.report(_WHAT, 0, len(wanted), detail)
            done = 0
            for part in self._computed(wanted, threads):
                # Each part is stored at once, so that an interrupted run keeps its results.
                if store is not None:
                    store.write(part)
                annotations.update(part)
                done += len(part)
                progress.report(_WHAT, done, len(wanted), detail)
        return annotations

    def _computed(self, requests: Sequence[Request], threads: int) -> Iterator[Annotations]:
        chunks = list(_chunks(requests))
        sentences = len({text for request in requests for text in (request.source, request.target)})
        workers = min(threads, sentences // _SENTENCES_FOR_A_WORKER)
        if workers < 2:
            yield from map(self._here, chunks)
            return
        from corrigenda.annotation.workers import annotate_chunks

        name = f"{type(self).__module__}:{type(self).__qualname__}"
        folder = self.toolchain.model.folder
        for chunk, edits in annotate_chunks(chunks, (name, str(folder), self.merger), workers):
            yield self._here(chunk) if edits is None else dict(zip(chunk, edits, strict=True))

    def _here(self, chunk: Sequence[Request]) -> Annotations:
        """Annotate in this process."""
        edits = loaded(type(self), self.toolchain.model.folder, self.merger).edits(chunk)
        return {request: tuple(found) for request, found in zip(chunk, edits, strict=True)}


@lru_cache(maxsize=1)
def loaded(annotator: type[SpacyAnnotator], model_folder: Path, merger: Merger) -> EditMaker:
    """A model that is ready to make edits. Each process loads it once."""
    return annotator.load(model_folder, merger)


def _check_size(request: Request) -> None:
    """Refuse sentences that are too large, before a model parses them."""
    limit = alignment_memory()
    source, target = (1 + text.count(" ") for text in (request.source, request.target))
    shown = f"two sentences of {source} and {target} words that differ"
    needed = (source + target) * _BYTES_PER_WORD
    if request.spans is None:
        needed = max(needed, (source + 1) * (target + 1) * _BYTES_PER_CELL)
        if len(request.source) * len(request.target) > limit * _LETTERS_PER_BYTE:
            raise too_large(f"{shown} have too many letters to be aligned")
    if needed > limit:
        raise too_large(f"{shown} need more than {limit >> 20} MB to be aligned")


def _wrong_language(scheme: str, model: SpacyModel) -> CorrigendaError:
    return CorrigendaError(
        f"the spaCy model {model.label} is for the language {model.language!r}, "
        f"but {scheme} has no rules for this language",
        remedy="Write edits=ud, which takes a model of any language, or edits=any, which needs "
        f"none. Or choose another model: set {MODEL_VARIABLE} to its name or folder, or write "
        "errant:spacy_model=NAME.",
    )


def _store(toolchain: Toolchain) -> AnnotationStore | None:
    if not cache_folder.is_enabled():
        return None
    try:
        from corrigenda.annotation.store import AnnotationStore
    except ImportError:  # Python was built without SQLite
        return None
    return AnnotationStore(toolchain)


def _chunks(requests: Sequence[Request]) -> Iterator[list[Request]]:
    """Requests with the same source stay together, so that the source is parsed once."""
    by_source: dict[str, list[Request]] = {}
    for request in requests:
        by_source.setdefault(request.source, []).append(request)
    chunk: list[Request] = []
    sentences = 0
    for same_source in by_source.values():
        chunk += same_source
        sentences += 1 + len({request.target for request in same_source})
        if sentences >= _SENTENCES_IN_A_CHUNK:
            yield chunk
            chunk, sentences = [], 0
    if chunk:
        yield chunk
