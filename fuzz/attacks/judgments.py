"""Attacks by rankings and ratings of systems."""

from __future__ import annotations

from pathlib import Path

from attacks.registry import attack, json_lines, new_file


@attack("5,000 systems in one ranking", 1, "more than 1,000 systems")
def _systems(folder: Path) -> list[str]:
    ranks = {f"s{number}": number + 1 for number in range(5_000)}
    return ["rank", json_lines(folder, {"sentence": "1", "judge": "j", "ranks": ranks})]


@attack("10,000 judges of one sentence", 1, "500,000 pairs of judges", slow=True)
def _judges(folder: Path) -> list[str]:
    ranks = {"A": 1, "B": 2}
    rows = ({"sentence": "1", "judge": f"j{number}", "ranks": ranks} for number in range(10_000))
    return ["rank", json_lines(folder, *rows)]


@attack("10,000 judges of a sentence each", 0, slow=True)
def _judges_apart(folder: Path) -> list[str]:
    numbers, ranks = range(10_000), {"A": 1, "B": 2}
    rows = ({"sentence": str(each), "judge": f"j{each}", "ranks": ranks} for each in numbers)
    return ["rank", json_lines(folder, *rows)]


def _won_in_turn(folder: Path, systems: int, sentences: int) -> str:
    """In each sentence one system wins against the next one."""
    places = (number % (systems - 1) for number in range(sentences))
    return json_lines(
        folder,
        *(
            {"sentence": str(number), "judge": "j", "ranks": {f"s{at}": 1, f"s{at + 1}": 2}}
            for number, at in enumerate(places)
        ),
    )


@attack("100 systems, two of them in each of 20,000 sentences", 0, slow=True)
def _sparse_rankings(folder: Path) -> list[str]:
    return ["rank", _won_in_turn(folder, 100, 20_000)]


@attack("Bradley–Terry of 200 systems", 2, "at most 250 resamples")
def _strengths(folder: Path) -> list[str]:
    return ["rank", _won_in_turn(folder, 200, 2_000), "--method", "bradley-terry"]


@attack("10,000 resamples of 900 systems", 2, "at most 1,234 resamples")
def _many_resamples(folder: Path) -> list[str]:
    return ["rank", _won_in_turn(folder, 900, 2_000), "--bootstrap", "10000"]


@attack("people and a metric on 30 systems in 20,000 sentences", 0, huge=True)
def _meta(folder: Path) -> list[str]:
    text = new_file(folder, "x.txt", "a b\n" * 20_000)
    outputs = [
        new_file(folder, f"s{number}.txt", f"a b{number}\n" * 20_000) for number in range(30)
    ]
    texts = ["--source", text, "--refs", text, "--hyps", *outputs]
    judgments = _won_in_turn(folder, 30, 20_000)
    return ["meta", *texts, "--judgments", judgments, "--metrics", "green"]


@attack("a repeated key in a ranking", 1, "occurs twice")
def _twice(folder: Path) -> list[str]:
    return ["rank", new_file(folder, "x.jsonl", '{"sentence": "1", "ranks": {"A": 1, "A": 2}}\n')]


@attack("a repeated column of CSV", 1, "occurs twice")
def _column(folder: Path) -> list[str]:
    text = "segmentId,judgeID,system1Id,system1rank,system1rank,system2Id,system2rank\n"
    return ["rank", new_file(folder, "x.csv", text + "1,j,A,1,3,B,2\n")]


@attack("a line end in a value of CSV", 1, "contains a line end")
def _line_end(folder: Path) -> list[str]:
    text = "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank\n"
    return ["rank", new_file(folder, "x.csv", text + '1,j,"A\nB",1,C,2\n')]


@attack("terminal escapes in the name of a system", 0, r"A\x1b]52;c;ZXZpbA==\x07")
def _escapes(folder: Path) -> list[str]:
    ranks = {"A\x1b]52;c;ZXZpbA==\x07": 1, "B": 2}
    return ["rank", json_lines(folder, {"sentence": "1", "judge": "j", "ranks": ranks})]


_RATINGS = "sentence,judge,system,score\n"


def _one_ranking(folder: Path, ranks: dict[str, int]) -> str:
    return json_lines(folder, {"sentence": "1", "judge": "j", "ranks": ranks})


@attack("999 systems that nobody tells apart", 0, "498,491 more pairs", slow=True)
def _undecided(folder: Path) -> list[str]:
    return ["rank", _one_ranking(folder, {f"s{number}": 1 for number in range(999)})]


@attack("999 systems against each other in a table", 0, huge=True)
def _head_to_head(folder: Path) -> list[str]:
    ranks = {f"s{number}": number + 1 for number in range(999)}
    return ["rank", _one_ranking(folder, ranks), "--head-to-head", "--bootstrap", "0"]


@attack("names of 100,000 characters in a table", 0)
def _long_names(folder: Path) -> list[str]:
    return ["rank", _one_ranking(folder, {"A" * 100_000: 1, "e\u0301" * 50_000: 2})]


@attack("20 rankings of 400 systems", 0, huge=True)
def _complete_rankings(folder: Path) -> list[str]:
    rows = [
        {"sentence": f"{at}", "judge": "j", "ranks": {f"s{n}": n * at % 9 + 1 for n in range(400)}}
        for at in range(20)
    ]
    return ["rank", json_lines(folder, *rows), "--power"]


@attack("500 rated systems on 4 sentences", 0, slow=True)
def _rated_often(folder: Path) -> list[str]:
    rows = "".join(f"{at % 4},j,s{at // 4},{at * 7 % 101}\n" for at in range(2_000))
    return ["rank", "--ratings", new_file(folder, "x.csv", _RATINGS + rows)]


@attack("4,000 rated systems", 2, "at most 500 systems", slow=True)
def _rated(folder: Path) -> list[str]:
    rows = "".join(f"1,j,s{number},{number % 7}\n" for number in range(4_000))
    return ["rank", "--ratings", new_file(folder, "x.csv", _RATINGS + rows)]


@attack("250,000 ratings of 500 systems, each of another sentence", 1, "10,000,000 outputs",
        huge=True)  # fmt: skip
def _sparse_ratings(folder: Path) -> list[str]:
    rows = "".join(f"{number},j,s{number % 500},{number % 7}\n" for number in range(250_000))
    return ["rank", "--ratings", new_file(folder, "x.csv", _RATINGS + rows)]


@attack("100,000 rated sentences and 1,000 resamples", 0, huge=True)
def _many_ratings(folder: Path) -> list[str]:
    rows = "".join(f"{number // 2},j,s{number % 2},{number % 7}\n" for number in range(200_000))
    return ["rank", "--ratings", new_file(folder, "x.csv", _RATINGS + rows)]


@attack("a rating of 120,000 digits and a letter", 1, "not a number")
def _long_rating(folder: Path) -> list[str]:
    header = "sentence,judge,system,score"
    return ["rank", "--ratings", new_file(folder, "x.csv", f"{header}\n1,j,A,{'1' * 120_000}x\n")]


@attack("a repeated column of ratings", 1, "occurs twice")
def _rated_twice(folder: Path) -> list[str]:
    table = _RATINGS.replace("score\n", "score,score\n") + "1,j,A,1,9\n1,j,B,2,8\n"
    return ["rank", "--ratings", new_file(folder, "x.csv", table)]


@attack("fullwidth digits and underscores in ratings", 1, "not a number")
def _digits_of_others(folder: Path) -> list[str]:
    return ["rank", "--ratings", new_file(folder, "x.csv", _RATINGS + "1,j,A,５\n1,j,B,1_0\n")]
