"""The web application: the pages of judges and of the organiser.

Every page is made on the server. Texts go through Jinja2's escaping. A judge's cookie holds the
token of their link; forms are signed with it, so that no other site can send them.
"""

from __future__ import annotations

import io
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import jinja2
from sqlalchemy.exc import InterfaceError, OperationalError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from corrigenda.formats.campaign import database_reason
from corrigenda.judge import answers
from corrigenda.judge.answers import IncompleteError
from corrigenda.judge.export import EXPORTS, SUFFIXES, export
from corrigenda.judge.gate import Gate, GateSettings
from corrigenda.judge.leasing import Lease, Progress
from corrigenda.judge.overview import overview
from corrigenda.judge.recording import NotYoursError
from corrigenda.judge.shown_changes import distinct_edits, marked
from corrigenda.judge.store import CampaignStore, Person
from corrigenda.judge.tokens import signed, unsigned
from corrigenda.text.numerals import whole_number

_LOG = logging.getLogger("uvicorn.error")
LARGEST_BODY = 64 * 1024
JUDGE_COOKIE, ORGANISER_COOKIE = "corrigenda_judge", "corrigenda_organiser"
EXTERNAL_IDS = ("PROLIFIC_PID", "workerId", "participant", "id")
"""The names under which crowd services send a person's id."""
_LONGEST_ID = 200
_COOKIE_SECONDS = 60 * 24 * 3600
_HERE = Path(__file__).parent
_STATIC = {
    "judge.css": "text/css",
    "judge.js": "text/javascript",
    "organiser.js": "text/javascript",
}


class RefusedError(Exception):
    """A request that gets no answer but a message."""

    def __init__(self, code: int, heading: str, *lines: str) -> None:
        super().__init__(heading)
        self.code, self.heading, self.lines = code, heading, lines


@dataclass(frozen=True)
class _Visitor:
    """A judge with their token."""

    person: Person
    token: str


class JudgingPages:
    """The handlers of all addresses, for one campaign."""

    def __init__(self, store: CampaignStore, root: str = "") -> None:
        self._store, self._root = store, root
        self._title, self._settings = store.campaign.title, store.campaign.settings
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
        )

    def routes(self) -> list[Route]:
        """Every address with its handler."""
        return [
            Route("/", self.home),
            Route("/static/{name}", self.static),
            Route("/j/{token}", self.enter),
            Route("/open/{token}", self.enter_open),
            Route("/o/{token}", self.enter_organiser),
            Route("/judge", self.item),
            Route("/judge/answer", self.answer, methods=["POST"]),
            Route("/judge/undo", self.undo, methods=["POST"]),
            Route("/judge/pause", self.pause, methods=["POST"]),
            Route("/judge/paused", self.paused),
            Route("/organiser", self.organiser),
            Route("/organiser/export/{style}", self.export),
        ]

    # Entering

    async def home(self, request: Request) -> Response:
        """Nothing to see without a link."""
        return self._message(
            "Judging", "Please open the link that the organiser sent you.", code=200
        )

    async def static(self, request: Request) -> Response:
        """A style sheet or a script."""
        name = request.path_params["name"]
        if name not in _STATIC:
            raise RefusedError(404, "There is no such page")
        content = await run_in_threadpool((_HERE / "static" / name).read_bytes)
        return Response(content, media_type=_STATIC[name], headers={"Cache-Control": "max-age=300"})

    async def enter(self, request: Request) -> Response:
        """A judge opens their link."""
        token = request.path_params["token"]
        person = await run_in_threadpool(self._store.person, token)
        if person is None:
            raise _unknown_link(request)
        await run_in_threadpool(self._store.log, person.id, "entered")
        return self._with_cookie(request, JUDGE_COOKIE, token, "/judge")

    async def enter_open(self, request: Request) -> Response:
        """Somebody of a crowd service opens the open link, with their id in the address."""
        if not await run_in_threadpool(self._store.is_open_link, request.path_params["token"]):
            raise _unknown_link(request)
        given = (request.query_params.get(name, "").strip() for name in EXTERNAL_IDS)
        external_id = next(filter(None, given), "")
        if not external_id or len(external_id) > _LONGEST_ID or not external_id.isprintable():
            raise RefusedError(
                400,
                "Your id is missing",
                "The link must end with your id, e.g. ?PROLIFIC_PID=… Please ask the organiser.",
            )
        token = await run_in_threadpool(self._store.enter_by_external_id, external_id)
        return self._with_cookie(request, JUDGE_COOKIE, token, "/judge")

    async def enter_organiser(self, request: Request) -> Response:
        """The organiser opens their link."""
        token = request.path_params["token"]
        if not await run_in_threadpool(self._store.is_organiser, token):
            raise _unknown_link(request)
        return self._with_cookie(request, ORGANISER_COOKIE, token, "/organiser")

    def _with_cookie(self, request: Request, name: str, token: str, to: str) -> Response:
        response = RedirectResponse(self._root + to, status_code=303)
        response.set_cookie(
            name,
            token,
            max_age=_COOKIE_SECONDS,
            path=self._root or "/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )
        return response

    # Judging

    async def item(self, request: Request) -> Response:
        """The next item of a judge, or the end."""
        visitor = await self._visitor(request)
        return await run_in_threadpool(self._item_page, visitor)

    def _item_page(self, visitor: _Visitor) -> Response:
        lease = self._store.lease(visitor.person.id)
        progress = self._store.progress(visitor.person.id)
        if lease is None:
            return self._finished(visitor, progress)
        fields = answers.previous_fields(lease.previous, self._settings.mode)
        return self._form(visitor, lease, progress, fields)

    def _form(
        self,
        visitor: _Visitor,
        lease: Lease,
        progress: Progress,
        fields: Mapping[str, str],
        problem: str | None = None,
    ) -> Response:
        settings = self._settings
        edits = distinct_edits(lease.source, lease.outputs) if settings.mode == "edits" else []
        return self._page(
            "item.html",
            422 if problem else 200,
            mode=settings.mode,
            marks=settings.marks,
            instructions=(settings.instructions or "").splitlines(),
            source=lease.source,
            before=lease.before.splitlines(),
            after=lease.after.splitlines(),
            reference=lease.reference,
            outputs=[marked(lease.source, text) for text in lease.outputs],
            letters=answers.LETTERS,
            edits=edits,
            fields={**dict.fromkeys(_field_names(len(lease.outputs), len(edits)), ""), **fields},
            reasons=answers.SKIP_REASONS,
            progress=progress,
            problem=problem,
            form=signed(visitor.token, "answer", str(lease.assignment_id)),
            act=signed(visitor.token, "act", secrets.token_urlsafe(18)),
            key=fields.get("key") or secrets.token_urlsafe(18),
        )

    def _finished(self, visitor: _Visitor, progress: Progress) -> Response:
        lines = (
            [f"You have judged {progress.done} items. Thank you!"]
            if progress.done
            else ["There is nothing to judge now. Please try again later."]
        )
        return self._page(
            "message.html",
            heading="All done" if progress.done else "Nothing to judge now",
            lines=lines,
            completion=visitor.person.code if progress.done else None,
            url=self._settings.completion_url if progress.done else None,
            go_on=None,
            undo=signed(visitor.token, "act", secrets.token_urlsafe(18)) if progress.done else None,
        )

    async def answer(self, request: Request) -> Response:
        """An answer or a skip."""
        visitor = await self._visitor(request)
        fields = await _fields(request)
        # Who has a token can sign anything with it.
        number = whole_number(unsigned(visitor.token, "answer", fields.get("form", "")) or "")
        if number is None:
            raise _forged()
        return await run_in_threadpool(self._answer, visitor, number, fields, _wants_json(request))

    def _answer(
        self, visitor: _Visitor, number: int, fields: Mapping[str, str], wants_json: bool
    ) -> Response:
        person = visitor.person
        lease = self._store.shown(person.id, number)
        try:
            if lease is None:
                raise NotYoursError("this item is not yours")
            given = answers.read_answer(fields, lease, self._settings.mode)
            recorded = self._store.answer(person.id, number, given)
        except NotYoursError as error:
            raise RefusedError(409, "This item is not open", str(error)) from error
        except IncompleteError as error:
            assert lease is not None
            if wants_json:
                return JSONResponse({"problem": error.problem}, status_code=422)
            progress = self._store.progress(person.id)
            return self._form(visitor, lease, progress, fields, error.problem)
        if wants_json:
            return JSONResponse({"saved": True, "new": recorded.new})
        return RedirectResponse(f"{self._root}/judge", status_code=303)

    async def undo(self, request: Request) -> Response:
        """Open the last answer again."""
        visitor, key = await self._act(request)
        await run_in_threadpool(self._store.undo, visitor.person.id, key)
        return RedirectResponse(f"{self._root}/judge", status_code=303)

    async def pause(self, request: Request) -> Response:
        """Keep the open item for later."""
        visitor, _ = await self._act(request)
        await run_in_threadpool(self._store.pause, visitor.person.id)
        return RedirectResponse(f"{self._root}/judge/paused", status_code=303)

    async def paused(self, request: Request) -> Response:
        """What a judge sees who has paused."""
        await self._visitor(request)
        return self._page(
            "message.html",
            heading="Paused",
            lines=["Your place is kept. You can close this page and open your link again later."],
            completion=None,
            url=None,
            go_on="Go on",
            undo=None,
        )

    async def _act(self, request: Request) -> tuple[_Visitor, str]:
        """The judge, and the key of a form without an item."""
        visitor = await self._visitor(request)
        key = unsigned(visitor.token, "act", (await _fields(request)).get("act", ""))
        if key is None:
            raise _forged()
        return visitor, key

    async def _visitor(self, request: Request) -> _Visitor:
        token = request.cookies.get(JUDGE_COOKIE, "")
        person = await run_in_threadpool(self._store.person, token) if token else None
        if person is None:
            raise RefusedError(
                401, "Please open your link", "Open the link that the organiser sent you again."
            )
        return _Visitor(person, token)

    # The organiser

    async def organiser(self, request: Request) -> Response:
        """The figures of the campaign."""
        await self._require_organiser(request)
        view = await run_in_threadpool(overview, self._store)
        return self._page("organiser.html", view=view, styles=list(EXPORTS))

    async def export(self, request: Request) -> Response:
        """The judgments as a file."""
        await self._require_organiser(request)
        style = request.path_params["style"]
        if style not in EXPORTS:
            raise RefusedError(404, "There is no such export")
        file = io.StringIO()
        await run_in_threadpool(export, self._store, style, file)
        return Response(
            file.getvalue(),
            media_type="text/plain; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="judgments.{SUFFIXES[style]}"'},
        )

    async def _require_organiser(self, request: Request) -> None:
        token = request.cookies.get(ORGANISER_COOKIE, "")
        if not token or not await run_in_threadpool(self._store.is_organiser, token):
            raise RefusedError(401, "Please open the organiser's link")

    # Answers to requests

    def _page(self, template: str, status: int = 200, **values: Any) -> Response:
        page = self._templates.get_template(template)
        content = page.render(title=self._title, root=self._root, **values)
        return HTMLResponse(content.encode("utf-8", "replace"), status_code=status)

    def _message(self, heading: str, *lines: str, code: int) -> Response:
        return self._page(
            "message.html",
            code,
            heading=heading,
            lines=lines,
            completion=None,
            url=None,
            go_on=None,
            undo=None,
        )

    async def refused(self, request: Request, error: Exception) -> Response:
        """The message of a refused request, as a page or as JSON."""
        assert isinstance(error, RefusedError)
        if _wants_json(request):
            problem = " ".join((f"{error.heading}.", *error.lines))
            return JSONResponse({"problem": problem}, status_code=error.code)
        return self._message(error.heading, *error.lines, code=error.code)

    async def unavailable(self, request: Request, error: Exception) -> Response:
        """The database cannot be used: its disk is full, or its server is gone."""
        assert isinstance(error, OperationalError | InterfaceError)
        _LOG.error("the campaign cannot be used: %s", database_reason(error))
        heading, remedy = "The campaign cannot be used now", "Please try again in a minute."
        return await self.refused(request, RefusedError(503, heading, remedy))

    async def missing(self, request: Request, _error: Exception) -> Response:
        """No page has this address."""
        return self._message("There is no such page", code=404)


def _field_names(outputs: int, edits: int) -> list[str]:
    letters = answers.LETTERS[:outputs]
    return [
        "comment",
        "choice",
        *(f"rank-{letter}" for letter in letters),
        *(f"rating-{letter}" for letter in letters),
        *(f"edit-{number}" for number in range(1, edits + 1)),
    ]


def _forged() -> RefusedError:
    return RefusedError(
        403, "This form cannot be used", "It is too old, or not yours. Load the page again."
    )


def _unknown_link(request: Request) -> RefusedError:
    request.scope["state"]["wrong_token"] = True
    return RefusedError(
        404, "This link is not known", "Is it complete? Please ask the organiser for a new one."
    )


def _wants_json(request: Request) -> bool:
    return request.headers.get("accept", "").startswith("application/json")


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a form. A body that is too large is refused before it is read whole."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise RefusedError(415, "This is not a form")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                raise RefusedError(413, "The form is too large")
    except ClientDisconnect:
        raise RefusedError(400, "The form is not complete") from None
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=200, errors="strict"
        )
    except ValueError as error:  # also a body that is not ASCII, or text that is not UTF-8
        raise RefusedError(400, "The form cannot be read") from error
    fields = {name: value.replace("\x00", "") for name, value in pairs}
    if len(fields) < len(pairs):
        raise RefusedError(400, "The form cannot be read", "A field is given twice.")
    return fields


def application(store: CampaignStore, gate: GateSettings | None = None) -> Gate:
    """The whole application: pages behind the gate that checks every request."""
    settings = gate or GateSettings()
    pages = JudgingPages(store, settings.root)
    handlers: dict[Any, Any] = {
        RefusedError: pages.refused,
        OperationalError: pages.unavailable,
        InterfaceError: pages.unavailable,
        404: pages.missing,
    }
    return Gate(Starlette(routes=pages.routes(), exception_handlers=handlers), settings)
