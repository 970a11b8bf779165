"""`python -m corrigenda` is the command `corrigenda`.

The command line is imported here, so that Ctrl+C during the imports is no traceback.
"""

from __future__ import annotations

import gc
import os
import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line; the exit code."""
    _start_quickly()
    code = _run()
    if code == _INTERRUPTED:
        # If Ctrl+C came while a module made code from text, as dataclasses do, Python would end by
        # the signal, although the interrupt was handled. It forgets this when it runs a text again.
        exec("")
    # Python searches all objects for cycles when it ends, some times. Nothing needs that search.
    gc.freeze()
    return code


def _start_quickly() -> None:
    """Leave out work that only makes the start of the program longer."""
    # Modules make hundreds of thousands of objects, and no garbage in cycles.
    gc.set_threshold(100_000)
    # The threads of OpenBLAS, which numpy starts, sleep at once if there is nothing to do. By
    # default they keep a core busy for 2^26 cycles first.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "18")
    # Arrow gives the memory of each block back to the system, and its own allocator asks for large
    # pages again, which must be cleared. That of the system keeps the memory.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def _run() -> int:
    try:
        from corrigenda import cli
    except KeyboardInterrupt:
        print("corrigenda: interrupted", file=sys.stderr)
        return _INTERRUPTED
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
