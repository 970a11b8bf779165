"""One HTML file: the page's parts put together, with the data inside it and a policy that lets nothing else in.

No text of a user becomes markup. The data stand in blocks of JSON in which no character can end the block,
and the page's own script puts them on the screen as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources
from typing import Any

SCRIPTS = (
    "dom.js", "numbers.js", "data.js", "tables.js", "leaderboard.js", "significance.js", "charts.js", "scores.js",
    "scatter.js", "slices.js", "outcomes.js", "difference.js", "sentence.js", "filters.js", "browser.js",
    "keyboard.js", "main.js",
)  # fmt: skip
STYLES = ("base.css", "tables.css", "charts.css", "browser.css", "print.css")
_PLACE = re.compile(r"\{\{(\w+)\}\}")
# Inside a script element `<` could begin `</script` or `<!--`; the two separators end a line in old JavaScript;
# half a surrogate pair cannot be encoded.
_ESCAPED = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def page(summary: dict[str, Any], sentences: dict[str, Any]) -> str:
    """The page that shows these data."""
    style, script = _joined(STYLES), f'(() => {{\n"use strict";\n{_joined(SCRIPTS)}}})();\n'
    parts = {
        "policy": policy(script, style),
        "style": style,
        "script": script,
        "summary": json_block(summary),
        "sentences": json_block(sentences),
    }
    # In one pass: what stands in the data is not looked at again.
    return _PLACE.sub(lambda place: parts[place[1]], _part("page.html"))


def policy(script: str, style: str) -> str:
    """A Content-Security-Policy that allows this one script and this one style, and nothing from anywhere."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def json_block(data: Any) -> str:
    """JSON that may stand in a script element, whatever text it holds."""
    encoded = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _ESCAPED.sub(lambda character: f"\\u{ord(character[0]):04x}", encoded)


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode(
        "ascii"
    )


def _joined(names: tuple[str, ...]) -> str:
    return "".join(f"{_part(name).strip()}\n\n" for name in names)


@cache
def _part(name: str) -> str:
    return resources.files("corrigenda.report").joinpath("page", name).read_text(encoding="utf-8")
