"""Fifteen systems on 1312 sentences: the report is small, and it works.

`benchmarks/bench_analysis.py` measures how long it takes to make one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from report_page import ReportPage

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PROGRAM = """
import json, sys
from pathlib import Path
from corrigenda.formats import read_hypotheses, read_m2
from corrigenda.report import ReportOptions, write_report
from corrigenda.scoring import evaluate

data, out = Path(sys.argv[1]), sys.argv[2]
corpus = read_m2(data / "conll14" / "official-2014.combined.m2")
outputs = sorted((data / "seeda" / "outputs" / "all").glob("*.txt"))
systems = [read_hypotheses(path) for path in outputs]
results = evaluate(corpus, systems, ["green", "gleu", "m2", "bleu"])
# Tests of all pairs without a correction need the fewest resamples.
options = ReportOptions(correction="none")
size = write_report(out, corpus, systems, results, options=options)
print(json.dumps([len(systems), len(corpus), size]))
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
    systems, sentences, size = json.loads(done.stdout)
    assert (systems, sentences) == (15, 1312)
    assert size < 15_000_000
    return path


def test_it_opens_without_a_complaint(driver, seeda_report: Path):
    page = ReportPage(driver)
    page.open(seeda_report)
    assert page.count() == "All 1,312 sentences"
    assert page.console() == []


def test_filters_answer(driver, seeda_report: Path):
    page = ReportPage(driver)
    page.open(seeda_report)
    page.script("""const labels = [...document.querySelectorAll('#filters label')];
        const label = labels.find(node => node.textContent.startsWith('Outcome'));
        const select = label.querySelector('select');
        select.value = 'disagree'; select.dispatchEvent(new Event('change'));""")
    assert page.count().endswith("of 1,312 sentences")
    assert len(page.all("#list > li")) == 25
