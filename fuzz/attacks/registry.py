"""What an attack is, the list of all attacks, and how they write their files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Attack:
    """What is tried, the arguments, and what the program must do."""

    name: str
    make: Callable[[Path], list[str]]
    code: int
    says: str
    """Part of what the program says, or an empty text."""
    slow: bool = False
    huge: bool = False
    """It takes several seconds: tests leave it out unless CORRIGENDA_FULL is set."""


ATTACKS: list[Attack] = []


def attack(
    name: str, code: int, says: str = "", *, slow: bool = False, huge: bool = False
) -> Callable[[Callable[[Path], list[str]]], Callable[[Path], list[str]]]:
    """Register an attack."""

    def register(make: Callable[[Path], list[str]]) -> Callable[[Path], list[str]]:
        ATTACKS.append(Attack(name, make, code, says, slow or huge, huge))
        return make

    return register


def new_file(folder: Path, name: str, content: str | bytes) -> str:
    """Write a file; its path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def json_lines(folder: Path, *rows: object) -> str:
    """Write a file of JSON lines; its path."""
    return new_file(folder, "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


ROW = {"source": "a b", "references": ["a c"], "hypotheses": {"s": "a x"}}
"""A sentence with a reference and an output."""
