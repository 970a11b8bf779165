"""What a file that is replaced keeps, and renames that are interrupted."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from corrigenda import writing
from corrigenda.writing import opened_files


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def no_nameless_files(*_: object) -> None:
    return None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives files away")
@pytest.mark.parametrize("named", [False, True])
def test_owner_and_group_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool) -> None:
    """A container that runs as root must not take the files of the user."""
    if named:
        monkeypatch.setattr(opened_files, "_nameless", no_nameless_files)
    target = tmp_path / "file"
    target.write_text("old")
    os.chown(target, 12, 34)
    target.chmod(0o6664)
    writing.write_bytes(target, b"new")
    found = target.stat()
    assert (found.st_uid, found.st_gid) == (12, 34)
    # A new content does not inherit the rights of a program.
    assert stat.S_IMODE(found.st_mode) == 0o664


def test_another_group_gets_what_everybody_may_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not yours")

    target = tmp_path / "file"
    target.touch()
    target.chmod(0o664)
    monkeypatch.setattr(os, "chown", refused)
    writing.write_bytes(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="this platform has no such attributes")
def test_attributes_of_the_user_stay(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.touch()
    try:
        os.setxattr(target, "user.origin", b"here")
    except OSError:
        pytest.skip("this file system has no attributes")
    writing.write_bytes(target, b"new")
    assert os.getxattr(target, "user.origin") == b"here"


def test_a_private_file_is_private_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened_files, "_nameless", no_nameless_files)
    target = tmp_path / "file"
    target.touch(mode=0o600)
    with writing.text_file(target):
        modes = [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()]
    assert modes == [0o600, 0o600]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_ctrl_c_between_two_renames_undoes_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    real, renamed = Path.replace, []

    def interrupted(self: Path, target: Path) -> Path:
        renamed.append(target)
        if len(renamed) == 2 and moment == "before":
            raise KeyboardInterrupt
        result = real(self, target)
        if len(renamed) == 2:
            raise KeyboardInterrupt
        return result

    for name in ("a", "b"):
        (tmp_path / name).write_text("old")

    def write() -> None:
        with writing.together() as batch:
            for name in ("a", "b"):
                with batch.text_file(tmp_path / name) as file:
                    file.write("new")
            monkeypatch.setattr(Path, "replace", interrupted)

    with pytest.raises(KeyboardInterrupt):
        write()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old", "b": "old"}


def test_ctrl_c_after_the_only_rename_keeps_the_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        real(self, target)
        raise KeyboardInterrupt

    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        writing.write_bytes(tmp_path / "a", b"new")
    assert left(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "new"
