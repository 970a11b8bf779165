"""The text for benchmarks of single metrics: CoNLL-2014, or generated text of the same size."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from generate import changed, correct_text

CONLL_SENTENCES = 1312
CONLL_SYSTEMS = 13


@dataclass(frozen=True)
class Lists:
    """A corpus in memory, in the form that every library takes: words joined by single blanks."""

    name: str
    source: list[str]
    references: list[list[str]]
    systems: dict[str, list[str]]

    @property
    def first_system(self) -> list[str]:
        return next(iter(self.systems.values()))


def shared_folder() -> Path:
    given = os.environ.get("CORRIGENDA_SHARED")
    return Path(given) if given else Path(__file__).parents[2] / "shared"


def load(*, systems: int | None = None) -> Lists:
    """The text with its first `systems`, or with all of them."""
    folder = shared_folder() / "data" / "conll14"
    found = _conll(folder) if folder.is_dir() else _generated()
    return replace(found, systems=dict(islice(found.systems.items(), systems)))


def _conll(folder: Path) -> Lists:
    return Lists(
        "CoNLL-2014",
        _lines(folder / "source.txt"),
        [_lines(folder / "ref0.txt"), _lines(folder / "ref1.txt")],
        {path.stem: _lines(path) for path in sorted((folder / "systems").glob("*.txt"))},
    )


def _lines(path: Path) -> list[str]:
    # The peers split at single blanks, and one of them counts a trailing blank as a word.
    lines = path.read_bytes().decode("utf-8-sig").removesuffix("\n").split("\n")
    return [" ".join(line.split()) for line in lines]


def _generated() -> Lists:
    random = np.random.default_rng(0)
    perfect = correct_text(CONLL_SENTENCES, random)
    errors = changed(perfect, 0.1, random)
    return Lists(
        "generated text",
        list(errors.lines()),
        [list(changed(perfect, 0.03, random).lines()) for _ in range(2)],
        {
            f"system{number}": list(changed(errors, 0.05, random).lines())
            for number in range(CONLL_SYSTEMS)
        },
    )
