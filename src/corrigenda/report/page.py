"""Makes one HTML file with the data inside. A policy in the file blocks everything else.

No text of a user becomes markup. The data are in blocks of JSON, and no character in them can end
the block. The script of the page shows the data as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources

from corrigenda.report.schema import ReportSummary, SentenceData, plain

SCRIPTS = (
    "dom.js", "numbers.js", "schema.js", "data.js", "health.js", "tables.js", "copying.js",
    "leaderboard.js", "ceiling.js", "significance.js", "charts.js", "scores.js", "labels.js",
    "scatter.js", "correlation.js", "type_measures.js", "slices.js", "leads.js", "outcomes.js",
    "difference.js", "sentence.js", "filters.js", "filter_form.js", "browser.js",
    "keyboard.js", "method.js", "main.js",
)  # fmt: skip
STYLES = ("base.css", "controls.css", "tables.css", "charts.css", "browser.css", "print.css")
_PLACE = re.compile(r"\{\{(\w+)\}\}")
# Comments on lines of their own, indentation and empty lines are removed, to make the report
# smaller. No string of a script or style goes over a line end, so no text changes.
_UNNEEDED = re.compile(r"^\s*(?://[^\n]*\n|/\*.*?\*/[ \t]*\n)|^\s+", re.MULTILINE | re.DOTALL)
# Line ends inside a statement, and spaces beside the punctuation of a style, are removed too. No
# line of a script ends with a comment, and no string of a style has such punctuation.
_SCRIPT_LINE_ENDS = re.compile(r"(?<=[{(\[,])\n")
_STYLE_SPACES = re.compile(r"\s*([{};,])\s*|(?<=:) ")
# Inside a script element `<` could begin `</script` or `<!--`. The two separators end a line in old
# JavaScript. Half of a surrogate pair cannot be encoded.
_ESCAPED = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def page(summary: ReportSummary, sentences: SentenceData) -> str:
    """The page that shows these data."""
    style = _STYLE_SPACES.sub(r"\1", _joined(STYLES))
    script = _SCRIPT_LINE_ENDS.sub("", f'(() => {{\n"use strict";\n{_joined(SCRIPTS)}}})();\n')
    parts = {
        "policy": policy(script, style),
        "style": style,
        "script": script,
        "summary": json_block(summary),
        "sentences": json_block(sentences),
    }
    # One pass: a `{{…}}` inside the data stays as it is.
    return _PLACE.sub(lambda place: parts[place[1]], _joined(("page.html",)))


def policy(script: str, style: str) -> str:
    """A Content-Security-Policy that allows this script and this style, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def json_block(data: object) -> str:
    """JSON that can be inside a script element, for any text in the data."""
    encoded = json.dumps(
        data, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain
    )
    return _ESCAPED.sub(lambda character: f"\\u{ord(character[0]):04x}", encoded)


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _joined(names: tuple[str, ...]) -> str:
    return "".join(_UNNEEDED.sub("", _part(name)) for name in names)


@cache
def _part(name: str) -> str:
    return resources.files("corrigenda.report").joinpath("page", name).read_text(encoding="utf-8")
