"""The machine and the versions on which the times were measured."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from measuring import version_of

OURS = ("corrigenda", "numpy")


def machine() -> dict[str, object]:
    """Processor, cores that this process may use, memory, system and Python."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "memory_gib": _memory(),
        "system": _system(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
        "load_at_start": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def versions(packages: set[str]) -> dict[str, str]:
    """The versions of our packages and of the installed peers."""
    found = {package: version_of(package) for package in sorted({*OURS, *packages} - {""})}
    return {package: version for package, version in found.items() if version is not None}


def in_words(described: dict[str, object]) -> str:
    return (
        f"{described['processor']} ({described['architecture']}), {described['cores']} cores, "
        f"{described['memory_gib']} GiB of memory, {described['system']}, "
        f"Python {described['python']}; "
        f"load at the start {described['load_at_start']}"
    )


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.is_file():
        for line in listing.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown processor"


def _memory() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, ValueError, OSError):
        return None


def _system() -> str:
    try:
        return str(platform.freedesktop_os_release()["PRETTY_NAME"])
    except (OSError, KeyError):
        return f"{platform.system()} {platform.release()}"
