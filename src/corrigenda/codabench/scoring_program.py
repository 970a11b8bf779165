"""Scores one submission by the folder protocol: input/ref, input/res, and an output folder.

A good submission gets `scores.json` and `detailed_results.html`. A submission that cannot be scored
gets no `scores.json` and the exit code 1, so that it has no rank. Its page says what is wrong.
"""

from __future__ import annotations

import html
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from corrigenda import writing
from corrigenda._version import __version__
from corrigenda.codabench.submission import SubmissionError, read_submission
from corrigenda.codabench.task import CORPUS_FILE, SUBMITTED, SharedTask, column_keys
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError
from corrigenda.formats import read_jsonl
from corrigenda.health import Finding
from corrigenda.report import ReportOptions, report
from corrigenda.scoring import evaluate
from corrigenda.writing import WritingError

SCORES_FILE = "scores.json"
DETAILS_FILE = "detailed_results.html"
_STYLE = "body{font:1rem/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right}td:first-child,\
th:first-child{text-align:left}code{overflow-wrap:anywhere}"


def main(input_folder: str, output_folder: str) -> int:
    """Score, write and return the exit code. An output that cannot be written is one line."""
    try:
        return _scored(Path(input_folder), Path(output_folder))
    except (OSError, WritingError) as error:
        reason = error.strerror if isinstance(error, OSError) else error.problem
        print(f"cannot write the results: {reason}", file=sys.stderr)
        return 1


def _scored(input_folder: Path, output: Path) -> int:
    # What an earlier run left must not become the score of this submission.
    (output / SCORES_FILE).unlink(missing_ok=True)
    try:
        scores, details = score_submission(input_folder)
    except CorrigendaError as error:
        problem = str(error)
    except Exception as error:
        # The page must not show a traceback: it could contain lines of the references.
        problem = f"the scoring program failed ({type(error).__name__}). Ask the organisers."
        print(f"{type(error).__name__}", file=sys.stderr)
    else:
        with writing.together(make_folders=True) as batch:
            with batch.text_file(output / SCORES_FILE) as file:
                json.dump(scores, file, indent=2)
            with batch.text_file(output / DETAILS_FILE) as file:
                file.write(details)
        return 0
    print(f"not scored: {problem}", file=sys.stderr)
    page = _page("Not scored", f"<p>{html.escape(problem)}</p><p>The submission has no rank.</p>")
    writing.write_bytes(output / DETAILS_FILE, page.encode("utf-8"), make_folders=True)
    return 1


def score_submission(folder: Path) -> tuple[dict[str, float], str]:
    """The scores × 100 by column, and the page with the details."""
    task = SharedTask.load(folder / "ref")
    corpus = read_jsonl(folder / "ref" / CORPUS_FILE)
    output = read_submission(
        folder / "res",
        name=task.submission,
        largest_bytes=task.largest_bytes,
        sentences=len(corpus),
        system=SUBMITTED,
    )
    metrics = task.built_metrics()
    results = evaluate(corpus, [output], metrics, level=task.level, health="quiet")
    found = results[0].health
    if found and task.strict:
        listed = " ".join(f"{finding.code}: {finding.message}" for finding in found)
        raise SubmissionError(f"the output looks wrong. {listed}", remedy=found[0].remedy)
    scores = {}
    for result in results:
        keys = column_keys(metrics)[str(result.metric)]
        values = [result.score, result.precision, result.recall]
        scores.update(
            {
                key: 100 * value
                for key, value in zip(keys, values, strict=False)
                if value is not None
            }
        )
    return scores, _details(task, corpus, output, results, found)


def _details(
    task: SharedTask,
    corpus: Corpus,
    output: Hypotheses,
    results: Sequence[Result],
    found: Sequence[Finding],
) -> str:
    if task.details == "report":
        return report(corpus, [output], results, options=ReportOptions(title=task.title))
    rows = "".join(
        f"<tr><td>{html.escape(str(result.metric))}</td>"
        + "".join(
            f"<td>{'–' if value is None else f'{100 * value:.2f}'}</td>"
            for value in (result.score, result.precision, result.recall)
        )
        + "</tr>"
        for result in results
    )
    health = "".join(
        f"<li>{html.escape(finding.code)}: {html.escape(finding.message)}</li>" for finding in found
    )
    signatures = "".join(f"<li><code>{html.escape(each.signature)}</code></li>" for each in results)
    other = (
        f"<p>The bundle was written by version {html.escape(task.version)}; "
        f"this is version {__version__}.</p>"
        if task.version != __version__
        else ""
    )
    return _page(
        task.title,
        f"<table><tr><th>metric</th><th>score</th><th>P</th><th>R</th></tr>{rows}</table>"
        f"<p>{len(corpus)} sentences, {task.level} level, scores × 100.</p>"
        + (f"<h2>Look at these</h2><ul>{health}</ul>" if health else "")
        + f"<h2>How the scores were made</h2><ul>{signatures}</ul>{other}",
    )


def _page(title: str, content: str) -> str:
    shown = html.escape(title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{shown}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{shown}</h1>{content}</body></html>\n"
    )
