"""Campaigns for tests, and a PostgreSQL server that the tests start themselves."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corrigenda.corpus import Corpus, Hypotheses

WORDS = [
    "the",
    "a",
    "one",
    "two",
    "red",
    "blue",
    "old",
    "new",
    "cat",
    "dog",
    "bird",
    "tree",
    "sees",
    "likes",
    "finds",
    "near",
    "under",
    "over",
]


def corpus_and_systems(sentences: int = 30, systems: int = 5) -> tuple[Corpus, list[Hypotheses]]:
    """Made-up sentences; every output of a sentence is different."""
    sources = [
        " ".join(WORDS[(number * 7 + place * 5) % len(WORDS)] for place in range(6 + number % 4))
        + f" {number}"
        for number in range(sentences)
    ]
    outputs = [
        Hypotheses(f"SYS{index}", [f"{source} x{index} ." for source in sources])
        for index in range(systems)
    ]
    references = [f"{source} ." for source in sources]
    return Corpus.from_lists(sources, [references], references_by="text"), outputs


def make_campaign(place: Any, *, items: int | None = None, seed: int = 0, **settings: Any) -> Any:
    """A store with a new campaign; `texts=(corpus, systems)` gives other texts."""
    from corrigenda.judge.design import SentenceSelection, design
    from corrigenda.judge.settings import CampaignSettings
    from corrigenda.judge.store import CampaignStore

    corpus, systems = settings.pop("texts", None) or corpus_and_systems()
    clock = settings.pop("clock", time.time)
    chosen = CampaignSettings(**settings)
    planned = design(corpus, systems, chosen, SentenceSelection(items=items), seed)
    store, token = CampaignStore.create(place, planned, chosen, title="A test", seed=seed)
    store.organiser_token = token
    store._clock = clock
    return store


def _program(name: str) -> str | None:
    places = sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")))
    return shutil.which(name) or (places[-1] if places else None)


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


@contextmanager
def postgresql() -> Iterator[str | None]:
    """The URL of a new server without a database name, or None where there is no PostgreSQL."""
    initdb, postgres = _program("initdb"), _program("postgres")
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        # The server refuses to run as root; Debian's package makes a user for it.
        if "postgres" not in {entry.pw_name for entry in pwd.getpwall()}:
            initdb = None
        user = {"user": "postgres", "group": "postgres"}
    if initdb is None or postgres is None:
        yield None
        return
    folder = tempfile.mkdtemp(prefix="corrigenda-pg-")
    if user:
        shutil.chown(folder, "postgres", "postgres")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    data, port = f"{folder}/data", free_port()
    options = ["-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8", "--locale=C"]
    subprocess.run([initdb, "-D", data, *options], check=True, **quiet, **user)
    settings = ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"]
    server = subprocess.Popen(
        [postgres, "-D", data, "-k", folder, "-p", str(port), *settings], **quiet, **user
    )
    try:
        yield _ready(f"postgresql://tester@127.0.0.1:{port}")
    finally:
        server.send_signal(signal.SIGINT)  # do not wait for clients
        server.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


def _ready(url: str) -> str:
    import psycopg

    for _ in range(200):
        try:
            psycopg.connect(f"{url}/postgres", connect_timeout=2).close()
            return url
        except psycopg.OperationalError:
            time.sleep(0.05)
    raise AssertionError("PostgreSQL does not answer")


def emptied_database(url: str) -> str:
    """The URL of the server's one database, without tables. It is quicker than a new database."""
    import psycopg

    database = f"{url}/postgres"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return database
