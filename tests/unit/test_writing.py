"""A file is written whole or not at all, and only one module writes files."""

from __future__ import annotations

import ast
import errno
import io
import os
import pickle
import re
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from corrigenda import writing
from corrigenda.errors import CorrigendaError
from corrigenda.writing import opened_files

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "corrigenda"
WRITING = {"write_text", "write_bytes", "mkstemp", "NamedTemporaryFile", "TemporaryFile"}
OTHER_WAYS = {
    "annotation/worker.py": "the pipe to the process that started it",
    "bulk/storage.py": "folders at a URL; local ones use the module",
    "codabench/bundle.py": "an archive in memory; the module writes it",
    "cli/last_net.py": "/dev/null takes the place of a closed standard output",
}
"""Modules that open something else than a file of the user, and what it is."""


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "new" / "file.txt"
    with (
        writing.together(make_folders=True) as batch,
        batch.text_file(target) as file,
    ):
        file.write("déjà\n")
        assert not target.exists()
    assert target.read_bytes() == "déjà\n".encode()
    assert left(target.parent) == ["file.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError(5, "other")])
def test_after_an_error_the_old_file_is_there(tmp_path: Path, error: BaseException) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")
    kind = error if isinstance(error, type) else type(error)

    def fail() -> None:
        with writing.text_file(target) as file:
            file.write("new" * 100_000)
            raise error

    with pytest.raises(kind):
        fail()
    assert target.read_text() == "old"
    assert left(tmp_path) == ["file.txt"]


def test_several_files_appear_together_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"

    def fail() -> None:
        with writing.together(make_folders=True) as batch:
            with batch.text_file(folder / "first") as file:
                file.write("1")
            with batch.text_file(folder / "second") as file:
                raise ValueError("second")

    with pytest.raises(ValueError, match="second"):
        fail()
    assert left(tmp_path) == []
    with writing.together(make_folders=True) as batch:
        for name in ("first", "second"):
            with batch.text_file(folder / name) as file:
                file.write(name)
            assert not (folder / name).exists()
    assert left(folder) == ["first", "second"]


@pytest.mark.parametrize("links", [True, False])
def test_a_failed_rename_undoes_those_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    if not links:
        monkeypatch.setattr(Path, "hardlink_to", no_links)
    (tmp_path / "old").write_text("old")

    def fail() -> None:
        with writing.together() as batch:
            for name in ("new", "old", "taken"):
                with batch.text_file(tmp_path / name) as file:
                    file.write("changed")
            (tmp_path / "taken").mkdir()

    with pytest.raises(CorrigendaError, match=r"cannot write .*taken"):
        fail()
    assert left(tmp_path) == ["old", "taken"]
    assert (tmp_path / "old").read_text() == "old"


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    writing.write_bytes(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        writing.write_bytes(tmp_path / "fresh", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o640


def test_a_name_of_the_largest_length(tmp_path: Path) -> None:
    writing.write_bytes(tmp_path / ("x" * 255), b"whole")
    assert (tmp_path / ("x" * 255)).read_bytes() == b"whole"


def test_devices_are_written_directly() -> None:
    writing.write_bytes(os.devnull, b"anything")
    assert not Path(os.devnull).is_file()


def no_nameless_files(*_: object) -> None:
    return None


def no_links(*_: object, **__: object) -> None:
    raise OSError(errno.EPERM, "no links here")


@pytest.mark.parametrize(
    ("where", "name", "played"),
    [(opened_files, "_nameless", no_nameless_files), (os, "link", no_links)],
    ids=["no files without names", "they cannot get names"],
)
def test_file_systems_without_nameless_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: object, name: str, played: object
) -> None:
    monkeypatch.setattr(where, name, played)
    content = os.urandom(3 << 20)
    (tmp_path / "file").touch(mode=0o640)
    writing.write_bytes(tmp_path / "file", content)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
    assert (tmp_path / "file").read_bytes() == content
    assert left(tmp_path) == ["file"]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="this platform has no /dev/fd")
def test_pipes_are_written_directly() -> None:
    """`--out >(gzip)` of a shell names a pipe, and so does `--out /dev/stdout | …`."""
    reader, writer = os.pipe()
    writing.write_bytes(f"/dev/fd/{writer}", b"through")
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        assert file.read() == b"through"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this platform has no /dev/stdout")
def test_standard_output_that_goes_on(tmp_path: Path) -> None:
    """`--out /dev/stdout >> FILE` adds to the file."""
    target = tmp_path / "file"
    target.write_text("before ")
    program = "from corrigenda import writing; writing.write_bytes('/dev/stdout', b'after')"
    with target.open("ab") as file:
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert target.read_text() == "before after"


def test_what_cannot_be_added_whole_is_not_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "summary.md"
    writing.append(target, b"one\n")
    writing.append(target, b"two\n")
    assert target.read_bytes() == b"one\ntwo\n"
    real = io.FileIO.write

    def half(self: io.FileIO, data: bytes) -> int:
        real(self, bytes(data)[:2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(opened_files._CheckedFile, "write", half)
    with pytest.raises(OSError, match="No space left"):
        writing.append(target, b"three\n")
    assert target.read_bytes() == b"one\ntwo\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this platform has no /dev/full")
def test_a_full_device_is_an_error() -> None:
    with pytest.raises(writing.WritingError, match="cannot write /dev/full: no space left"):
        writing.write_bytes("/dev/full", b"x")


def test_a_full_disk_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")
    program = (
        "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from corrigenda import writing\n"
        "try: writing.write_bytes(sys.argv[1], bytes(20_000))\n"
        "except writing.WritingError as error: print(error.reason)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(target)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000)),
    )
    assert done.stdout == "file too large\n"
    assert target.read_bytes() == b"old"
    assert left(tmp_path) == ["file"]


def test_text_that_utf8_cannot_hold_is_an_error(tmp_path: Path) -> None:
    with (
        pytest.raises(CorrigendaError, match=r"lone surrogate U\+D83D"),
        writing.text_file(tmp_path / "x") as file,
    ):
        file.write("\ud83d")
    assert left(tmp_path) == []


@pytest.mark.parametrize("name", ["\ud800.txt", "a\0b.txt"])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    for write in (writing.write_bytes, writing.append):
        with pytest.raises(writing.WritingError, match="no file can have this name"):
            write(tmp_path / name, b"new")
    assert list(tmp_path.iterdir()) == []


def test_the_error_travels_between_processes() -> None:
    error = writing.WritingError("x", "full")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def opens_to_write(tree: ast.AST) -> Iterator[str]:
    """The calls of a module that write a file by another way than `corrigenda.writing`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        receiver, _, name = ast.unparse(node.func).rpartition(".")
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        modes = [each.value for each in values if isinstance(each, ast.Constant)]
        is_mode = any(
            isinstance(mode, str) and set(mode) <= set("rwaxbt+U") and set(mode) & set("wax+")
            for mode in modes
        )
        if (
            (name in ("open", "fdopen", "ZipFile", "GzipFile", "TarFile") and is_mode)
            or (name in WRITING and receiver != "writing")
            or (receiver == "os" and name == "open")
            or (name == "savefig" and not isinstance(node.args[0], ast.Name))
        ):
            yield ast.unparse(node)


@pytest.mark.slow
def test_only_one_module_writes_files() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): list(
            opens_to_write(ast.parse(path.read_text(encoding="utf-8")))
        )
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.parent != PACKAGE / "writing"
    }
    assert {name for name, calls in found.items() if calls} == OTHER_WAYS.keys(), (
        "write files by corrigenda.writing"
    )


@pytest.mark.parametrize(
    "line",
    [
        "Path(path).open('w', encoding='utf-8')",
        "open(path, mode='ab')",
        "path.write_text(text)",
        "os.open(path, os.O_WRONLY)",
        "figure.savefig('x.png')",
        "tempfile.NamedTemporaryFile()",
    ],
)
def test_other_ways_are_found(line: str) -> None:
    assert list(opens_to_write(ast.parse(line)))


WRITER = """
import os, signal, sys
from corrigenda import writing
with writing.text_file(sys.argv[1]) as file:
    for number in range(1000):
        file.write(sys.argv[2] * 100 + "\\n")
        if number == int(sys.argv[3]):
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_writer_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    done = subprocess.run([sys.executable, "-c", WRITER, str(target), "x", "500"], check=False)
    assert done.returncode == -9
    assert target.read_text() == "old"
    if hasattr(os, "O_TMPFILE"):  # a file without a name ends with its process
        assert left(tmp_path) == ["file"]


def test_a_killed_writer_of_several_files_leaves_none(tmp_path: Path) -> None:
    """The first file is complete, and still has no name."""
    program = (
        "import os, signal, sys; from corrigenda import writing\n"
        "with writing.together() as batch:\n"
        "    for name in ('a', 'b'):\n"
        "        with batch.text_file(f'{sys.argv[1]}/{name}') as file: file.write(name)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert done.returncode == -9
    if hasattr(os, "O_TMPFILE"):
        assert left(tmp_path) == []


@pytest.mark.parametrize("fails", [False, True])
def test_more_files_than_may_be_open(tmp_path: Path, fails: bool) -> None:
    """A process may open 1,024 files; a batch may have more."""
    program = (
        "import resource, sys; from corrigenda import writing\n"
        "most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (80, most))\n"
        "with writing.together() as batch:\n"
        "    for number in range(150):\n"
        "        with batch.text_file(f'{sys.argv[1]}/{number}') as file: file.write('x')\n"
        f"    if {fails}: sys.exit(5)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert done.returncode == (5 if fails else 0)
    assert sorted(left(tmp_path), key=int) == ([] if fails else [str(n) for n in range(150)])


def test_a_clean_up_that_fails_does_not_hide_the_error(tmp_path: Path) -> None:
    """The message names the file that was asked for, not a temporary one."""
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(writing.WritingError, match=r"cannot write .*loop/x: too many levels"):
        writing.write_bytes(loop / "x", b"")


def test_a_name_for_another_program(tmp_path: Path) -> None:
    def fail() -> None:
        with writing.name_beside(tmp_path / "c.db") as name:
            name.write_text("half")
            name.with_name(f"{name.name}-wal").write_text("log")
            raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        fail()
    assert left(tmp_path) == []
    with writing.name_beside(tmp_path / "c.db") as name:
        name.write_text("whole")
        assert not (tmp_path / "c.db").exists()
    assert left(tmp_path) == ["c.db"]


@pytest.mark.parametrize("have_names", [False, True])
def test_two_writers_leave_one_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, have_names: bool
) -> None:
    """Both are at work at the same time; the file is that of the one that ends last."""
    if have_names:
        monkeypatch.setattr(opened_files, "_nameless", no_nameless_files)
    target = tmp_path / "file"
    with writing.text_file(target) as slow:
        slow.write("a" * 100_000)
        with writing.text_file(target) as quick:
            quick.write("b" * 200_000)
            slow.write("a" * 100_000)
        assert target.read_text() == "b" * 200_000
        slow.write("a")
    assert target.read_text() == "a" * 200_001
    assert left(tmp_path) == ["file"]


def test_a_name_that_cannot_be_given_is_told_with_that_of_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there are no links, the file is copied. Nobody knows its temporary name."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refused)
    temporary, target = tmp_path / "none" / ".corrigenda-1.tmp", tmp_path / "none" / "file.txt"
    with (
        (tmp_path / "written").open("w+b") as written,
        pytest.raises(CorrigendaError, match=rf"cannot write {re.escape(str(target))}: no such"),
    ):
        opened_files.give_name(written.fileno(), temporary, target)
