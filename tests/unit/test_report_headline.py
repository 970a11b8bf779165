"""The sentences on top of a report, its title, and what changed since an earlier run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from corrigenda.core.measures import Measures
from corrigenda.corpus import Corpus
from corrigenda.errors import CorrigendaError
from corrigenda.report.against import EarlierScores, from_json
from corrigenda.report.headline import headline, listed, title_of
from corrigenda.report.human import HumanScores
from corrigenda.report.standings import Standings
from corrigenda.scoring import evaluate

CORPUS = Corpus.from_lists(["a b"], ["a c"])


def standings(scores: dict[str, float], p: list[float], metric: str = "green:n=1") -> Standings:
    made = evaluate(CORPUS, {name: ["a c"] for name in scores}, [metric], health="off")
    results = [
        replace(result, measures=Measures(score))
        for result, score in zip(made, scores.values(), strict=True)
    ]
    count = len(scores)
    return Standings(results, [0.0] * count, [1.0] * count, p, [(1, count)] * count, True)


def test_a_clear_lead() -> None:
    first = standings({"a": 0.5, "b": 0.7, "c": 0.4}, [0.01, 0.3, 0.001])
    second = standings({"a": 0.5, "b": 0.7, "c": 0.4}, [0.2, 0.3, 0.2], "m2")
    assert headline([first, second], 0.95, None, None) == (
        "b leads (70.00); it is significantly above all others by green:n=1."
    )


def test_a_lead_that_is_not_significant_and_another_leader() -> None:
    first = standings({"a": 0.5, "b": 0.7, "c": 0.4}, [0.05, 0.3, 0.001])
    second = standings({"a": 0.9, "b": 0.7, "c": 0.4}, [0.01, 0.3, 0.2], "m2")
    text = headline([first, second], 0.95, HumanScores("Wins", {"c": 0.9, "b": 0.2}), None)
    assert text == (
        "b leads by green:n=1 (70.00), but not significantly above a. a leads by m2. "
        "People put c first (Wins)."
    )


def test_one_system_and_many_rivals() -> None:
    assert headline([standings({"a": 0.5}, [])], 0.95, None, None) == "a has 50.00 by green:n=1."
    names = {name: 0.5 - place / 100 for place, name in enumerate("abcdef")}
    text = headline([standings(names, [1.0] * 15)], 0.95, None, None)
    assert text.endswith("but not significantly above b, c and d and 2 more.")


def test_since_an_earlier_run(tmp_path: Path) -> None:
    before = {
        "results": [
            {"system": name, "metric": "green:n=1", "level": "corpus", "score": score,
             "signature": "other"}
            for name, score in (("a", 0.4), ("b", 0.7))
        ]
    }  # fmt: skip
    (tmp_path / "may.json").write_text(json.dumps(before), encoding="utf-8")
    earlier = from_json(tmp_path / "may.json")
    now = standings({"a": 0.5, "b": 0.7, "c": 0.4}, [0.01, 0.3, 0.001])
    text = headline([now], 0.95, None, earlier)
    assert text.endswith("Since may, by green:n=1: a +10.00; new: c.")
    assert earlier.other_settings(now.results) == ["green:n=1"]
    same = EarlierScores("x", {("a", "green:n=1", "corpus"): 0.5}, {})
    assert headline([standings({"a": 0.5}, [])], 0.95, None, same).endswith("no change.")


def test_an_earlier_run_on_other_data() -> None:
    key = ("a", "green:n=1", "corpus")
    earlier = EarlierScores("may", {key: 0.5, ("z", *key[1:]): 0.4}, {}, sentences=7)
    text = headline([standings({"a": 0.5}, [])], 0.95, None, earlier)
    assert "no change; no longer here: z. But may has 7 sentences and this report " in text


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"results": [{}]}', '{"results": 3}', "["])
def test_other_json_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CorrigendaError, match="not the JSON"):
        from_json(path)


def test_titles() -> None:
    assert title_of(["a"]) == "a"
    assert title_of(["a", "b", "c"]) == "a, b and c"
    assert title_of(["a", "b", "c", "d"]) == "a, b and 2 other systems"
    assert listed([]) == ""
