"""Tables that were made to do harm: ratings, human scores, sidecars, baselines."""

from __future__ import annotations

from pathlib import Path

import pytest

from corrigenda.analysis.detective import PublishedNumber
from corrigenda.cache import folder
from corrigenda.errors import CorrigendaError, FormatError, UsageError
from corrigenda.formats import sidecar
from corrigenda.formats.ratings import Rating, read_ratings, read_system_scores
from corrigenda.human import ratings
from corrigenda.human.ratings import rank_ratings
from corrigenda.neural.baselines import read_baseline
from corrigenda.report import human

HEADER = "sentence,judge,system,score"


def file(folder: Path, *lines: str) -> Path:
    path = folder / "x"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([f"{HEADER},score", "1,j,A,5,9"], r"x:1: the column 'score' occurs twice"),
        ([HEADER, '1,j,"A', 'B",5'], r"x:2: a value contains a line end"),
        ([HEADER, "1,j,A,５"], "'５', not a number"),
        ([HEADER, "1,j,A,1_000"], "'1_000', not a number"),
        ([HEADER, "1,j,A,nan"], "'nan', not a number"),
        ([HEADER, "1,j,A,1e400"], "'1e400', not a number"),
        ([HEADER, "1,j,A," + "9" * 5_000], r"'9+\.\.\.9+', not a number"),
        ([HEADER, "1,j,A,1e101"], "'1e101', which is too large"),
        ([HEADER, "1,j,,5"], "x:2: system is empty"),
        ([HEADER, "1, ,A,5"], "x:2: judge is empty"),
        ([HEADER, "1,j,A,5", '2,j,"A'], "x:3: not CSV"),
    ],
)
def test_ratings_are_refused_with_their_place(
    tmp_path: Path, lines: list[str], problem: str
) -> None:
    with pytest.raises(FormatError, match=problem):
        read_ratings(file(tmp_path, *lines))


def test_other_columns_may_stand_anywhere(tmp_path: Path) -> None:
    found = read_ratings(file(tmp_path, "note,score,system,judge,sentence", "x, 5.5 ,A,j,1"))
    assert found == [Rating("1", "j", "A", 5.5)]


def test_a_system_with_two_scores(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="x:3: the system 'a' occurs twice"):
        read_system_scores(file(tmp_path, "system,score", "a,1", "a,2"))
    with pytest.raises(FormatError, match="x:1: the line is not a system and its score"):
        human.from_table(file(tmp_path, "a\t１"))


def test_very_many_rated_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [Rating("1", "j", f"s{number}", number) for number in range(501)]
    with pytest.raises(UsageError, match="at most 500 systems"):
        rank_ratings(many)
    monkeypatch.setattr(ratings, "MOST_OUTPUTS", 100)
    diagonal = [Rating(str(number), "j", f"s{number}", number) for number in range(11)]
    with pytest.raises(CorrigendaError, match="more than 100 outputs"):
        rank_ratings(diagonal)


def test_a_sidecar_with_other_keys_in_each_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sidecar, "_FREE_CELLS", 1_000)
    path = file(tmp_path, *(f'{{"k{number}": 1}}' for number in range(40)))
    with pytest.raises(FormatError, match="40 columns of 40 lines are nearly empty"):
        sidecar.read_sidecar(path, 40)
    full = file(tmp_path, *['{"a": 1, "b": 2, "c": 3}'] * 1_000)
    assert len(sidecar.read_sidecar(full, 1_000)["c"]) == 1_000


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"LAYER,P,R,F\n5,0.3,0.3\n", "values, but there are"),
        (b"LAYER,P,R,F\n5,0.3,0.3,nan\n", "is not a baseline"),
        (b"LAYER,P,R,F\n\xe4,0.3,0.3,0.3\n", "not UTF-8"),
        (b"LAYER,P,R,F\n" + b"9" * 5_000 + b",1,1,1\n", "is not a baseline"),
        (b"", "has no baseline"),
    ],
)
def test_baselines(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "b.tsv"
    path.write_bytes(content)
    with pytest.raises(CorrigendaError, match=problem):
        read_baseline(str(path), 5)


@pytest.mark.parametrize("number", ["0." + "9" * 5_000, "９", "1_0", "1e5", "nan", ""])
def test_what_is_no_published_number(number: str) -> None:
    with pytest.raises(UsageError, match="is not a published number"):
        PublishedNumber.read(number)


def test_the_home_folder_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folder.FOLDER_VARIABLE, "~nobody-with-this-name/cache")
    with pytest.raises(UsageError, match="~nobody-with-this-name is the home folder of nobody"):
        folder.folder()
