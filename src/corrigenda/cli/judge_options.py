"""The options of `corrigenda judge` and of its actions."""

from __future__ import annotations

import argparse

from corrigenda.cli import inputs, options

MODES = ("rank", "pair", "rate", "edits")
EXPORT_FORMATS = ("appraise", "appraise-wmt", "csv", "jsonl")
DEFAULT_PORT = 8571
_MOST_JUDGES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    new = actions.add_parser("new", help="make a campaign from sources and outputs")
    _add_campaign(new)
    inputs.add_corpus_arguments(new)
    inputs.add_system_arguments(new)
    _add_item_options(new)
    _add_judging_options(new)
    serving = actions.add_parser("serve", help="serve the pages of judges and of the organiser")
    _add_campaign(serving)
    _add_server_options(serving)
    inviting = actions.add_parser("invite", help="make links for judges")
    _add_campaign(inviting)
    inviting.add_argument("judges", nargs="*", metavar="JUDGE", help="names; none makes one judge")
    inviting.add_argument("--renew", action="store_true", help="new links for known judges")
    inviting.add_argument(
        "--open", action="store_true", help="one link for all judges of a crowd service"
    )
    inviting.add_argument("--organiser", action="store_true", help="a new link for the organiser")
    inviting.add_argument(
        "--url", default=f"http://127.0.0.1:{DEFAULT_PORT}", metavar="URL", help="of the server"
    )
    status = actions.add_parser("status", help="how far the campaign is, and what it shows")
    _add_campaign(status)
    options.add_text_format(status)
    exporting = actions.add_parser("export", help="write the judgments to a file")
    _add_campaign(exporting)
    exporting.add_argument("--format", choices=EXPORT_FORMATS, default="appraise")
    exporting.add_argument("--out", metavar="FILE", help="(default: standard output)")
    forgetting = actions.add_parser("forget", help="delete the name of a judge, keep the judgments")
    _add_campaign(forgetting)
    forgetting.add_argument("judges", nargs="+", metavar="JUDGE", help="names of judges")
    simulating = actions.add_parser("simulate", help="made-up judges play the campaign over HTTP")
    _add_campaign(simulating)
    _add_simulation_options(simulating)
    restoring = actions.add_parser("restore", help="make a campaign from a backup of PostgreSQL")
    restoring.add_argument("backup", metavar="BACKUP", help="a file that ends with .backup.jsonl")
    _add_campaign(restoring)
    demo = actions.add_parser("demo", help="a campaign on the bundled sample, served at once")
    demo.add_argument("--mode", choices=MODES, default="rank", help="(default: rank)")
    _add_server_options(demo)


def _add_campaign(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("campaign", metavar="CAMPAIGN", help="a file, or postgresql://…")


def _add_item_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the items")
    group.add_argument("--mode", choices=MODES, default="rank", help="(default: rank)")
    options.add_whole_number(
        group, "--candidates", "outputs per item, 2 to 6 (default: 5)", least=2, default=5
    )
    group.add_argument(
        "--include",
        nargs="+",
        choices=("source", "reference"),
        default=[],
        metavar="WHAT",
        help="judge 'source' (as INPUT), 'reference' (as REFERENCE) or both among the outputs",
    )
    group.add_argument(
        "--show-reference", action="store_true", help="show a reference beside the source"
    )
    options.add_whole_number(
        group, "--context", "neighbouring sentences on each side (default: 0)", least=0, default=0
    )
    options.add_whole_number(
        group, "--items", "how many (default: one per sentence)", least=1, default=None
    )
    options.add_whole_number(group, "--min-words", "of a source (default: 1)", least=0, default=1)
    options.add_whole_number(group, "--max-words", "of a source", least=1, default=None)
    group.add_argument(
        "--sentences", metavar="FILE", help="only these sentences: one number per line, from 0"
    )
    inputs.add_sidecar_argument(group, "for --strata")
    group.add_argument(
        "--strata", metavar="COLUMN", help="a column of the sidecar: equal shares at every time"
    )
    options.add_seed(group)


def _add_judging_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the judging")
    group.add_argument("--title", default="Judging", metavar="TEXT", help="that judges see")
    group.add_argument("--instructions", metavar="FILE", help="a text that judges see")
    group.add_argument("--no-marks", action="store_true", help="never mark what outputs change")
    for flag, value, what in (
        ("--repeats", 0.12, "share of items that a judge gets again"),
        ("--overlap", 0.15, "share of items for two judges"),
        ("--controls", 0.05, "share of items with an injected error"),
        ("--floor", 0.25, "share of balanced items in adaptive assignment"),
    ):
        group.add_argument(
            flag,
            type=options.number_of(flag, least=0),
            default=value,
            metavar="X",
            help=f"{what} (default: {value})",
        )
    group.add_argument(
        "--assign",
        choices=("balanced", "adaptive"),
        default="balanced",
        help="every pair of systems equally often, or what is least certain (default: balanced)",
    )
    group.add_argument(
        "--stop",
        default="none",
        metavar="RULE",
        help="'apart' (all neighbours are separated), or a number of judgments (default: none)",
    )
    options.add_whole_number(group, "--per-judge", "items for each judge", least=1, default=None)
    group.add_argument(
        "--lease-minutes",
        type=options.number_of("--lease-minutes", least=0.01),
        default=30,
        metavar="N",
        help="how long an open item is kept for a judge (default: 30)",
    )
    group.add_argument("--completion-code", metavar="CODE", help="the same code for all judges")
    group.add_argument("--completion-url", metavar="URL", help="where judges go at the end")


def _add_server_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the server")
    group.add_argument(
        "--host", default="127.0.0.1", help="(default: 127.0.0.1, this machine only)"
    )
    options.add_whole_number(
        group,
        "--port",
        f"0 takes a free one (default: {DEFAULT_PORT})",
        least=0,
        default=DEFAULT_PORT,
    )
    group.add_argument(
        "--root-path", default="", metavar="PATH", help="the path at a proxy, e.g. /judging"
    )
    group.add_argument(
        "--trusted-proxies",
        nargs="+",
        default=[],
        metavar="ADDRESS",
        help="proxies whose X-Forwarded-For and X-Forwarded-Proto count",
    )
    options.add_whole_number(
        group, "--rate", "requests per minute and address (default: 600)", least=1, default=600
    )


def _add_simulation_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the made-up judges")
    options.add_whole_number(
        group, "--judges", "how many (default: 4)", least=1, most=_MOST_JUDGES, default=4
    )
    options.add_whole_number(
        group, "--judgments", "how many in all (default: 200)", least=1, default=200
    )
    group.add_argument(
        "--ability",
        type=options.number_of("--ability", least=0),
        default=2.0,
        metavar="X",
        help="how well judges see differences; 0 is guessing (default: 2)",
    )
    options.add_whole_number(
        group, "--parallel", "requests at once (default: 1)", least=1, most=_MOST_JUDGES, default=1
    )
    options.add_seed(group)
