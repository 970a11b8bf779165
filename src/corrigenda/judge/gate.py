"""What every request passes: the address behind proxies, rate limits, and the headers of safety."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from corrigenda.judge.limits import Network, RateLimit, client_address, is_trusted
from corrigenda.judge.tokens import token_hash

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFETY_HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_TOO_MANY = b"Too many requests. Please wait a minute and try again."


@dataclass(frozen=True)
class GateSettings:
    """Where the server stands, and what it allows."""

    root: str = ""
    """The path under which a proxy shows the server, e.g. /judging."""
    trusted_proxies: tuple[Network, ...] = ()
    per_address: float = 600
    """Requests per minute."""
    per_token: float = 240
    wrong_tokens: float = 20
    """Links that are not known, per minute and address."""


class Gate:
    """An ASGI application around another one."""

    def __init__(self, inner: ASGIApp, settings: GateSettings) -> None:
        self._inner, self._settings = inner, settings
        self._by_address = RateLimit(settings.per_address, max(20, settings.per_address / 4))
        self._by_token = RateLimit(settings.per_token, max(20, settings.per_token / 4))
        self._wrong = RateLimit(settings.wrong_tokens, settings.wrong_tokens)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._inner(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        scope = self._seen_from_outside(dict(scope), headers)
        address = str(scope["client"][0])
        if not self._allows(address, headers):
            await _refuse(send)
            return
        await self._inner(scope, receive, self._safely(send, scope, address))

    def _seen_from_outside(self, scope: Scope, headers: Mapping[str, str]) -> Scope:
        """The request as the browser sent it: address and scheme by trusted proxies only."""
        peer, port = scope.get("client") or ("unknown", 0)
        trusted = self._settings.trusted_proxies
        scope["client"] = (client_address(peer, headers.get("x-forwarded-for"), trusted), port)
        if is_trusted(peer, trusted) and headers.get("x-forwarded-proto") in ("http", "https"):
            scope["scheme"] = headers["x-forwarded-proto"]
        root = self._settings.root
        if root and (scope["path"] == root or scope["path"].startswith(root + "/")):
            scope["path"] = scope["path"][len(root) :] or "/"
            scope["raw_path"] = scope["path"].encode()
        scope["state"] = {**scope.get("state", {}), "wrong_token": False}
        return scope

    def _allows(self, address: str, headers: Mapping[str, str]) -> bool:
        token = _cookie_token(headers.get("cookie", ""))
        return (
            self._wrong.has_left(address)
            and self._by_address.allows(address)
            and (token is None or self._by_token.allows(token_hash(token)))
        )

    def _safely(self, send: Send, scope: Scope, address: str) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                if scope["state"]["wrong_token"]:
                    self._wrong.allows(address)
                given = {name.lower() for name, _ in message.get("headers", [])}
                added = {"cache-control": "no-store", **SAFETY_HEADERS}
                message["headers"] = [
                    *message.get("headers", []),
                    *(
                        (name.encode(), value.encode())
                        for name, value in added.items()
                        if name.encode() not in given
                    ),
                ]
            await send(message)

        return send_with_headers


def _cookie_token(cookie: str) -> str | None:
    try:
        parsed = SimpleCookie(cookie)
    except CookieError:
        return None
    found = [morsel.value for name, morsel in parsed.items() if name.startswith("corrigenda_")]
    return found[0] if found else None


async def _refuse(send: Send) -> None:
    headers = {"content-type": "text/plain; charset=utf-8", "retry-after": "60", **SAFETY_HEADERS}
    await send(
        {
            "type": "http.response.start",
            "status": 429,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": _TOO_MANY})
