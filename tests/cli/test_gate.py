"""The gate of `compare`, as a continuous-integration job runs it."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from program import GOLD, run, system

from corrigenda import evaluate, read_hypotheses, read_m2
from corrigenda.analysis.gate import gate_checks
from corrigenda.data import SAMPLE

BETTER = [system("eager"), system("strong")]
WORSE = [system("strong"), system("eager")]
GATE = ["--gold", GOLD, "-m", "m2", "green", "--fail-if-worse"]


@pytest.mark.slow
def test_a_better_system_passes_and_a_worse_one_fails() -> None:
    passed = run("compare", *BETTER, *GATE)
    assert passed.returncode == 0
    assert passed.stdout.count("passed") == 2
    failed = run("compare", *WORSE, *GATE)
    assert failed.returncode == 3
    assert "2 of 2 checks of the gate failed" in failed.stderr
    assert "eager by m2" in failed.stderr
    assert "significantly worse" in failed.stderr


@pytest.mark.slow
def test_a_margin_must_be_shown() -> None:
    equal = run("compare", f"a={system('eager')}", f"b={system('eager')}", *GATE, "--margin", "0.1")
    assert equal.returncode == 0
    within = run("compare", *WORSE, *GATE, "--margin", "60")
    assert within.returncode == 0
    beyond = run("compare", *WORSE, *GATE, "--margin", "1")
    assert beyond.returncode == 3
    assert "-1 is allowed" in beyond.stderr


@pytest.mark.slow
def test_junit_and_job_summary(tmp_path: Path) -> None:
    report, summary = tmp_path / "report.xml", tmp_path / "summary.md"
    summary.write_text("# Before\n", encoding="utf-8")
    named = [f"<old>={system('strong')}", f"new | *x*={system('eager')}", system("cautious")]
    finished = run(
        "compare", *named, *GATE, "--junit", report, "--job-summary", "--format", "json",
        environment={"GITHUB_STEP_SUMMARY": str(summary)},
    )  # fmt: skip
    assert finished.returncode == 3
    checks = json.loads(finished.stdout)["gate"]
    assert len(checks) == 4
    suites = ElementTree.parse(report).getroot()
    assert suites.tag == "testsuites"
    assert [suite.get("name") for suite in suites] == ["m2", "green"]
    cases = list(suites.iter("testcase"))
    assert [case.get("name") for case in cases[:2]] == [
        "new | *x* against <old>", "cautious against <old>",
    ]  # fmt: skip
    failures = [case.find("failure") is not None for case in cases]
    assert failures == [not check["passed"] for check in checks]
    assert int(suites.get("failures") or 0) == sum(failures)
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("# Before\n")
    assert f"❌ {sum(failures)} of 4 checks failed" in text
    rows = [line for line in text.splitlines() if re.match(r"\| [✅❌]", line)]
    assert len(rows) == 4
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 7 for row in rows)
    assert r"new \| \*x\*" in text


@pytest.mark.slow
def test_options_that_do_not_fit(tmp_path: Path) -> None:
    for more, message in (
        (["--margin", "1"], "Add --fail-if-worse"),
        (["--junit", tmp_path / "x.xml"], "Add --fail-if-worse"),
        (["--fail-if-worse", "--margin", "0"], "above 0"),
        (["--fail-if-worse", "--pairs"], "--pairs"),
        (["--fail-if-worse", "--job-summary"], "is not set"),
        (["--fail-if-worse", "--junit", GOLD], "would overwrite"),
    ):
        finished = run(
            "compare", *BETTER, "--gold", GOLD, *more, environment={"GITHUB_STEP_SUMMARY": ""}
        )
        assert finished.returncode == 2, (more, finished.stderr)
        assert message in finished.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_test_is_the_bootstrap_test_of_its_definition() -> None:
    """The p-value and the bound, computed again sentence by sentence."""
    corpus = read_m2(SAMPLE / "gold.m2")
    systems = [read_hypotheses(SAMPLE / f"{name}.txt") for name in ("eager", "cautious")]
    results = evaluate(corpus, systems, ["m2"])
    (check,) = gate_checks([results], margin=3.0, resamples=400, seed=7)
    counts = [result.selection.chosen.sentence_counts() for result in results]
    generator = np.random.default_rng(7)

    def f(sums) -> float:
        correct, proposed, gold = sums
        return 1.25 * correct / (proposed + 0.25 * gold)

    gaps = []
    for _ in range(400):
        drawn = generator.integers(0, len(corpus), size=len(corpus))
        base, new = (f(each[drawn].sum(axis=0)) for each in counts)
        gaps.append(new - base)
    observed = f(counts[1].sum(axis=0)) - f(counts[0].sum(axis=0))
    away = np.array(gaps) - np.mean(gaps)
    assert check.difference == pytest.approx(observed)
    assert check.p_value == pytest.approx((1 + np.sum(away >= observed + 0.03)) / 401)
    assert check.bound == pytest.approx(observed - np.quantile(away, 0.95))
    # The two ways to decide agree: the bound is above -margin where p is below α.
    assert check.passed == (check.bound > -0.03)


def test_runs_of_one_system_have_no_gate() -> None:
    """The gate would be left out without a word."""
    runs = [f"a={system('strong')},{system('eager')}", f"b={system('empty')},{system('unchanged')}"]
    refused = run("compare", *runs, *GATE)
    assert refused.returncode == 2
    assert "--fail-if-worse do not go with several runs" in refused.stderr
