"""`rank`, `meta`, `data` and `reproduce` as users run them, without a network.

All of them except `reproduce` use the bundled sample.
"""

import http.server
import json
import re
import threading
from functools import partial
from urllib.parse import urlsplit

import pytest
from program import GOLD, output_of, run, system

from corrigenda.data import SAMPLE
from corrigenda.data.sets import data_set

JUDGMENTS = SAMPLE / "judgments.xml"


def test_rank_of_the_sample():
    text = output_of("rank", "sample", "--bootstrap", "100", "--by-judge", "--head-to-head")
    assert re.search(r"1 +strong +0\.933", text)
    assert (
        "48 rankings of 28 sentences by 3 judges: 464 pairs of systems, 410 decided, 54 tied"
        in " ".join(text.split())
    )
    assert "agreement between judges: κ 0.713, weighted κ 0.798" in text
    assert "judge3" in text


def test_rank_as_json_is_the_same_for_file_and_formats(tmp_path):
    from_sample = json.loads(output_of("rank", "sample", "--format", "json"))
    assert json.loads(output_of("rank", JUDGMENTS, "--format", "json")) == from_sample
    assert from_sample["head_to_head"]["strong"]["empty"]["losses"] == 0
    lines = tmp_path / "mine.txt"
    lines.write_text('{"sentence": 1, "judge": "x", "ranks": {"A": 1, "B": 2}}\n')
    found = json.loads(output_of("rank", lines, "--input-format", "jsonl", "--format", "json"))
    assert [entry["system"] for entry in found["systems"]] == ["A", "B"]


def test_rank_by_trueskill():
    pytest.importorskip("scipy")
    found = json.loads(
        output_of("rank", "sample", "--method", "trueskill", "--runs", "5", "--format", "json")
    )
    assert found["systems"][0]["system"] == "strong"


def test_rank_of_some_judges_and_systems():
    found = json.loads(
        output_of(
            "rank",
            "sample",
            "--exclude-judge",
            "judge1",
            "--systems",
            "strong",
            "empty",
            "--format",
            "json",
        )
    )
    assert found["judges"] == ["judge2", "judge3"]
    assert len(found["systems"]) == 2


def test_meta_of_the_sample_prints_everything():
    pytest.importorskip("scipy")
    text = output_of(
        "meta", "--data", "sample", "--metrics", "green", "m2", "--level", "both", "--compare", "--ranks", "--top-k",
        "--window", "3", "--beta-sweep", "0:2:0.5", "--bootstrap", "50",
    )  # fmt: skip
    for expected in (
        "green",
        "0.945",
        "first r second r difference Williams p",
        "ranks",
        "K best",
        "neighbours",
        "best β",
        "judged pairs of outputs",
        "(410 pairs of systems)",
    ):
        assert expected in " ".join(text.split())


def test_meta_of_own_data_is_meta_of_the_sample():
    names = ("strong", "cautious", "eager", "unchanged", "empty")
    own = json.loads(
        output_of(
            "meta", "--gold", GOLD, "--hyps", *(system(name) for name in names), "--judgments", JUDGMENTS,
            "--metrics", "green", "--format", "json",
        )
    )  # fmt: skip
    bundled = json.loads(
        output_of("meta", "--data", "sample", "--metrics", "green", "--format", "json")
    )
    assert own["metrics"] == bundled["metrics"]
    assert own["sentence_level"] == bundled["sentence_level"]


def test_meta_aggregates_as_humans_are_aggregated():
    found = json.loads(
        output_of(
            "meta", "--data", "sample", "--metrics", "green", "--aggregate", "expected-wins", "corpus",
            "--systems", "all", "--format", "json",
        )
    )  # fmt: skip
    assert [entry["aggregation"] for entry in found["metrics"]] == ["expected-wins", "corpus"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "svg"])
def test_meta_draws_figures(tmp_path, kind):
    pytest.importorskip("matplotlib")
    finished = run(
        "meta", "--data", "sample", "--metrics", "green", "--beta-sweep", "0:1:0.5", "--plots", tmp_path / "figures",
        "--plot-format", kind, "--bootstrap", "10",
    )  # fmt: skip
    assert finished.returncode == 0, finished.stderr
    written = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert written == [
        f"sample-{name}.{kind}"
        for name in ("beta", "ranks", "scatter-green-corpus", "top-k", "windows")
    ]
    if kind == "svg":
        drawing = (tmp_path / "figures" / "sample-beta.svg").read_text("utf-8")
        assert "weight of recall" in drawing or "<path" in drawing


def test_data_list_where_and_import(tmp_path):
    environment = {"CORRIGENDA_DATA": str(tmp_path / "home")}
    text = output_of("data", "list", environment=environment)
    assert "conll14  [not here]" in text
    assert "BY-NC-SA" in text
    assert output_of("data", "where", environment=environment).strip() == str(tmp_path / "home")
    rows = json.loads(output_of("data", "list", "--format", "json", environment=environment))
    assert {row["name"] for row in rows} == {"conll14", "seeda", "napoles15", "gmeg", "jfleg"}
    (tmp_path / "in").mkdir()
    finished = run("data", "import", tmp_path / "in", environment=environment)
    assert finished.returncode == 1
    assert "belongs to a known data set" in finished.stderr


def test_data_from_a_folder_that_one_has(shared, tmp_path):
    environment = {"CORRIGENDA_DATA": str(tmp_path)}
    text = output_of("data", "import", shared / "data" / "napoles15", environment=environment)
    assert text == "napoles15: 2 of 2 files taken\n"
    assert output_of("data", "where", "napoles15", environment=environment).strip() == str(
        tmp_path / "napoles15"
    )
    assert "is here already" in output_of("data", "get", "napoles15", environment=environment)


@pytest.mark.slow
def test_data_from_a_server(shared, tmp_path):
    """A server on this computer replaces the official addresses. A second call does nothing."""
    served = tmp_path / "served"
    for download in data_set("napoles15").downloads:
        parts = urlsplit(download.url)
        target = served / parts.netloc / parts.path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((shared / "data" / "napoles15" / download.file_name).read_bytes())
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(served))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = {"CORRIGENDA_DATA": str(tmp_path / "home"), "no_proxy": "127.0.0.1"}
        mirror = f"http://127.0.0.1:{server.server_address[1]}"
        finished = run(
            "data", "get", "napoles15", "--mirror", mirror, "--insecure", environment=environment
        )
        server.shutdown()
    assert finished.returncode == 0, finished.stderr
    assert "no licence file" in finished.stderr
    assert "complete" in finished.stdout
    assert "28,146 pairs" in output_of(
        "rank", tmp_path / "home" / "napoles15" / "all_judgments.csv"
    )


@pytest.mark.slow
def test_reproduce_prints_published_ours_and_difference(shared):
    environment = {
        "CORRIGENDA_DATA": str(shared / "data"),
        "CORRIGENDA_SPACY_MODEL": "none",
        "HF_HUB_OFFLINE": "1",
    }
    text = output_of("reproduce", "green-table4", environment=environment)
    assert re.search(r"wordGLEU +published +58\.08", text)
    assert re.search(r"ours +58\.08", text)
    assert re.search(r"difference +[+-]0\.00", text)
    assert re.search(r"not computed: .*PT-M²: \w+", text)


MISTAKES = {
    ("rank", "nowhere.xml"): "cannot read it",
    ("rank", "sample", "--confidence", "95"): "between 0 and 1",
    ("rank", "sample", "--runs", "0"): "--runs is 0\n  It takes a whole number of 1 or more",
    ("rank", "sample", "--exclude-judge", "eve"): "no judge 'eve'",
    ("meta",): "--data NAME",
    ("meta", "--data", "sample", "--beta-sweep", "5"): "FROM:TO:STEP",
    ("meta", "--data", "sample", "--beta-sweep", "0:1:0"): "--beta-sweep",
    ("meta", "--data", "sample", "--systems", "strong", "empty"): "says nothing",
    ("meta", "--data", "sample", "--metrics", "grene"): "green",
    ("meta", "--data", "sample", "--human", "published"): "no published",
    ("meta", "--judgments", str(JUDGMENTS)): "no system to score",
    ("data", "where", "wmt"): "no data set",
    ("data", "get", "wmt"): "no data set",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"), MISTAKES.items(), ids=lambda value: " ".join(value)[:40]
)
def test_mistakes_are_answered_and_not_traced(arguments, message):
    finished = run(*arguments)
    assert finished.returncode in (1, 2)
    assert message in finished.stderr
    assert "Traceback" not in finished.stderr
