"""A worker process: reads requests as JSON, a line a time, and answers each line with one.

It is a program of its own rather than a forked or spawned copy of its parent, so that it works from
scripts without a main guard, from notebooks and from standard input alike.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from corrigenda.annotation.request import edits_to_plain, from_plain


def main() -> None:
    """Serve until the parent closes the pipe. The model's folder is the only argument."""
    warnings.simplefilter("ignore")
    # Whatever prints, the answers' pipe stays clean.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    from corrigenda.annotation.errant_annotator import loaded

    for line in sys.stdin.buffer:
        try:
            requests = [from_plain(data) for data in json.loads(line)]
            edits = loaded(Path(sys.argv[1])).annotate(requests)
            answer: dict[str, list[Any]] = {"edits": [edits_to_plain(found) for found in edits]}
        except Exception as failure:
            # The parent does the same work itself, and shows what is wrong where it can be seen.
            answer = {"failure": [type(failure).__name__, str(failure)]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
