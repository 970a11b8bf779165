"""A real browser without a window. The tests that need it are skipped where there is none."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.metrics import default_metrics
from corrigenda.report import ReportOptions, write_report
from corrigenda.report.human import from_judgments
from corrigenda.scoring import evaluate
from reference_free import KeptWords, without_references

if TYPE_CHECKING:
    from report_page import ReportPage

if find_spec("selenium") is None:
    collect_ignore_glob = ["test_*.py"]
    warnings.warn(
        "selenium is missing, so the browser tests of the report do not run: pip install '.[test]'",
        stacklevel=1,
    )

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-default-apps", "--window-size=1280,900",
)  # fmt: skip


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser per session; with pytest-xdist one per worker, each with its own folder."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        pytest.skip("no browser: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=Service(driver))
    yield running
    running.quit()


@pytest.fixture(scope="session")
def sample_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the sample, on disk."""
    path = tmp_path_factory.mktemp("report") / "sample.html"
    corpus, systems = sample_corpus(), sample_systems()
    write_report(
        path,
        corpus,
        systems,
        evaluate(corpus, systems, default_metrics()),
        options=ReportOptions(title="The bundled sample", resamples=200),
        human=from_judgments(SAMPLE / "judgments.xml"),
    )
    return path


def unjudged_report(folder: Path, every: int) -> Path:
    """A report of the sample without the references of every `every`-th sentence."""
    path = folder / f"unjudged-{every}.html"
    corpus, systems = without_references(every), sample_systems()
    results = evaluate(corpus, systems, [KeptWords()])
    write_report(path, corpus, systems, results, options=ReportOptions(resamples=50))
    return path


@pytest.fixture(scope="session")
def report_without_references(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unjudged_report(tmp_path_factory.mktemp("report"), every=1)


@pytest.fixture(scope="session")
def report_with_some_references(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unjudged_report(tmp_path_factory.mktemp("report"), every=2)


@pytest.fixture
def page(driver: Any, sample_report: Path) -> Iterator[ReportPage]:
    """The report of the sample, opened from disk. After each test the console must be empty."""
    from report_page import ReportPage

    opened = ReportPage(driver)
    opened.open(sample_report)
    yield opened
    assert opened.console() == []
    opened.normal_screen()
