"""One default number of resamples and one correction in all commands, and enough resamples."""

import json

import pytest
from program import output_of, run

from corrigenda.analysis.resolution import DEFAULT_RESAMPLES


def test_the_defaults_are_the_same_in_all_commands():
    for command in ("compare", "slices", "report"):
        text = " ".join(output_of(command, "--help").split())
        assert f"many tests need them (default: {DEFAULT_RESAMPLES}" in text
        assert "Holm, or none (default: bh)" in text


@pytest.mark.slow
def test_the_pairs_of_conll_are_what_a_reader_expects(conll_folder):
    """IPN was in one cluster with CAMB, because 78 pairs need more than 1000 resamples."""
    systems = [conll_folder / "systems" / f"{name}.txt" for name in ("CAMB", "AMU", "IPN", "NTHU")]
    found = json.loads(
        output_of(
            "compare", *systems, "--gold", conll_folder / "official-2014.combined.m2", "--metrics",
            "m2", "--pairs", "--correction", "holm", "--format", "json",
        )
    )["pairs"][0]  # fmt: skip
    cluster = {entry["system"]: entry["cluster"] for entry in found["systems"]}
    assert cluster["IPN"] > cluster["NTHU"] > cluster["CAMB"] == 1
    assert "|resamples:2400|" in found["signature"]


@pytest.mark.slow
def test_ratings_are_ranked(tmp_path):
    pytest.importorskip("scipy")
    path = tmp_path / "ratings.csv"
    rows = [
        f"{sentence},{judge},{system},{value + sentence % 3}"
        for sentence in range(12)
        for judge, shift in (("x", 0), ("y", 50))
        for system, value in (("good", 9 + shift), ("poor", 4 + shift))
    ]
    path.write_text("\n".join(["sentence,judge,system,score", *rows]) + "\n")
    text = output_of("rank", path, "--ratings")
    assert "48 ratings of 12 sentences by 2 judges" in text
    found = json.loads(output_of("rank", path, "--ratings", "--format", "json"))
    assert [entry["cluster"] for entry in found["systems"]] == [1, 2]
    assert output_of("rank", path, "--ratings", "--format", "csv").startswith("system,score,raw")


@pytest.fixture
def ratings(tmp_path):
    """A file of ratings by one judge of so many sentences: B is better than A by 5 to 7."""

    def written(sentences):
        path = tmp_path / "ratings.csv"
        rows = [
            f"{sentence},anna,{system},{40 + sentence % 7 + bonus + sentence % 3 * (bonus > 0)}"
            for sentence in range(sentences)
            for system, bonus in (("A", 0), ("B", 5))
        ]
        path.write_text("\n".join(["sentence,judge,system,score", *rows, ""]))
        return path

    return written


def test_ratings_invent_no_certainty(ratings):
    """Without resamples, or of one sentence, the intervals had no width."""
    pytest.importorskip("scipy")
    for path, more in ((ratings(30), ("--bootstrap", "0")), (ratings(1), ())):
        text = output_of("rank", path, "--ratings", *more)
        assert "interval " not in text
        found = json.loads(output_of("rank", path, "--ratings", *more, "--format", "json"))
        assert [system["interval"] for system in found["systems"]] == [None, None]
        assert found["neighbours"] == []
    assert "no intervals: that needs judgments of two sentences" in text
    assert "caution: 6 sentences are few" in output_of("rank", ratings(6), "--ratings")
    path = ratings(1)
    path.write_text(path.read_text().replace("0,anna,B", "0,ben,B"))
    text = " ".join(output_of("rank", path, "--ratings").split())
    assert "caution: 2 judges gave one rating, or equal ratings; their z is 0" in text


def test_power_of_ratings(ratings):
    """It was left out without a word."""
    pytest.importorskip("scipy")
    text = output_of("rank", ratings(30), "--ratings", "--power")
    assert "B – A" in text
    assert "more ratings" in text
    records = output_of(
        "rank", ratings(30), "--ratings", "--format", "csv", "--table", "power"
    ).splitlines()
    (row,) = [dict(zip(*(line.split(",") for line in records), strict=True))]
    assert float(row["power"]) > 0.99
    assert int(row["units"]) == 30


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--method", "bradley-terry"), "--method is about rankings"),
        (("--by-judge",), "--by-judge is about rankings"),
        (("--head-to-head",), "--head-to-head is about rankings"),
        (("--exclude-judge", "zoe"), "there is no judge 'zoe'"),
        (("--systems", "A", "C"), "there are no ratings of 'C'"),
    ],
)
def test_what_ratings_cannot_do_is_refused(ratings, options, message):
    """These options were ignored."""
    finished = run("rank", ratings(9), "--ratings", *options)
    assert finished.returncode != 0
    assert message in finished.stderr


def test_power_is_printed_where_it_is_asked_for():
    from program import GOLD, system

    text = output_of(
        "compare", system("cautious"), system("eager"), "--gold", GOLD, "-m", "green", "--power"
    )
    assert "sentences needed" in text
    rows = json.loads(
        output_of(
            "compare", system("cautious"), system("eager"), "--gold", GOLD, "-m", "green",
            "--power", "--format", "json",
        )
    )["comparisons"]  # fmt: skip
    assert rows[0]["power"]["needed"] > 60
    assert "to tell neighbours apart" in output_of("rank", "sample", "--power")


def test_runs_of_one_system_and_the_ceiling():
    from program import GOLD, system

    runs = f"ours={system('strong')},{system('eager')}"
    text = output_of("score", "--gold", GOLD, "--hyps", runs, "-m", "green", "m2", "--ceiling")
    assert "mean ± standard deviation over runs" in text
    assert "human ceiling" in text
    data = json.loads(
        output_of(
            "score", "--gold", GOLD, "--hyps", runs, "-m", "green", "--ceiling", "--format", "json"
        )
    )
    assert len(data["runs"][0]["scores"]) == 2
    assert 0 < data["ceiling"][0]["human"] < 1
    found = json.loads(
        output_of(
            "compare", system("cautious"), runs, "--gold", GOLD, "-m", "green", "--format", "json"
        )
    )["runs"]
    assert found[0]["system"]["system"] == "ours"
    assert "count the spread over runs and over sentences" in " ".join(
        output_of("compare", system("cautious"), runs, "--gold", GOLD, "-m", "green").split()
    )


def test_rank_says_what_judgments_do_not_connect(tmp_path):
    path = tmp_path / "judgments.jsonl"
    rows = [
        {"sentence": str(number), "judge": "anna", "ranks": {first: 1, second: 2}}
        for number in range(24)
        for first, second in (("A", "B"), ("C", "D"))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = " ".join(output_of("rank", path, "--method", "bradley-terry", "--power").split())
    assert "caution: no judgments connect A B / C D: scores of different groups" in text
    for order in ("A / B", "C / D"):
        assert f"caution: no win is against the order {order}: how far apart" in text
    assert "caution: no judgments connect" in output_of("rank", path)
    assert "caution" not in output_of("rank", "sample")
    found = json.loads(output_of("rank", path, "--format", "json"))
    assert found["connected"] == [["A", "B"], ["C", "D"]]
    assert {system["cluster"] for system in found["systems"]} == {1}
