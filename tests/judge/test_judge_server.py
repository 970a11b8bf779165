"""The server over real HTTP: what judges get, and what they must not get or do."""

from __future__ import annotations

import http.client
import json
import re
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from sqlalchemy.exc import OperationalError

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats.campaign_schema import assignment, judgment
from corrigenda.judge.client import read_page
from corrigenda.judge.gate import GateSettings
from corrigenda.judge.limits import RateLimit, client_address, networks
from corrigenda.judge.serving import served
from corrigenda.judge.simulation import SimulatedJudge, tastes
from corrigenda.judge.tokens import signed, token_hash, unsigned
from judging import corpus_and_systems, make_campaign
from public_data import full

pytestmark = pytest.mark.slow
NO_LIMITS = GateSettings(per_address=1e9, per_token=1e9, wrong_tokens=1e9)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
RANKS = {f"rank-{letter}": "1" for letter in "ABCDE"}


class Reply(NamedTuple):
    code: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Site:
    """A server and a client without a memory: every cookie is given."""

    def __init__(self, store: Any, port: int) -> None:
        self.store, self.port = store, port

    def send(self, method: str, path: str, *, token: str | None = None, organiser: str | None = None,
             fields: dict[str, str] | None = None, body: bytes | None = None,
             headers: dict[str, str] | None = None) -> Reply:  # fmt: skip
        cookies = [f"corrigenda_judge={token}"] if token else []
        cookies += [f"corrigenda_organiser={organiser}"] if organiser else []
        sent = {"Cookie": "; ".join(cookies), **(FORM if fields or body else {}), **(headers or {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, urlencode(fields) if fields else body, sent)
        response = connection.getresponse()
        found = Reply(
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(),
        )
        connection.close()
        return found

    def form(self, token: str) -> dict[str, str]:
        page = read_page(self.send("GET", "/judge", token=token).text)
        return {"form": page.hidden["form"], "key": page.hidden["key"], "action": "answer"}


@contextmanager
def site(place: Any, gate: GateSettings = NO_LIMITS, **settings: Any) -> Iterator[Site]:
    store = make_campaign(place, **settings)
    with served(store, gate) as port:
        yield Site(store, port)
    store.close()


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for tests that add their own judges."""
    texts = corpus_and_systems(80, 5)
    with site(tmp_path_factory.mktemp("site") / "c.db", texts=texts) as opened:
        yield opened


@pytest.mark.parametrize(
    "mode", ["rank", "edits", *(pytest.param(mode, marks=full) for mode in ("pair", "rate"))]
)
def test_no_system_name_reaches_a_judge(tmp_path: Path, mode: str) -> None:
    """Every byte of a whole campaign, headers included, and the order of outputs says nothing."""
    store = make_campaign(
        tmp_path / "c.db", mode=mode, texts=corpus_and_systems(7, 5), include=("source",),
        controls=0.2, context=1, marks=mode != "rate",
    )  # fmt: skip
    token = store.add_judge()
    sent = b""
    with served(store, NO_LIMITS) as port:
        opened = Site(store, port)
        player = SimulatedJudge(port, token, tastes(store), mode, 2.0, (0,))
        for path in (f"/j/{token}", "/", "/static/judge.js", "/static/judge.css", "/judge/paused"):
            reply = opened.send("GET", path, token=token)
            sent += str(reply.headers).encode() + reply.body
        for turn in range(60):
            reply = opened.send("GET", "/judge", token=token)
            sent += str(reply.headers).encode() + reply.body
            page = read_page(reply.text)
            if not page.is_item:
                assert page.code
                break
            fields = {"form": page.hidden["form"], "key": page.hidden["key"], "action": "answer"}
            if turn == 3:  # an incomplete form is shown again
                sent += opened.send("POST", "/judge/answer", token=token, fields=fields).body
            fields |= player.fields(page)
            reply = opened.send("POST", "/judge/answer", token=token, fields=fields)
            assert reply.code == 303, reply.text
            sent += str(reply.headers).encode() + reply.body
        else:
            pytest.fail("the campaign does not end")
    assert not re.search(rb"SYS\d|INPUT|REFERENCE|[^-]control|adaptive|repeat\b[^(]", sent)
    with store.reading() as connection:
        shown = connection.execute(assignment.select()).all()
        first = store.judgments()
    assert len(shown) > 7
    places = {
        place
        for ranking in first.rankings
        for place, output in enumerate(ranking.outputs)
        if "SYS0" in output.systems
    }
    assert len(places) > 1
    store.close()


def test_a_form_of_another_judge_is_refused(shared_site: Site) -> None:
    anna, ben = shared_site.store.add_judge(), shared_site.store.add_judge()
    form = shared_site.form(anna) | RANKS
    assert shared_site.send("POST", "/judge/answer", token=ben, fields=form).code == 403
    guessed = form | {"form": signed(ben, "answer", unsigned(anna, "answer", form["form"]))}
    assert shared_site.send("POST", "/judge/answer", token=ben, fields=guessed).code == 409
    assert shared_site.send("POST", "/judge/answer", fields=form).code == 401
    assert shared_site.send("POST", "/judge/answer", token="x" * 43, fields=form).code == 401


@pytest.mark.parametrize("form", ["", "1", "1.abc.def", "\x00", "a" * 5000])
def test_a_form_without_its_signature_is_refused(shared_site: Site, form: str) -> None:
    token = shared_site.store.add_judge()
    fields = shared_site.form(token) | RANKS | {"form": form}
    before = shared_site.store.count(judgment)
    assert shared_site.send("POST", "/judge/answer", token=token, fields=fields).code == 403
    for path in ("/judge/undo", "/judge/pause"):
        reply = shared_site.send("POST", path, token=token, fields={"act": form, "x": "y"})
        assert reply.code == 403
    assert shared_site.store.count(judgment) == before


@pytest.mark.parametrize("number", ["x", "", "-1", "٣", "9" * 40, "9" * 5000])
def test_a_judge_who_signs_nonsense_is_refused(shared_site: Site, number: str) -> None:
    """Forms are signed with the token, which the judge has."""
    from itsdangerous import TimestampSigner

    token = shared_site.store.add_judge()
    own = (
        TimestampSigner(token, salt="judge answer").sign(number.encode()).decode("ascii", "replace")
    )
    fields = shared_site.form(token) | RANKS | {"form": own}
    assert shared_site.send("POST", "/judge/answer", token=token, fields=fields).code == 403


def test_a_signature_of_another_purpose_or_time_is_refused(monkeypatch: Any) -> None:
    import time

    value = signed("token", "answer", "7")
    assert unsigned("token", "answer", value) == "7"
    assert unsigned("token", "act", value) is None
    assert unsigned("other", "answer", value) is None
    later = time.time() + 40 * 24 * 3600
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)
    assert unsigned("token", "answer", value) is None


def test_a_replayed_form_counts_once(shared_site: Site) -> None:
    token = shared_site.store.add_judge()
    fields = shared_site.form(token) | RANKS
    before = shared_site.store.count(judgment)
    accept = {"Accept": "application/json"}
    replies = [
        shared_site.send("POST", "/judge/answer", token=token, fields=fields, headers=accept)
        for _ in range(3)
    ]
    assert [json.loads(reply.body) for reply in replies] == [
        {"saved": True, "new": True}, *[{"saved": True, "new": False}] * 2,
    ]  # fmt: skip
    assert shared_site.store.count(judgment) == before + 1


def test_large_and_strange_bodies_are_refused(shared_site: Site) -> None:
    token = shared_site.store.add_judge()
    fields = shared_site.form(token) | RANKS

    def code(**given: Any) -> int:
        return shared_site.send("POST", "/judge/answer", token=token, **given).code

    assert code(fields=fields | {"comment": "x" * 70_000}) == 413
    assert code(body=b"a=1&" * 300) == 400
    assert code(body="ä=1".encode()) == 400
    assert code(body=b"comment=%ff") == 400
    twice = urlencode([*fields.items(), ("rank-A", "2")]).encode()
    assert code(body=twice) == 400
    assert code(fields=fields, headers={"Content-Type": "application/json"}) == 415
    assert code(fields=fields, headers={"Content-Type": "multipart/form-data"}) == 415
    assert code(fields={**fields, "key": "short"}) == 422
    assert code(fields={**fields, "rank-A": "0"}) == 422
    assert code(fields={**fields, "rank-A": "6"}) == 422
    assert code(fields={**fields, "rank-A": "١"}) == 422
    assert code(fields={**fields, "action": "skip", "reason": "because"}) == 422
    assert shared_site.send("GET", "/judge/answer", token=token).code == 405


def test_a_body_without_a_length_is_stopped_too(shared_site: Site) -> None:
    token = shared_site.store.add_judge()
    with socket.create_connection(("127.0.0.1", shared_site.port), timeout=30) as connection:
        connection.sendall(
            b"POST /judge/answer HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n"
            b"Cookie: corrigenda_judge=" + token.encode() + b"\r\n\r\n"
        )
        try:
            for _ in range(200):
                connection.sendall(b"1000\r\n" + b"a" * 4096 + b"\r\n")
        except OSError:
            pass  # the server has closed the connection
        assert b" 413 " in connection.recv(200)


def test_what_is_missing_is_said_and_what_was_given_is_kept(shared_site: Site) -> None:
    token = shared_site.store.add_judge()
    fields = shared_site.form(token) | RANKS | {"rank-B": "", "rank-C": "3", "comment": "so-so"}
    reply = shared_site.send("POST", "/judge/answer", token=token, fields=fields)
    assert reply.code == 422
    assert 'role="alert"' in reply.text
    assert "Please rank output B" in reply.text
    assert re.search(r'name="rank-C" value="3" required checked', reply.text)
    assert "so-so</textarea>" in reply.text
    assert read_page(reply.text).hidden["key"] == fields["key"], "the same answer, the same key"


NASTY = [
    "<script>alert(1)</script>",
    "\u202egnp.txt \u2066x",
    "\"' onmouseover=alert(1) x='",
    "{{ 7*7 }} {% raw %}",
    "</textarea><img src=x onerror=alert(1)>",
]


@pytest.mark.parametrize("marks", [True, False])
def test_texts_are_shown_and_never_run(tmp_path: Path, marks: bool) -> None:
    corpus = Corpus.from_lists([f"source {NASTY[0]}"], [[NASTY[4]]], references_by="text")
    systems = [Hypotheses(f"S{number}", [text]) for number, text in enumerate(NASTY)]
    texts = (corpus, systems)
    with site(tmp_path / "c.db", texts=texts, marks=marks, show_reference=True, controls=0.0,
              instructions=NASTY[0]) as opened:  # fmt: skip
        token = opened.store.add_judge()
        page = opened.send("GET", "/judge", token=token).text
        assert sorted(read_page(page).outputs) == sorted(" ".join(text.split()) for text in NASTY)
        # Words that were inserted are apart from others, so look at what a browser would run.
        assert "<script>alert" not in page
        assert "<img" not in page
        assert page.count("<script ") == 1
        assert not re.search(r"<[^>]*\sonmouseover", page)
        assert "{{ 7*7 }}" in re.sub(r"</?ins>", "", page)
        assert all('dir="auto"' in line for line in page.splitlines() if 'class="text"' in line)
        assert (
            "default-src 'none'"
            in opened.send("GET", "/judge", token=token).headers["content-security-policy"]
        )


def test_every_answer_has_the_headers_of_safety(shared_site: Site) -> None:
    token = shared_site.store.add_judge()
    for path in ("/", "/judge", f"/j/{token}", "/nothing", "/static/judge.js", "/static/../x"):
        headers = shared_site.send("GET", path, token=token).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    cookie = shared_site.send("GET", f"/j/{token}").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie, "plain HTTP on this machine"


def test_only_known_links_open(shared_site: Site) -> None:
    store = shared_site.store
    token = store.add_judge()
    assert shared_site.send("GET", f"/j/{token}").code == 303
    for path in ("/j/x", f"/j/{token_hash(token)}", f"/o/{token}", f"/open/{token}"):
        assert shared_site.send("GET", path).code == 404
    assert shared_site.send("GET", f"/j/{store.organiser_token}").code == 404
    for path in ("/organiser", "/organiser/export/jsonl"):
        assert shared_site.send("GET", path).code == 401
        assert shared_site.send("GET", path, token=token, organiser=token).code == 401
        assert shared_site.send("GET", path, organiser=store.organiser_token).code == 200
    assert (
        shared_site.send("GET", "/organiser/export/x", organiser=store.organiser_token).code == 404
    )


def test_guessing_links_is_slowed_down(tmp_path: Path) -> None:
    gate = GateSettings(wrong_tokens=5)
    with site(tmp_path / "c.db", gate) as opened:
        codes = [opened.send("GET", f"/j/{number}").code for number in range(8)]
        assert codes == [404] * 5 + [429] * 3
        reply = opened.send("GET", "/")
        assert reply.code == 429
        assert reply.headers["retry-after"] == "60"
        forged = {"X-Forwarded-For": "203.0.113.9"}
        assert opened.send("GET", "/", headers=forged).code == 429


def test_a_trusted_proxy_says_where_a_request_comes_from(tmp_path: Path) -> None:
    gate = GateSettings(root="/judging", wrong_tokens=2, trusted_proxies=networks(["127.0.0.0/8"]))
    with site(tmp_path / "c.db", gate) as opened:
        token = opened.store.add_judge()
        one = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9", "X-Forwarded-Proto": "https"}
        other = {"X-Forwarded-For": "203.0.113.10"}
        for _ in range(3):
            opened.send("GET", "/j/x", headers=one)
        assert opened.send("GET", "/", headers=one).code == 429
        assert opened.send("GET", "/", headers=other).code == 200
        reply = opened.send(
            "GET", f"/judging/j/{token}", headers={**other, **{"X-Forwarded-Proto": "https"}}
        )
        assert reply.headers["location"] == "/judging/judge"
        assert "Secure" in reply.headers["set-cookie"]
        assert "Path=/judging" in reply.headers["set-cookie"]
        page = opened.send("GET", "/judging/judge", token=token, headers=other).text
        assert re.findall(r'(?:href|src|action)="(/[^"]*)"', page)
        assert all(
            link.startswith("/judging/")
            for link in re.findall(r'(?:href|src|action)="(/[^"]*)"', page)
        )


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2", "1.2.3.4"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "1.2.3.4, nonsense", "10.0.0.1"),
        ("10.0.0.1", "::1", "::1"),
        ("9.9.9.9", "1.2.3.4", "9.9.9.9"),
        ("unknown", "1.2.3.4", "unknown"),
    ],
)
def test_forwarded_addresses(peer: str, forwarded: str | None, expected: str) -> None:
    assert client_address(peer, forwarded, networks(["10.0.0.0/8"])) == expected


def test_a_rate_limit_fills_up_again() -> None:
    now = [0.0]
    limit = RateLimit(60, 2, clock=lambda: now[0])
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    assert limit.allows("b")
    now[0] += 1
    assert limit.has_left("a")
    assert [limit.allows("a") for _ in range(2)] == [True, False]


def test_requests_of_one_judge_are_limited(tmp_path: Path) -> None:
    with site(tmp_path / "c.db", GateSettings(per_token=20)) as opened:
        token, other = opened.store.add_judge(), opened.store.add_judge()
        codes = [opened.send("GET", "/judge/paused", token=token).code for _ in range(24)]
        assert codes[:20] == [200] * 20
        assert codes[-1] == 429
        assert opened.send("GET", "/judge/paused", token=other).code == 200


def test_people_of_a_crowd_service_enter_by_their_id(shared_site: Site) -> None:
    store = shared_site.store
    token = store.renew_campaign_token("open_hash")
    assert shared_site.send("GET", f"/open/{token}").code == 400
    assert shared_site.send("GET", f"/open/{token}?PROLIFIC_PID={'x' * 201}").code == 400
    assert shared_site.send("GET", f"/open/{token}?PROLIFIC_PID=a%00b").code == 400
    reply = shared_site.send("GET", f"/open/{token}?PROLIFIC_PID=5f3&STUDY_ID=1")
    assert reply.code == 303
    cookie = re.search(r"corrigenda_judge=([^;]+)", reply.headers["set-cookie"])
    assert cookie is not None
    assert shared_site.send("GET", "/judge", token=cookie[1]).code == 200


def test_the_end_has_a_code_and_a_way_back(tmp_path: Path) -> None:
    with site(tmp_path / "c.db", per_judge=1, completion_url="https://example.org/done?a=1&b=2",
              completion_code="CODE-9") as opened:  # fmt: skip
        token = opened.store.add_judge()
        fields = opened.form(token) | RANKS
        assert opened.send("POST", "/judge/answer", token=token, fields=fields).code == 303
        end = opened.send("GET", "/judge", token=token).text
        assert read_page(end).code == "CODE-9"
        assert 'href="https://example.org/done?a=1&amp;b=2"' in end
        act = {"act": read_page(end).hidden["act"]}
        assert opened.send("POST", "/judge/undo", token=token, fields=act).code == 303
        assert read_page(opened.send("GET", "/judge", token=token).text).is_item


def test_the_organiser_sees_the_names_and_the_figures(tmp_path: Path) -> None:
    with site(tmp_path / "c.db", texts=corpus_and_systems(6, 3), controls=0.2) as opened:
        token = opened.store.add_judge("<b>Anna</b>")
        player = SimulatedJudge(opened.port, token, tastes(opened.store), "rank", 2.0, (0,))
        while player.judge_once():
            pass
        page = opened.send("GET", "/organiser", organiser=opened.store.organiser_token).text
        assert "SYS0" in page
        assert "&lt;b&gt;Anna" in page
        assert "Expected Wins" in page
        reply = opened.send("GET", "/organiser/export/csv", organiser=opened.store.organiser_token)
        assert reply.headers["content-disposition"] == 'attachment; filename="judgments.csv"'
        assert b"system1Id" in reply.body


def test_a_request_for_a_websocket_is_a_request(shared_site: Site) -> None:
    wanted = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    assert shared_site.send("GET", "/", headers=wanted).code == 200


def test_a_full_disk_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The judge is asked to try again, and the organiser sees the reason without a traceback."""

    def fail(*_: object) -> None:
        said = sqlite3.OperationalError("database or disk is full")
        raise OperationalError("INSERT", {}, said)

    with site(tmp_path / "c.db") as made:
        token = made.store.add_judge()
        monkeypatch.setattr(made.store, "lease", fail)
        page = made.send("GET", "/judge", token=token)
        told = made.send("GET", "/judge", token=token, headers={"Accept": "application/json"})
    assert (page.code, told.code) == (503, 503)
    assert "The campaign cannot be used now" in page.text
    assert json.loads(told.body)["problem"].endswith("Please try again in a minute.")
    said = capsys.readouterr().err
    assert "the campaign cannot be used: database or disk is full" in said
    assert "Traceback" not in said
