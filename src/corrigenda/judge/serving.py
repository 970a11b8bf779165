"""Starting the server, and finding out where it listens."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import FrameType
from typing import TYPE_CHECKING

from corrigenda.errors import CorrigendaError, MissingExtraError
from corrigenda.writing.endings import leaving_by_blocks

if TYPE_CHECKING:
    import uvicorn

    from corrigenda.judge.gate import GateSettings
    from corrigenda.judge.store import CampaignStore


def require_server() -> None:
    """Load the server, or say what to install.

    It is loaded before it listens: nobody waits for a server that is still starting.
    """
    for name in ("starlette", "uvicorn", "jinja2", "itsdangerous"):
        if find_spec(name) is None:
            raise MissingExtraError(
                f"the judging server needs the package {name}",
                remedy="pip install 'corrigenda[judge]'",
            )
    import uvicorn  # noqa: F401

    import corrigenda.judge.server  # noqa: F401


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise CorrigendaError(
            f"cannot listen on {host}, port {port}: {error.strerror}",
            remedy="Give another port: --port N. Port 0 takes a free one.",
        ) from error
    made.listen(512)
    return made


def _server(store: CampaignStore, gate: GateSettings) -> uvicorn.Server:
    """The server of a campaign.

    No address is logged, because links hold tokens. Headers of proxies are read by the gate only.
    """
    import uvicorn

    from corrigenda.judge.server import application

    return uvicorn.Server(
        uvicorn.Config(
            application(store, gate),
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=5,
            lifespan="off",
            ws="none",  # a request for a WebSocket gets the page, not an error
        )
    )


def serve(store: CampaignStore, listener: socket.socket, gate: GateSettings) -> None:
    """Answer requests until the process is told to stop.

    The server sends SIGTERM again when it has stopped, which would end the process at once. What
    comes after it must be done, too.
    """
    server = _server(store, gate)
    ended_by: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        ended_by.append(number)
        server.should_exit = True

    with leaving_by_blocks():
        # The server knows nothing of this signal, and takes what is raised for a failed request.
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, end)
        server.run(sockets=[listener])
    if ended_by:
        raise SystemExit(128 + ended_by[0])


@contextmanager
def served(store: CampaignStore, gate: GateSettings) -> Iterator[int]:
    """The port of a server in a thread of this process; it stops at the end of the block."""
    listener = listening_socket("127.0.0.1", 0)
    server = _server(store, gate)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listener.close()
