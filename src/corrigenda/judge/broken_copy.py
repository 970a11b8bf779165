"""Control items: a copy of an output with errors that every judge should see."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

FEWEST_PARTS = 4
_ATTEMPTS = 20


def broken_copy(text: str, generator: np.random.Generator, taken: Collection[str]) -> str | None:
    """The text with two neighbours swapped and one part doubled, or None if that is not clear.

    Parts are words, or characters where there are no blanks. `taken` are other outputs.
    """
    words = text.split()
    parts, glue = (words, " ") if len(words) >= FEWEST_PARTS else (list(text.strip()), "")
    if len(parts) < FEWEST_PARTS or (glue == "" and len(words) > 1):
        return None
    for _ in range(_ATTEMPTS):
        broken = list(parts)
        place = int(generator.integers(len(parts) - 2))
        broken[place], broken[place + 1] = broken[place + 1], broken[place]
        doubled = int(generator.integers(len(parts) - 1))
        broken.insert(doubled, broken[doubled])
        copy = glue.join(broken)
        if sorted(broken) != sorted(parts) and broken[place] != parts[place] and copy not in taken:
            return copy
    return None
