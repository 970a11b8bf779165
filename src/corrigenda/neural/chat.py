"""A chat model behind any service that speaks OpenAI's protocol.

The key is read from the environment when a question is sent. It is never part of a signature, a
message or the cache.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from corrigenda.errors import CorrigendaError

KEY_VARIABLES = ("CORRIGENDA_LLM_KEY", "OPENAI_API_KEY")
TRIES = 6
"""How often a question is sent if the service is busy, broken or slow."""
FIRST_WAIT = 1.0
"""Seconds before the second try; each further wait is twice as long."""
LONGEST_WAIT = 60.0
TIMEOUT = 120.0
"""Seconds for a whole answer, and for each part of it."""
_PART = 1 << 16
_AGAIN = frozenset({408, 409, 429, 500, 502, 503, 504})
_LARGEST_ANSWER = 1 << 22
"""Bytes. A list of a few numbers needs some hundred."""
_CHARACTERS_PER_TOKEN = 3
"""A cautious guess for English: a question has no more tokens than this."""


class Reply(NamedTuple):
    """The text of an answer, and the tokens of question and answer together."""

    text: str
    tokens: int


@dataclass
class Budget:
    """How many tokens may be used, and how many were; None is no limit."""

    limit: int | None = None
    used: int = 0
    _settled: threading.Condition = field(default_factory=threading.Condition, repr=False)
    _reserved: int = 0

    def reserve(self, tokens: int) -> None:
        """Take tokens for a question before it is sent; raise an error if too few are left.

        Questions that are under way mostly cost less than was taken for them. So it waits for them
        before it gives up.
        """
        with self._settled:
            while self._reserved and self._is_short_of(tokens):
                self._settled.wait()
            if self._is_short_of(tokens):
                raise CorrigendaError(
                    f"the budget of {self.limit:,} tokens is reached: {self.used:,} are used, and "
                    f"the next question needs up to {tokens:,}",
                    remedy="Answers so far are kept: run it again with a larger budget.",
                )
            self._reserved += tokens

    def _is_short_of(self, tokens: int) -> bool:
        return self.limit is not None and self.used + self._reserved + tokens > self.limit

    def spend(self, reserved: int, used: int) -> None:
        """Replace a reservation by what was really used."""
        with self._settled:
            self._reserved -= reserved
            self.used += used
            self._settled.notify_all()


@dataclass(frozen=True)
class ChatService:
    """A model of a service. `base_url` ends before `/chat/completions`."""

    base_url: str
    model: str
    seed: int

    def ask(
        self, instructions: str, question: str, schema: Mapping[str, object], budget: Budget
    ) -> Reply:
        """Send a question until there is an answer, with longer and longer waits."""
        body = {
            "model": self.model,
            "temperature": 0,
            "seed": self.seed,
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": question},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "ratings", "strict": True, "schema": schema},
            },
        }
        return self._answer(json.dumps(body).encode(), instructions + question, budget)

    def _answer(self, body: bytes, asked: str, budget: Budget) -> Reply:
        expected, problem = guessed_tokens(asked), ""
        for attempt in range(TRIES):
            # Whatever goes wrong after the question arrived may have cost its tokens.
            used = expected
            budget.reserve(expected)
            try:
                reply = _read(self._sent(body), expected)
                used = reply.tokens
                return reply
            except HTTPError as error:
                used = 0
                if error.code not in _AGAIN:
                    raise self._refused(error) from None
                problem = f"status {error.code}"
                wait = _wait(attempt, error.headers.get("Retry-After"))
            except (OSError, HTTPException, ValueError, RecursionError) as error:
                used = 0 if _never_arrived(error) else expected
                problem = type(error).__name__
                wait = _wait(attempt, None)
            finally:
                budget.spend(expected, used)
            if attempt + 1 < TRIES:
                time.sleep(wait)
        raise CorrigendaError(
            f"{self.base_url} gave no answer after {TRIES} tries: {problem}",
            remedy="Try again later: answers so far are kept.",
        )

    def _sent(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json"}
        if key := api_key():
            headers["Authorization"] = f"Bearer {key}"
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        opener = build_opener(_NoRedirects)
        with opener.open(Request(url, body, headers), timeout=TIMEOUT) as response:
            return _content(response, time.monotonic() + TIMEOUT)

    def _refused(self, error: HTTPError) -> CorrigendaError:
        remedy = "Check the parameters model and base_url."
        if error.code in (401, 403):
            remedy = f"Set {KEY_VARIABLES[0]} or {KEY_VARIABLES[1]} to a valid key."
        return CorrigendaError(
            f"{self.base_url} refuses the question: status {error.code}", remedy=remedy
        )


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would send the key to another host. It becomes an error."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Do not follow."""


def _content(response: HTTPResponse, deadline: float) -> bytes:
    """The bytes of an answer. A service may not send one byte at a time for hours."""
    expected, content = response.length, b""
    while len(content) != expected and (part := response.read1(_PART)):
        content += part
        if len(content) > _LARGEST_ANSWER:
            raise ValueError("the answer is too long")
        if time.monotonic() > deadline:
            raise TimeoutError
    if expected is not None and len(content) < expected:
        raise IncompleteRead(content, expected - len(content))
    return content


def _never_arrived(error: Exception) -> bool:
    """Whether the service was not reached at all, so that the question cost nothing."""
    reason = getattr(error, "reason", error)
    return isinstance(reason, ConnectionRefusedError | socket.gaierror)


def is_service_url(url: str) -> bool:
    """Whether it is an address on the web, without a password and without further fields."""
    parts = urlsplit(url)
    bare = "@" not in parts.netloc and not parts.query and not parts.fragment
    return parts.scheme in ("http", "https") and bool(parts.hostname) and bare


def api_key() -> str:
    """The key of the service; empty if none is set."""
    for name in KEY_VARIABLES:
        # A key that was read from a file often has the end of its line.
        if key := os.environ.get(name, "").strip():
            if not (key.isascii() and key.isprintable()):
                raise CorrigendaError(
                    f"{name} has characters that no key has",
                    remedy="Copy the key again: it has letters, digits and signs of ASCII.",
                )
            return key
    return ""


def guessed_tokens(text: str) -> int:
    """More tokens than a question and its short answer have, as a guess."""
    return len(text.encode()) // _CHARACTERS_PER_TOKEN + 200


def _read(content: bytes, expected: int) -> Reply:
    """The text of an answer. An answer without text, as a model that refuses gives, is empty."""
    data: Any = json.loads(content)
    if not isinstance(data, dict) or "choices" not in data:
        raise ValueError("no answer")
    usage = data.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    if type(tokens) is not int or tokens < 0:
        tokens = expected
    return Reply(_text(data["choices"]), tokens)


def _text(choices: Any) -> str:
    try:
        text = choices[0]["message"]["content"]
    except (LookupError, TypeError):
        return ""
    return text if isinstance(text, str) else ""


def _wait(attempt: int, asked: str | None) -> float:
    """Seconds to wait: what the service asks for, else twice as long each time."""
    own: float = FIRST_WAIT * 2**attempt
    try:
        wished = float(asked) if asked else 0.0
    except ValueError:
        wished = 0.0
    return min(max(own, wished), LONGEST_WAIT)
