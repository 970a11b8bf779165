"""`corrigenda rank` where judgments are few or never differ: certainty is not invented."""

import json

import pytest
from program import output_of, run


def judged(tmp_path, sentences, ranks):
    path = tmp_path / "judgments.jsonl"
    path.write_text(
        "".join(
            json.dumps({"sentence": str(number), "judge": "anna", "ranks": ranks}) + "\n"
            for number in range(sentences)
        )
    )
    return path


def text_of(*arguments):
    return " ".join(output_of("rank", *arguments).split())


def test_one_sentence_has_no_intervals(tmp_path):
    """All draws of one sentence are the same. Three clusters would follow from one judgment."""
    path = judged(tmp_path, 1, {"A": 1, "B": 2, "C": 3})
    assert "no intervals: that needs judgments of two sentences or more" in text_of(path)
    assert "1 ranking of 1 sentence by 1 judge: 3 pairs of systems" in text_of(path)
    assert "no intervals" not in text_of(path, "--bootstrap", 0)
    data = json.loads(output_of("rank", path, "--format", "json"))
    assert data["resampling"] is None
    assert {system["cluster"] for system in data["systems"]} == {None}
    failed = run("rank", path, "--power")
    assert failed.returncode == 2
    assert "two judged sentences or more" in failed.stderr


def test_few_sentences_come_with_a_caution(tmp_path):
    assert "caution: 5 sentences are few" in text_of(judged(tmp_path, 5, {"A": 1, "B": 2}))
    assert "are few" not in text_of(judged(tmp_path, 20, {"A": 1, "B": 2}))


@pytest.mark.parametrize("method", ["expected-wins", "bradley-terry"])
def test_judgments_that_never_differ_are_not_certain(tmp_path, method):
    path = judged(tmp_path, 30, {"A": 1, "B": 2})
    text = text_of(path, "--method", method, "--power")
    assert "which is not certainty (up to 10 % of all sentences may)" in text
    (neighbours,) = json.loads(output_of("rank", path, "--method", method, "-f", "json"))[
        "neighbours"
    ]
    assert (neighbours["power"], neighbours["sentences_needed"]) == (None, None)


def test_nothing_but_ties(tmp_path):
    path = judged(tmp_path, 30, {"A": 1, "B": 1, "C": 1})
    done = run("rank", path, "--method", "bradley-terry")
    assert done.returncode == 0
    assert "nan" not in done.stdout
    assert "invalid value" not in done.stderr
