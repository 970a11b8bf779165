"""Many judges at once, a server that is killed, connections that are cut, requests that come twice.

What the server has acknowledged is there exactly once; no item is given to more judges than the
design says; leases of judges who vanished are freed.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import select

from corrigenda.formats.campaign_schema import assignment, item, judgment
from corrigenda.judge.client import read_page
from corrigenda.judge.store import CampaignStore
from judging import corpus_and_systems, free_port, make_campaign

pytestmark = [pytest.mark.slow, pytest.mark.cluster]
FULL = bool(os.environ.get("CORRIGENDA_FULL"))
JUDGES, KILLS, SENTENCES = (50, 5, 400) if FULL else (12, 1, 20)
LEASE_SECONDS = 6.0 if FULL else 3.0


class Killable:
    """The real program, started again on the same port after each kill."""

    def __init__(self, place: str, port: int) -> None:
        self._command = [
            sys.executable, "-m", "corrigenda", "judge", "serve", place, "--port", str(port),
            "--rate", "100000000",
        ]  # fmt: skip
        self.port = port
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        for _ in range(600):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/")
                connection.getresponse().read()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server does not start")

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


@dataclass
class Book:
    """What the judges know: what was acknowledged, and how long requests took."""

    acknowledged: dict[str, tuple[str, list[int]]] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Judge(threading.Thread):
    """Judges until the campaign ends; a bad line cuts and doubles its requests."""

    def __init__(self, port: int, token: str, number: int, book: Book, vanishes: bool) -> None:
        super().__init__(daemon=True)
        self._port, self._token, self._book, self._vanishes = port, token, book, vanishes
        self._random = random.Random(number)
        self._late: list[dict[str, str]] = []

    def run(self) -> None:
        try:
            while self._judge():
                pass
            while self._late:  # requests that come when everything else is over
                self._send(self._late.pop())
        except Exception as error:
            self._book.problems.append(repr(error))

    def _judge(self) -> bool:
        page = read_page(self._until_answered("GET", "/judge", None)[1])
        if not page.is_item:
            return False
        if self._vanishes and self._random.random() < 0.4:
            return False
        fields = {"form": page.hidden["form"], "key": page.hidden["key"], "action": "answer"}
        ranks = [self._random.randint(1, 3) for _ in page.outputs]
        fields |= {f"rank-{letter}": str(rank) for letter, rank in zip("ABC", ranks, strict=True)}
        chance = self._random.random()
        if chance < 0.15:
            self._cut(fields)
        elif chance < 0.3:
            self._late.append(fields)  # the same request again, after later ones
        elif chance < 0.4:
            twin = threading.Thread(target=self._send, args=(fields,), daemon=True)
            twin.start()
            self._send(fields)
            twin.join()
            return True
        self._send(fields)
        if self._late and self._random.random() < 0.5:
            self._send(self._late.pop(0))
        return True

    def _send(self, fields: dict[str, str]) -> None:
        code, text = self._until_answered("POST", "/judge/answer", fields)
        if code != 200 or not json.loads(text)["saved"]:
            self._book.problems.append(f"{code}: {text[:200]}")
            return
        ranks = [int(fields[f"rank-{letter}"]) for letter in "ABC"]
        with self._book.lock:
            self._book.acknowledged[fields["key"]] = (fields["form"].partition(".")[0], ranks)

    def _cut(self, fields: dict[str, str]) -> None:
        """Send a request and go away before the answer."""
        try:
            connection = self._connection()
            self._request(connection, "POST", "/judge/answer", fields)
            connection.close()
        except OSError:
            pass

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)

    def _request(
        self, connection: Any, method: str, path: str, fields: dict[str, str] | None
    ) -> None:
        headers = {"Cookie": f"corrigenda_judge={self._token}", "Accept": "application/json"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, urlencode(fields) if fields else None, headers)

    def _until_answered(
        self, method: str, path: str, fields: dict[str, str] | None
    ) -> tuple[int, str]:
        """As the page does it: the same request again until there is an answer."""
        for _ in range(400):
            begin = time.perf_counter()
            try:
                connection = self._connection()
                self._request(connection, method, path, fields)
                response = connection.getresponse()
                text = response.read().decode()
                connection.close()
                if response.status < 500:
                    self._book.times.append(time.perf_counter() - begin)
                    return response.status, text
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.05 + self._random.random() / 5)
        raise AssertionError("no answer")


def test_nothing_is_lost_and_nothing_counts_twice(place: str) -> None:
    store = make_campaign(
        place, texts=corpus_and_systems(SENTENCES, 3), repeats=0.0, controls=0.0,
        lease_minutes=LEASE_SECONDS / 60,
    )  # fmt: skip
    tokens = [store.add_judge() for _ in range(JUDGES)]
    store.close()
    server, book = Killable(place, free_port()), Book()
    judges = [
        Judge(server.port, token, number, book, vanishes=number % 10 == 0)
        for number, token in enumerate(tokens)
    ]
    begin = time.perf_counter()
    chance = random.Random(7)
    try:
        for each in judges:
            each.start()
        for _ in range(KILLS):
            time.sleep(0.3 + chance.random())
            server.kill()
            server.start()
        for each in judges:
            each.join(timeout=300)
        seconds = time.perf_counter() - begin
        # Those who vanished held items: when their leases are over, another judge gets them.
        time.sleep(LEASE_SECONDS + 0.5)
        last = CampaignStore.open(place)
        cleaner = Judge(server.port, last.add_judge(), 999, book, vanishes=False)
        cleaner.start()
        cleaner.join(timeout=300)
    finally:
        server.kill()
    _check(last, book)
    times = sorted(book.times)
    print(
        f"\n{len(times)} requests by {JUDGES} judges, {KILLS} kills: "
        f"{len(times) / seconds:.0f} per second, 99 % within {times[int(0.99 * len(times))]:.2f} s"
    )
    last.close()


def _check(store: CampaignStore, book: Book) -> None:
    assert book.problems == []
    with store.reading() as connection:
        rows = connection.execute(select(judgment)).all()
        items = connection.execute(select(item)).all()
        held = Counter(
            connection.execute(
                select(assignment.c.item_id).where(assignment.c.slot.is_not(None))
            ).scalars()
        )
        states = Counter(connection.execute(select(assignment.c.state)).scalars())
    keys = Counter(row.key for row in rows)
    assert max(keys.values()) == 1
    by_key = {row.key: row for row in rows}
    for key, (number, ranks) in book.acknowledged.items():
        assert str(by_key[key].assignment_id) == number
        assert by_key[key].answer == {"ranks": ranks}
    per_assignment = Counter(row.assignment_id for row in rows if row.supersedes_id is None)
    assert max(per_assignment.values()) == 1
    for each in items:
        assert held[each.id] == each.taken == each.needed, "every place is taken once"
    assert states["leased"] == 0
    assert len(book.acknowledged) >= sum(each.needed for each in items)
