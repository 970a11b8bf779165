"""`corrigenda data`: public data sets: which there are, where they are, and how to get them."""

from __future__ import annotations

import argparse
import sys
import textwrap
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli import options, render
from corrigenda.cli.display import say
from corrigenda.errors import CorrigendaError

if TYPE_CHECKING:
    from corrigenda.data.importing import Imported
    from corrigenda.data.sets import DataSet

HELP = "list, find, import or download public data sets"
EXAMPLES = """\
examples:
  corrigenda data list
  corrigenda data get conll14                 # official addresses; checked, and resumed if it stops
  corrigenda data import ~/Downloads          # recognises files and archives by their checksums
  corrigenda data where conll14

Data sets are in $CORRIGENDA_DATA, or in the user's data folder if that is not set. None is bundled.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    listing = actions.add_parser(
        "list", help="the data sets, their terms, and whether they are here"
    )
    options.add_text_format(listing)
    where = actions.add_parser("where", help="the folder of a data set, or of all of them")
    where.add_argument("name", nargs="?", metavar="NAME", help="a data set")
    importing = actions.add_parser("import", help="take data sets from a folder that you have")
    importing.add_argument(
        "folder", metavar="DIR", help="a folder with the files, or with the official archives"
    )
    importing.add_argument("--only", nargs="+", metavar="NAME", help="only these data sets")
    getting = actions.add_parser("get", help="download a data set from its official address")
    getting.add_argument("names", nargs="+", metavar="NAME", help="data sets")
    getting.add_argument(
        "--mirror", metavar="URL", help="fetch URL/host/path instead of the official addresses"
    )
    getting.add_argument(
        "--insecure", action="store_true", help="allow a mirror without https (http://…)"
    )
    for action in (importing, getting):
        action.add_argument(
            "--accept-changed",
            action="store_true",
            help="also take files that have another checksum than the known one",
        )


def run(args: argparse.Namespace) -> None:
    """Do what was asked for."""
    {"list": _list, "where": _where, "import": _import, "get": _get}[args.action](args)


@dataclass(frozen=True)
class ListedDataSet:
    """A data set; the fields are the keys of the JSON."""

    name: str
    title: str
    home: str
    terms: str
    citation: str
    needs: list[str]
    files: int
    missing: int
    folder: str

    @property
    def state(self) -> str:
        """Whether its files are here."""
        if self.missing == self.files:
            return "not here"
        return f"{self.missing} files missing" if self.missing else "here"


def _listed(entry: DataSet) -> ListedDataSet:
    from corrigenda.data.locate import data_home, missing_files

    folder = data_home() / entry.name
    return ListedDataSet(
        name=entry.name,
        title=entry.title,
        home=entry.home,
        terms=entry.terms,
        citation=entry.citation,
        needs=list(entry.needs),
        files=len(entry.paths),
        missing=len(missing_files(entry, folder)),
        folder=str(folder),
    )


def _list(args: argparse.Namespace) -> None:
    from corrigenda.data.locate import data_home
    from corrigenda.data.sets import DATA_SETS

    listed = [_listed(entry) for entry in DATA_SETS]
    if args.format == "json":
        render.print_json([asdict(entry) for entry in listed])
        return
    for entry in listed:
        say(_folded(f"{entry.name}  [{entry.state}]  ", entry.title, indent=4))
        lines = {"from": entry.home, "terms": entry.terms, "cite": entry.citation}
        for name, value in lines.items():
            say(_folded(f"    {name:<7}", value, indent=11))
        say("")
    say(f"data folder: {data_home()}")


def _folded(label: str, value: str, *, indent: int) -> str:
    """The label and its value in lines that fit 80 columns; an address is never cut."""
    return textwrap.fill(
        value,
        80,
        initial_indent=label,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _where(args: argparse.Namespace) -> None:
    from corrigenda.data.locate import data_home, locate

    say(locate(args.name) if args.name else data_home())


def _import(args: argparse.Namespace) -> None:
    from corrigenda.data.importing import import_folder
    from corrigenda.data.locate import data_home
    from corrigenda.data.sets import DATA_SETS, data_set

    only = [data_set(name).name for name in args.only] if args.only else None
    results = import_folder(
        Path(args.folder), data_home(), only=only, accept_changed=args.accept_changed
    )
    if not results:
        known = ", ".join(entry.name for entry in DATA_SETS)
        raise CorrigendaError(
            f"nothing in {args.folder} belongs to a known data set",
            remedy=f"The data sets: {known}.",
        )
    incomplete = [_report(result, args.accept_changed) for result in results]
    if all(incomplete):
        raise CorrigendaError(
            "no data set is complete",
            remedy="Put the missing files beside the others and import again.",
        )


def _report(result: Imported, accept_changed: bool) -> bool:
    """Say which files of a set were taken; whether something is missing."""
    taken = len(result.taken) + (len(result.changed) if accept_changed else 0)
    say(f"{result.data_set.name}: {taken} of {len(result.data_set.files)} files taken")
    if result.changed:
        state = "taken" if accept_changed else "not taken (--accept-changed takes them)"
        names = ", ".join(result.changed)
        say(f"  not the known content, {state}: {names}", file=sys.stderr)
    if result.missing:
        say(f"  not found: {', '.join(result.missing)}", file=sys.stderr)
    return bool(result.missing) or (bool(result.changed) and not accept_changed)


def _get(args: argparse.Namespace) -> None:
    from corrigenda.data.locate import data_home, missing_files
    from corrigenda.data.sets import data_set

    for entry in [data_set(name) for name in args.names]:
        folder = data_home() / entry.name
        if not missing_files(entry, folder):
            say(f"{entry.name} is here already: {folder}")
            continue
        _download(entry, args)
        say(f"{entry.name}: complete, in {folder}")
        for needed in entry.needs:
            if missing_files(data_set(needed), data_home() / needed):
                say(
                    f"  it is used together with {needed}: corrigenda data get {needed}",
                    file=sys.stderr,
                )


def _download(entry: DataSet, args: argparse.Namespace) -> None:
    from corrigenda.data.getting import get
    from corrigenda.data.locate import data_home

    say(
        f"{entry.name}: {entry.title}\n  from   {entry.home}\n  terms  {entry.terms}",
        file=sys.stderr,
    )
    with options.working(args):
        get(
            entry,
            data_home(),
            mirror=args.mirror,
            accept_changed=args.accept_changed,
            insecure=args.insecure,
        )
