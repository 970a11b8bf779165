"""`python -m corrigenda` is the command `corrigenda`.

The command line is imported here, so that Ctrl+C during the imports is no traceback.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line; the exit code."""
    # What is registered first is done last.
    atexit.register(_ignore_ctrl_c)
    _start_quickly()
    code = _run()
    if code == _INTERRUPTED:
        # If Ctrl+C came while a module made code from text, as dataclasses do, Python would end by
        # the signal, although the interrupt was handled. It forgets this when it runs a text again.
        exec("")
    # Python searches all objects for cycles when it ends, some times. Nothing needs that search.
    gc.freeze()
    return code


def _ignore_ctrl_c() -> None:
    """Near its end Python would give the signal its first meaning: to kill the process."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


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
        from corrigenda.cli import last_net, standard_streams

        standard_streams.forgive()
    except KeyboardInterrupt:
        # Nothing is written yet. At once, so that a second Ctrl+C has no time to be a traceback.
        try:
            os.write(2, b"corrigenda: interrupted\n")
        finally:
            os._exit(_INTERRUPTED)
    code = cli.main()
    last_net.end_at_ctrl_c(code)
    return code


if __name__ == "__main__":
    sys.exit(main())
