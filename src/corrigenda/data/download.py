"""Downloads files over HTTP: an interrupted download continues where it stopped."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO

from corrigenda import progress, writing
from corrigenda._version import __version__
from corrigenda.errors import CorrigendaError
from corrigenda.text.numerals import whole_number

_CHUNK = 1 << 16
_LARGEST = 1 << 30
_ATTEMPTS = 4
_NETWORK_ERRORS = (
    urllib.error.URLError,
    http.client.HTTPException,
    TimeoutError,
    ConnectionError,
)


def mirrored(url: str, mirror: str | None) -> str:
    """The address at a mirror, which holds `host/path` of every official address."""
    if not mirror:
        return url
    parts = urllib.parse.urlsplit(url)
    return f"{mirror.rstrip('/')}/{parts.netloc}{parts.path}"


def fetch(url: str, target: Path, *, insecure: bool = False, timeout: float = 30.0) -> None:
    """Download to `target`, which is complete if it exists.

    Bytes that an earlier attempt left in `target.part` are not downloaded again. Only https is
    used, also after a redirection, unless `insecure` is set.
    """
    _check_scheme(url, insecure)
    part = target.with_name(target.name + ".part")
    problem = "the connection was lost"
    for _ in range(_ATTEMPTS):
        try:
            if _attempt(url, part, timeout, insecure):
                writing.finish_growing(part, target)
                _version_of(part).unlink(missing_ok=True)
                return
        except urllib.error.HTTPError as error:
            problem = f"HTTP {error.code} {error.reason}"
            if error.code < 500:
                break
        except ValueError as error:
            # Before any check of ours, urllib takes the address of a redirection apart.
            problem = f"it leads to an address that is none ({error})"
            break
        except _NETWORK_ERRORS as error:
            problem = str(getattr(error, "reason", error)) or type(error).__name__
    raise CorrigendaError(
        f"cannot fetch {url}: {problem}",
        remedy="Try again (the download continues where it stopped), or download the file in "
        "another way and use `corrigenda data import DIR`.",
    )


def _check_scheme(url: str, insecure: bool) -> None:
    try:
        scheme = urllib.parse.urlsplit(url).scheme
    except ValueError:  # e.g. a bracket without its other half
        scheme = ""
    if scheme not in ("http", "https"):
        raise CorrigendaError(
            f"{url} is not an HTTP address", remedy="Give an address that begins with https://."
        )
    if scheme == "http" and not insecure:
        raise CorrigendaError(
            f"{url} is not secure: others on the network could change the data",
            remedy="Give an address that begins with https://, or allow it: --insecure.",
        )


class _CheckedRedirects(urllib.request.HTTPRedirectHandler):
    """Follows a redirection only to an address that could be given, too."""

    def __init__(self, insecure: bool) -> None:
        self._insecure = insecure

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """The request at the new address."""
        _check_scheme(newurl, self._insecure)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _version_of(part: Path) -> Path:
    """The file that records which version of the download `part` belongs to."""
    return part.with_name(part.name + ".version")


def _attempt(url: str, part: Path, timeout: float, insecure: bool) -> bool:
    """Make one request; return whether the file is complete now."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers=_headers(part, have))
    opener = urllib.request.build_opener(_CheckedRedirects(insecure))
    with opener.open(request, timeout=timeout) as response:
        resumed = response.status == 206 and _range_start(response) == have
        if not resumed:
            have = 0
        length = whole_number(response.headers.get("Content-Length", ""))
        total = None if length is None else have + length
        _check_size(url, total or 0)
        version = response.headers.get("ETag") or response.headers.get("Last-Modified") or ""
        writing.write_bytes(_version_of(part), version.encode(), make_folders=True)
        with writing.growing_file(part, keep=resumed) as file:
            have, ended = _copy(response, file.write, have, total, part.stem)
    return ended if total is None else have == total


def _headers(part: Path, have: int) -> dict[str, str]:
    headers = {"User-Agent": f"corrigenda/{__version__}", "Accept-Encoding": "identity"}
    version = _known_version(part)
    if have and version:
        headers |= {"Range": f"bytes={have}-", "If-Range": version}
    return headers


def _known_version(part: Path) -> str:
    """The recorded version, or none if the record is missing or damaged."""
    try:
        version = _version_of(part).read_text("ascii")
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    return version if version.isprintable() else ""


def _range_start(response: http.client.HTTPResponse) -> int:
    value = response.headers.get("Content-Range", "")
    start = value.removeprefix("bytes ").partition("-")[0]
    number = whole_number(start)
    return -1 if number is None else number


def _check_size(name: str, size: int) -> None:
    if size > _LARGEST:
        raise CorrigendaError(
            f"{name} is larger than {_LARGEST >> 20} MB, but no data set has such a file",
            remedy="Check the address, or the mirror.",
        )


def _copy(
    response: http.client.HTTPResponse,
    write: Callable[[bytes], object],
    have: int,
    total: int | None,
    name: str,
) -> tuple[int, bool]:
    """Write all bytes of the response to the file `name`: its size, and whether it did not break.

    A response in chunks has no length; it breaks off where its last chunk is missing.
    """
    try:
        while chunk := response.read(_CHUNK):
            write(chunk)
            have += len(chunk)
            _check_size(name, have)
            progress.report("bytes fetched", have, total, name)
    except http.client.IncompleteRead as error:
        write(error.partial)
        return have + len(error.partial), False
    return have, True
