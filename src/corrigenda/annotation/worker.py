"""A worker process. It reads one line of JSON at a time and answers each line with one line.

It is a separate program, not a forked or spawned copy of its parent. So it also works from scripts
without a main guard, from notebooks and from standard input.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path
from pkgutil import resolve_name
from typing import TypedDict, cast

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.request import PlainEdit, edits_to_plain, request_from_plain


class WorkerReply(TypedDict, total=False):
    """The JSON that answers a list of requests: the edits of each request, or the failure."""

    edits: list[list[PlainEdit]]
    failure: tuple[str, str]
    """The name of the exception's class, and its message."""


def main() -> None:
    """Answer until the parent closes the pipe.

    The arguments are the annotator (`module:Class`), the model's folder and the merger.
    """
    warnings.simplefilter("ignore")
    # Libraries may print. Their output goes to standard error, so it never mixes with the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    annotator = sys.argv[1:]
    _hide_torch(*annotator)
    for line in sys.stdin.buffer:
        answers.write(json.dumps(_reply(line, *annotator)) + "\n")
        answers.flush()


def _hide_torch(annotator: str, model_folder: str, merger: str) -> None:
    """Keep spaCy from importing torch, which takes seconds, if our annotator's model has no use."""
    config = Path(model_folder) / "config.cfg"
    if not annotator.startswith("corrigenda.") or not config.is_file():
        return
    described = config.read_text(encoding="utf-8", errors="replace").lower()
    if "torch" not in described and "transformer" not in described:
        sys.modules["torch"] = None  # type: ignore[assignment]


def _reply(line: bytes, annotator: str, model_folder: str, merger: str) -> WorkerReply:
    from corrigenda.annotation.spacy_annotator import loaded

    try:
        requests = [request_from_plain(data) for data in json.loads(line)]
        maker = loaded(resolve_name(annotator), Path(model_folder), cast("Merger", merger))
        edits = maker.edits(requests)
        return {"edits": [edits_to_plain(found) for found in edits]}
    except Exception as failure:
        # The parent then does the same work itself and shows the error to the user.
        return {"failure": (type(failure).__name__, str(failure))}


if __name__ == "__main__":
    main()
