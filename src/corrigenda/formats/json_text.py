"""JSON from untrusted files: nothing is repaired, and every problem has its place in the line.

Refused are repeated keys, numbers that no floating-point number can hold, NaN and Infinity, halves
of characters (lone surrogates), deep nesting, and more values than a sentence can need: small
values take many times their bytes in memory.
"""

from __future__ import annotations

import difflib
import functools
import json
import math
import re
from collections.abc import Iterable
from typing import NoReturn

from corrigenda.errors import FormatError, Location, brief

_MOST_DIGITS = 308
_MOST_VALUES = 2_000_000
"""The most values of one text: lists, objects, and what commas separate."""
_ALIKE = 0.88
"""How much a key must be like a known one, as difflib measures it."""
_LONG_KEY = 6
_STRING = re.compile(r'"(?:[^"\\]|\\.?)*+"?', re.DOTALL)
"""A string, also one that does not end: else each quote in it would be tried as a beginning."""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


class JsonError(Exception):
    """What is wrong with a text that should be a JSON object."""


def parsed_object(text: str) -> dict[str, object]:
    """The object of a text. Raises `JsonError`."""
    if len(text) > _MOST_VALUES:
        _check_values(text)
    try:
        data: object = json.loads(
            text,
            object_pairs_hook=_without_repetition,
            parse_int=_whole_number,
            parse_float=_number,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg} (column {error.colno})") from error
    except RecursionError:
        raise JsonError("the JSON is nested too deeply") from None
    if not isinstance(data, dict):
        raise JsonError("the line is not a JSON object")
    if "\\u" in text:
        _check_surrogates(text)
    return data


def check_spelling(keys: Iterable[str], known: tuple[str, ...], at: Location) -> None:
    """Refuse a key that is probably one of the known ones, misspelt. Other keys are ignored."""
    for key in keys:
        if key not in known and (meant := _meant(key, known)) is not None:
            raise FormatError(
                f"the key {brief(key)} is not known", at=at, remedy=f'Did you mean "{meant}"?'
            )


@functools.lru_cache(maxsize=1024)
def _meant(key: str, known: tuple[str, ...]) -> str | None:
    """The known key that differs in capitals, blanks or a plural, or in one of many letters."""
    plain = key[:80].strip().casefold()
    if not plain.isalpha():  # "source2" or "document_id" is another key
        return None
    return next((each for each in known if _are_alike(plain, each)), None)


def _are_alike(given: str, known: str) -> bool:
    if given.rstrip("s") == known.rstrip("s"):
        return True
    # Short words are like many others: "judged" is not "judge".
    return (
        min(len(given), len(known)) >= _LONG_KEY
        and abs(len(given) - len(known)) <= 1
        and difflib.SequenceMatcher(None, given, known).ratio() >= _ALIKE
    )


def object_of_line(line: str, at: Location, shape: str) -> dict[str, object]:
    """The object on a line of a file; `shape` is an example of one."""
    try:
        return parsed_object(line)
    except JsonError as problem:
        raise FormatError(str(problem), at=at, remedy=f"Write {shape}.") from problem


def _check_values(text: str) -> None:
    """Refuse a text with too many values. Marks in strings are no values."""
    if _marks(text) > _MOST_VALUES and _marks(_STRING.sub("", text)) > _MOST_VALUES:
        raise JsonError(f"the JSON has more than {_MOST_VALUES:,} values")


def _marks(text: str) -> int:
    return sum(map(text.count, ",[{"))


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonError(f'the key "{key[:80]}" occurs twice')
            seen.add(key)
    return found


def _whole_number(digits: str) -> int:
    if len(digits.removeprefix("-")) > _MOST_DIGITS:
        raise JsonError(f"a number has {len(digits.removeprefix('-')):,} digits")
    return int(digits)


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise JsonError(f"the number {brief(text)} is too large")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not JSON; write null for a missing value")


def _check_surrogates(text: str) -> None:
    """Refuse halves of characters. They can only come from escapes: the text itself is UTF-8."""
    open_half: re.Match[str] | None = None
    for found in _ESCAPE.finditer(text):
        code = int(found[1], 16) if found[1] else 0
        if open_half is not None and not (
            0xDC00 <= code <= 0xDFFF and found.start() == open_half.end()
        ):
            raise _half(open_half)
        if 0xDC00 <= code <= 0xDFFF and open_half is None:
            raise _half(found)
        open_half = found if 0xD800 <= code <= 0xDBFF else None
    if open_half is not None:
        raise _half(open_half)


def _half(found: re.Match[str]) -> JsonError:
    return JsonError(
        f"{found[0]} in column {found.start() + 1} is half of a character (a lone surrogate); "
        "write the character itself, or both halves (\\ud83d\\ude00)"
    )
