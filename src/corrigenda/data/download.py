"""Fetches files over HTTP: resumed where they broke off, bounded, and whole or not at all."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path

from corrigenda._version import __version__
from corrigenda.errors import CorrigendaError

_CHUNK = 1 << 16
_LARGEST = 1 << 30
_ATTEMPTS = 4
Progress = Callable[[int, int | None], None]


def mirrored(url: str, mirror: str | None) -> str:
    """The address at a mirror, which holds `host/path` of every official address."""
    if not mirror:
        return url
    parts = urllib.parse.urlsplit(url)
    return f"{mirror.rstrip('/')}/{parts.netloc}{parts.path}"


def fetch(
    url: str, target: Path, *, progress: Progress | None = None, timeout: float = 30.0
) -> None:
    """Download to `target`. What a broken attempt left in `target.part` is carried on, not fetched again."""
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise CorrigendaError(f"{url} is not an HTTP address")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    problem = "it broke off"
    for _ in range(_ATTEMPTS):
        try:
            if _attempt(url, part, progress, timeout):
                part.replace(target)
                _validator(part).unlink(missing_ok=True)
                return
        except urllib.error.HTTPError as error:
            problem = f"HTTP {error.code} {error.reason}"
            if error.code < 500:
                break
        except (
            urllib.error.URLError,
            http.client.HTTPException,
            TimeoutError,
            ConnectionError,
        ) as error:
            problem = str(getattr(error, "reason", error)) or type(error).__name__
    raise CorrigendaError(
        f"cannot fetch {url}: {problem}",
        remedy="Try again (it carries on where it stopped), or fetch it by other means and use "
        "`corrigenda data import DIR`.",
    )


def _validator(part: Path) -> Path:
    """Remembers which version of the file the part belongs to."""
    return part.with_name(part.name + ".version")


def _attempt(url: str, part: Path, progress: Progress | None, timeout: float) -> bool:
    """One request; whether the file is complete now."""
    have = part.stat().st_size if part.exists() else 0
    version = _validator(part).read_text("utf-8") if _validator(part).exists() else ""
    headers = {"User-Agent": f"corrigenda/{__version__}", "Accept-Encoding": "identity"}
    if have and version:
        headers |= {"Range": f"bytes={have}-", "If-Range": version}
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=timeout) as response:
        resumed = response.status == 206 and _range_start(response) == have
        if not resumed:
            have = 0
        length = response.headers.get("Content-Length")
        total = have + int(length) if length and length.isdigit() else None
        if total is not None and total > _LARGEST:
            raise CorrigendaError(
                f"{url} is larger than {_LARGEST >> 20} MB; nothing here should be"
            )
        _validator(part).write_text(
            response.headers.get("ETag") or response.headers.get("Last-Modified") or "", "utf-8"
        )
        with part.open("ab" if resumed else "wb") as file:
            have = _copy(response, file.write, have, total, progress)
    return total is None or have == total


def _range_start(response: http.client.HTTPResponse) -> int:
    value = response.headers.get("Content-Range", "")
    start = value.removeprefix("bytes ").partition("-")[0]
    return int(start) if start.isdigit() else -1


def _copy(
    response: http.client.HTTPResponse,
    write: Callable[[bytes], object],
    have: int,
    total: int | None,
    progress: Progress | None,
) -> int:
    try:
        while chunk := response.read(_CHUNK):
            write(chunk)
            have += len(chunk)
            if have > _LARGEST:
                raise CorrigendaError(
                    f"the answer is larger than {_LARGEST >> 20} MB; nothing here should be"
                )
            if progress is not None:
                progress(have, total)
    except http.client.IncompleteRead as error:
        write(error.partial)
        have += len(error.partial)
    return have
