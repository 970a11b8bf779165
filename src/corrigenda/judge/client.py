"""A judge without a browser: reads the pages and sends the forms over HTTP."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode

from corrigenda.judge.server import JUDGE_COOKIE

_VOID = {"input", "meta", "link", "br"}


@dataclass
class ShownPage:
    """What a page shows: an item, or the end."""

    hidden: dict[str, str] = field(default_factory=dict)
    source: str = ""
    outputs: list[str] = field(default_factory=list)
    edits: int = 0
    code: str = ""

    @property
    def is_item(self) -> bool:
        """Whether there is something to judge."""
        return bool(self.outputs)


class _Reader(HTMLParser):
    """Finds the texts of an item. Deleted words are left out: they are not in the output."""

    def __init__(self) -> None:
        super().__init__()
        self.page = ShownPage()
        self._open: list[tuple[str, Mapping[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "input" and found.get("type") == "hidden":
            self.page.hidden[found.get("name") or ""] = found.get("value") or ""
        if tag == "input" and found.get("type") == "radio" and found.get("value") == "right":
            self.page.edits += 1
        if tag not in _VOID:
            self._open.append((tag, found))
        if tag == "li" and found.get("class") == "candidate":
            self.page.outputs.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._open]
        classes = [found.get("class") for _, found in self._open]
        if "code" in classes:
            self.page.code += data
        elif "text" in classes and "del" not in tags and "empty" not in classes:
            if "candidate" in classes:
                self.page.outputs[-1] += data
            elif not self.page.source:
                self.page.source = data


def read_page(html: str) -> ShownPage:
    """The parts of a page that a judge uses."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    page = reader.page
    page.outputs = [" ".join(text.split()) for text in page.outputs]
    return page


class JudgeClient:
    """One judge at one server. The connection is kept between requests."""

    def __init__(self, port: int, token: str, host: str = "127.0.0.1") -> None:
        self._connection = http.client.HTTPConnection(host, port, timeout=30)
        self._token = token

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def request(
        self, method: str, path: str, fields: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        """The code and the text that the server answers."""
        headers = {"Cookie": f"{JUDGE_COOKIE}={self._token}", "Accept": "application/json"}
        body = None
        if fields is not None:
            body = urlencode(fields)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            self._connection.request(method, path, body=body, headers=headers)
            response = self._connection.getresponse()
            return response.status, response.read().decode("utf-8")
        except Exception:
            self._connection.close()
            raise

    def item(self) -> ShownPage:
        """The page of the next item, or of the end."""
        code, text = self.request("GET", "/judge")
        if code != 200:
            raise ConnectionError(f"the server answered {code}")
        return read_page(text)

    def answer(self, page: ShownPage, fields: Mapping[str, str]) -> int:
        """Send the form of a page; the code that the server answers."""
        hidden = {name: page.hidden[name] for name in ("form", "key")}
        return self.request("POST", "/judge/answer", {**hidden, "action": "answer", **fields})[0]
