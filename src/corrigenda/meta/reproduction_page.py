"""One HTML page with reproduced tables and figures: published and ours side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from corrigenda.meta.laboratory import STATUSES, PublishedCell, Reproduction, Status

_SIGNS: dict[Status, str] = {
    "equal": "=",
    "within rounding": "≈",
    "differs": "≠",
    "not computed": "–",
    "ours alone": "",
}
_MEANINGS: dict[Status, str] = {
    "equal": "the same printed digits",
    "within rounding": "the last printed digit differs by 1",
    "differs": "it differs, and the cause is stated",
    "not computed": "not computable here, and the reason is stated",
    "ours alone": "the paper prints no number",
}
_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 74rem; padding: 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
th, td { border-bottom: 1px solid #8886; padding: .2rem .6rem; text-align: right; }
th { font-weight: 600; } tbody th { text-align: left; }
td small { display: block; opacity: .85; white-space: nowrap; }
td.differs { background: #d55e0033; } td.within { background: #e69f0022; }
td.not { opacity: .7; }
svg { height: auto; max-width: 100%; } svg text { font: 11px system-ui, sans-serif;
fill: currentColor; } svg .name { font-size: 10px; } svg .grid { stroke: #8884; }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; } figcaption { font-size: .9em; }
"""


def tables_page(made: Sequence[Reproduction], failed: Mapping[str, str]) -> str:
    """The page; `failed` are the tables that could not be made, with the reason."""
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Published tables and figures, computed again</title><style>{_STYLE}</style>",
        "</head><body><main><h1>Published tables and figures, computed again</h1>",
        f"<p><strong>{escape(count_line(made))}</strong></p>",
        _legend(),
        _contents(made),
        *(f"<p>{escape(name)}: {escape(reason)}</p>" for name, reason in failed.items()),
        *map(_section, made),
        "</main></body></html>",
    ]
    return "\n".join(parts)


def counts(made: Sequence[Reproduction]) -> Counter[Status]:
    """How many numbers have each status."""
    return Counter(cell.status for table in made for cell in table.cells)


def count_line(made: Sequence[Reproduction]) -> str:
    """The counts in one line."""
    return f"{len(made)} tables and figures, {_numbers(made)}"


def _numbers(made: Sequence[Reproduction]) -> str:
    """How many numbers there are, and how many of each status."""
    found = counts(made)
    if not found:
        return "no numbers: the paper prints none"
    shown = ", ".join(_counted(status, found[status]) for status in STATUSES if found[status])
    unexplained = sum(
        cell.status == "differs" and not cell.cause for table in made for cell in table.cells
    )
    more = f" ({unexplained} without a stated cause)" if unexplained else ""
    total = found.total()
    return f"{total} number{'s' if total > 1 else ''}: {shown}{more}"


def _counted(status: Status, number: int) -> str:
    return f"{number} differ" if status == "differs" and number > 1 else f"{number} {status}"


def _legend() -> str:
    entries = "".join(
        f"<li>{sign} {escape(status)}: {escape(_MEANINGS[status])}</li>"
        for status, sign in _SIGNS.items()
    )
    return f"<p>In each cell the published number stands above ours.</p><ul>{entries}</ul>"


def _contents(made: Sequence[Reproduction]) -> str:
    links = "".join(
        f'<li><a href="#{escape(table.name)}">{escape(table.title)}</a></li>' for table in made
    )
    return f"<nav><ul>{links}</ul></nav>"


def _section(table: Reproduction) -> str:
    parts = [
        f'<section id="{escape(table.name)}"><h2>{escape(table.title)}</h2>',
        f"<p>{escape(_numbers([table]))}</p>",
    ]
    if table.cells:
        parts.append(f'<div class="wide" tabindex="0">{_table(table)}</div>')
    parts += [
        f"<figure>{drawing.svg()}<figcaption>{escape(drawing.title)}</figcaption></figure>"
        for drawing in table.drawings
    ]
    remarks = [*_remarks(table), *table.notes]
    if remarks:
        parts.append("<ul>" + "".join(f"<li>{escape(text)}</li>" for text in remarks) + "</ul>")
    return "".join([*parts, "</section>"])


def _table(table: Reproduction) -> str:
    columns = list(dict.fromkeys(cell.column for cell in table.cells))
    rows = list(dict.fromkeys(cell.row for cell in table.cells))
    cells = {(cell.row, cell.column): cell for cell in table.cells}
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(row)}</th>'
        + "".join(_cell(cells.get((row, column))) for column in columns)
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: PublishedCell | None) -> str:
    if cell is None:
        return "<td></td>"
    said = cell.cause or cell.reason or ""
    title = f' title="{escape(said)}"' if said else ""
    return (
        f'<td class="{cell.status.split()[0]}"{title}>{_number(cell.published, cell.digits)}'
        f"<small>{_number(cell.ours, cell.digits)} {_SIGNS[cell.status]}</small></td>"
    )


def _number(value: float | None, digits: int) -> str:
    return "·" if value is None else f"{value:.{digits}f}"


def _remarks(table: Reproduction) -> Iterator[str]:
    """Why numbers differ or are missing, each cause once."""
    groups: dict[tuple[str, str], list[PublishedCell]] = {}
    for cell in table.cells:
        if cell.status == "differs" and cell.cause:
            groups.setdefault(("differs because", cell.cause), []).append(cell)
        elif cell.status == "not computed" and cell.reason:
            groups.setdefault(("not computable because", cell.reason), []).append(cell)
    for (what, why), cells in groups.items():
        yield f"{_places(cells, table)}: {what}: {why}"


def _places(cells: Sequence[PublishedCell], table: Reproduction) -> str:
    """The rows of some cells, and their column if they are all in the same one."""
    rows = ", ".join(dict.fromkeys(cell.row for cell in cells))
    (column, *others) = dict.fromkeys(cell.column for cell in cells)
    is_narrow = len({cell.column for cell in table.cells}) == 1
    return rows if others or is_narrow else f"{column} of {rows}"
