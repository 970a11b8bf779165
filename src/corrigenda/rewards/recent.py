"""A cache of bounded size. It keeps the values that were used last."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Recent(Generic[_Key, _Value]):
    """Keeps at least the `size` values used last, and at most twice as many.

    `weigh` says how many values a key counts as. There are two generations. A value that is used
    moves into the young generation. When the young generation is full, it replaces the old one. So
    a value in the young generation costs a single look-up.
    """

    def __init__(self, size: int, weigh: Callable[[_Key], int] = lambda _: 1) -> None:
        self._size = size
        self._weigh = weigh
        self._weight = 0
        self._young: dict[_Key, _Value] = {}
        self._old: dict[_Key, _Value] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get_all(self, keys: Sequence[_Key], make: Callable[[_Key], _Value]) -> list[_Value]:
        """The value of each key; missing values are made. Values must be true in a condition."""
        found = list(map(self._young.get, keys))
        # Testing for truth is much quicker than searching for None.
        if all(found):
            return found  # type: ignore[return-value]
        return [
            self._older_or_made(key, make) if value is None else value
            for key, value in zip(keys, found, strict=True)
        ]

    def _older_or_made(self, key: _Key, make: Callable[[_Key], _Value]) -> _Value:
        value = self._young.get(key)  # a key may occur several times
        if value is None:
            value = self._old.get(key)
            if value is None:
                value = make(key)
            self._keep(key, value)
        return value

    def _keep(self, key: _Key, value: _Value) -> None:
        weight = self._weigh(key)
        if weight > self._size:
            return
        with self._lock:
            if self._weight + weight > self._size:
                self._old, self._young, self._weight = self._young, {}, 0
            self._old.pop(key, None)
            if key not in self._young:
                self._young[key] = value
                self._weight += weight
