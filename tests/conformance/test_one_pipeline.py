"""`score`, `meta`, `bulk`, `reward`, `report` and slices give the same bits for every metric.

Metrics with a pretrained model are the exception: `registered.BATCHES_MOVE_SCORES` names them and
says how far other batches move their scores.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from over_metrics import (
    assert_same_result,
    each_level,
    each_metric_mostly_published,
    each_published,
)
from registered import METRICS, as_parameters, takes_plain_text, tolerance

from bulk_tables import Rows, scores, totals, write_jsonl
from corrigenda import Corpus, Hypotheses, Metric, Result, evaluate, reward
from corrigenda.analysis.slices import Slice, restricted, slice_scores
from corrigenda.bulk import bulk
from corrigenda.cli import main
from corrigenda.core.evaluate import Block, evaluate_blocks
from corrigenda.core.metric import LEVELS
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.errors import MetricError
from corrigenda.formats import read_text
from corrigenda.meta.scores import score_systems
from corrigenda.meta.sweep import sweep_beta
from corrigenda.report import ReportOptions, report
from corrigenda.report.numbers import short
from corrigenda.rewards import Accumulator, EvaluationModule

KINDS = ("gold", "text")
each_corpus = pytest.mark.parametrize("kind", KINDS)
SYSTEM_NAMES = ("strong", "eager")
JUDGED_NAMES = ("strong", "eager", "cautious")  # meta needs three systems


def size(tested: Metric) -> int:
    """How many sentences of the sample: fewer for metrics with models, which take longer."""
    return 8 if tested.modules_in_use else 30


def corpus_of(kind: str, tested: Metric) -> Corpus:
    """The sample with annotated edits, or as plain text."""
    if kind == "gold":
        return sample_corpus()[: size(tested)]
    if not takes_plain_text(tested):
        pytest.skip(f"{tested} needs annotated edits")
    corpus = read_text(SAMPLE / "source.txt", [SAMPLE / "ref0.txt", SAMPLE / "ref1.txt"])
    return corpus[: size(tested)]


def systems(tested: Metric) -> list[Hypotheses]:
    return [each[: size(tested)] for each in sample_systems() if each.name in SYSTEM_NAMES]


@cache
def evaluated(kind: str, tested: Metric, level: str) -> list[Result]:
    """What everything else is compared with."""
    return evaluate(corpus_of(kind, tested), systems(tested), [tested], level=level, threads=1)


def assert_same_numbers(tested: Metric, found: object, expected: object) -> None:
    """The same bits, except for the exceptions."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance(tested))


@each_metric_mostly_published
@each_corpus
@each_level
def test_blocks(tested, kind, level):
    corpus = corpus_of(kind, tested)
    outputs = systems(tested)
    blocks = [Block(corpus[part], [each[part] for each in outputs]) for part in corpus.blocks(5)]
    found = evaluate_blocks(blocks, [tested], level=level, threads=1)
    for expected, in_blocks in zip(evaluated(kind, tested, level), found, strict=True):
        assert_same_result(expected, in_blocks)


@each_metric_mostly_published
@each_corpus
@each_level
def test_command_line(tested, kind, level, capsys, tmp_path):
    count = size(tested)
    for path in SAMPLE.glob("*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / path.name).write_text("".join(lines[:count]), encoding="utf-8")
    sentences = (SAMPLE / "gold.m2").read_text(encoding="utf-8").split("\n\n")
    (tmp_path / "gold.m2").write_text("\n\n".join(sentences[:count]) + "\n\n", encoding="utf-8")
    data = {
        "gold": ["--gold", tmp_path / "gold.m2"],
        "text": ["--source", tmp_path / "source.txt", "--refs", *sorted(tmp_path.glob("ref?.txt"))],
    }
    expected = evaluated(kind, tested, level)
    outputs = [tmp_path / f"{name}.txt" for name in SYSTEM_NAMES]
    arguments = [*data[kind], "--hyps", *outputs, "-m", tested, "--level", level, "-f", "json"]
    assert main(["score", *map(str, arguments)]) == 0
    rows = json.loads(capsys.readouterr().out)["results"]
    assert [row["system"] for row in rows] == [result.system for result in expected]
    found = [row["score"] for row in rows]
    assert_same_numbers(tested, found, [result.score for result in expected])


@each_metric_mostly_published
@each_corpus
def test_meta(tested, kind):
    corpus = corpus_of(kind, tested)
    (found,) = score_systems([tested], lambda _: corpus, systems(tested), threads=1)
    of_corpus, of_sentences = (evaluated(kind, tested, level) for level in LEVELS)
    assert_same_numbers(tested, found.corpus, [result.score for result in of_corpus])
    assert_same_numbers(tested, found.mean, [result.score for result in of_sentences])
    assert_same_numbers(
        tested, found.sentences, [result.sentence_scores for result in of_sentences]
    )
    for place, result in enumerate(of_corpus):
        leaves = found.measures(place).leaves()
        assert leaves.keys() == result.measures.leaves().keys()
        assert_same_numbers(tested, list(leaves.values()), list(result.measures.leaves().values()))


@each_published
def test_meta_command(tested, capsys):
    """On the whole sample, because the judgments are about all of its sentences."""
    outputs = [each for each in sample_systems() if each.name in JUDGED_NAMES]
    files = [SAMPLE / f"{each.name}.txt" for each in outputs]
    arguments = ["--judgments", SAMPLE / "judgments.xml", "--gold", SAMPLE / "gold.m2"]
    arguments += ["--hyps", *files, "-m", tested, "--level", "both", "--bootstrap", 2, "-f", "json"]
    assert main(["meta", *map(str, arguments)]) == 0
    for shown, level in zip(json.loads(capsys.readouterr().out)["metrics"], LEVELS, strict=True):
        expected = evaluate(sample_corpus(), outputs, [tested], level=level, threads=1)
        found = [shown["scores"][result.system] for result in expected]
        assert_same_numbers(tested, found, [result.score for result in expected])


@pytest.mark.parametrize(
    "tested", as_parameters((m for m in METRICS if "beta" in m.offers), choices=False)
)
@each_level
def test_sweep(tested, level):
    """A sweep of β gives at the metric's own β what the metric gives."""
    corpus = corpus_of("gold", tested)
    (found,) = score_systems([tested], lambda _: corpus, systems(tested), threads=1)
    (swept,) = sweep_beta(found, [tested.beta], level)
    expected = [result.score for result in evaluated("gold", tested, level)]
    assert_same_numbers(tested, swept, expected)


def rows_of(corpus: Corpus, system: Hypotheses) -> Rows:
    return Rows(list(corpus.sources), list(system.sentences), list(map(list, corpus.references)))


@each_metric_mostly_published
def test_bulk(tested, tmp_path):
    corpus, system = corpus_of("text", tested), systems(tested)[0]
    inputs = [str(write_jsonl(rows_of(corpus, system), tmp_path / "rows.jsonl"))]
    output = str(tmp_path / "out")
    if tested.scope == "corpus" or tested.needs_all_systems:
        with pytest.raises(MetricError, match=r"cannot be computed in parts|compares all systems"):
            bulk(inputs, output, [tested], workers=0)
        return
    done = bulk(inputs, output, [tested], workers=0, partition_rows=1 + size(tested) // 4)
    assert done.rows == len(corpus)
    for level, found in zip(LEVELS, done.results, strict=True):
        expected = evaluated("text", tested, level)[0]
        assert (found.level, found.metric, found.signature) == (level, tested, expected.signature)
        assert_same_numbers(tested, found.score, expected.score)
        if not tolerance(tested):
            assert found.measures == expected.measures
            assert found.counts == expected.counts
    of_rows = scores(output)[str(tested)]
    assert_same_numbers(tested, of_rows, evaluated("text", tested, "sentence")[0].sentence_scores)


def batches(corpus: Corpus, system: Hypotheses) -> list[tuple[Sequence, ...]]:
    return [
        (corpus.sources[part], system.sentences[part], corpus.references[part])
        for part in corpus.blocks(5)
    ]


@each_published
def test_bulk_command(tested, tmp_path):
    if tested.scope == "corpus" or tested.needs_all_systems:
        pytest.skip("it cannot be computed in parts")
    corpus, system = corpus_of("text", tested), systems(tested)[0]
    path = write_jsonl(rows_of(corpus, system), tmp_path / "rows.jsonl")
    arguments = ["bulk", path, "--output", tmp_path / "out", "-m", tested, "--workers", 0]
    assert main(list(map(str, arguments))) == 0
    for level, found in zip(LEVELS, totals(tmp_path / "out"), strict=True):
        assert_same_numbers(tested, found["score"], evaluated("text", tested, level)[0].score)


@each_metric_mostly_published
def test_reward(tested):
    corpus, system = corpus_of("text", tested), systems(tested)[0]
    if tested.scope != "sentence" or tested.needs_all_systems:
        with pytest.raises(MetricError, match=r"needs the whole corpus|compares all systems"):
            reward(tested)
        return
    scorer = reward(tested, threads=1)
    found = np.concatenate([scorer(*batch) for batch in batches(corpus, system)])
    assert_same_numbers(tested, found, evaluated("text", tested, "sentence")[0].sentence_scores)


@each_metric_mostly_published
@each_level
def test_accumulator(tested, level):
    """Two processes, each with some of the batches."""
    corpus, system = corpus_of("text", tested), systems(tested)[0]
    if tested.scope != "sentence" or tested.needs_all_systems:
        with pytest.raises(MetricError, match=r"needs the whole corpus|compares all systems"):
            Accumulator(tested)
        return
    first, second = (Accumulator(tested, level=level, threads=1) for _ in range(2))
    for number, batch in enumerate(batches(corpus, system)):
        (first if number < 2 else second).update(*batch)
    first.merge_state(second.state())
    assert_same_numbers(tested, first.compute(), evaluated("text", tested, level)[0].score)


@each_metric_mostly_published
@each_level
def test_evaluation_module(tested, level):
    corpus, system = corpus_of("text", tested), systems(tested)[0]
    if tested.needs_all_systems:
        pytest.skip("it compares all systems, and the module has one")
    module = EvaluationModule(tested, level=level, threads=1)
    for sources, predictions, references in batches(corpus, system):
        module.add_batch(sources=sources, predictions=predictions, references=references)
    found, expected = module.compute(), evaluated("text", tested, level)[0]
    assert found["signature"] == expected.signature
    assert_same_numbers(tested, found[tested.name], expected.score)


@each_metric_mostly_published
@each_corpus
def test_report(tested, kind):
    """The page shows the rounded scores of the results."""
    corpus, results = corpus_of(kind, tested), evaluated(kind, tested, "corpus")
    html = report(corpus, systems(tested), results, options=ReportOptions(resamples=10, threads=1))
    block = re.search(r'<script type="application/json" id="summary">(.*?)</script>', html)
    assert block is not None
    (shown,) = json.loads(block[1])["metrics"]
    assert shown["name"] == str(tested)
    assert shown["scores"] == [short(result.score) for result in results]


@each_metric_mostly_published
@each_corpus
@each_level
def test_slices_and_resampling(tested, kind, level):
    """A slice of all sentences has the bits of the whole; weights of 1 are rounded differently."""
    results = evaluated(kind, tested, level)
    everything = Slice("all", "all", np.arange(size(tested)))
    assert slice_scores(results, [everything])[:, 0].tolist() == [each.score for each in results]
    for result in results:
        part = restricted(result, everything.sentences)
        assert part.measures == result.measures
        assert part.counts == result.counts
        assert part.sentence_scores.tolist() == result.sentence_scores.tolist()
        ones = np.ones((1, len(result.selection)))
        (weighed,) = result.selection.resampled(ones)
        assert weighed == pytest.approx(result.score, rel=1e-12, abs=1e-12)
