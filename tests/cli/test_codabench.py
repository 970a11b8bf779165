"""A shared task from end to end: the bundle, and its program by the folder protocol.

The platform unpacks the reference data into input/ref and a submission into input/res. Then it runs
the command of metadata.yaml and reads scores.json and detailed_results.html from the output folder.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from program import GOLD, SOURCE, output_of, run, system

STRONG = Path(system("strong")).read_bytes()
FIRST_SOURCE = Path(SOURCE).read_text(encoding="utf-8").splitlines()[0]


class Platform:
    """Does what the platform does."""

    def __init__(self, bundle: Path, folder: Path) -> None:
        self.app = folder / "app"
        with zipfile.ZipFile(bundle) as archive:
            archive.extractall(folder / "bundle")
        self.bundle = folder / "bundle"
        (self.app / "input").mkdir(parents=True)
        (self.bundle / "scoring_program").rename(self.app / "program")
        (self.bundle / "reference_data").rename(self.app / "input" / "ref")
        self.res = self.app / "input" / "res"
        self.res.mkdir()
        self.output = self.app / "output"
        self.output.mkdir()

    def score(self) -> subprocess.CompletedProcess[str]:
        """Run the command of metadata.yaml, with the folders of this machine."""
        metadata = (self.app / "program" / "metadata.yaml").read_text(encoding="utf-8")
        command = metadata.removeprefix("command: ").strip().replace("/app/", f"{self.app}/")
        arguments = [sys.executable, *shlex.split(command)[1:]]
        return subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=60)

    @property
    def scores(self) -> dict[str, float] | None:
        path = self.output / "scores.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    @property
    def details(self) -> str:
        return (self.output / "detailed_results.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "task.zip"
    output_of("codabench", "--gold", GOLD, "-m", "m2", "green:n=3", "--title", "A & B", "-o", path)
    return path


@pytest.fixture
def platform(bundle: Path, tmp_path: Path) -> Platform:
    return Platform(bundle, tmp_path)


@pytest.mark.slow
def test_a_good_submission(platform: Platform) -> None:
    (platform.res / "output.txt").write_bytes(STRONG)
    finished = platform.score()
    assert finished.returncode == 0, finished.stderr
    results = json.loads(
        output_of("score", "--gold", GOLD, "--hyps", system("strong"), "-m", "m2", "green:n=3",
                  "-f", "json")
    )["results"]  # fmt: skip
    assert platform.scores == {
        "m2": 100 * results[0]["score"],
        "m2_precision": 100 * results[0]["precision"],
        "m2_recall": 100 * results[0]["recall"],
        "green_n_3": 100 * results[1]["score"],
    }
    assert "A &amp; B" in platform.details
    assert FIRST_SOURCE not in platform.details  # the test set may be secret


@pytest.mark.slow
def test_the_competition_has_a_column_for_each_score(platform: Platform) -> None:
    (platform.res / "output.txt").write_bytes(STRONG)
    platform.score()
    text = (platform.bundle / "competition.yaml").read_text(encoding="utf-8")
    keys = [line.split()[1] for line in text.splitlines() if line.startswith("        key:")]
    assert keys == list(platform.scores or ())
    for line in text.splitlines():
        if ": pages/" in line or ": logo" in line:
            assert (platform.bundle / line.split(": ")[1]).is_file()


def _too_short(res: Path) -> None:
    (res / "output.txt").write_bytes(b"\n".join(STRONG.split(b"\n")[:10]) + b"\n")


def _not_text(res: Path) -> None:
    (res / "output.txt").write_bytes(b"\xff\xfe\x00" * 100)


def _nothing(res: Path) -> None:
    pass


def _two_files(res: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (res / name).write_bytes(STRONG)


def _huge(res: Path) -> None:
    with (res / "output.txt").open("wb") as file:
        file.truncate(50_000_000_000)  # a hole: it takes no room on the disk


def _link_to_the_references(res: Path) -> None:
    (res / "output.txt").symlink_to("../ref/corpus.jsonl")


def _link_to_a_folder(res: Path) -> None:
    (res / "output.txt").write_bytes(STRONG)
    (res / "more").symlink_to("../ref", target_is_directory=True)


def _link_out_of_the_folder(res: Path) -> None:
    (res / "output.txt").symlink_to("/etc/passwd")


def _pipe(res: Path) -> None:
    os.mkfifo(res / "output.txt")


def _many_files(res: Path) -> None:
    for number in range(150):
        (res / f"{number}.txt").write_bytes(b"")


def _markup_as_name(res: Path) -> None:
    (res / "<script>alert(1)<").write_bytes(STRONG)


def _archive(res: Path) -> None:
    with zipfile.ZipFile(res / "output.zip", "w") as file:
        file.writestr("../../ref/task.json", "{}")


BAD = {
    _too_short: "10 lines, but the test set has",
    _not_text: "UTF-8",
    _nothing: "it has nothing",
    _two_files: "one file output.txt",
    _huge: "the limit is",
    _link_to_the_references: "not a plain file",
    _link_to_a_folder: "not a plain file",
    _link_out_of_the_folder: "not a plain file",
    _pipe: "not a plain file",
    _many_files: "more than 100 files",
    _markup_as_name: "one file output.txt",
    _archive: "one file output.txt",
}


@pytest.mark.slow
def test_bad_submissions_have_no_rank(platform: Platform) -> None:
    """One process scores all of them: each alone would start Python again."""
    from corrigenda.codabench.scoring_program import main

    references = {path.name: path.read_bytes() for path in (platform.app / "input/ref").iterdir()}
    for number, (make, message) in enumerate(BAD.items()):
        res = platform.app / "input" / "res"
        res.rename(platform.app / f"res{number}")
        res.mkdir()
        make(res)
        (platform.output / "scores.json").write_text('{"m2": 99}', encoding="utf-8")
        assert main(str(platform.app / "input"), str(platform.output)) == 1, make
        assert platform.scores is None, make
        assert message in platform.details, (make, platform.details)
        assert "no rank" in platform.details
        assert "<script>" not in platform.details
        assert "root:" not in platform.details
    after = {path.name: path.read_bytes() for path in (platform.app / "input/ref").iterdir()}
    assert after == references


@pytest.mark.slow
def test_the_command_itself_fails(platform: Platform) -> None:
    _too_short(platform.res)
    finished = platform.score()
    assert finished.returncode == 1
    assert "not scored" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.slow
def test_a_fault_of_the_program_shows_no_reference(platform: Platform) -> None:
    (platform.res / "output.txt").write_bytes(STRONG)
    (platform.app / "input/ref/corpus.jsonl").write_text(
        '{"source": "s e c r e t"', encoding="utf-8"
    )
    finished = platform.score()
    assert finished.returncode == 1
    assert "s e c r e t" not in platform.details + finished.stderr + finished.stdout
    assert platform.scores is None


@pytest.mark.slow
def test_other_layouts_of_an_archive(platform: Platform) -> None:
    folder = platform.res / "my folder"
    folder.mkdir()
    (folder / "anything.txt").write_bytes(STRONG.replace(b"\n", b"\r\n"))
    (platform.res / "__MACOSX").mkdir()
    (platform.res / "__MACOSX" / "._output.txt").write_bytes(b"x")
    (platform.res / "readme.md").write_bytes(b"x")
    finished = platform.score()
    assert finished.returncode == 0, finished.stderr


@pytest.mark.slow
def test_strict_and_the_report(tmp_path: Path) -> None:
    path = tmp_path / "task.zip"
    output_of(
        "codabench", "--gold", GOLD, "-m", "m2", "--strict", "--details", "report", "-o", path
    )
    strict = Platform(path, tmp_path)
    (strict.res / "output.txt").write_bytes(STRONG)
    assert strict.score().returncode == 0
    assert FIRST_SOURCE in strict.details
    lines = STRONG.decode("utf-8").splitlines()
    (strict.res / "output.txt").write_text(
        "\n".join(f"Corrected : {line}" for line in lines) + "\n", encoding="utf-8"
    )
    assert strict.score().returncode == 1
    assert "constant-affix" in strict.details
    assert strict.scores is None


@pytest.mark.slow
def test_the_same_bundle_has_the_same_bytes_and_mistakes_are_named(
    bundle: Path, tmp_path: Path
) -> None:
    again = tmp_path / "task.zip"
    output_of("codabench", "--gold", GOLD, "-m", "m2", "green:n=3", "--title", "A & B", "-o", again)
    assert again.read_bytes() == bundle.read_bytes()
    for arguments, message in (
        (["--gold", GOLD, "--submission", "../x"], "no folder"),
        (["--source", SOURCE, "-m", "m2"], "needs references"),
        (["--gold", GOLD, "-o", GOLD], "would overwrite"),
        (["--gold", GOLD, "--tokenise", "intl"], "Leave --tokenise out"),
    ):
        finished = run("codabench", *arguments, folder=tmp_path)
        assert finished.returncode in (1, 2)
        assert message in finished.stderr


@pytest.mark.slow
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_submission_that_is_packed_by_itself(
    platform: Platform, pack: Callable[[bytes], bytes]
) -> None:
    (platform.res / "output.txt").write_bytes(pack(STRONG))
    assert platform.score().returncode == 1
    assert "is packed by itself" in platform.details


@pytest.mark.slow
def test_a_submission_without_its_folder(platform: Platform) -> None:
    platform.res.rmdir()
    assert platform.score().returncode == 1
    assert "there is no submission" in platform.details


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [("title", None), ("metrics", "m2"), ("metrics", []), ("strict", "no"), ("details", "all"),
     ("largest_bytes", True), ("level", "word"), ("other", 1)],
)  # fmt: skip
def test_settings_of_another_type(platform: Platform, name: str, value: object) -> None:
    path = platform.app / "input" / "ref" / "task.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    (platform.res / "output.txt").write_bytes(STRONG)
    assert platform.score().returncode == 1
    assert "task.json" in platform.details
    assert platform.scores is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["scores.json", "detailed_results.html", "."])
def test_an_output_that_cannot_be_written(platform: Platform, name: str) -> None:
    (platform.res / "output.txt").write_bytes(STRONG)
    if name == ".":
        platform.output.rmdir()
        platform.output.write_bytes(b"")
    else:
        (platform.output / name).mkdir()
    finished = platform.score()
    assert finished.returncode == 1
    assert finished.stderr.startswith("cannot write the results: ")
    assert "Traceback" not in finished.stderr
