"""Writes the schema of a report's data for the scripts of the page.

`python -m corrigenda.report.schema_files` says whether the files are current; `--write` writes
them. schema.json is a JSON Schema. schema.js has the types for editors, and the names of the fields
of rows for the page.
"""

from __future__ import annotations

import json
import sys
import textwrap
import types
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Literal, Union, get_args, get_origin, get_type_hints

from corrigenda import writing
from corrigenda.report import schema

FOLDER = Path(__file__).parent / "page"
ROOTS = (schema.ReportSummary, schema.SentenceData)
_COMMAND = "python -m corrigenda.report.schema_files --write"
_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_SCRIPT_TYPES = {str: "string", int: "number", float: "number", bool: "boolean"}

Json = Mapping[str, object]


def files() -> dict[str, str]:
    """The files of the schema: name and text."""
    return {"schema.json": _json_text(), "schema.js": _script_text()}


def described() -> list[type]:
    """Every class of the schema, those that others use first."""
    found: dict[type, None] = {}

    def visit(kind: object) -> None:
        if isinstance(kind, type) and is_dataclass(kind):
            for hint in get_type_hints(kind).values():
                visit(hint)
            found.setdefault(kind)
        for part in get_args(kind):
            visit(part)

    for root in ROOTS:
        visit(root)
    return list(found)


def json_schema() -> dict[str, Json]:
    """The JSON Schema of every class, by its name."""
    return {kind.__name__: _definition(kind) for kind in described()}


def _definition(kind: type) -> Json:
    properties = {name: _property(hint) for name, hint in _hints(kind)}
    needed = [field.name for field in fields(kind) if field.default is MISSING]
    if issubclass(kind, schema.ArrayRow):
        items = [{"title": name, **found} for name, found in properties.items()]
        return {
            "type": "array",
            "description": kind.__doc__,
            "prefixItems": items,
            "items": False,
            "minItems": len(needed),
        }
    return {
        "type": "object",
        "description": kind.__doc__,
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }


def _hints(kind: type) -> list[tuple[str, object]]:
    hints = get_type_hints(kind, include_extras=True)
    return [(field.name, hints[field.name]) for field in fields(kind)]


def _described(hint: object) -> tuple[object, str]:
    """A type and its description, which may be empty."""
    if get_origin(hint) is Annotated:
        kind, text = get_args(hint)
        return kind, text
    return hint, ""


def _property(hint: object) -> Json:
    kind, text = _described(hint)
    found = _json_type(kind)
    return {**found, "description": text} if text else found


def _json_type(kind: object) -> Json:
    parts = get_args(kind)
    if isinstance(kind, type) and kind in _JSON_TYPES:
        return {"type": _JSON_TYPES[kind]}
    if kind is type(None):
        return {"type": "null"}
    if isinstance(kind, type) and is_dataclass(kind):
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if get_origin(kind) is Literal:
        return {"enum": list(parts)}
    if get_origin(kind) is list:
        return {"type": "array", "items": _json_type(parts[0])}
    if get_origin(kind) is tuple:
        items = [_json_type(part) for part in parts]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    if get_origin(kind) in (Union, types.UnionType):
        return {"anyOf": [_json_type(part) for part in parts]}
    raise TypeError(f"the schema has no form for {kind}")


def _script_type(kind: object) -> str:
    """The type as JSDoc writes it."""
    parts = get_args(kind)
    if isinstance(kind, type) and not parts:
        return "null" if kind is type(None) else _SCRIPT_TYPES.get(kind, kind.__name__)
    if get_origin(kind) is Literal:
        return "|".join(json.dumps(part) for part in parts)
    if get_origin(kind) is list:
        inner = _script_type(parts[0])
        return f"{inner}[]" if get_origin(parts[0]) in (None, list, tuple) else f"({inner})[]"
    if get_origin(kind) is tuple:
        return f"[{', '.join(map(_script_type, parts))}]"
    return "|".join(_script_type(part) for part in parts)


def _json_text() -> str:
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": f"Written by: {_COMMAND}",
        "$defs": json_schema(),
    }
    return json.dumps(head, ensure_ascii=False, indent=1) + "\n"


def _script_text() -> str:
    rows = [kind for kind in described() if issubclass(kind, schema.ArrayRow)]
    names = [f"  {row.__name__}: {json.dumps([name for name, _ in _hints(row)])}," for row in rows]
    return "\n".join(
        [
            "// The types of the report's data, from report/schema.py.",
            f"// Written by: {_COMMAND}",
            "",
            *(line for kind in described() for line in _typedef(kind)),
            "// The fields of rows, which are arrays in the data.",
            "const ROW_FIELDS = {",
            *names,
            "};",
            "",
        ]
    )


def _typedef(kind: type) -> Iterator[str]:
    yield f"/** {kind.__doc__}"
    yield f" * @typedef {{Object}} {kind.__name__}"
    for name, hint in _hints(kind):
        found, text = _described(hint)
        line = f" * @property {{{_script_type(found)}}} {name} {text}".rstrip()
        yield from textwrap.wrap(line, 100, subsequent_indent=" *   ", break_long_words=False)
    yield " */"
    yield ""


def main(arguments: list[str]) -> int:
    """Write the files, or say which of them are not current."""
    stale = 0
    for name, text in files().items():
        path = FOLDER / name
        if arguments == ["--write"]:
            writing.write_bytes(path, text.encode())
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            print(f"{path} is not current: {_COMMAND}")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
