"""`corrigenda score`: every way of giving it a corpus and systems leads to the same numbers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from program import GOLD, REFS, SOURCE, TEXT_CORPUS, output_of, run, system

from corrigenda import Corpus, __version__, evaluate, metric
from corrigenda.data import SAMPLE, sample_corpus
from corrigenda.formats import jsonl, read_hypotheses, read_text
from corrigenda.metrics import REGISTRY, default_metrics, metric_class

RESULT_KEYS = ["system", "metric", "level", "score", "precision", "recall", "counts", "signature"]


def scored(*arguments: str | Path, **options) -> dict:
    return json.loads(output_of("score", *arguments, "--format", "json", **options))


def expected(
    corpus: Corpus, names: list[str], metrics: list[str], level: str = "corpus"
) -> list[dict]:
    systems = [read_hypotheses(system(name)) for name in names]
    return [result.to_dict() for result in evaluate(corpus, systems, metrics, level=level)]


@pytest.fixture(scope="module")
def text_corpus() -> Corpus:
    return read_text(SOURCE, REFS)


METRICS = ["green", "gleu:variant=paper", "bleu"]


@pytest.fixture(scope="module")
def from_text() -> dict:
    return scored(*TEXT_CORPUS, "--hyps", system("strong"), system("empty"), "--metrics", *METRICS)


def test_from_text_files(from_text, text_corpus):
    assert from_text["results"] == expected(text_corpus, ["strong", "empty"], METRICS)


def test_the_json_is_as_documented(from_text):
    assert list(from_text) == ["version", "corpus", "health", "results"]
    assert from_text["version"] == __version__
    assert from_text["corpus"] == {"sentences": 60, "references": 2}
    for result in from_text["results"]:
        assert [key for key in result if key in RESULT_KEYS] == RESULT_KEYS
        assert 0 <= result["score"] <= 1
    greens = [result for result in from_text["results"] if result["metric"] == "green"]
    assert len(greens) == 2
    for result in greens:
        assert list(result) == RESULT_KEYS
        assert list(result["counts"]) == ["tk", "td", "ti", "od", "oi", "ud", "ui"]
        assert all(
            len(over_n) == 4 and all(isinstance(n, int) for n in over_n)
            for over_n in result["counts"].values()
        )
    assert [result["metric"] for result in from_text["results"]] == METRICS * 2
    assert all(
        result["signature"].startswith(result["metric"].split(":")[0] + "|") for result in greens
    )


def test_from_m2():
    got = scored("--gold", GOLD, "--hyps", system("strong"), "--metrics", "green", "gleu")
    assert got["corpus"] == {"sentences": 60, "references": 3}
    assert got["results"] == expected(sample_corpus(), ["strong"], ["green", "gleu"])
    assert "|refs:2-3|" in got["results"][0]["signature"]


def test_from_json_lines(tmp_path, text_corpus):
    file = tmp_path / "corpus.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        jsonl.save(text_corpus, [read_hypotheses(system("eager"))], stream)
    got = scored("--jsonl", file, "--metrics", "green")
    assert got["results"] == expected(text_corpus, ["eager"], ["green"])
    more = scored("--jsonl", file, "--hyps", system("strong"), "--metrics", "green")
    assert more["results"] == expected(text_corpus, ["eager", "strong"], ["green"])


def test_a_name_may_be_given(text_corpus):
    got = scored(*TEXT_CORPUS, "--hyps", f"ours={system('strong')}", system("empty"), "-m", "green")
    assert [result["system"] for result in got["results"]] == ["ours", "empty"]
    assert got["results"][0]["score"] == expected(text_corpus, ["strong"], ["green"])[0]["score"]


def test_a_file_with_an_equals_sign_in_its_name(tmp_path):
    odd = tmp_path / "beta=1.txt"
    odd.write_bytes(Path(system("strong")).read_bytes())
    got = scored(*TEXT_CORPUS, "--hyps", "beta=1.txt", "-m", "green", folder=tmp_path)
    assert got["results"][0]["system"] == "beta=1"


@pytest.mark.parametrize("given", ["-", "ours=-"])
def test_a_system_from_standard_input(given, text_corpus):
    content = Path(system("strong")).read_bytes()
    got = scored(*TEXT_CORPUS, "--hyps", given, "-m", "green", stdin=content)
    assert got["results"][0]["system"] == ("stdin" if given == "-" else "ours")
    assert got["results"][0]["score"] == expected(text_corpus, ["strong"], ["green"])[0]["score"]


def test_the_corpus_from_standard_input(text_corpus):
    gold = scored(
        "--gold", "-", "--hyps", system("strong"), "-m", "green", stdin=Path(GOLD).read_bytes()
    )
    assert gold["results"] == expected(sample_corpus(), ["strong"], ["green"])
    source = Path(SOURCE).read_bytes().replace(b"\n", b"\r\n")
    text = scored(
        "--source", "-", "--refs", *REFS, "--hyps", system("strong"), "-m", "green", stdin=source
    )
    assert text["results"] == expected(text_corpus, ["strong"], ["green"])


def test_default_metrics_are_all_that_need_no_extra():
    got = scored("--gold", GOLD, "--hyps", system("cautious"))
    named = [
        name
        for name in REGISTRY
        if metric_class(name).extra is None
        and not metric_class(name).needs_service
        and not metric_class(name).needs_all_systems
    ]
    assert [result["metric"] for result in got["results"]] == named
    assert got["results"] == expected(
        sample_corpus(), ["cautious"], list(map(str, default_metrics()))
    )


def test_sentence_level(text_corpus):
    got = scored(
        *TEXT_CORPUS, "--hyps", system("cautious"), "--metrics", *METRICS, "--level", "sentence"
    )
    assert got["results"] == expected(text_corpus, ["cautious"], METRICS, level="sentence")
    assert all(result["level"] == "sentence" for result in got["results"])
    assert all("|level:sentence|" in result["signature"] for result in got["results"])


def test_per_sentence(text_corpus):
    got = scored(
        *TEXT_CORPUS, "--hyps", system("strong"), "--metrics", "green", "gleu", "--per-sentence"
    )
    green, gleu = got["results"]
    assert list(green) == [*RESULT_KEYS, "sentences"]
    for result, text in ((green, "green"), (gleu, "gleu")):
        (whole,) = evaluate(text_corpus, [read_hypotheses(system("strong"))], [metric(text)])
        assert len(result["sentences"]) == 60
        assert all(
            list(sentence) == ["score", "reference", "counts"] for sentence in result["sentences"]
        )
        assert result["sentences"] == list(whole.sentences())
    assert {sentence["reference"] for sentence in green["sentences"]} == {0, 1}
    assert {sentence["reference"] for sentence in gleu["sentences"]} == {None}  # all of them count
    for region, totals in green["counts"].items():
        by_sentence = [sentence["counts"][region] for sentence in green["sentences"]]
        assert [sum(column) for column in zip(*by_sentence, strict=True)] == totals


def test_threads_change_nothing(from_text):
    hyps = [system("strong"), system("empty")]
    assert (
        scored(*TEXT_CORPUS, "--hyps", *hyps, "--metrics", *METRICS, "--threads", "3") == from_text
    )


@pytest.mark.slow
def test_the_installed_command_is_the_same_program(from_text):
    command = Path(sys.executable).parent / "corrigenda"
    if not command.exists():
        pytest.skip(f"no command beside {sys.executable}")
    arguments = [*TEXT_CORPUS, "--hyps", system("strong"), system("empty"), "--metrics", *METRICS]
    assert scored(*arguments, program=(str(command),)) == from_text


def test_blanks_and_line_ends_do_not_change_words(tmp_path, from_text):
    odd = tmp_path / "strong.txt"
    lines = Path(system("strong")).read_text(encoding="utf-8").split("\n")[:-1]
    odd.write_bytes(
        b"\xef\xbb\xbf" + "\r\n".join(f"  {line.replace(' ', '  ')} " for line in lines).encode()
    )
    got = scored(*TEXT_CORPUS, "--hyps", odd, "--metrics", *METRICS)
    assert got["results"] == from_text["results"][: len(METRICS)]


@pytest.mark.slow
def test_a_closed_pipe_is_not_an_error():
    """As with `corrigenda score … | head -1`."""
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)\n"
        "child.stdout.close()\n"
        "sys.stderr.buffer.write(child.stderr.read()); sys.exit(child.wait())\n"
    )
    arguments = [
        "score",
        "--gold",
        GOLD,
        "--hyps",
        system("strong"),
        "--per-sentence",
        "--format",
        "json",
    ]
    finished = run(
        sys.executable, "-m", "corrigenda", *arguments, program=(sys.executable, "-c", code)
    )
    assert (finished.returncode, finished.stderr) == (0, "")


def test_the_sample_is_what_its_readme_says():
    corpus = sample_corpus()
    assert len(corpus) == 60
    assert corpus.reference_range == (2, 3)
    plain = read_text(SAMPLE / "source.txt", [SAMPLE / "ref0.txt", SAMPLE / "ref1.txt"])
    assert corpus.sources == plain.sources
    assert tuple(references[:2] for references in corpus.references) == plain.references
