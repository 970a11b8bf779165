"""Fifteen systems on 1312 sentences: the report is small, and quick to make and to use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from report_page import ReportPage

pytestmark = [pytest.mark.slow, pytest.mark.browser]

# The report is made in its own process, with single-threaded products as on the command line. The
# test counts processor time, so that other work on the machine cannot fail it.
PROGRAM = """
import json, sys, time
from pathlib import Path
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.report import write_report
from corrigenda.scoring import evaluate

data, out = Path(sys.argv[1]), sys.argv[2]
from corrigenda.formats import read_hypotheses, read_m2
corpus = read_m2(data / "conll14" / "official-2014.combined.m2")
outputs = sorted((data / "seeda" / "outputs" / "all").glob("*.txt"))
systems = [read_hypotheses(path) for path in outputs]
results = evaluate(corpus, systems, ["green", "gleu", "m2", "bleu"])
begin = time.process_time()
size = write_report(out, corpus, systems, results)
print(json.dumps([len(systems), len(corpus), time.process_time() - begin, size]))
"""


@pytest.fixture(scope="module")
def seeda_report(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seeda") / "report.html"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(shared / "data"), str(path)],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    systems, sentences, seconds, size = json.loads(done.stdout)
    assert (systems, sentences) == (15, 1312)
    assert seconds < 10
    assert size < 15_000_000
    return path


def test_it_paints_within_a_second(driver, seeda_report: Path):
    page = ReportPage(driver)
    paints = []
    for _ in range(3):
        page.open(seeda_report)
        paints.append(
            page.script(
                "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
            )
        )
    assert min(paints) < 1000
    assert page.console() == []


def test_filters_answer_at_once(driver, seeda_report: Path):
    page = ReportPage(driver)
    page.open(seeda_report)
    timed = """const labels = [...document.querySelectorAll('#filters label')];
        const label = labels.find(node => node.textContent.startsWith('Outcome'));
        const select = label.querySelector('select');
        const begin = performance.now();
        select.value = 'disagree'; select.dispatchEvent(new Event('change'));
        return performance.now() - begin"""
    assert min(page.script(timed) for _ in range(3)) < 300
    assert page.count().endswith("of 1,312 sentences")
    assert len(page.all("#list > li")) == 25
