"""The store of annotations never gives a wrong answer, even if its file is damaged."""

from __future__ import annotations

import inspect
import sqlite3
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.annotation import store as store_module
from corrigenda.annotation.request import Request
from corrigenda.annotation.spacy_model import SpacyModel
from corrigenda.annotation.store import AnnotationStore
from corrigenda.annotation.toolchain import Toolchain
from corrigenda.cache import byte_store
from corrigenda.cache import folder as cache_folder
from corrigenda.edits import Edit
from examples import examples


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    return toolchain_in(tmp_path_factory.mktemp("model"))


def toolchain_in(folder: Path, errant: str = "3.0.2") -> Toolchain:
    (folder / "meta.json").write_text("{}")
    (folder / "config.cfg").write_text("")
    versions = {"errant": errant, "spacy": "3.8.0"}
    return Toolchain(versions, SpacyModel("en_test-1", "en", folder))


def annotations(number: int, tag: str = "x") -> dict[Request, tuple[Edit, ...]]:
    return {
        Request(f"source {i}", f"target {i} é"): (
            Edit(0, 1, (f"{tag}{i} é",), "R:NOUN"),
            Edit(2, 2, ("",), "M:DET"),
        )
        for i in range(number)
    }


def test_what_is_written_is_read(tools, tmp_path):
    store = AnnotationStore(tools, tmp_path / "deep" / "store")
    written = annotations(1200)
    store.write(written)
    assert store.read([*written, Request("source 0", "never seen")]) == written
    assert byte_store.summary(store.path).numbers == {"errant 3.0.2, spaCy 3.8.0, en_test-1": 1200}


def test_a_new_store_is_empty(tools, tmp_path):
    store = AnnotationStore(tools, tmp_path / "store")
    assert store.read(annotations(2)) == {}
    assert not store.path.exists()
    assert byte_store.summary(store.path).bytes == 0


def test_texts_spans_and_versions_are_not_confused(tools, tmp_path):
    store = AnnotationStore(tools, tmp_path / "store")
    request = Request("a b", "a c")
    store.write({request: (Edit(1, 2, ("c",), "R:NOUN"),)})
    assert (
        store.read(
            [Request("a b", "a c", ((1, 2, 1, 2),)), Request("a", "b a c"), Request("a b a", "c")]
        )
        == {}
    )
    other = tmp_path / "model"
    other.mkdir()
    assert AnnotationStore(toolchain_in(other, "3.0.3"), store.path).read([request]) == {}


def test_a_changed_model_has_another_key(tmp_path):
    before = toolchain_in(tmp_path).key
    assert toolchain_in(tmp_path).key != toolchain_in(tmp_path, "3.0.3").key
    (tmp_path / "weights").write_bytes(b"other")
    assert toolchain_in(tmp_path).key != before


@pytest.fixture(scope="module")
def sound_file(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a store with 300 annotations."""
    store = AnnotationStore(tools, tmp_path_factory.mktemp("sound") / "store")
    store.write(annotations(300))
    return store.path.read_bytes()


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(data=st.data())
def test_a_truncated_or_damaged_file_never_gives_a_wrong_answer(
    data, tools, sound_file, tmp_path_factory
):
    path = tmp_path_factory.mktemp("store") / "store"
    store = AnnotationStore(tools, path)
    written = annotations(300)
    content = bytearray(sound_file)
    if data.draw(st.booleans(), label="truncate"):
        path.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    else:
        begin = data.draw(st.integers(0, len(content) - 1))
        noise = data.draw(st.binary(min_size=1, max_size=5000))
        content[begin : begin + len(noise)] = noise
        path.write_bytes(content)
    found = store.read(written)
    assert all(written[request] == edits for request, edits in found.items())
    store.write(written)
    store.write(written)  # the first write may remove a damaged file
    # SQLite may not notice a damaged key. Then an entry may be missing, but none is wrong.
    found = store.read(written)
    assert all(written[request] == edits for request, edits in found.items())
    byte_store.remove(path)
    store.write(written)
    assert store.read(written) == written


@pytest.mark.parametrize(
    "value", [b"", b"{", b"7", b"[[1]]", b'[["a","b",[1],2]]', b"\xff", b"[" * 100_000, b"null"]
)
def test_a_forged_row_that_holds_no_edits_is_not_read(tools, tmp_path, value):
    store = AnnotationStore(tools, tmp_path / "store")
    store.write(annotations(1))
    with sqlite3.connect(store.path) as connection:
        ((key,),) = connection.execute("SELECT key FROM item").fetchall()
        checksum = zlib.crc32(value, zlib.crc32(key))
        connection.execute("UPDATE item SET value = ?, checksum = ?", (value, checksum))
    assert store.read(annotations(1)) == {}
    store.write(annotations(1))
    assert store.read(annotations(1)) == annotations(1)


@pytest.mark.parametrize("content", [b"", b"SQLite", b"not a database at all" * 500])
def test_a_file_that_is_not_a_store_is_replaced(tools, tmp_path, content):
    store = AnnotationStore(tools, tmp_path / "store")
    store.path.write_bytes(content)
    assert store.read(annotations(3)) == {}
    store.write(annotations(3))
    store.write(annotations(3))
    assert store.read(annotations(3)) == annotations(3)


@pytest.mark.slow
def test_the_size_is_bounded_and_the_oldest_entries_go_first(tools, tmp_path, monkeypatch):
    monkeypatch.setenv(cache_folder.LIMIT_VARIABLE, "1")
    store = AnnotationStore(tools, tmp_path / "store")
    monkeypatch.setattr(byte_store, "_today", lambda: 1)
    for part in range(8):
        store.write(
            {Request(f"old {part} {i}", "t"): (Edit(0, 1, ("x" * 100,), "R"),) for i in range(1000)}
        )
    monkeypatch.setattr(byte_store, "_today", lambda: 2)
    fresh = {Request(f"new {i}", "t"): (Edit(0, 1, ("x" * 100,), "R"),) for i in range(1000)}
    store.write(fresh)
    assert store.path.stat().st_size < 1_300_000
    assert store.read(fresh) == fresh


def test_what_is_read_counts_as_used(tools, tmp_path, monkeypatch):
    store = AnnotationStore(tools, tmp_path / "store")
    monkeypatch.setattr(byte_store, "_today", lambda: 1)
    store.write(annotations(2))
    monkeypatch.setattr(byte_store, "_today", lambda: 5)
    store.read([Request("source 0", "target 0 é")])
    import sqlite3

    with sqlite3.connect(store.path) as connection:
        assert sorted(connection.execute("SELECT used FROM item").fetchall()) == [(1,), (5,)]


def test_a_run_goes_on_without_a_store_that_cannot_be_written(tools, tmp_path):
    (tmp_path / "file").write_text("in the way")
    store = AnnotationStore(tools, tmp_path / "file" / "store")
    with pytest.warns(UserWarning, match="continuing without the cache"):
        store.write(annotations(1))
    assert store.read(annotations(1)) == {}


WRITER = """
from __future__ import annotations
from pathlib import Path
from corrigenda.annotation.request import Request
from corrigenda.annotation.spacy_model import SpacyModel
from corrigenda.annotation.store import AnnotationStore
from corrigenda.annotation.toolchain import Toolchain
from corrigenda.edits import Edit
{annotations}
model = SpacyModel("en_test-1", "en", Path({folder!r}))
store = AnnotationStore(Toolchain({versions}, model), Path({path!r}))
for begin in range(0, 400, 20):
    part = dict(list(annotations(400).items())[begin:begin + 20])
    store.write(part)
    assert store.read(part) == part
"""


def start_writer(tools: Toolchain, path: Path) -> subprocess.Popen[bytes]:
    """A process that writes 400 annotations, 20 at a time."""
    program = WRITER.format(
        annotations=inspect.getsource(annotations),
        folder=str(tools.model.folder),
        versions=dict(tools.versions),
        path=str(path),
    )
    return subprocess.Popen([sys.executable, "-c", program])


@pytest.mark.slow
def test_several_processes_write_at_once(tools, tmp_path):
    path = tmp_path / "store"
    running = [start_writer(tools, path) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert AnnotationStore(tools, path).read(annotations(400)) == annotations(400)


@pytest.mark.slow
def test_a_writer_that_is_killed_leaves_a_sound_file(tools, tmp_path):
    path = tmp_path / "store"
    process = start_writer(tools, path)
    while not path.exists() and process.poll() is None:
        time.sleep(0.001)
    process.kill()
    process.wait()
    store = AnnotationStore(tools, path)
    found = store.read(annotations(400))
    assert all(annotations(400)[request] == edits for request, edits in found.items())
    store.write(annotations(400))
    assert store.read(annotations(400)) == annotations(400)


def test_clear_removes_the_file(tools, tmp_path):
    store = AnnotationStore(tools, tmp_path / "store")
    store.write(annotations(2))
    byte_store.remove(store.path)
    assert not store.path.exists()


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("CORRIGENDA_CACHE", str(tmp_path))
    assert store_module.FILE.path().parent == tmp_path
    monkeypatch.delenv("CORRIGENDA_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder.folder() == Path("/somewhere/corrigenda")
    monkeypatch.setenv("XDG_CACHE_HOME", "not absolute")
    assert cache_folder.folder() == Path.home() / ".cache" / "corrigenda"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder.folder() == Path.home() / "Library" / "Caches" / "corrigenda"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert cache_folder.folder() == Path("/local/corrigenda")


def test_the_cache_can_be_turned_off():
    assert cache_folder.is_enabled()
    with cache_folder.disabled():
        assert not cache_folder.is_enabled()
        with cache_folder.disabled(False):
            assert not cache_folder.is_enabled()
    with cache_folder.disabled(False):
        assert cache_folder.is_enabled()
