"""`corrigenda meta` where a metric gives all systems the same score: nothing is made up."""

import json

import pytest
from program import output_of

SOURCE = [
    "on most days he go home with his old friend .",
    "we was there with all of our friends .",
] * 6


@pytest.fixture
def arguments(tmp_path):
    """Five systems that correct nothing, each with an ending of its own: M² is 0 for all."""
    corrected = [sentence.replace("go", "goes").replace("was", "were") for sentence in SOURCE]
    files = {"source": SOURCE, "ref": corrected}
    for number in range(5):
        files[f"s{number}"] = [sentence.replace(" .", " !" * (number + 1)) for sentence in SOURCE]
    for name, lines in files.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "judged.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "sentence": str(place),
                    "judge": "anna",
                    "ranks": {f"s{number}": 1 + (number + place * (place % 4 == 0)) % 5
                              for number in range(5)},
                }
            )
            + "\n"
            for place in range(len(SOURCE))
        )
    )  # fmt: skip
    return [
        "meta", "--source", tmp_path / "source.txt", "--refs", tmp_path / "ref.txt", "--hyps",
        *(tmp_path / f"s{number}.txt" for number in range(5)), "--judgments",
        tmp_path / "judged.jsonl", "--metrics", "green", "m2", "--compare", "--level", "both",
    ]  # fmt: skip


def test_it_has_no_correlation_no_interval_and_no_cluster(arguments):
    data = json.loads(output_of(*arguments, "--format", "json"))
    constant = [entry for entry in data["metrics"] if entry["metric"].startswith("m2")]
    assert len(constant) == 2
    for entry in constant:
        assert entry["pearson"]["value"] is None
        assert entry["pearson"]["interval"] is None
        assert entry["pearson"]["interval_method"] is None
    for pair in data["comparisons"]:
        assert (
            pair["permutation_p"] is pair["corrected_permutation_p"] is pair["deciding_p"] is None
        )
    for how in ("corpus", "mean"):
        (name,) = data["clusters"][how]["clusters"]
        assert name.startswith("green")
    text = output_of(*arguments)
    assert "nan" not in text
    assert "it has no correlation" in text
    assert "too few systems" not in text
