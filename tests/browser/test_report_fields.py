"""The scripts read every field of the schema, and no other field."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from report_page import ReportPage

from corrigenda import metric
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.report import ReportOptions, write_report
from corrigenda.report.against import EarlierScores
from corrigenda.report.schema_files import FOLDER, described, json_schema
from corrigenda.scoring import evaluate

pytestmark = pytest.mark.browser

RECORDER = (Path(__file__).parent / "recorder.js").read_text(encoding="utf-8")
USE_EVERYTHING = """
[...document.querySelectorAll('.opener')].slice(0, 3).forEach((opener) => opener.click());
for (const select of document.querySelectorAll('select'))
  for (const option of [...select.options]) {
    if (!select.isConnected) break;
    select.value = option.value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }
document.querySelector('#slices .link').click();
"""


def with_recorder(report: Path, folder: Path) -> Path:
    """The report with a recorder in its script, and without the policy that forbids it."""
    html = report.read_text(encoding="utf-8")
    html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    schema = (FOLDER / "schema.json").read_text(encoding="utf-8")
    recorder = f"{RECORDER}\nfunction recordedSchema() {{ return (window.schema ??= {schema}); }}\n"
    end = "})();\n</script>"
    assert html.count(end) == 1
    path = folder / report.name
    path.write_text(html.replace(end, recorder + end), encoding="utf-8")
    return path


def fields() -> set[str]:
    found = set()
    schemas = json_schema()
    for kind in described():
        schema = schemas[kind.__name__]
        names = schema.get("properties") or [item["title"] for item in schema["prefixItems"]]
        found |= {f"{kind.__name__}.{name}" for name in names}
    return found


def report_with_everything(folder: Path) -> Path:
    path = folder / "everything.html"
    corpus, systems = sample_corpus(), sample_systems()
    results = evaluate(corpus, systems, ["green"], health="off")
    options = ReportOptions(resamples=20, ceiling=True, attribute=metric("m2"))
    earlier = EarlierScores("before", {}, {})
    write_report(path, corpus, systems, results, options=options, earlier=earlier)
    return path


def test_the_scripts_read_all_fields_of_the_schema_and_no_others(
    driver, sample_report: Path, report_with_some_references: Path, tmp_path: Path
):
    page = ReportPage(driver)
    read: set[str] = set()
    everything = report_with_everything(tmp_path)
    for report in (sample_report, report_with_some_references, everything):
        page.open(with_recorder(report, tmp_path))
        page.choose("Slices by", "error type", "#slices")
        page.choose("Measure", "recall of gold edits", "#slices")
        page.script(USE_EVERYTHING)
        assert page.script("return Object.keys(window.recorded.unknown)") == []
        read |= set(page.script("return Object.keys(window.recorded.read)"))
        assert page.console() == []
    assert read == fields()


def test_the_recorder_sees_a_field_that_the_schema_does_not_have(
    driver, sample_report: Path, tmp_path: Path
):
    path = with_recorder(sample_report, tmp_path)
    html = path.read_text(encoding="utf-8")
    reads = "summary.subtitle; goldEdits(1, 0)[0].kind;"
    html = html.replace("showBrowser();\n", f"{reads} showBrowser();\n")
    path.write_text(html, encoding="utf-8")
    page = ReportPage(driver)
    page.open(path)
    unknown = page.script("return Object.keys(window.recorded.unknown)")
    assert unknown == ["ReportSummary.subtitle", "GoldEditRow.kind"]
