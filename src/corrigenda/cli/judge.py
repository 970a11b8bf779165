"""`corrigenda judge`: collect human judgments with pages of its own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, judge_options
from corrigenda.cli.display import say
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
  corrigenda judge restore campaign.backup.jsonl postgresql://user@host/name

A campaign is one SQLite file, or a PostgreSQL database: postgresql://user@host/name.
It needs: pip install 'corrigenda[judge]'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    judge_options.add_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Do what was asked for."""
    from corrigenda.formats.campaign import database_errors, require_judge_extra

    require_judge_extra()
    actions = {
        "new": _new,
        "serve": _serve,
        "invite": _invite,
        "status": _status,
        "export": _export,
        "forget": _forget,
        "simulate": _simulate,
        "restore": _restore,
        "demo": _demo,
    }
    with database_errors(getattr(args, "campaign", "the demo")):
        actions[args.action](args)


def _new(args: argparse.Namespace) -> None:
    from corrigenda.formats.campaign import shown_place
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
    place = shown_place(args.campaign)
    say(f"{place}: {len(main)} items for {sum(item.needed for item in main)} judgments")
    say(f"  systems    {', '.join(system.name for system in planned.systems)}")
    say(f"  sentences  {states.count('judged')} to judge")
    for state, why in (
        ("agreed", "with the same output of all systems: ties"),
        ("length", "too short or too long"),
        ("unlisted", "not in the list"),
    ):
        if state in states:
            say(f"             {states.count(state)} {why}")
    say(f"  controls   {len(planned.items) - len(main)}")
    say(f"\nThe organiser's link, shown only now: /o/{token}")
    say(f"\nNext:\n  corrigenda judge invite {place} NAME…")
    say(f"  corrigenda judge serve {place}")


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
    from corrigenda.errors import FormatError, Location, brief
    from corrigenda.formats import text
    from corrigenda.text.numerals import whole_number

    found = set()
    for number, line in enumerate(text.read(path), 1):
        given = line.strip()
        if not given:
            continue
        sentence = whole_number(given)
        if sentence is None or sentence >= count:
            raise FormatError(
                f"{brief(given)} is not a sentence of a corpus of {count} sentences",
                at=Location(path, number),
                remedy=f"Write one number per line, from 0 to {count - 1}.",
            )
        found.add(sentence)
    return found


def _opened(place: str) -> CampaignStore:
    from corrigenda.judge.store import CampaignStore

    store = CampaignStore.open(place)
    if store.backup is not None:
        say(f"The campaign is up to date now. The backup of the older one: {store.backup}")
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
    say(f"Serving on http://{args.host}:{port}{root}/ until Ctrl+C.")
    if args.host in ("127.0.0.1", "::1", "localhost"):
        say("Only this machine can reach it; --host 0.0.0.0 opens it to others.")
    else:
        say("Others can reach it. Use a proxy with HTTPS: links hold secrets.")
    for line in lines:
        say(line.format(url=f"http://{args.host}:{port}{root}"))
    say(end="", flush=True)
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
        say(f"organiser\t{url}/o/{store.renew_campaign_token('organiser_hash')}")
    if args.open:
        token = store.renew_campaign_token("open_hash")
        say(f"open link\t{url}/open/{token}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}")
    if args.judges or not (args.organiser or args.open):
        for name in args.judges or [None]:
            token = store.renew_token(name) if args.renew else store.add_judge(name)
            person = store.person(token)
            assert person is not None
            say(f"{person.name}\t{url}/j/{token}")
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
        say(f"{name} is now {store.forget(name)}")
    store.close()


def _restore(args: argparse.Namespace) -> None:
    from corrigenda.formats.campaign import shown_place
    from corrigenda.judge.database import restore

    restore(args.backup, args.campaign)
    store = _opened(args.campaign)
    say(f"{shown_place(args.campaign)}: {len(store.judgments())} judgments that count")
    store.close()


def _simulate(args: argparse.Namespace) -> None:
    from corrigenda.formats.campaign import shown_place
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
    say(f"{done.judgments} judgments by {args.judges} made-up judges over HTTP")
    if done.finished:
        say("The campaign has no more items for them, or its stop rule holds.")
    place = shown_place(args.campaign)
    say(f"Next: corrigenda rank {place} --method bradley-terry --bootstrap 1000")


def _demo(args: argparse.Namespace) -> None:
    import tempfile
    from pathlib import Path

    from corrigenda.data import sample_corpus, sample_systems
    from corrigenda.judge.design import SentenceSelection, design
    from corrigenda.judge.settings import CampaignSettings
    from corrigenda.judge.store import CampaignStore
    from corrigenda.writing.endings import leaving_by_blocks

    settings = CampaignSettings(mode=args.mode, context=1)
    planned = design(sample_corpus(), sample_systems(), settings, SentenceSelection(), seed=0)
    with leaving_by_blocks(), tempfile.TemporaryDirectory(prefix="corrigenda-judge-") as folder:
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
