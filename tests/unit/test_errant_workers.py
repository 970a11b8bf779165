"""Workers may die, fail or never start: every chunk still gets the right answer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from corrigenda.annotation import spacy_annotator, workers
from corrigenda.annotation.registry import find_annotator
from corrigenda.annotation.request import Request
from corrigenda.annotation.spacy_annotator import SpacyAnnotator
from corrigenda.annotation.spacy_model import SpacyModel, find_spacy_model
from corrigenda.cache import folder as cache_folder
from corrigenda.edits import Edit
from errant_model import cache, errant_ready, model  # noqa: F401

CHUNKS = [[Request(f"source {chunk} {i}", f"target {i}") for i in range(3)] for chunk in range(10)]

FAKE = """
import json, os, sys
ledger = sys.argv[1]
for line in sys.stdin:
    requests = json.loads(line)
    {misbehave}
    edits = [[[0, 1, "R:NOUN", source + "!"]] for source, target, spans in requests]
    print(json.dumps({{"edits": edits}}), flush=True)
"""
ONCE = """
    marker = os.path.join(ledger, requests[0][0].replace(" ", "-"))
    first = not os.path.exists(marker)
    open(marker, "w").close()
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Replaces workers by a small program. It answers each source with itself and a `!`."""

    def install(misbehave: str) -> None:
        program = tmp_path / "fake.py"
        program.write_text(FAKE.format(misbehave=misbehave))
        monkeypatch.setattr(
            workers, "_command", lambda *_: [sys.executable, str(program), str(tmp_path)]
        )

    return install


def right(chunk):
    return [(Edit(0, 1, (request.source + "!",), "R:NOUN"),) for request in chunk]


def run(count: int = 2):
    answers = list(workers.annotate_chunks(CHUNKS, ("", "", ""), count))
    assert sorted(chunk[0].source for chunk, _ in answers) == sorted(
        chunk[0].source for chunk in CHUNKS
    )
    return answers


@pytest.mark.parametrize("count", [1, 2, 4])
def test_all_chunks_are_answered(fake, count):
    fake("pass")
    assert all(edits == right(chunk) for chunk, edits in run(count))


@pytest.mark.slow
@pytest.mark.parametrize(
    "misbehaviour",
    [
        "if first: os.kill(os.getpid(), 9)",
        "if first: sys.exit(3)",
        "if first: print('{\"edits\": [[[0, 1,', end='', flush=True); os._exit(1)",
        "if first: print('{\"edits\": []}', flush=True); continue",
        'if first: print(\'{"failure": ["ValueError", "no"]}\', flush=True); continue',
        "if first: print('Loading…', flush=True); continue",
    ],
    ids=["killed", "gone", "broken off", "too few", "failing", "chatty"],
)
def test_a_chunk_gets_a_second_worker(fake, misbehaviour):
    only_some = "first = first and requests[0][0].startswith(('source 3', 'source 7'))"
    fake(f"{ONCE}    {only_some}\n    {misbehaviour}")
    assert all(edits == right(chunk) for chunk, edits in run())


def test_a_chunk_that_kills_every_worker_comes_back(fake):
    fake("if requests[0][0].startswith('source 4'): os.kill(os.getpid(), 9)")
    answers = run()
    assert [chunk[0].source for chunk, edits in answers if edits is None] == ["source 4 0"]
    assert all(edits in (None, right(chunk)) for chunk, edits in answers)


def test_chunks_come_back_if_no_worker_starts(monkeypatch, tmp_path):
    monkeypatch.setattr(workers, "_command", lambda *_: [str(tmp_path / "no such program")])
    assert all(edits is None for _, edits in run())


def test_chunks_come_back_if_every_worker_dies(fake):
    fake("sys.exit(1)")
    assert all(edits is None for _, edits in run(1))


def test_no_process_is_left_behind(fake):
    fake("pass")
    seen = []
    original = workers._Worker.kill
    kill = lambda worker: (original(worker), seen.append(worker.process))  # noqa: E731
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers._Worker, "kill", kill)
        answers = workers.annotate_chunks(CHUNKS, ("", "", ""), 2)
        next(answers)
        answers.close()  # the same as when the user interrupts
    assert seen
    assert all(process.poll() is not None for process in seen)


def sentences(number: int) -> list[Request]:
    return [
        Request(f"This are the {i} . sentence of they .", f"This is the {i} . sentence of them .")
        for i in range(number)
    ]


class NeverLoaded(SpacyAnnotator):
    """An annotator whose edits can only come from workers."""

    scheme = "Test"
    packages = ()

    @classmethod
    def load(cls, model_folder: Path, merger: str) -> None:
        raise AssertionError("this process must not load the model")


def test_annotate_gives_every_request_the_edits_of_its_worker(fake, monkeypatch, tmp_path):
    fake("pass")
    monkeypatch.setattr(spacy_annotator, "_SENTENCES_FOR_A_WORKER", 10)
    monkeypatch.setattr(spacy_annotator, "_SENTENCES_IN_A_CHUNK", 8)
    requests = sentences(40)
    with cache_folder.disabled():
        found = NeverLoaded(SpacyModel("en-3", "en", tmp_path), "rules").annotate(
            requests, threads=2
        )
    assert [found[request] for request in requests] == right(requests)


@pytest.mark.model
@pytest.mark.slow
def test_a_killed_worker_changes_nothing(errant_ready, monkeypatch):  # noqa: F811
    """A real worker. It is killed after its first answer, so it fails at its second chunk."""
    processes = []
    original = workers._Worker.annotate

    def annotate(worker, chunk):
        answer = original(worker, chunk)
        processes.append(worker.process)
        if len(processes) == 1:
            worker.process.kill()
        return answer

    monkeypatch.setattr(workers._Worker, "annotate", annotate)
    requests = sentences(40)
    chunks = [requests[begin : begin + 10] for begin in range(0, 40, 10)]
    name = "corrigenda.annotation.english:EnglishAnnotator"
    folder = str(find_spacy_model(errant_ready).folder)
    answers = workers.annotate_chunks(chunks, (name, folder, "rules"), 1)
    by_worker = {
        request: edits for answer in answers for request, edits in zip(*answer, strict=True)
    }
    with cache_folder.disabled():
        here = find_annotator().annotate(requests, threads=1)
    assert len(processes) == 4
    assert len(set(processes)) == 2
    assert by_worker == here
    assert {edit.correction for edit in here[requests[0]]} == {"is", "them"}


@pytest.mark.model
def test_this_process_does_what_workers_cannot(errant_ready, monkeypatch, tmp_path):  # noqa: F811
    monkeypatch.setattr(workers, "_command", lambda *_: [str(tmp_path / "no such program")])
    monkeypatch.setattr(spacy_annotator, "_SENTENCES_FOR_A_WORKER", 5)
    found = find_annotator().annotate(sentences(10), threads=2)
    assert all(
        [edit.type for edit in edits] == ["R:VERB:SVA", "R:PRON"] for edits in found.values()
    )
