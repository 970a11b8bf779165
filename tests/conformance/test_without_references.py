"""A corpus of sources alone: reference-free metrics score it everywhere, the others refuse it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from over_metrics import each_published

from bulk_tables import scores, totals
from corrigenda import Corpus, evaluate, metric, reward, score
from corrigenda.analysis.explain import explain
from corrigenda.analysis.significance import compare_two
from corrigenda.analysis.slices import by_length, restricted, slice_scores
from corrigenda.bulk import bulk
from corrigenda.cli import main
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.errors import MetricError, UsageError
from corrigenda.formats import read_jsonl, read_text
from corrigenda.meta.scores import score_systems
from corrigenda.metrics import REGISTRY
from corrigenda.report import ReportOptions, report
from corrigenda.rewards import Accumulator, EvaluationModule, trl_reward
from reference_free import KeptWords
from small_corpora import without_references

SYSTEMS = sample_systems()
NAMES = [system.name for system in SYSTEMS]
FILES = [SAMPLE / f"{name}.txt" for name in NAMES]
LEVELS = ("corpus", "sentence")


def sources_alone() -> Corpus:
    return without_references(sample_corpus())


def rows(count: int = 60) -> list[dict[str, str]]:
    """The first system's output as rows without references."""
    pairs = zip(sources_alone().sources, SYSTEMS[0].sentences, strict=True)
    return [{"source": source, "hypothesis": output} for source, output in pairs][:count]


def write_rows(path: Path, objects: list) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in objects), encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What a command prints that goes well."""
    code = main(list(map(str, arguments)))
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


# Metrics that need references.


@each_published
class TestNeedsReferences:
    """Each of them raises a usage error that says which metric it is."""

    @pytest.fixture
    def refused(self, tested):
        if tested.needs_references == "none":
            pytest.skip(f"{tested.name} needs no references")
        return pytest.raises(UsageError, match=rf"\b{tested.name} needs references")

    def test_evaluate(self, tested, refused):
        with refused:
            evaluate(sources_alone(), SYSTEMS, [tested])

    def test_one_sentence_without_references(self, tested, refused):
        corpus = sample_corpus()
        references = (*corpus.references[:7], (), *corpus.references[8:])
        with refused as error:
            evaluate(Corpus(corpus.sources, references), SYSTEMS, [tested])
        assert "sentence 8 has none" in str(error.value)

    def test_meta(self, tested, refused):
        with refused:
            score_systems([tested], lambda _: sources_alone(), SYSTEMS)

    def test_bulk(self, tested, refused, tmp_path):
        if tested.scope == "corpus" or tested.needs_all_systems:
            pytest.skip("bulk refuses it in any case")
        path = write_rows(tmp_path / "rows.jsonl", rows())
        with refused:
            bulk([str(path)], str(tmp_path / "out"), [tested], workers=0)

    def test_reward(self, tested, refused):
        if tested.scope != "sentence" or tested.needs_all_systems:
            pytest.skip("rewards refuse it in any case")
        texts = [["a b"], ["a c"], [[]]]
        with refused:
            reward(tested)(*texts)
        with refused:
            Accumulator(tested).update(*texts)

    def test_evaluation_module(self, tested, refused):
        module = EvaluationModule(tested)
        with refused:
            module.compute(sources=["a b"], predictions=["a c"], references=[[]])

    @pytest.mark.parametrize(
        "command",
        [
            ["score"],
            ["compare"],
            ["slices", "--by", "length"],
            ["explain", "--line", "1"],
            ["report", "--out", "report.html"],
            ["meta", "--judgments", SAMPLE / "judgments.xml"],
        ],
        ids=lambda command: command[0],
    )
    def test_commands(self, tested, refused, command, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        corpus = ["--source", SAMPLE / "source.txt", "--hyps", *FILES]
        assert main(list(map(str, [*command, *corpus, "-m", tested]))) == 2
        assert f"{tested.name} needs references" in capsys.readouterr().err
        assert not list(tmp_path.iterdir())

    def test_bulk_command(self, tested, refused, capsys, tmp_path):
        if tested.scope == "corpus" or tested.needs_all_systems:
            pytest.skip("bulk refuses it in any case")
        path = write_rows(tmp_path / "rows.jsonl", rows())
        arguments = ["bulk", path, "--output", tmp_path / "out", "-m", tested, "--workers", 0]
        assert main(list(map(str, arguments))) == 2
        assert f"{tested.name} needs references" in capsys.readouterr().err


# A metric that needs none.


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> KeptWords:
    """The metric in the registry; adding a metric takes one line."""
    monkeypatch.setitem(REGISTRY, "kept", "reference_free:KeptWords")
    made = metric("kept")
    assert isinstance(made, KeptWords)
    return made


@pytest.fixture
def expected(kept: KeptWords) -> dict[str, list[float]]:
    """The scores of the systems at both levels, by hand."""
    counts = [kept.statistics(sources_alone(), system, threads=1).counts for system in SYSTEMS]
    return {
        "corpus": [float(each[:, 0].sum() / each[:, 1].sum()) for each in counts],
        "sentence": [float(np.mean(each[:, 0] / each[:, 1])) for each in counts],
    }


@pytest.fixture
def by_sentence(kept: KeptWords) -> list[float]:
    """The scores of the first system's sentences, by hand."""
    counts = kept.statistics(sources_alone(), SYSTEMS[0], threads=1).counts
    return (counts[:, 0] / counts[:, 1]).tolist()


class TestNeedsNoReferences:
    """Through everything that Corrigenda does."""

    @pytest.mark.parametrize("level", LEVELS)
    def test_text(self, kept, expected, level):
        corpus = read_text(SAMPLE / "source.txt")
        assert corpus.reference_range == (0, 0)
        results = evaluate(corpus, SYSTEMS, ["kept"], level=level)
        assert [result.score for result in results] == pytest.approx(expected[level])
        assert results[0].signature.startswith(f"kept|refs:0|level:{level}|")
        assert {row["reference"] for row in results[0].sentences()} == {None}

    def test_with_references_it_is_the_same(self, kept, expected):
        results = evaluate(sample_corpus(), SYSTEMS, ["kept"])
        assert [result.score for result in results] == pytest.approx(expected["corpus"])

    def test_score_of_lists(self, kept):
        assert score(source=["a b"], hypothesis=["a c"], metric="kept").score == 0.5

    def test_jsonl(self, kept, expected, tmp_path):
        path = write_rows(
            tmp_path / "corpus.jsonl", [{"source": text} for text in sources_alone().sources]
        )
        results = evaluate(read_jsonl(path), SYSTEMS, ["kept"])
        assert [result.score for result in results] == pytest.approx(expected["corpus"])

    def test_meta(self, kept, expected):
        (found,) = score_systems([kept], lambda _: sources_alone(), SYSTEMS)
        assert found.corpus.tolist() == pytest.approx(expected["corpus"])
        assert found.mean.tolist() == pytest.approx(expected["sentence"])

    def test_bulk(self, kept, expected, by_sentence, tmp_path):
        path = write_rows(tmp_path / "rows.jsonl", rows())
        done = bulk([str(path)], str(tmp_path / "out"), ["kept"], workers=0, partition_rows=7)
        assert done.rejected == []
        for level, result in zip(LEVELS, done.results, strict=True):
            assert result.score == pytest.approx(expected[level][0])
        assert scores(tmp_path / "out")["kept"] == by_sentence

    def test_rewards(self, kept, by_sentence):
        sources, outputs = sources_alone().sources, SYSTEMS[0].sentences
        for references in ([()] * 60, [[]] * 60):
            assert reward("kept")(sources, outputs, references).tolist() == by_sentence

    def test_rewards_need_no_argument_for_references(self, kept, expected, by_sentence):
        sources, outputs = sources_alone().sources, SYSTEMS[0].sentences
        assert reward("kept")(sources, outputs).tolist() == by_sentence
        accumulator = Accumulator("kept")
        accumulator.update(sources, outputs)
        assert accumulator.compute() == pytest.approx(expected["corpus"][0])
        module = EvaluationModule("kept")
        computed = module.compute(sources=sources, predictions=outputs)
        assert computed["kept"] == pytest.approx(expected["corpus"][0])

    def test_rewards_of_trl(self, kept, by_sentence):
        sources, outputs = sources_alone().sources, SYSTEMS[0].sentences
        assert trl_reward("kept")(list(outputs), source=sources) == by_sentence

    def test_compare(self, kept, expected):
        ours, theirs = evaluate(sources_alone(), SYSTEMS[:2], ["kept"])
        tested = compare_two(ours, theirs, resamples=50)
        difference = expected["corpus"][0] - expected["corpus"][1]
        assert tested.difference == pytest.approx(difference)

    def test_slices(self, kept, by_sentence):
        results = evaluate(sources_alone(), SYSTEMS[:1], ["kept"], level="sentence")
        for part in by_length(sources_alone()):
            expected = np.mean([by_sentence[place] for place in part.sentences])
            assert slice_scores(results, [part]).item() == pytest.approx(expected)
            assert restricted(results[0], part.sentences).score == pytest.approx(expected)

    def test_explain(self, kept):
        corpus, system = Corpus(("a b",), ((),)), sample_systems()[0].at([0])
        (result,) = evaluate(corpus, [system], ["kept"], level="sentence")
        (table,) = explain(corpus, system, result)
        assert [row[0].text for row in table.rows] == ["a", "b"]

    def test_report(self, kept, expected):
        corpus = sources_alone()
        results = evaluate(corpus, SYSTEMS, ["kept"])
        html = report(corpus, SYSTEMS, results, options=ReportOptions(resamples=20))
        block = re.search(r'<script type="application/json" id="summary">(.*?)</script>', html)
        assert block is not None
        (shown,) = json.loads(block[1])["metrics"]
        assert shown["scores"] == pytest.approx(expected["corpus"], abs=1e-6)

    def test_a_metric_that_needs_references_is_named_among_others(self, kept):
        with pytest.raises(UsageError, match="gleu needs references"):
            evaluate(sources_alone(), SYSTEMS, ["kept", "gleu"])


class TestCommandsWithoutReferences:
    """Every command that takes a corpus."""

    CORPUS = ("--source", SAMPLE / "source.txt", "--hyps", *FILES, "-m", "kept")

    @pytest.mark.parametrize("level", LEVELS)
    def test_score(self, kept, expected, capsys, level):
        out = run(capsys, "score", *self.CORPUS, "--level", level, "-f", "json")
        found = [row["score"] for row in json.loads(out)["results"]]
        assert found == pytest.approx(expected[level])

    @pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex"])
    def test_score_in_every_format(self, kept, expected, capsys, form):
        out = run(capsys, "score", *self.CORPUS, "-f", form)
        for name, number in zip(NAMES, expected["corpus"], strict=True):
            assert name in out
            assert (str(number) if form == "csv" else f"{100 * number:.2f}") in out

    def test_score_of_jsonl(self, kept, expected, capsys, tmp_path):
        objects = [
            {"source": source, "hypotheses": dict(zip(NAMES, outputs, strict=True))}
            for source, *outputs in zip(
                sources_alone().sources, *(system.sentences for system in SYSTEMS), strict=True
            )
        ]
        path = write_rows(tmp_path / "corpus.jsonl", objects)
        out = run(capsys, "score", "--jsonl", path, "-m", "kept", "-f", "json")
        found = [row["score"] for row in json.loads(out)["results"]]
        assert found == pytest.approx(expected["corpus"])

    def test_compare(self, kept, capsys):
        out = run(capsys, "compare", *self.CORPUS, "--resamples", 50)
        assert all(name in out for name in NAMES)
        assert run(capsys, "compare", *self.CORPUS, "--resamples", 50, "--pairs")

    def test_slices(self, kept, capsys):
        out = run(capsys, "slices", *self.CORPUS, "--by", "length", "--resamples", 50)
        assert "≤10" in out

    def test_explain(self, kept, capsys):
        assert run(capsys, "explain", "--line", 3, *self.CORPUS).count("  museum\n") == len(NAMES)
        typed = ("--text", "This are it .", "--hypothesis", "This is it .", "-m", "kept")
        assert "  are\n" in run(capsys, "explain", *typed)

    def test_report(self, kept, capsys, tmp_path):
        path = tmp_path / "report.html"
        run(capsys, "report", *self.CORPUS, "--resamples", 20, "--out", path)
        assert "Kept: the share" in path.read_text(encoding="utf-8")

    def test_meta(self, kept, capsys):
        judgments = ("--judgments", SAMPLE / "judgments.xml")
        out = run(capsys, "meta", *judgments, *self.CORPUS, "--bootstrap", 20, "-f", "json")
        assert "kept" in out
        assert json.loads(out)

    def test_bulk(self, kept, expected, capsys, tmp_path):
        path = write_rows(tmp_path / "rows.jsonl", rows())
        run(capsys, "bulk", path, "--output", tmp_path / "out", "-m", "kept", "--workers", 0)
        found = [result["score"] for result in totals(tmp_path / "out")]
        assert found == pytest.approx([expected[level][0] for level in LEVELS])

    def test_metrics(self, kept, capsys):
        assert "kept" in run(capsys, "metrics")


def test_it_is_in_the_registry_only_in_these_tests():
    with pytest.raises(MetricError, match="no metric 'kept'"):
        metric("kept")
