"""What the package promises to those who import it."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import corrigenda

REPOSITORY = Path(__file__).resolve().parents[2]

PUBLIC_NAMES = [
    "Annotation",
    "Corpus",
    "CorrigendaError",
    "Edit",
    "Finding",
    "Hypotheses",
    "Metric",
    "Result",
    "Scored",
    "__version__",
    "check",
    "compare",
    "convert",
    "evaluate",
    "explain",
    "meta",
    "metric",
    "rank",
    "read_cherrant",
    "read_essays",
    "read_hypotheses",
    "read_ixml",
    "read_jsonl",
    "read_m2",
    "read_m2_hypotheses",
    "read_text",
    "report",
    "reward",
    "score",
    "slices",
]


def test_the_version_is_the_same_everywhere():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert corrigenda.__version__ == project["version"]
    assert importlib.metadata.version("corrigenda") == corrigenda.__version__


def test_the_public_names_are_these():
    """Adding or removing one is a decision: change it here, in the docs and in the changelog."""
    assert corrigenda.__all__ == PUBLIC_NAMES
    assert dir(corrigenda) == PUBLIC_NAMES


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_every_public_name_is_there(name):
    assert getattr(corrigenda, name) is not None


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = corrigenda.nothing


HEAVY = ("numpy", "rich", "torch", "spacy")


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import corrigenda",
        "from corrigenda.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "from corrigenda.cli import main\ntry: main(['--version'])\nexcept SystemExit: pass",
        "from corrigenda.cli import main\ntry: main(['score', '--help'])\nexcept SystemExit: pass",
    ],
)
def test_starting_loads_nothing_heavy(code):
    listing = (
        f"import sys; print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\n{listing}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert run.stderr.strip() == "[]"


def test_scoring_loads_neither_torch_nor_spacy():
    code = (
        "import corrigenda, sys\n"
        "corrigenda.score(source=['a b'], hypothesis=['a c'], references=['a c'])\n"
        "print([name for name in ('torch', 'spacy', 'rich') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.strip() == "[]"


NOT_FOR_A_SCORE = (
    "rich", "csv", "json", "gzip", "lzma", "shutil", "tempfile", "uuid", "hashlib", "traceback",
    "importlib.metadata", "importlib.resources", "corrigenda.text.graphemes",
    "corrigenda.core.explanation", "corrigenda.edits.comparison", "corrigenda.edits.gold_errors",
    "corrigenda.analysis.significance", "corrigenda.passport", "corrigenda.cli.rich_console",
    "numpy.ma", "statistics", "difflib", "corrigenda.edits", "corrigenda.tokens",
    "corrigenda.cli.detail_tables", "corrigenda.cli.run_tables", "corrigenda.cli.type_tables",
)  # fmt: skip
"""A cold start is mostly importing: these are not needed to score plain files by GREEN."""


@pytest.mark.slow
def test_a_score_loads_only_what_it_needs(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("He goes home .\nShe likes it .\n", encoding="utf-8")
    strange = tmp_path / "strange.txt"
    strange.write_text("He goes home .\nNothing of all this\n", encoding="utf-8")
    arguments = ["score", "--metrics", "green", "--source", str(text), "--refs", str(text)]
    arguments += ["--hyps", str(strange)]
    code = (
        "import sys\n"
        "from corrigenda.__main__ import main\n"
        f"sys.argv = ['corrigenda', *{arguments!r}]\n"
        "assert main() == 0\n"
        f"print([name for name in {NOT_FOR_A_SCORE!r} if name in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert "green" in run.stdout
    assert run.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize("given", [{}, {"OPENBLAS_THREAD_TIMEOUT": "26"}])
def test_the_command_starts_and_ends_without_needless_work(given):
    code = (
        "import gc, os, sys\n"
        "from corrigenda.__main__ import main\n"
        "sys.argv = ['corrigenda', '--version']\n"
        "assert main() == 0\n"
        "print(os.environ['OPENBLAS_THREAD_TIMEOUT'], gc.get_freeze_count() > 0)"
    )
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_THREAD_TIMEOUT"} | given
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    timeout = given.get("OPENBLAS_THREAD_TIMEOUT", "18")
    assert run.stdout.splitlines()[-1] == f"{timeout} True"


def test_the_package_is_typed():
    files = importlib.metadata.files("corrigenda") or []
    folder = Path(corrigenda.__file__).parent
    assert (folder / "py.typed").is_file()
    assert files
