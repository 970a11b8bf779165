"""Annotations from the cheapest place: the store on disk, this process, or worker processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from corrigenda import progress
from corrigenda.annotation.request import Request
from corrigenda.annotation.toolchain import Toolchain
from corrigenda.cache import folder as cache_folder
from corrigenda.edits import Edit

if TYPE_CHECKING:
    from corrigenda.annotation.store import AnnotationStore

Annotations = dict[Request, tuple[Edit, ...]]
_WHAT = "sentence pairs annotated"
# A worker parses about this many in a quarter of a second. Small chunks share the work evenly.
_SENTENCES_IN_A_CHUNK = 64
# For fewer sentences, starting a process takes longer than the work.
_SENTENCES_FOR_A_WORKER = 250


def annotate(requests: Iterable[Request], toolchain: Toolchain, *, threads: int) -> Annotations:
    """The edits of every request.

    Each distinct request is computed once. The results are kept on disk if the cache is on.
    """
    distinct = list(dict.fromkeys(requests))
    annotations: Annotations = {request: () for request in distinct if request.is_trivial}
    wanted = [request for request in distinct if not request.is_trivial]
    store = _store(toolchain)
    if store is not None:
        annotations.update(store.read(wanted))
        wanted = [request for request in wanted if request not in annotations]
    if wanted:
        detail = f"ERRANT with {toolchain.spacy_model}"
        progress.report(_WHAT, 0, len(wanted), detail)
        done = 0
        for part in _computed(wanted, toolchain, threads):
            # Each part is stored at once, so that an interrupted run keeps its results.
            if store is not None:
                store.write(part)
            annotations.update(part)
            done += len(part)
            progress.report(_WHAT, done, len(wanted), detail)
    return annotations


def _store(toolchain: Toolchain) -> AnnotationStore | None:
    if not cache_folder.is_enabled():
        return None
    try:
        from corrigenda.annotation.store import AnnotationStore
    except ImportError:  # Python was built without SQLite
        return None
    return AnnotationStore(toolchain)


def _computed(
    requests: Sequence[Request], toolchain: Toolchain, threads: int
) -> Iterator[Annotations]:
    chunks = list(_chunks(requests))
    sentences = len({text for request in requests for text in (request.source, request.target)})
    workers = min(threads, sentences // _SENTENCES_FOR_A_WORKER)
    if workers < 2:
        yield from (_here(chunk, toolchain) for chunk in chunks)
        return
    from corrigenda.annotation.workers import annotate_chunks

    for chunk, edits in annotate_chunks(chunks, toolchain.folder, workers):
        yield _here(chunk, toolchain) if edits is None else dict(zip(chunk, edits, strict=True))


def _here(chunk: Sequence[Request], toolchain: Toolchain) -> Annotations:
    """Annotate in this process."""
    from corrigenda.annotation.errant_annotator import loaded

    edits = loaded(toolchain.folder).annotate(chunk)
    return {request: tuple(found) for request, found in zip(chunk, edits, strict=True)}


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
