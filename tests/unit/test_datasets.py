"""Data sets: located, imported by their checksums, downloaded from a local server."""

from __future__ import annotations

import hashlib
import http.server
import io
import tarfile
import threading
import urllib.request
from functools import partial

import pytest

from corrigenda.data import download, sets
from corrigenda.data.getting import get
from corrigenda.data.importing import import_folder
from corrigenda.data.locate import data_home, locate, missing_files
from corrigenda.errors import CorrigendaError, UsageError
from corrigenda.progress import listening

CONTENT = {"a.txt": b"alpha\n" * 5000, "deep/b.txt": b"beta\n"}


@pytest.fixture
def small_set(monkeypatch):
    """A data set of two files, in place of the real ones."""
    entry = sets.DataSet(
        "small",
        "a small set",
        "http://nowhere.invalid",
        "do as you like",
        "nobody",
        (
            sets.Download("http://data.invalid/pack.tar.gz", "pack.tar.gz"),
            sets.Download("http://data.invalid/b", "b.txt"),
        ),
    )
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in CONTENT.items()}
    monkeypatch.setattr("corrigenda.data.importing.DATA_SETS", (entry,))
    monkeypatch.setattr(sets, "DATA_SETS", (entry,))
    monkeypatch.setattr(sets, "checksums", lambda: {"small": digests})
    return entry


def archive(**members):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as packed:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    return file.getvalue()


class Server(http.server.BaseHTTPRequestHandler):
    """Serves bytes; honours ranges; can break off in the middle of an answer."""

    def __init__(self, files, state, *arguments):
        self.files, self.state = files, state
        super().__init__(*arguments)

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.state["requests"].append((self.path, self.headers.get("Range")))
        if "answer" in self.state:
            self.wfile.write(self.state["answer"])
            self.close_connection = True
            return
        content = self.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        start = 0
        given = self.headers.get("Range")
        tag = '"v1"'
        if given and self.state["ranges"] and self.headers.get("If-Range") == tag:
            start = int(given.removeprefix("bytes=").partition("-")[0])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("ETag", tag)
        self.send_header("Content-Length", self.state.get("length", str(len(content) - start)))
        self.end_headers()
        stop = len(content)
        if self.state["breaks"]:
            self.state["breaks"] -= 1
            stop = start + (stop - start) // 2
        self.wfile.write(content[start:stop])
        self.close_connection = True


@pytest.fixture
def serve(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    servers = []

    def start(files):
        state = {"requests": [], "breaks": 0, "ranges": True}
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, files, state))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}", state

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def good_server(serve):
    files = {
        "/data.invalid/pack.tar.gz": archive(**{"pack/a.txt": CONTENT["a.txt"]}),
        "/data.invalid/b": b"beta\n",
    }
    return serve(files)


class Seen:
    """A listener that remembers every report."""

    def __init__(self):
        self.reports = []

    def report(self, *report):
        self.reports.append(report)

    def note(self, text):
        pass


@pytest.mark.slow
def test_get_fetches_checks_and_installs(tmp_path, small_set, good_server):
    mirror, _ = good_server
    seen = Seen()
    with listening(seen):
        found = get(small_set, tmp_path, mirror=mirror, insecure=True)
    assert set(found.taken) == set(CONTENT)
    assert {path: (tmp_path / "small" / path).read_bytes() for path in CONTENT} == CONTENT
    assert not (tmp_path / ".downloads" / "small").exists()
    assert seen.reports[-1] == ("bytes fetched", 5, 5, "b.txt")


@pytest.mark.slow
def test_a_broken_download_is_carried_on(tmp_path, serve):
    content = bytes(range(256)) * 4096
    url, state = serve({"/file": content})
    state["breaks"] = 1
    download.fetch(f"{url}/file", tmp_path / "file", insecure=True)
    assert (tmp_path / "file").read_bytes() == content
    assert state["requests"] == [("/file", None), ("/file", f"bytes={len(content) // 2}-")]
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@pytest.mark.slow
def test_a_second_call_carries_on_where_the_first_gave_up(tmp_path, serve):
    content = b"x" * 1_000_000
    url, state = serve({"/file": content})
    state["breaks"] = 99
    with pytest.raises(CorrigendaError, match="connection was lost"):
        download.fetch(f"{url}/file", tmp_path / "file", insecure=True)
    kept = (tmp_path / "file.part").stat().st_size
    assert 0 < kept < len(content)
    state["breaks"] = 0
    download.fetch(f"{url}/file", tmp_path / "file", insecure=True)
    assert (tmp_path / "file").read_bytes() == content
    assert state["requests"][-1] == ("/file", f"bytes={kept}-")


@pytest.mark.slow
def test_a_server_without_ranges_is_asked_for_everything(tmp_path, serve):
    url, state = serve({"/file": b"y" * 100_000})
    state.update(breaks=1, ranges=False)
    download.fetch(f"{url}/file", tmp_path / "file", insecure=True)
    assert (tmp_path / "file").read_bytes() == b"y" * 100_000


@pytest.mark.slow
def test_a_part_of_another_version_is_not_joined(tmp_path, serve):
    url, _ = serve({"/file": b"new" * 1000})
    (tmp_path / "file.part").write_bytes(b"old" * 500)
    (tmp_path / "file.part.version").write_text('"v0"')
    download.fetch(f"{url}/file", tmp_path / "file", insecure=True)
    assert (tmp_path / "file").read_bytes() == b"new" * 1000


@pytest.mark.slow
def test_what_cannot_be_fetched_is_said(tmp_path, serve):
    url, state = serve({})
    with pytest.raises(CorrigendaError, match="404"):
        download.fetch(f"{url}/gone", tmp_path / "file", insecure=True)
    assert len(state["requests"]) == 1
    with pytest.raises(CorrigendaError, match="not an HTTP address"):
        download.fetch("file:///etc/passwd", tmp_path / "file")
    with pytest.raises(CorrigendaError, match="cannot fetch"):
        download.fetch("http://127.0.0.1:9/nobody", tmp_path / "file", insecure=True, timeout=1)


@pytest.mark.slow
def test_changed_files_are_refused_unless_accepted(tmp_path, small_set, serve):
    mirror, _ = serve(
        {
            "/data.invalid/pack.tar.gz": archive(**{"pack/a.txt": b"other"}),
            "/data.invalid/b": b"beta\n",
        }
    )
    with pytest.raises(CorrigendaError, match=r"checksum.*a\.txt"):
        get(small_set, tmp_path, mirror=mirror, insecure=True)
    assert not (tmp_path / "small" / "a.txt").exists()
    found = get(small_set, tmp_path, mirror=mirror, accept_changed=True, insecure=True)
    assert found.changed == ("a.txt",)
    assert (tmp_path / "small" / "a.txt").read_bytes() == b"other"


def test_hostile_archives_write_nothing_outside(tmp_path, small_set):
    folder = tmp_path / "in"
    folder.mkdir()
    members = {
        "../../evil.txt": b"evil",
        "/tmp/corrigenda-evil.txt": b"evil",
        "x/../a.txt": CONTENT["a.txt"],
    }
    (folder / "pack.tar.gz").write_bytes(archive(**members))
    import_folder(folder, tmp_path / "home")
    written = [
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()
    ]
    assert sorted(written) == ["home/small/a.txt", "in/pack.tar.gz"]


def test_links_and_broken_archives(tmp_path, small_set):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "pack.tar.gz").write_bytes(b"no archive")
    with pytest.raises(CorrigendaError, match="not a readable archive"):
        import_folder(folder, tmp_path / "home")
    with pytest.raises(CorrigendaError, match="not a folder"):
        import_folder(tmp_path / "nowhere", tmp_path / "home")


def test_import_knows_files_by_content_not_by_folder(tmp_path, small_set):
    folder = tmp_path / "in" / "anywhere"
    folder.mkdir(parents=True)
    (folder / "a").write_bytes(CONTENT["a.txt"])
    (folder / "b.txt").write_bytes(CONTENT["deep/b.txt"])
    (found,) = import_folder(tmp_path / "in", tmp_path / "home")
    assert set(found.taken) == set(CONTENT)
    assert not missing_files(small_set, tmp_path / "home" / "small")


def test_where_data_sets_are(tmp_path, monkeypatch, small_set):
    monkeypatch.setenv("CORRIGENDA_DATA", str(tmp_path))
    assert data_home() == tmp_path
    with pytest.raises(CorrigendaError, match="is not in") as caught:
        locate("small")
    assert "corrigenda data get small" in caught.value.remedy
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "a.txt").write_bytes(b"")
    with pytest.raises(CorrigendaError, match="lacks 1 of its 2 files"):
        locate("small")
    with pytest.raises(UsageError, match="no data set 'large'"):
        locate("large")
    monkeypatch.delenv("CORRIGENDA_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr("sys.platform", "linux")
    assert data_home() == tmp_path / "share" / "corrigenda"


def test_every_real_file_has_a_checksum_and_every_set_its_terms():
    listed = sets.checksums()
    assert set(listed) == {entry.name for entry in sets.DATA_SETS}
    for entry in sets.DATA_SETS:
        assert entry.terms
        assert entry.citation
        assert all(len(digest) == 64 for digest in entry.files.values())
        assert all(url.url.startswith("https://") for url in entry.downloads)


@pytest.mark.slow
def test_the_shared_data_are_recognised(shared, tmp_path, monkeypatch):
    results = import_folder(shared / "data", tmp_path)
    assert {result.data_set.name: (result.changed, result.missing) for result in results} == {
        "conll14": ((), ()),
        "seeda": ((), ()),
        "napoles15": ((), ()),
        "gmeg": ((), ()),
    }
    monkeypatch.setenv("CORRIGENDA_DATA", str(tmp_path))
    for name in ("conll14", "seeda", "napoles15", "gmeg"):
        assert locate(name) == tmp_path / name
    # The texts made from the annotation equal the published texts.
    for name in ("source.txt", "ref0.txt", "ref1.txt"):
        assert (tmp_path / "conll14" / name).read_bytes() == (
            shared / "data" / "conll14" / name
        ).read_bytes()


@pytest.mark.slow
def test_official_archives_are_recognised(shared, tmp_path):
    """The layouts of the official archives, made from the shared files."""
    data = shared / "data"
    folder = tmp_path / "in"
    folder.mkdir()
    systems = {
        f"official_submissions/{path.stem}": path.read_bytes()
        for path in (data / "conll14/systems").iterdir()
    }
    gold = {
        "conll14st-test-data/noalt/official-2014.combined.m2": data
        / "conll14/official-2014.combined.m2",
        "conll14st-test-data/alt/official-2014.combined-withalt.m2": data
        / "conll14/official-2014.combined-withalt.m2",
    }
    (folder / "official_submissions.tar.gz").write_bytes(archive(**systems))
    (folder / "test-data.tar.gz").write_bytes(
        archive(**{name: path.read_bytes() for name, path in gold.items()})
    )
    (folder / "judgments.xml").write_bytes((data / "conll14/judgments.xml").read_bytes())
    (found,) = import_folder(folder, tmp_path / "home", only=["conll14"])
    assert found.missing == found.changed == ()


def test_only_https_unless_asked(tmp_path, serve):
    url, _ = serve(lambda request: None)
    with pytest.raises(CorrigendaError, match="not secure"):
        download.fetch(f"{url}/file", tmp_path / "file")


def test_no_redirection_away_from_https():
    handler = download._CheckedRedirects(insecure=False)
    request = urllib.request.Request("https://example.org/a")
    for target in ("http://example.org/b", "file:///etc/passwd", "ftp://example.org/b"):
        with pytest.raises(CorrigendaError):
            handler.redirect_request(request, None, 302, "Found", {}, target)
    assert handler.redirect_request(
        request, None, 302, "Found", {}, "https://example.org/b"
    ).full_url.endswith("/b")


@pytest.mark.parametrize("length", ["²", "9" * 5000, "-1", "x"])
def test_a_length_that_is_no_number(tmp_path, serve, length):
    url, state = serve({"/b": b"beta\n"})
    state["length"] = length
    download.fetch(f"{url}/b", tmp_path / "b", insecure=True)
    assert (tmp_path / "b").read_bytes() == b"beta\n"


@pytest.mark.parametrize("mirror", ["https://[", "https://a]b/", "https://[::1/x"])
def test_a_mirror_that_is_no_address(tmp_path, mirror):
    with pytest.raises(CorrigendaError, match="not an HTTP address"):
        download.fetch(download.mirrored("https://data.invalid/b", mirror), tmp_path / "b")


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("body", [b"4\r\nalph\r\n", b"10\r\nalp", b"ZZ\r\n", b""])
def test_chunks_that_break_off_are_no_file(tmp_path, serve, body):
    """Without a length, the last chunk says that the file is complete."""
    url, state = serve({})
    state["answer"] = CHUNKED + body
    with pytest.raises(CorrigendaError, match="cannot fetch"):
        download.fetch(f"{url}/b", tmp_path / "b", insecure=True)
    assert not (tmp_path / "b").exists()
    state["answer"] = CHUNKED + b"4\r\nbeta\r\n0\r\n\r\n"
    download.fetch(f"{url}/b", tmp_path / "b", insecure=True)
    assert (tmp_path / "b").read_bytes() == b"beta"


def test_a_redirection_to_what_is_no_address(tmp_path, serve):
    url, state = serve({})
    state["answer"] = b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n\r\n"
    with pytest.raises(CorrigendaError, match="an address that is none"):
        download.fetch(f"{url}/b", tmp_path / "b", insecure=True)


@pytest.mark.parametrize("record", [b"\xff\xfe", b'"v1"\r\nX: y', b"\0", "é".encode()])
def test_a_damaged_record_of_the_version(tmp_path, serve, record):
    """The download begins again."""
    url, state = serve({"/b": b"beta\n"})
    (tmp_path / "b.part").write_bytes(b"al")
    (tmp_path / "b.part.version").write_bytes(record)
    download.fetch(f"{url}/b", tmp_path / "b", insecure=True)
    assert (tmp_path / "b").read_bytes() == b"beta\n"
    assert state["requests"] == [("/b", None)]
