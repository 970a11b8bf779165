"""ChERRANT's M2: targets are read, checked and written."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from corrigenda import Corpus
from corrigenda.edits import Annotation, Edit
from corrigenda.errors import FormatError
from corrigenda.formats import cherrant, read_cherrant

GOLD = """\
S 我 每 天 跑 步 。
T0-A0 我 每 天 都 跑 步 。
A 3 3|||M|||都|||REQUIRED|||-NONE-|||0
T1 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 我 很 很 高 兴
T0-A0 我 很 高 兴
A 1 2|||R|||-NONE-|||REQUIRED|||-NONE-|||0

"""


def read(tmp_path: Path, content: str) -> Corpus:
    path = tmp_path / "gold.m2"
    path.write_text(content, encoding="utf-8")
    return read_cherrant(path)


def written(corpus: Corpus) -> str:
    file = io.StringIO()
    cherrant.save(corpus, (), file)
    return file.getvalue()


def test_it_is_read_and_written_again(tmp_path: Path, recwarn: pytest.WarningsRecorder):
    corpus = read(tmp_path, GOLD)
    assert corpus.sources == ("我 每 天 跑 步 。", "我 很 很 高 兴")
    assert corpus.references == (
        ("我 每 天 都 跑 步 。", "我 每 天 跑 步 。"),
        ("我 很 高 兴",),
    )
    assert corpus.gold is not None
    assert corpus.gold[1] == (Annotation(0, (Edit(1, 2, ("",), "R"),)),)
    assert written(corpus) == GOLD
    assert not recwarn.list


def test_edits_of_texts_have_its_types(tmp_path: Path):
    texts = ["我 很 很 高 兴", "我 今 天 跑 步", "我 每 天 跑 步"]
    targets = ["我 很 高 兴", "我 今 天 都 跑 步", "我 今 天 跑 步"]
    content = written(Corpus.from_lists(texts, [targets], references_by="text"))
    edits = [line.split("|||")[1] for line in content.splitlines() if line.startswith("A ")]
    assert edits == ["R", "M", "S"]
    assert written(read(tmp_path, content)) == content


def test_the_first_of_several_ways_to_cut_is_read(tmp_path: Path):
    corpus = read(
        tmp_path,
        "S 我 很 很 高 兴\n"
        "T0-A0 我 很 高 兴\nA 1 2|||R|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "T0-A1 我 很 高 兴\nA 2 3|||R|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "T1-A0 我 高 兴\nA 1 3|||R|||-NONE-|||REQUIRED|||-NONE-|||1\n",
    )
    assert corpus.references == (("我 很 高 兴", "我 高 兴"),)


def test_what_nobody_could_correct_is_not_a_reference(tmp_path: Path):
    impossible = "T{0} 无法标注\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||{0}\n"
    corpus = read(
        tmp_path,
        "S 我\n" + impossible.format(0) + "\n"
        "S 你\nT0-A0 你 们\nA 1 1|||M|||们|||REQUIRED|||-NONE-|||0\n" + impossible.format(1),
    )
    assert corpus.references == ((), ("你 们",))


def test_a_target_that_the_edits_do_not_make_is_an_error(tmp_path: Path):
    with pytest.raises(FormatError, match="annotator 0 do not give this target") as error:
        read(tmp_path, GOLD.replace("T0-A0 我 很 高 兴", "T0-A0 我 很 高"))
    assert error.value.location is not None
    assert error.value.location.line == 8


def test_nothing_wrong_beside_edits_is_an_error(tmp_path: Path):
    with pytest.raises(FormatError, match="do not give this target"):
        read(tmp_path, GOLD.replace("T0-A0 我 很 高 兴", "T0 没有错误"))


def test_plain_m2_is_read_too(tmp_path: Path):
    plain = "".join(line for line in GOLD.splitlines(keepends=True) if line[0] != "T")
    assert read(tmp_path, plain) == read(tmp_path, GOLD)


def test_a_sentence_that_nobody_could_correct_stays_one(tmp_path: Path) -> None:
    file = tmp_path / "gold.m2"
    file.write_text(
        "S 他 很 好 。\nT0 无法标注\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        "S 我 好 。\nT0 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n",
        encoding="utf-8",
    )
    sentences = cherrant.read(file)
    assert [len(each.annotations) for each in sentences] == [0, 1]
    with (tmp_path / "again.m2").open("w", encoding="utf-8") as again:
        cherrant.write(sentences, again)
    assert (tmp_path / "again.m2").read_bytes() == file.read_bytes()
    assert cherrant.read(tmp_path / "again.m2") == sentences
