"""Who a request comes from, and how many requests and bytes are allowed."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from corrigenda.errors import UsageError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_MOST_KEYS = 20_000


def networks(names: Iterable[str]) -> tuple[Network, ...]:
    """The networks of --trusted-proxies."""
    found = []
    for name in names:
        try:
            found.append(ipaddress.ip_network(name, strict=False))
        except ValueError:
            raise UsageError(
                f"--trusted-proxies has {name!r}",
                remedy="Give addresses or networks, e.g. 127.0.0.1 10.0.0.0/8.",
            ) from None
    return tuple(found)


def _is_in(address: str, trusted: tuple[Network, ...]) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed.version == each.version and parsed in each for each in trusted)


def client_address(peer: str, forwarded: str | None, trusted: tuple[Network, ...]) -> str:
    """Where a request comes from.

    The header X-Forwarded-For counts only if a trusted proxy sent it: the last address in it that
    is not a trusted proxy itself.
    """
    if not forwarded or not _is_in(peer, trusted):
        return peer
    address = peer
    for part in reversed(forwarded.split(",")):
        given = part.strip()
        try:
            ipaddress.ip_address(given)
        except ValueError:
            return address
        address = given
        if not _is_in(given, trusted):
            return given
    return address


def is_trusted(peer: str, trusted: tuple[Network, ...]) -> bool:
    """Whether forwarded headers of this peer count."""
    return _is_in(peer, trusted)


@dataclass
class RateLimit:
    """At most `per_minute` requests per key, of which `burst` may come at once."""

    per_minute: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def has_left(self, key: str) -> bool:
        """Whether the next request would be allowed."""
        with self._lock:
            return self._now_left(key, self.clock()) >= 1

    def _now_left(self, key: str, now: float) -> float:
        left, last = self._left.get(key, (self.burst, now))
        return min(self.burst, left + (now - last) * self.per_minute / 60)

    def allows(self, key: str) -> bool:
        """Count a request; whether it is allowed."""
        now = self.clock()
        with self._lock:
            left = self._now_left(key, now)
            self._left.pop(key, None)
            allowed = left >= 1
            self._left[key] = (left - 1 if allowed else left, now)
            while len(self._left) > _MOST_KEYS:
                self._left.popitem(last=False)
        return allowed
