"""`corrigenda judge`: collect human judgments with pages of its own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, options
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.judge.design import SentenceSelection
    from corrigenda.judge.settings import CampaignSettings
    from corrigenda.judge.store import CampaignStore

HELP = "collect human judgments with a small web server"
EXAMPLES = """\
examples:
  corrigenda judge demo                                 # a campaign on the bundled sample, at once
  corrigenda judge new c.db --source src.txt --hyps a.txt b.txt c.txt
  corrigenda judge invite c.db anna ben                 # a link for each judge
  corrigenda judge serve c.db
  corrigenda judge status c.db
  corrigenda rank c.db --method bradley-terry --bootstrap 1000
  corrigenda judge export c.db --format appraise --out judgments.xml
  corrigenda judge simulate c.db --judges 4 --judgments 200

A campaign is one SQLite file, or a PostgreSQL database: postgresql://user@host/name.
It needs: pip install 'corrigenda[judge]'
"""
MODES = ("rank", "pair", "rate", "edits")
EXPORT_FORMATS = ("appraise", "appraise-wmt", "csv", "jsonl")
DEFAULT_PORT = 8571


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
    forgetting = actions.add_parser("forget", help="remove who a judge is, keep the judgments")
    _add_campaign(forgetting)
    forgetting.add_argument("judges", nargs="+", metavar="JUDGE", help="names of judges")
    simulating = actions.add_parser("simulate", help="made-up judges play the campaign over HTTP")
    _add_campaign(simulating)
    _add_simulation_options(simulating)
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
    options.add_whole_number(group, "--judges", "how many (default: 4)", least=1, default=4)
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
        group, "--parallel", "requests at once (default: 1)", least=1, default=1
    )
    options.add_seed(group)


def run(args: argparse.Namespace) -> None:
    """Do what was asked for."""
    from corrigenda.formats.campaign import require_judge_extra

    require_judge_extra()
    actions = {
        "new": _new,
        "serve": _serve,
        "invite": _invite,
        "status": _status,
        "export": _export,
        "forget": _forget,
        "simulate": _simulate,
        "demo": _demo,
    }
    actions[args.action](args)


def _new(args: argparse.Namespace) -> None:
    from corrigenda.judge.design import design
    from corrigenda.judge.store import CampaignStore

    inputs.require_systems(args)
    settings = _settings(args)
    corpus, systems = inputs.read_corpus(args)
    if args.show_reference and not any(corpus.references):
        raise UsageError("--show-reference needs references", remedy="Give --refs FILE.")
    if "reference" in args.include and not any(corpus.references):
        raise UsageError("--include reference needs references", remedy="Give --refs FILE.")
    selection = _selection(args, corpus)
    planned = design(corpus, systems, settings, selection, args.seed)
    store, token = CampaignStore.create(
        args.campaign, planned, settings, title=args.title, seed=args.seed
    )
    store.close()
    states = [source.state for source in planned.sources]
    main = [item for item in planned.items if item.kind == "main"]
    print(f"{args.campaign}: {len(main)} items for {sum(item.needed for item in main)} judgments")
    print(f"  systems    {', '.join(system.name for system in planned.systems)}")
    print(f"  sentences  {states.count('judged')} to judge")
    for state, why in (
        ("agreed", "with the same output of all systems: ties"),
        ("length", "too short or too long"),
        ("unlisted", "not in the list"),
    ):
        if state in states:
            print(f"             {states.count(state)} {why}")
    print(f"  controls   {len(planned.items) - len(main)}")
    print(f"\nThe organiser's link, shown only now: /o/{token}")
    print(f"\nNext:\n  corrigenda judge invite {args.campaign} NAME…")
    print(f"  corrigenda judge serve {args.campaign}")


def _settings(args: argparse.Namespace) -> CampaignSettings:
    from corrigenda.formats import text
    from corrigenda.judge.settings import CampaignSettings

    instructions = "\n".join(text.read(args.instructions)) if args.instructions else None
    return CampaignSettings(
        mode=args.mode,
        candidates=args.candidates,
        include=tuple(args.include),
        show_reference=args.show_reference,
        context=args.context,
        marks=not args.no_marks,
        repeats=args.repeats,
        overlap=args.overlap,
        controls=args.controls,
        assign=args.assign,
        floor=args.floor,
        stop=args.stop,
        per_judge=args.per_judge,
        lease_minutes=args.lease_minutes,
        completion_code=args.completion_code,
        completion_url=args.completion_url,
        instructions=instructions,
    )


def _selection(args: argparse.Namespace, corpus: object) -> SentenceSelection:
    from corrigenda.corpus import Corpus
    from corrigenda.judge.design import SentenceSelection

    assert isinstance(corpus, Corpus)
    strata = None
    if args.strata:
        columns = inputs.sidecar_columns(corpus, args)
        if args.strata not in columns:
            raise UsageError(
                f"--strata is {args.strata!r}, but there is no such column",
                remedy=f"The columns are: {', '.join(columns) or 'none; give --sidecar FILE'}.",
            )
        strata = [str(value) for value in columns[args.strata]]
    return SentenceSelection(
        fewest_words=args.min_words,
        most_words=args.max_words,
        sentences=_listed(args.sentences, len(corpus)) if args.sentences else None,
        strata=strata,
        items=args.items,
    )


def _listed(path: str, count: int) -> set[int]:
    from corrigenda.errors import FormatError, Location
    from corrigenda.formats import text

    found = set()
    for number, line in enumerate(text.read(path), 1):
        given = line.strip()
        if not given:
            continue
        if not (given.isascii() and given.isdigit() and int(given) < count):
            raise FormatError(
                f"{given!r} is not a sentence of a corpus of {count} sentences",
                at=Location(path, number),
                remedy=f"Write one number per line, from 0 to {count - 1}.",
            )
        found.add(int(given))
    return found


def _opened(place: str) -> CampaignStore:
    from corrigenda.judge.store import CampaignStore

    store = CampaignStore.open(place)
    if store.backup is not None:
        print(f"The campaign is up to date now. The backup of the older one: {store.backup}")
    return store


def _serve(args: argparse.Namespace) -> None:
    _serve_store(_opened(args.campaign), args)


def _serve_store(store: CampaignStore, args: argparse.Namespace, *lines: str) -> None:
    from corrigenda.judge.gate import GateSettings
    from corrigenda.judge.limits import networks
    from corrigenda.judge.serving import listening_socket, require_server, serve

    require_server()
    root = args.root_path.rstrip("/")
    if root and not root.startswith("/"):
        raise UsageError(f"--root-path is {root!r}", remedy="It begins with a slash: /judging.")
    gate = GateSettings(
        root=root,
        trusted_proxies=networks(args.trusted_proxies),
        per_address=args.rate,
        per_token=max(args.rate / 2, 1),
    )
    listener = listening_socket(args.host, args.port)
    port = listener.getsockname()[1]
    print(f"Serving on http://{args.host}:{port}{root}/ until Ctrl+C.")
    if args.host in ("127.0.0.1", "::1", "localhost"):
        print("Only this machine can reach it; --host 0.0.0.0 opens it to others.")
    else:
        print("Others can reach it. Use a proxy with HTTPS: links hold secrets.")
    for line in lines:
        print(line.format(url=f"http://{args.host}:{port}{root}"))
    print(end="", flush=True)
    try:
        serve(store, listener, gate)
    finally:
        store.close()


def _invite(args: argparse.Namespace) -> None:
    if args.renew and not args.judges:
        raise UsageError("--renew needs the names of judges")
    store = _opened(args.campaign)
    url = args.url.rstrip("/")
    if args.organiser:
        print(f"organiser\t{url}/o/{store.renew_campaign_token('organiser_hash')}")
    if args.open:
        token = store.renew_campaign_token("open_hash")
        print(f"open link\t{url}/open/{token}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}")
    if args.judges or not (args.organiser or args.open):
        for name in args.judges or [None]:
            token = store.renew_token(name) if args.renew else store.add_judge(name)
            person = store.person(token)
            assert person is not None
            print(f"{person.name}\t{url}/j/{token}")
    store.close()


def _status(args: argparse.Namespace) -> None:
    from corrigenda.cli import judge_tables, render
    from corrigenda.judge.overview import overview

    store = _opened(args.campaign)
    found = overview(store)
    store.close()
    if args.format == "json":
        render.print_json(found.to_dict())
    else:
        judge_tables.print_overview(found)


def _export(args: argparse.Namespace) -> None:
    from corrigenda.cli import outputs
    from corrigenda.judge.export import export

    given = [] if "://" in args.campaign else [outputs.GivenFile("CAMPAIGN", args.campaign)]
    outputs.check_file("--out", args.out, given)
    store = _opened(args.campaign)
    with outputs.open_output(args.out) as file:
        export(store, args.format, file)
    store.close()


def _forget(args: argparse.Namespace) -> None:
    store = _opened(args.campaign)
    for name in args.judges:
        print(f"{name} is now {store.forget(name)}")
    store.close()


def _simulate(args: argparse.Namespace) -> None:
    from corrigenda.judge.serving import require_server
    from corrigenda.judge.simulation import SimulatedJudging, simulate

    require_server()
    plan = SimulatedJudging(
        judges=args.judges,
        judgments=args.judgments,
        ability=args.ability,
        parallel=args.parallel,
        seed=args.seed,
    )
    _opened(args.campaign).close()
    done = simulate(args.campaign, plan)
    print(f"{done.judgments} judgments by {args.judges} made-up judges over HTTP")
    if done.finished:
        print("The campaign has no more items for them, or its stop rule holds.")
    print(f"Next: corrigenda rank {args.campaign} --method bradley-terry --bootstrap 1000")


def _demo(args: argparse.Namespace) -> None:
    import tempfile
    from pathlib import Path

    from corrigenda.data import sample_corpus, sample_systems
    from corrigenda.judge.design import SentenceSelection, design
    from corrigenda.judge.settings import CampaignSettings
    from corrigenda.judge.store import CampaignStore

    settings = CampaignSettings(mode=args.mode, context=1)
    planned = design(sample_corpus(), sample_systems(), settings, SentenceSelection(), seed=0)
    with tempfile.TemporaryDirectory(prefix="corrigenda-judge-") as folder:
        place = Path(folder) / "demo.db"
        store, token = CampaignStore.create(
            place, planned, settings, title="The bundled sample", seed=0
        )
        judge = store.add_judge("you")
        _serve_store(
            store,
            args,
            f"Judge here:     {{url}}/j/{judge}",
            f"Organise here:  {{url}}/o/{token}",
            f"The campaign, until the server stops: {place}",
        )
