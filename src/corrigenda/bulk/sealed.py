"""JSON with a checksum of itself: what was damaged on the disk is not taken for results."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_SEAL = "checksum"


def sealed(data: dict[str, Any]) -> bytes:
    """The text of an object, with its checksum at the end."""
    return json.dumps({**data, _SEAL: _checksum(data)}, ensure_ascii=False).encode()


def unsealed(content: bytes) -> Any:
    """The object of a text that `sealed` made. A ValueError says that it was damaged."""
    try:
        data = json.loads(content)
        if isinstance(data, dict) and data.pop(_SEAL, None) == _checksum(data):
            return data
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    raise ValueError("the content does not have its checksum")


def _checksum(data: dict[str, Any]) -> str:
    """The checksum of the values, whatever their order and spacing."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
