"""Judgments: the formats, the errors and their places, and the pairs of systems."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.errors import CorrigendaError, FormatError
from corrigenda.formats import judgments as judgments_format
from corrigenda.judgments import LOSS, TIE, WIN, Judgments, RankedOutput, Ranking

APPRAISE = """<appraise-results>
<error-correction-ranking-result id="x">
  <ranking-item id="7" src-id="12" user="anna">
    <translation rank="1" system="A"/>
    <translation rank="2" system="B C"/>
  </ranking-item>
  <ranking-item id="8" src-id="13" user="ben"/>
</error-correction-ranking-result>
</appraise-results>"""
OLDER = """<appraise-results>
<ranking-result id="none">
  <ranking-item id="62" user="anna">
    <translation system="A,B" rank="4" /><translation system="C" rank="3" />
  </ranking-item>
</ranking-result>
</appraise-results>"""
CSV = """segmentId,judgeID,system1Id,system1rank,system2Id,system2rank
12,anna,A,1,B,2
12,anna,A,-1,B,-1
13,ben,B,1,A,1
"""
JSON = '{"sentence": 12, "judge": "anna", "ranks": {"A": 1, "B C": 2}}\n\n'


def read(folder, name, content):
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return judgments_format.read(path)


def test_appraise(tmp_path):
    judgments = read(tmp_path, "j.xml", APPRAISE)
    (ranking,) = judgments.rankings
    assert (ranking.sentence, ranking.judge, ranking.ranks()) == (
        "12",
        "anna",
        {"A": 1, "B": 2, "C": 2},
    )
    assert judgments.skipped == 1
    assert ranking.location.line == 3


def test_the_older_dialect_names_the_sentence_by_id_and_merges_by_comma(tmp_path):
    (ranking,) = read(tmp_path, "j.xml", OLDER).rankings
    assert (ranking.sentence, ranking.ranks()) == ("62", {"A": 4, "B": 4, "C": 3})


def test_csv_leaves_out_rows_without_ranks(tmp_path):
    judgments = read(tmp_path, "j.csv", CSV)
    assert [(ranking.sentence, ranking.ranks()) for ranking in judgments.rankings] == [
        ("12", {"A": 1, "B": 2}),
        ("13", {"A": 1, "B": 1}),
    ]
    assert judgments.skipped == 1


@pytest.mark.parametrize("blank", [" ", "\x1e", "\u3000"])
def test_csv_with_blanks_around_ranks(tmp_path, blank):
    assert read(tmp_path, "j.csv", CSV.replace("anna,A,1", f"anna,A,{blank}1{blank}")) == read(
        tmp_path, "j.csv", CSV
    )


def test_json_lines(tmp_path):
    assert read(tmp_path, "j.jsonl", JSON) == Judgments(
        (Ranking("12", "anna", (RankedOutput(("A",), 1), RankedOutput(("B", "C"), 2))),)
    )


def test_other_columns_and_keys_are_left_out(tmp_path):
    wider = "srcIndex,system1Number," + CSV.replace("\n", "\n7,-1,", 3)
    assert read(tmp_path, "j.csv", wider) == read(tmp_path, "j.csv", CSV)
    more = JSON.replace("{", '{"judged": true, "sentence_id": 7, ', 1)
    assert read(tmp_path, "j.jsonl", more) == read(tmp_path, "j.jsonl", JSON)


def test_pairs_of_systems_with_one_output_are_ties(tmp_path):
    pairs = read(tmp_path, "j.xml", APPRAISE).pairs
    assert pairs.systems == ("A", "B", "C")
    assert list(zip(pairs.first, pairs.second, pairs.outcome, strict=True)) == [
        (0, 1, WIN),
        (0, 2, WIN),
        (1, 2, TIE),
    ]
    assert pairs.wins().tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert pairs.tied().tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]


BROKEN = {
    "j.xml": {
        APPRAISE.replace(' src-id="12"', ""): "no attribute 'src-id'",
        APPRAISE.replace(' user="anna"', ""): "no attribute 'user'",
        APPRAISE.replace('rank="1"', 'rank="0"'): "smaller than 1",
        APPRAISE.replace('rank="1"', 'rank="first"'): "whole number",
        APPRAISE.replace('"B C"', '"A C"'): "'A' is ranked twice",
        APPRAISE.replace('"B C"', '" "'): "no system",
        "<appraise-results/>": "neither",
        APPRAISE.replace(
            '<translation rank="2" system="B C"/>', '<translatoin rank="2"/>'
        ): "<ranking-item> contains <translatoin>",
        OLDER.replace("ranking-item", "ranking-itme"): "<ranking-result> contains <ranking-itme>",
        APPRAISE.replace(
            "</appraise", "<group><ranking-item/></group></appraise"
        ): "contains <group>",
        APPRAISE.replace('src-id="12"', 'src-id=""'): "the sentence of a ranking has no name",
        OLDER.replace('id="62"', 'id="62" src-id=" "'): "the sentence of a ranking has no name",
        OLDER.replace('"anna"', '""'): "the judge of a ranking has no name",
    },
    "j.csv": {
        CSV.replace("judgeID", "judge"): "no column 'judgeID'",
        CSV.replace("12,anna,A,1", "12,anna,A,one"): "not a whole number",
        CSV.replace("12,anna,A,1", "12,anna,A,0"): "count from 1",
        CSV.replace("12,anna,A,1", "12,anna,A"): "the row has 5 values, but there are 6 columns",
        CSV.replace("anna,A,-1", "anna,A,1"): "system2rank is -1; ranks count from 1",
        CSV.replace("B,-1", "B,x"): "system2rank is 'x', not a whole number",
        "system3ID,system3rank,"
        + CSV.replace("\n", "\nC,3,", 3): "the column 'system3ID' belongs to no system",
        "system3rank,"
        + CSV.replace("\n", "\n3,", 3): "the column 'system3rank' belongs to no system",
        CSV.replace("system2", "system٢"): "the column 'system٢Id' belongs to no system",
        CSV.replace("12,anna,A,1", ",anna,A,1"): "the sentence of a ranking has no name",
        CSV.replace("12,anna,A,1", "12, ,A,1"): "the judge of a ranking has no name",
        "segmentId,judgeID,system1Id,system1rank\n": "fewer than two",
        "": "no column",
    },
    "j.jsonl": {
        '{"sentence": 1}': "ranks",
        '{"ranks": {"A": 1}}': "sentence",
        '{"sentence": 1, "judges": "anna", "ranks": {"A": 1}}': "the key 'judges' is not known",
        '{"sentence": 1, "Judge": "anna", "ranks": {"A": 1}}': "the key 'Judge' is not known",
        '{"sentence": "", "judge": "anna", "ranks": {"A": 1}}': "the sentence of a ranking has no name",
        '{"sentence": 1, "ranks": {"A": 1.5}}': "whole numbers",
        '{"sentence": 1, "ranks": {"A": true}}': "whole numbers",
        '{"sentence": 1, "ranks": {"A": 1, "A": 2}}': 'the key "A" occurs twice',
        "{": "not JSON",
        "[]": "not a JSON object",
        "[" * 100_000: "nested too deeply",
        "": "no rankings",
    },
}


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        (name, content, problem)
        for name, cases in BROKEN.items()
        for content, problem in cases.items()
    ],
    ids=lambda value: str(value)[:20].replace("\n", " "),
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, name, content, problem):
    with pytest.raises(FormatError, match=problem) as caught:
        read(tmp_path, name, content)
    assert caught.value.location.file.endswith(name)


def test_an_unclear_format_is_asked_for(tmp_path):
    with pytest.raises(CorrigendaError, match="format"):
        read(tmp_path, "judgments", APPRAISE)
    assert len(judgments_format.read(tmp_path / "judgments", style="xml")) == 1


names = st.text("ABCdé&<\"'", min_size=1, max_size=3)


@st.composite
def all_judgments(draw):
    rankings = []
    for _ in range(draw(st.integers(1, 4))):
        systems = draw(st.lists(names, min_size=2, max_size=5, unique=True))
        outputs = tuple(RankedOutput((system,), draw(st.integers(1, 5))) for system in systems)
        rankings.append(Ranking(draw(names), draw(names), outputs))
    return Judgments(tuple(rankings))


@given(all_judgments(), st.sampled_from(["xml", "jsonl"]))
def test_written_judgments_are_read_back(tmp_path_factory, judgments, style):
    file = io.StringIO()
    judgments_format.write(judgments, file, style)
    assert read(tmp_path_factory.mktemp("j"), f"j.{style}", file.getvalue()) == judgments


def test_csv_holds_rankings_of_one_size(tmp_path):
    judgments = read(tmp_path, "j.csv", CSV)
    file = io.StringIO()
    judgments_format.write(judgments, file, "csv")
    assert read(tmp_path, "again.csv", file.getvalue()).rankings == judgments.rankings
    uneven = Judgments((*judgments.rankings, Ranking("1", "x", (RankedOutput(("A",), 1),))))
    with pytest.raises(CorrigendaError, match="same number of outputs"):
        judgments_format.write(uneven, io.StringIO(), "csv")


def test_parts_of_judgments(tmp_path):
    judgments = read(tmp_path, "j.csv", CSV)
    assert judgments.judges == ("anna", "ben")
    assert judgments.of_judge("ben").sentences == ("13",)
    assert judgments.without_judges(["ben"]).judges == ("anna",)
    assert judgments.of_systems(["B"]).systems == ("B",)
    with pytest.raises(CorrigendaError, match="no judge 'eve'"):
        judgments.without_judges(["eve"])
    with pytest.raises(CorrigendaError, match="no judgments of 'Z'"):
        judgments.of_systems(["Z"])
    assert LOSS == -WIN


def test_a_file_that_is_not_there_is_the_first_problem(tmp_path):
    with pytest.raises(CorrigendaError, match="no such file"):
        judgments_format.read(tmp_path / "nofile")
    (tmp_path / "nofile").write_text("", encoding="utf-8")
    with pytest.raises(CorrigendaError, match="does not show its format"):
        judgments_format.read(tmp_path / "nofile")
